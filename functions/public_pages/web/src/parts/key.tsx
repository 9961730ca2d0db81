// The dialog in which the key is typed. It keeps the focus while it is open and gives it back, as <dialog> does.
import { useEffect, useRef, useState } from "preact/hooks";
import { storedKey, storeKey } from "../session";
import { texts } from "../texts";

const ASK = "ask-for-key";
const CHANGED = "key-changed";

export function askForKey(): void {
  dispatchEvent(new Event(ASK));
}

/** Counts the changes of the key: what depends on it asks again. */
export function useKeyChanges(): number {
  const [changes, setChanges] = useState(0);
  useEffect(() => {
    const changed = () => setChanges((count) => count + 1);
    addEventListener(CHANGED, changed);
    return () => removeEventListener(CHANGED, changed);
  }, []);
  return changes;
}

export function KeyDialog() {
  const dialog = useRef<HTMLDialogElement>(null);
  const [typed, setTyped] = useState("");
  useEffect(() => {
    const open = () => dialog.current?.showModal();
    addEventListener(ASK, open);
    return () => removeEventListener(ASK, open);
  }, []);
  const use = (key: string) => {
    storeKey(key);
    setTyped("");
    dialog.current?.close();
    dispatchEvent(new Event(CHANGED));
  };
  return (
    <dialog ref={dialog} aria-labelledby="key-title">
      <form onSubmit={(event) => { event.preventDefault(); use(typed.trim()); }}>
        <h2 id="key-title">{texts.key.title}</h2>
        <label>
          {texts.key.label}
          <input type="password" autoComplete="off" spellcheck={false} value={typed} required
            onInput={(event) => setTyped(event.currentTarget.value)} />
        </label>
        <p class="small">{texts.key.why}</p>
        <p class="actions">
          <button type="submit" class="primary">{texts.key.save}</button>
          {storedKey() && <button type="button" onClick={() => use("")}>{texts.key.forget}</button>}
          <button type="button" onClick={() => dialog.current?.close()}>{texts.key.close}</button>
        </p>
      </form>
    </dialog>
  );
}
