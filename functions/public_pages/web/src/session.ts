// What one tab remembers: the key, and how the sources answered its searches. It ends with the tab.
import type { LegReport } from "./api";

const KEY = "key";
const OUTCOMES = "outcomes";
const SHOWN = 24;

export type Seen = { at: number; outcome: LegReport["outcome"]; ms: number | null };

export function storedKey(): string | null {
  return sessionStorage.getItem(KEY);
}

export function storeKey(key: string): void {
  if (key) sessionStorage.setItem(KEY, key);
  else sessionStorage.removeItem(KEY);
}

export function outcomesSeen(): Record<string, Seen[]> {
  try {
    return JSON.parse(sessionStorage.getItem(OUTCOMES) ?? "{}") as Record<string, Seen[]>;
  } catch {
    return {};
  }
}

/** Adds what was asked now; what came from the cache says nothing of the source. */
export function rememberOutcomes(legs: Record<string, LegReport>, now: number): void {
  const seen = outcomesSeen();
  for (const [name, leg] of Object.entries(legs)) {
    if (leg.source === "cache" || leg.outcome === "pending") continue;
    seen[name] = [...(seen[name] ?? []), { at: now, outcome: leg.outcome, ms: leg.elapsed_ms ?? null }].slice(-SHOWN);
  }
  sessionStorage.setItem(OUTCOMES, JSON.stringify(seen));
}
