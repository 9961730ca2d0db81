// One search as it proceeds: the first answer, what follows from slow sources, further pages, a narrowed list.
import { useEffect, useRef, useState } from "preact/hooks";
import { readAddress, replaceAddress } from "../address";
import {
  get, post,
  type Action, type Facets, type FacetsAnswer, type Hint, type LegReport, type Paper, type ResultSetAnswer,
  type SearchAnswer, type SearchRequest,
} from "../api";
import { NOTHING_CHOSEN, isChosen, type Chosen } from "../parts/facets";
import { rememberOutcomes } from "../session";

const PAGE = 20;
const FIRST_WAIT_MS = 1_200; // then the page shows what there is
const NEXT_WAIT_MS = 3_000;
const FIELDS = [
  "key", "title", "authors", "author_count", "year", "journal", "volume", "issue", "pages", "type", "abstract",
  "citation_count", "citation_uri", "open_access", "retraction", "versions", "provider_scores", "score", "score_parts", "found_by",
] as const;
const SHAPE = { detail: "full", fields: FIELDS, max_results: PAGE } as const;

export type Progress = "idle" | "asking" | "pending" | "done" | "failed";
export type Cursor = { from: "search" | "set"; value: string };
export type Listing = { papers: Paper[]; total: number; next: Cursor | null };
export type Found = Listing & {
  progress: Progress;
  set: string | null;
  legs: Record<string, LegReport> | null;
  missing: string[];
  facets: Facets | null;
  hints: Hint[];
  actions: Action[];
  better: SearchAnswer | null;
  order: number; // grows when the papers change places
  failure: unknown;
};

const EMPTY: Found = {
  progress: "idle", set: null, papers: [], total: 0, next: null, legs: null, missing: [], facets: null, hints: [],
  actions: [], better: null, order: 0, failure: null,
};

const cursorOf = (from: Cursor["from"], value: string | null): Cursor | null => (value ? { from, value } : null);
const pendingOf = (legs: Record<string, LegReport>) => Object.keys(legs).filter((name) => legs[name]?.outcome === "pending");
/** Whether one is missing, the answer says; which, its reports: only a stored result set names them. */
const unanswered = ({ complete, providers }: Pick<SearchAnswer, "complete" | "providers">) =>
  complete ? [] : Object.entries(providers)
    .filter(([, leg]) => leg.source === "stale" || !["ok", "empty", "skipped_no_key"].includes(leg.outcome ?? ""))
    .map(([name]) => name);

const answered = (legs: Record<string, LegReport>) =>
  Object.fromEntries(Object.entries(legs).filter(([, leg]) => leg.outcome !== "pending"));

/** The reports of what was awaited: they are in the cache because it was asked just now. How long that took is lost. */
function asLive(legs: Record<string, LegReport>, awaited: readonly string[]): Record<string, LegReport> {
  return Object.fromEntries(Object.entries(legs).map(([name, leg]) => {
    if (!awaited.includes(name) || leg.source !== "cache") return [name, leg];
    const { elapsed_ms: _, ...rest } = leg;
    return [name, { ...rest, source: "live" as const }];
  }));
}

function shown(answer: SearchAnswer): Partial<Found> {
  return {
    papers: answer.results, total: answer.total_count, next: cursorOf("search", answer.next_cursor), legs: answer.providers,
    missing: unanswered(answer), hints: answer.hints, actions: answer.next_actions, set: answer.result_set_id,
    better: null,
  };
}

/** Whether the reader is still at the top and in none of the results, so that these may change places. */
function unread(): boolean {
  return scrollY < 40 && !document.activeElement?.closest(".results");
}

