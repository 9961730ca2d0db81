// The search: what was found, by whom, and what became of each source.
import { useEffect, useState } from "preact/hooks";
import { addressOf, readAddress, replaceAddress } from "../address";
import { fileText, post, Failure, type Action, type SearchRequest } from "../api";
import { saveFile } from "../download";
import { useSaid } from "../parts/announce";
import { FacetList } from "../parts/facets";
import { arrive, Heading, useFocusOnAdded } from "../parts/focus";
import { useKeyChanges } from "../parts/key";
import { LegReports } from "../parts/legs";
import { CopyButton, FailureNotice, Loading } from "../parts/notices";
import { PaperItem } from "../parts/paper";
import { Arrangement, SideBySide, typedWordings } from "../parts/wordings";
import { defaultSources, nameOfSource, texts } from "../texts";
import { requestOf, SearchForm } from "./search_form";
import { useSearch, type Found } from "./search_state";

const t = texts.search;
const EXTENSIONS = { bibtex: "bib", ris: "ris", "csl-json": "json", csv: "csv", markdown: "md" };
const BESIDE = 3; // so many wordings fit beside the reports of the sources
type Format = keyof typeof EXTENSIONS;

function Start() {
  return (
    <section class="start">
      <h2>{t.start}</h2>
      <p>{t.startText}</p>
      <p class="examples">{t.examples}{" "}
        {t.exampleQueries.map((q) => <a key={q} href={addressOf("search", { q })}>{q}</a>)}
      </p>
    </section>
  );
}

function Status({ found, total, putBestFirst }: { found: Found; total: number; putBestFirst: () => void }) {
  const names = found.missing.map(nameOfSource).join(", ");
  const state = found.progress === "pending" ? t.waiting(names) : found.missing.length ? t.incomplete(names) : t.complete;
  useSaid(`${t.found(total)} ${state}`);
  return (
    <div class={found.progress === "pending" ? "status pending" : "status"}>
      <p><b>{t.found(total)}</b> <span>{state}</span></p>
      {found.better && <button type="button" class="quiet" onClick={() => { arrive(); putBestFirst(); }}>{t.bestFirst}</button>}
    </div>
  );
}

function Tools({ set, request, failed }: { set: string; request: SearchRequest | null; failed: (failure: unknown) => void }) {
  const [format, setFormat] = useState<Format>("bibtex");
  const [said, setSaid] = useState("");
  const [saved, setSaved] = useState(false);
  const download = async () => {
    try {
      const text = await fileText("v1/exports", { result_set_id: set, format });
      saveFile(`literature.${EXTENSIONS[format]}`, text, "text/plain");
      setSaid(t.exported);
    } catch (failure) {
      failed(failure);
    }
  };
  const save = async () => {
    try {
      const { sort: _, ...search } = request ?? {};
      await post("v1/saved-searches", { search, schedule: { expression: "rate(1 day)" } });
      setSaved(true);
    } catch (failure) {
      failed(failure);
    }
  };
  return (
    <div class="tools bar-of-tools">
      <label><span class="hidden">{t.export}</span>
        <select value={format} onChange={(event) => setFormat(event.currentTarget.value as Format)}>
          {Object.entries(t.formats).map(([value, label]) => <option key={value} value={value}>{label}</option>)}
        </select>
      </label>
      <button type="button" onClick={download}>{t.download}</button>
      <CopyButton label={t.link} text={() => location.href} />
      {request && <button type="button" class="quiet" aria-disabled={saved} onClick={() => { if (!saved) void save(); }}>{t.save}</button>}
      <span role="status" class="small">{said}{saved && <>{t.saved} <a href={addressOf("saved")}>{t.toSaved}</a></>}</span>
    </div>
  );
}

function Suggestions({ actions }: { actions: Action[] }) {
  const searches = actions.filter((it) => it.tool === "literature_search" && typeof it.arguments.query === "string" && !it.arguments.cursor);
  if (!searches.length) return null;
  return (
    <section class="notice"><h2>{t.next}</h2>
      <ul>{searches.map(({ arguments: { query, author, date_from, date_to }, why }) => (
        <li key={why}><a href={addressOf("search", { q: String(query), author: text(author), from: text(date_from), to: text(date_to) })}>{String(query)}</a> {why}</li>
      ))}</ul>
    </section>
  );
}

