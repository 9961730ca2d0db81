// What each of several wordings brought, side by side: from the stored answer, so no source is asked again.
import { useEffect, useState } from "preact/hooks";
import { get, type Paper, type ResultSetAnswer } from "../api";
import { texts } from "../texts";
import { useSaid } from "./announce";
import type { Chosen } from "./facets";
import { Foreign } from "./links";
import { FailureNotice, Loading } from "./notices";
import { PaperTitle } from "./paper";

const t = texts.wordings;
const FIELDS = ["key", "title", "authors", "author_count", "year", "found_by"] as const;
const PAGE = 100;
const MOST = 1_000;

type Place = { paper: Paper; rank: number; by: readonly string[] };

/** The wordings of a search as they were typed, the first one first. */
export function typedWordings(fields: URLSearchParams): string[] {
  const typed = [fields.get("q") ?? "", ...fields.getAll("w")].map((it) => it.trim().replace(/\s+/g, " "));
  return [...new Set(typed.filter(Boolean))];
}

/** Those that found something, as the service writes them, and those that found nothing, in the order of the form. */
function allWordings(typed: readonly string[], places: readonly Place[]): string[] {
  const found = new Set(places.flatMap((it) => it.by));
  const all = [...new Set([...typed, ...found])];
  // The service writes some characters in another form: then there would be one wording twice.
  return all.length > Math.max(typed.length, found.size) ? [...found] : all;
}

type Compared = { papers: readonly Paper[]; all: number };

async function allOf(set: string, chosen: Chosen, signal: AbortSignal): Promise<Compared> {
  const papers: Paper[] = [];
  let cursor: string | null = null;
  let all = 0;
  do {
    const fields = { ...chosen, detail: "full", fields: FIELDS, max_results: PAGE, cursor };
    const page: ResultSetAnswer = await get<ResultSetAnswer>(`v1/result-sets/${encodeURIComponent(set)}`, fields, signal);
    papers.push(...page.results);
    all = page.matching;
    cursor = page.results.length ? page.next_cursor : null;
  } while (cursor && papers.length < MOST);
  return { papers, all };
}

function Column({ wording, number, places, numberOf }: {
  wording: string; number: number; places: readonly Place[]; numberOf: (wording: string) => number;
}) {
  const found = places.filter((it) => it.by.includes(wording));
  const alone = found.filter((it) => it.by.length === 1).length;
  return (
    <section class="wording" aria-labelledby={`wording-${number}`}>
      <h3 id={`wording-${number}`}><span class="number-of">{number}</span> <Foreign text={wording} /></h3>
      <p class="small">{t.brought(found.length, alone)}</p>
      <ol>{found.map(({ paper, rank, by }) => (
        <li key={paper.key} class={by.length === 1 ? "alone" : ""}>
          <p><span class="number-of">{rank}</span> <PaperTitle paper={paper} />{paper.year != null && ` ${paper.year}`}</p>
          <p class="small">{by.length === 1 ? t.onlyHere : t.also(by.filter((it) => it !== wording).map(numberOf).join(", "))}</p>
        </li>
      ))}</ol>
    </section>
  );
}

export function SideBySide({ set, typed, chosen }: { set: string; typed: readonly string[]; chosen: Chosen }) {
  const [compared, setCompared] = useState<Compared | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const [tries, setTries] = useState(0);
  useEffect(() => {
    const control = new AbortController();
    setFailure(null);
    allOf(set, chosen, control.signal).then(setCompared).catch((error: unknown) => { if (!control.signal.aborted) setFailure(error); });
    return () => control.abort();
  }, [set, chosen, tries]);
  const papers = compared?.papers ?? [];
  const places = papers.map((paper, at): Place => ({ paper, rank: at + 1, by: paper.found_by ?? [] }));
  const wordings = allWordings(typed, places);
  const common = places.filter((it) => it.by.length === wordings.length).length;
  const cut = compared && compared.all > papers.length ? ` ${t.cut(papers.length, compared.all)}` : "";
  const summary = compared ? t.summary(common, papers.length) + cut : "";
  useSaid(summary);
  if (failure != null) return <FailureNotice failure={failure} again={() => setTries(tries + 1)} />;
  if (!compared) return <Loading />;
  return (
    <>
      <p class="small">{summary} {t.order}</p>
      <div class="side-by-side" role="region" tabIndex={0} aria-label={t.title}>
        {wordings.map((wording, at) => (
          <Column key={wording} wording={wording} number={at + 1} places={places} numberOf={(it) => wordings.indexOf(it) + 1} />
        ))}
      </div>
    </>
  );
}

/** One list or side by side. */
export function Arrangement({ side, choose }: { side: boolean; choose: (side: boolean) => void }) {
  return (
    <div class="tools arrangement" role="group" aria-label={t.arrangement}>
      <button type="button" aria-pressed={!side} onClick={() => choose(false)}>{t.oneList}</button>
      <button type="button" aria-pressed={side} onClick={() => choose(true)}>{t.sideBySide}</button>
    </div>
  );
}
