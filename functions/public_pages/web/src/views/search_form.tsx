// The box, the filters, and the sources as switches. What is in the form is in the page's address, and the reverse.
import { useState } from "preact/hooks";
import { go, readAddress } from "../address";
import type { SearchRequest, SourceName } from "../api";
import { Choice } from "../parts/choice";
import { defaultSources, paperTypes, sourceNames, texts } from "../texts";

const t = texts.form;
const SOURCES = Object.keys(sourceNames) as SourceName[];
const FILTERS = ["from", "to", "author", "journal", "cites", "type", "oa", "nopre", "noret"];
const MOST_WORDINGS = 4;

/** The request of an address; null if it asks for nothing. */
export function requestOf(fields: URLSearchParams): SearchRequest | null {
  const text = (name: string) => fields.get(name)?.trim() || undefined;
  const query = text("q");
  const wordings = fields.getAll("w").map((it) => it.trim()).filter(Boolean);
  const author = text("author");
  if (!query && !author) return null;
  const request: Record<string, unknown> = {
    ...(wordings.length && query ? { queries: [query, ...wordings] } : { query }),
    date_from: text("from"), date_to: text("to"), author, journal: text("journal"),
    min_citations: number(text("cites")),
    publication_types: text("type") ? [text("type")] : undefined,
    open_access: fields.has("oa") || undefined,
    exclude_preprints: fields.has("nopre") || undefined,
    include_retracted: fields.has("noret") ? false : undefined,
    sort: text("sort"), providers: fields.getAll("src").length ? fields.getAll("src") : undefined,
  };
  return Object.fromEntries(Object.entries(request).filter(([, value]) => value !== undefined)) as SearchRequest;
}

/** A number, or the text that is none: the service says what is wrong with it. */
const number = (text: string | undefined) => (text && /^\d+$/.test(text) ? Number(text) : text);

function submitted(form: HTMLFormElement): Record<string, string | string[]> {
  const data = new FormData(form);
  const sources = data.getAll("src").map(String);
  const fields: Record<string, string | string[]> = {};
  for (const name of ["q", "sort", ...FILTERS]) fields[name] = String(data.get(name) ?? "").trim();
  if (fields.sort === "relevance") fields.sort = "";
  fields.w = data.getAll("w").map(String).filter((it) => it.trim());
  fields.side = fields.w.length ? (readAddress(location.hash).fields.get("side") ?? "") : "";
  fields.src = sources.join() === defaultSources.join() ? [] : sources;
  return fields;
}

function Help() {
  return (
    <details class="help">
      <summary>{t.help}</summary>
      <dl>{texts.help.map(([typed, meaning]) => <div key={typed}><dt><code>{typed}</code></dt><dd>{meaning}</dd></div>)}</dl>
    </details>
  );
}

function Wordings({ first }: { first: string[] }) {
  const [count, setCount] = useState(Math.min(MOST_WORDINGS, first.length + 1));
  return (
    <details class="wordings" open={first.length > 0}>
      <summary>{t.wordings}</summary>
      <p class="small">{t.wordingsHelp}</p>
      <div class="grid">
        {Array.from({ length: count }, (_, at) => (
          <label key={at}>{t.wording(at + 2)}
            <input name="w" defaultValue={first[at] ?? ""} maxLength={2000} onInput={(event) => {
              if (at === count - 1 && event.currentTarget.value && count < MOST_WORDINGS) setCount(count + 1);
            }} />
          </label>
        ))}
      </div>
    </details>
  );
}

function Filters({ fields }: { fields: URLSearchParams }) {
  const active = FILTERS.filter((name) => fields.get(name)).length;
  const field = (name: string, label: string, hint = "") => (
    <label>{label}
      <input name={name} defaultValue={fields.get(name) ?? ""} placeholder={hint} />
    </label>
  );
  const check = (name: string, label: string) => (
    <label class="check"><input type="checkbox" name={name} value="1" defaultChecked={fields.has(name)} /><span>{label}</span></label>
  );
  return (
    <details class="filters" open={active > 0}>
      <summary>{active ? t.active(active) : t.filters}</summary>
      <div class="grid">
        {field("from", t.from, "2015")}
        {field("to", t.to, "2020-05")}
        {field("author", t.author, t.authorHint)}
        {field("journal", t.journal, "NEJM")}
        {field("cites", t.citations)}
        <Choice name="type" label={t.type} values={[["", t.any], ...Object.entries(paperTypes)]} chosen={fields.get("type") ?? ""} />
        <Choice name="sort" label={t.sort} values={Object.entries(t.sorts)} chosen={fields.get("sort") ?? "relevance"} />
      </div>
      <div class="checks">{check("oa", t.openAccess)}{check("nopre", t.noPreprints)}{check("noret", t.noRetracted)}</div>
    </details>
  );
}

export function SearchForm({ fields }: { fields: URLSearchParams }) {
  const named: readonly string[] = fields.getAll("src");
  const chosen: readonly string[] = named.length ? named : defaultSources;
  return (
    <search>
      <form class="search" onSubmit={(event) => { event.preventDefault(); go("search", submitted(event.currentTarget)); }}>
        <label class="hidden" for="q">{t.query}</label>
        <div class="box">
          <input id="q" name="q" type="search" maxLength={2000} autoComplete="off" spellcheck={false}
            defaultValue={fields.get("q") ?? ""} placeholder={t.placeholder} />
          <button type="submit" class="primary">{t.submit}</button>
        </div>
        <fieldset class="switches">
          <legend class="hidden">{t.sources}</legend>
          {SOURCES.map((name) => (
            <label key={name}>
              <input type="checkbox" role="switch" name="src" value={name} defaultChecked={chosen.includes(name)} />
              <span>{sourceNames[name]}</span>
            </label>
          ))}
        </fieldset>
        <div class="more">
          <Filters fields={fields} />
          <Wordings first={fields.getAll("w")} />
          <Help />
        </div>
      </form>
    </search>
  );
}