const fieldsOf = (fields: URLSearchParams) => Object.fromEntries([...new Set(fields.keys())].map((name) => [name, fields.getAll(name)]));
const text = (value: unknown): string => (typeof value === "string" ? value : "");

export function Search({ fields }: { fields: URLSearchParams }) {
  const keyChanges = useKeyChanges();
  const [again, setAgain] = useState(0);
  const request = requestOf(fields);
  const { found, listing, chosen, more, narrow, putBestFirst, failed } = useSearch(fields, request, again + keyChanges);
  const [busy, setBusy] = useState(false);
  const { list, added } = useFocusOnAdded<HTMLOListElement>(listing.papers.length);
  const loadMore = () => { if (busy) return; setBusy(true); added(); more().catch(failed).finally(() => setBusy(false)); };
  const typed = typedWordings(fields);
  const several = found.progress === "done" && found.set !== null && found.papers.some((paper) => paper.found_by);
  const [aside, setAside] = useState(fields.has("side"));
  useEffect(() => setAside(fields.has("side")), [fields]);
  const side = aside && several;
  const arrange = (next: boolean) => {
    setAside(next);
    const now = readAddress(location.hash).fields;
    replaceAddress("search", { ...fieldsOf(now), side: next ? "1" : "" });
  };
  const gone = fields.has("set") && found.failure instanceof Failure && [404, 410].includes(found.failure.status);
  const restart = () => {
    if (gone) { replaceAddress("search", { ...fieldsOf(fields), set: "" }); fields.delete("set"); }
    setAgain(again + 1);
  };
  const sources = fields.getAll("src").length || defaultSources.length;
  return (
    <>
      <Heading hidden>{texts.nav.search}</Heading>
      <SearchForm key={fields.toString()} fields={fields} />
      {found.progress === "idle" && <Start />}
      {found.progress === "asking" && <Asking text={t.asking(sources)} />}
      {found.failure != null && <FailureNotice failure={found.failure} {...(gone && !request ? {} : { again: restart })} {...(gone ? { title: t.expired } : {})} />}
      {(found.progress === "pending" || found.progress === "done") && (
        <div class={side && typed.length > BESIDE ? "columns wide" : "columns"}>
          <section class="main" aria-labelledby="results-title">
            <Heading level={2} id="results-title" hidden>{t.results}</Heading>
            <Status found={found} total={listing.total} putBestFirst={putBestFirst} />
            <div key={found.order}>
            {found.hints.length > 0 && (
              <section class="notice" aria-label={t.hints}><ul>{found.hints.map((hint) => <li key={hint.message}>{hint.message}</li>)}</ul></section>
            )}
            <Suggestions actions={found.actions} />
            {found.set && found.total > 0 && <Tools set={found.set} request={request} failed={failed} />}
            {several && <Arrangement side={side} choose={arrange} />}
            {side && found.set
              ? <SideBySide set={found.set} typed={typed} chosen={chosen} />
              : <ol ref={list} class="results">{listing.papers.map((paper) => <PaperItem key={paper.key} paper={paper} />)}</ol>}
            </div>
            {!side && listing.papers.length > 0 && (
              <p class="paging">
                <span class="small">{t.shown(listing.papers.length, listing.total)}</span>
                {listing.next && <button type="button" aria-disabled={busy} onClick={loadMore}>{t.more}</button>}
              </p>
            )}
          </section>
          <aside class="side">
            {found.legs && <LegReports legs={found.legs} />}
            {found.facets && <FacetList facets={found.facets} chosen={chosen} choose={(next) => { narrow(next).catch(failed); }} />}
          </aside>
        </div>
      )}
    </>
  );
}

function Asking({ text: words }: { text: string }) {
  return (
    <div class="asking">
      <Loading text={words} />
      <div aria-hidden="true">{[1, 2, 3].map((row) => <div class="ghost" key={row}><span /><span /><span /></div>)}</div>
    </div>
  );
}
