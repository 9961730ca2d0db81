// What a screen reader says while the reader is elsewhere. The region is there from the start: one that appears together
// with its text is often not read.
import { useEffect, useState } from "preact/hooks";

const SAID = "said";

export function say(words: string): void {
  dispatchEvent(new CustomEvent<string>(SAID, { detail: words }));
}

/** Says the words whenever they change; none are not said. */
export function useSaid(words: string): void {
  useEffect(() => { if (words) say(words); }, [words]);
}

export function Announcer() {
  const [words, setWords] = useState("");
  useEffect(() => {
    // The same words once more are another text, or they would not be said.
    const said = (event: Event) => setWords((before) => {
      const now = (event as CustomEvent<string>).detail;
      return now === before ? `${now}\u00a0` : now;
    });
    addEventListener(SAID, said);
    return () => removeEventListener(SAID, said);
  }, []);
  return <p role="status" class="hidden">{words}</p>;
}
