// Where the page is: after `#`, so that nothing of it is sent to the server, such as `#/search?q=tau`.
import { useLayoutEffect, useState } from "preact/hooks";
import { withQuery, type Fields } from "./api";

export type Address = { view: string; fields: URLSearchParams };

export function readAddress(hash: string): Address {
  const [view = "", query = ""] = hash.replace(/^#\/?/, "").split(/\?(.*)/s);
  return { view: view || "search", fields: new URLSearchParams(query) };
}

export function addressOf(view: string, fields: Fields = {}): string {
  return `#/${withQuery(view, fields)}`;
}

/** Changes the address without a new entry in the history, and without showing another view. */
export function replaceAddress(view: string, fields: Fields): void {
  history.replaceState(null, "", location.pathname + location.search + addressOf(view, fields));
}

export function go(view: string, fields: Fields = {}): void {
  location.hash = addressOf(view, fields).slice(1);
}

export function useAddress(): Address {
  const [address, setAddress] = useState(() => readAddress(location.hash));
  // At once with the first rendering: an address that changes before the listener is there would be missed.
  useLayoutEffect(() => {
    const changed = () => setAddress(readAddress(location.hash));
    addEventListener("hashchange", changed);
    return () => removeEventListener("hashchange", changed);
  }, []);
  return address;
}