export function useSearch(fields: URLSearchParams, request: SearchRequest | null, asked: number) {
  const [found, setFound] = useState<Found>(EMPTY);
  const [chosen, setChosen] = useState<Chosen>(NOTHING_CHOSEN);
  const [narrowed, setNarrowed] = useState<Listing | null>(null);
  const change = (part: Partial<Found>) => setFound((before) => ({ ...before, ...part }));
  const address = fields.toString();
  const stop = useRef<AbortController>(new AbortController());

  useEffect(() => {
    const control = new AbortController();
    stop.current = control;
    setChosen(NOTHING_CHOSEN);
    setNarrowed(null);
    const set = fields.get("set");
    setFound({ ...EMPTY, progress: set || request ? "asking" : "idle" });
    const failed = (failure: unknown) => { if (!control.signal.aborted) change({ failure, progress: "failed" }); };
    if (set) reopen(set, control.signal, change).catch(failed);
    else if (request) run(request, control.signal, change).catch(failed);
    return () => control.abort();
  }, [address, asked]);

  const more = async () => {
    const listing = narrowed ?? found;
    if (!listing.next) return;
    const page = await nextPage(listing.next, found.set, chosen, stop.current.signal);
    const longer = { papers: [...listing.papers, ...page.papers], total: listing.total, next: page.next };
    if (narrowed) setNarrowed(longer);
    else change(longer);
  };
  const narrow = async (next: Chosen) => {
    setChosen(next);
    if (!isChosen(next) || !found.set) return setNarrowed(null);
    const page = await get<ResultSetAnswer>(`v1/result-sets/${found.set}`, { ...SHAPE, ...next }, stop.current.signal);
    return setNarrowed({ papers: page.results, total: page.matching, next: cursorOf("set", page.next_cursor) });
  };
  const putBestFirst = () => { if (found.better) change({ ...shown(found.better), order: 2 }); };
  return { found, listing: narrowed ?? found, chosen, more, narrow, putBestFirst, failed: (failure: unknown) => change({ failure }) };
}

async function nextPage(cursor: Cursor, set: string | null, chosen: Chosen, signal: AbortSignal): Promise<Listing> {
  if (cursor.from === "search") {
    const answer = await post<SearchAnswer>("v1/literature-search", { ...SHAPE, cursor: cursor.value }, signal);
    return { papers: answer.results, total: answer.total_count, next: cursorOf("search", answer.next_cursor) };
  }
  const fields = { ...SHAPE, ...chosen, cursor: cursor.value };
  const page = await get<ResultSetAnswer>(`v1/result-sets/${set}`, fields, signal);
  return { papers: page.results, total: page.matching, next: cursorOf("set", page.next_cursor) };
}

const facetsOf = async (set: string, signal: AbortSignal) =>
  (await get<FacetsAnswer>(`v1/result-sets/${set}/facets`, {}, signal)).facets;

async function reopen(set: string, signal: AbortSignal, change: (part: Partial<Found>) => void): Promise<void> {
  const page = await get<ResultSetAnswer>(`v1/result-sets/${encodeURIComponent(set)}`, SHAPE, signal);
  change({
    papers: page.results, total: page.total_count, next: cursorOf("set", page.next_cursor), missing: page.missing, set,
    progress: "done",
  });
  change({ facets: await facetsOf(set, signal) });
}

async function run(
  request: SearchRequest, signal: AbortSignal, change: (part: Partial<Found>) => void,
): Promise<void> {
  const body = { ...request, ...SHAPE };
  let answer = await post<SearchAnswer>("v1/literature-search", { ...body, patience_ms: FIRST_WAIT_MS }, signal);
  let waiting = pendingOf(answer.providers);
  const awaited = waiting;
  change({ ...shown(answer), missing: waiting.length ? waiting : unanswered(answer), progress: waiting.length ? "pending" : "done" });
  if (waiting.length) {
    while (waiting.length) {
      const state = await get<ResultSetAnswer>(
        `v1/result-sets/${answer.result_set_id}`, { max_results: 1, fields: ["key"], patience_ms: NEXT_WAIT_MS }, signal,
      );
      waiting = state.state === "pending" ? state.missing : [];
      change({ total: state.total_count, missing: state.missing });
    }
    const before = answered(answer.providers);
    answer = await post<SearchAnswer>("v1/literature-search", { ...body, patience_ms: NEXT_WAIT_MS }, signal);
    const providers = { ...asLive(answer.providers, awaited), ...before };
    answer = { ...answer, providers };
    if (unread()) change({ ...shown(answer), order: 1, progress: "done" });
    else change({ better: answer, legs: providers, missing: unanswered(answer), progress: "done" });
  }
  rememberOutcomes(answer.providers, Date.now());
  const now = readAddress(location.hash).fields; // the reader may have changed the arrangement in the meantime
  const all = Object.fromEntries([...new Set(now.keys())].map((name) => [name, now.getAll(name)]));
  replaceAddress("search", { ...all, set: answer.result_set_id });
  if (answer.total_count) change({ facets: await facetsOf(answer.result_set_id, signal) });
}
