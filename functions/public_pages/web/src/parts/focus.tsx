// Where the focus goes when the reader gets to a view, and when what had it is gone: to the heading of what is shown.
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

const ARRIVAL = "data-arrival";
let arriving = false; // until the reader moves on: a better heading that appears later takes the focus over
let last: Element | null = null;

/** Moves the focus to the innermost heading that is there, and to one that follows. */
export function arrive(): void {
  arriving = true;
  [...document.querySelectorAll<HTMLElement>(`main [${ARRIVAL}]`)].at(-1)?.focus({ preventScroll: true });
}

/** Called once, before the page is drawn. Without it the focus falls to the top of the page with whatever had it. */
export function keepFocus(): void {
  addEventListener("hashchange", () => { arriving = true; });
  addEventListener("pointerdown", () => { arriving = false; });
  addEventListener("focusin", (event) => {
    last = event.target as Element;
    if (!last.hasAttribute(ARRIVAL)) arriving = false;
  });
  new MutationObserver(() => {
    if (!last || last.isConnected || document.activeElement !== document.body) return;
    last = null;
    arrive();
  }).observe(document, { childList: true, subtree: true });
}

type HeadingProps = { level?: 1 | 2; id?: string; hidden?: boolean; children: ComponentChildren };

/** A heading that the focus goes to. */
export function Heading({ level = 1, id, hidden = false, children }: HeadingProps) {
  const element = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => { if (arriving) element.current?.focus({ preventScroll: true }); }, []);
  const Level = level === 1 ? "h1" : "h2";
  return <Level ref={element} id={id} class={hidden ? "hidden" : undefined} tabIndex={-1} {...{ [ARRIVAL]: "" }}>{children}</Level>;
}

/** For a list that grows at its end: `added` before it grows moves the focus to the first new entry, once that is there. */
export function useFocusOnAdded<List extends HTMLElement>(length: number) {
  const list = useRef<List>(null);
  const from = useRef<number | null>(null);
  useLayoutEffect(() => {
    if (from.current === null || length <= from.current) return;
    const entry = list.current?.children[from.current];
    from.current = null;
    if (!(entry instanceof HTMLElement)) return;
    entry.tabIndex = -1;
    entry.focus({ preventScroll: true });
  }, [length]);
  return { list, added: () => { from.current = length; } };
}
