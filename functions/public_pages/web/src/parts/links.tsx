// What others wrote, shown safely: an address becomes a link only if it leads to a web page; a text has its own direction.
import type { ComponentChildren } from "preact";

/** The address, if a browser may follow it; null for `javascript:` and everything else that is not a web page. */
export function webAddress(address: string | null | undefined): string | null {
  if (!address || !URL.canParse(address)) return null;
  return /^https?:$/.test(new URL(address).protocol) ? address : null;
}

export function WebLink({ address, children }: { address: string | null | undefined; children: ComponentChildren }) {
  const safe = webAddress(address);
  if (!safe) return <>{children}</>;
  return <a href={safe} target="_blank" rel="noopener noreferrer">{children}</a>;
}

/** Text of others. Its direction is its own, and ends with it. */
export function Foreign({ text }: { text: string }) {
  return <bdi>{text}</bdi>;
}
