// One paper: every field and who says it, versions, integrity, open copies, its text, similar papers, references, citations.
import { useEffect, useState } from "preact/hooks";
import { addressOf, go } from "../address";
import { Failure, get, type Paper, type PaperAnswer } from "../api";
import { Heading, useFocusOnAdded } from "../parts/focus";
import { useKeyChanges } from "../parts/key";
import { LegReports } from "../parts/legs";
import { Foreign, WebLink } from "../parts/links";
import { Links } from "../parts/linked";
import { CopyButton, FailureNotice, Loading } from "../parts/notices";
import { Badges, citation } from "../parts/paper";
import { FullText, Questions } from "../parts/reading";
import { Similar } from "../parts/similar";
import { nameOfSource, nameOfType, texts } from "../texts";

const t = texts.paper;
const FIELDS = ["journal", "publication_date", "volume", "issue", "pages", "type", "language"] as const;

const MOST_REGISTRATIONS = 10; // a meta-analysis may report a hundred trials
const LONGEST_NUMBER = 40;

export const idPath = (id: string): string => `v1/papers/${encodeURIComponent(id)}`;

function valueOf(paper: Paper, name: (typeof FIELDS)[number]): string | null {
  const value = paper[name];
  if (name === "type" && value) return nameOfType(value);
  return value ?? null;
}

function FieldTable({ paper }: { paper: Paper }) {
  const says = (name: string) => (paper.provenance?.[name] ?? []).map(nameOfSource).join(", ");
  const ids = Object.entries({ ...paper.external_ids, doi: paper.doi, pmid: paper.pmid, paper_id: paper.paper_id });
  const rows: [string, string][] = [
    ...FIELDS.map((name): [string, string] => [name, valueOf(paper, name) ?? ""]),
    ...ids.map(([name, value]): [string, string] => [name, value ?? ""]),
  ].filter((row): row is [string, string] => row[1] !== "" && t.names[row[0]] !== undefined);
  return (
    <section><h2>{t.fields}</h2>
      <table class="fields">
        <thead><tr><th scope="col">{t.field}</th><th scope="col">{t.value}</th><th scope="col">{t.says}</th></tr></thead>
        <tbody>
          {rows.map(([name, value]) => (
            <tr key={name}><th scope="row">{t.names[name]}</th><td><Foreign text={value} /></td><td class="small">{says(name)}</td></tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Counts({ paper }: { paper: Paper }) {
  const counts = Object.entries(paper.citation_counts ?? {}).sort(([, a], [, b]) => b - a);
  if (!counts.length) return null;
  const most = Math.max(1, ...counts.map(([, count]) => count));
  return (
    <section><h2>{t.counts}</h2>
      <dl class="parts counts">
        {counts.map(([name, count]) => (
          <div key={name}>
            <dt>{nameOfSource(name)}</dt>
            <dd><span class="bar" aria-hidden="true"><span style={{ width: `${(count / most) * 100}%` }} /></span><span class="number">{count.toLocaleString("en")}</span></dd>
          </div>
        ))}
      </dl>
      {new Set(counts.map(([, count]) => count)).size > 1 && <p class="small">{t.differ}</p>}
    </section>
  );
}

function Integrity({ paper }: { paper: Paper }) {
  const retraction = paper.retraction;
  const words = { retracted: t.retracted, corrected: t.corrected, concern: t.concern, none: t.integrityNone, unknown: t.integrityUnknown };
  const notice = retraction?.notice_doi ?? retraction?.notice_pmid;
  return (
    <section><h2>{t.integrity}</h2>
      <p class={retraction?.status === "retracted" ? "alarm" : ""}>{words[retraction?.status ?? "unknown"]}{retraction?.date && `, ${retraction.date}`}</p>
      {notice && <p><WebLink address={retraction?.notice_doi ? `https://doi.org/${notice}` : `https://pubmed.ncbi.nlm.nih.gov/${notice}`}>{t.notice(notice)}</WebLink></p>}
    </section>
  );
}

function Copies({ paper }: { paper: Paper }) {
  const places = paper.open_access?.locations ?? [];
  const known = places.length ? places : paper.open_access?.url ? [{ url: paper.open_access.url, version: null, license: paper.open_access.license ?? null, host: null }] : [];
  if (!known.length) return null;
  return (
    <section><h2>{t.open}</h2>
      <ul class="plain">{known.map((place) => (
        <li key={place.url}><WebLink address={place.url}>{place.url}</WebLink> <span class="small">{[place.host, place.version, place.license].filter(Boolean).join(" · ")}</span></li>
      ))}</ul>
    </section>
  );
}

function Versions({ paper }: { paper: Paper }) {
  if (!paper.versions?.length) return null;
  return (
    <section><h2>{t.versionsTitle}</h2>
      <ul class="plain">{paper.versions.map((it) => {
        const id = it.doi ?? (it.arxiv ? `arXiv:${it.arxiv}` : it.pmid ? `PMID:${it.pmid}` : "");
        return <li key={id}>{t.relation[it.relation]}: <a href={addressOf("paper", { id })}><Foreign text={it.title ?? id} /></a> <span class="small">{[it.journal, it.publication_date].filter(Boolean).join(" · ")}</span></li>;
      })}</ul>
    </section>
  );
}

/** The registrations of the trials that it reports: each is a record of its own, as other papers are. */
function Registrations({ paper }: { paper: Paper }) {
  const [all, setAll] = useState(false);
  const keys = paper.registrations ?? [];
  const { list, added } = useFocusOnAdded<HTMLUListElement>(all ? keys.length : MOST_REGISTRATIONS);
  if (!keys.length) return null;
  const shown = all ? keys : keys.slice(0, MOST_REGISTRATIONS);
  const stating = (paper.provenance?.registrations ?? []).map(nameOfSource).join(", ");
  return (
    <section class="registrations"><h2>{t.registrations}</h2>
      <ul ref={list} class="plain">{shown.map((key) => (
        <li key={key}><a href={addressOf("paper", { id: key })}><Foreign text={key.replace(/^nct:/, "").slice(0, LONGEST_NUMBER)} /></a></li>
      ))}</ul>
      {keys.length > shown.length && <button type="button" class="quiet" onClick={() => { added(); setAll(true); }}>{t.moreRegistrations(keys.length - shown.length)}</button>}
      {stating && <p class="small">{t.statedBy(stating)}</p>}
    </section>
  );
}

function Whole({ paper }: { paper: Paper }) {
  const [all, setAll] = useState(false);
  const authors = paper.authors ?? [];
  const names = all ? authors : authors.slice(0, 12);
  return (
    <article class="whole">
      <Heading><Foreign text={paper.title || t.untitled} /></Heading>
      <p class="meta-whole">
        <Foreign text={names.join(", ") || t.noAuthors} />
        {authors.length > names.length && <> <button type="button" class="quiet" onClick={() => setAll(true)}>{t.authors("", authors.length - names.length).trim()}</button></>}
      </p>
      <Badges paper={paper} />
      <p class="tools">
        <WebLink address={paper.citation_uri}>{t.publisher}</WebLink>
        <a href={addressOf("network", { id: paper.key })}>{t.network}</a>
        <CopyButton label={t.cite} text={() => citation(paper)} />
      </p>
      <section><h2>{t.abstract}</h2><p class="text">{paper.abstract ? <Foreign text={paper.abstract} /> : t.noAbstract}</p></section>
      {paper.tldr && paper.tldr !== paper.abstract && <section><h2>{t.summary}</h2><p class="text"><Foreign text={paper.tldr} /></p></section>}
      <Integrity paper={paper} />
      <Copies paper={paper} />
      <Versions paper={paper} />
      <Registrations paper={paper} />
      <Counts paper={paper} />
      <FieldTable paper={paper} />
      {(paper.possible_duplicates?.length ?? 0) > 0 && (
        <section><h2>{t.duplicates}</h2><ul class="plain">{paper.possible_duplicates?.map((it) => <li key={it.key}><a href={addressOf("paper", { id: it.key })}>{it.key}</a> <span class="small">{it.reason}</span></li>)}</ul></section>
      )}
    </article>
  );
}

function Reading({ id }: { id: string }) {
  return <><Questions id={id} /><FullText id={id} /><Similar id={id} /></>;
}

export function PaperView({ fields }: { fields: URLSearchParams }) {
  const id = fields.get("id") ?? "";
  const [answer, setAnswer] = useState<PaperAnswer | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const [tries, setTries] = useState(0);
  const code = failure instanceof Failure ? failure.problem.code : "";
  const title = { not_found: t.notFoundTitle, unanswered: t.unansweredTitle }[code ?? ""];
  const keyChanges = useKeyChanges();
  useEffect(() => {
    const control = new AbortController();
    setAnswer(null);
    setFailure(null);
    if (id) {
      get<PaperAnswer>(idPath(id), {}, control.signal).then(setAnswer)
        .catch((error: unknown) => { if (!control.signal.aborted) setFailure(error); });
    }
    return () => control.abort();
  }, [id, tries, keyChanges]);
  return (
    <>
      {!answer && <Heading hidden>{t.find}</Heading>}
      <form class="find" onSubmit={(event) => { event.preventDefault(); go("paper", { id: String(new FormData(event.currentTarget).get("id")).trim() }); }}>
        <label>{t.id}<input key={id} name="id" required defaultValue={id} /></label>
        <button type="submit">{t.show}</button>
      </form>
      {failure != null && <FailureNotice failure={failure} again={() => setTries(tries + 1)} {...(title ? { title } : {})} />}
      {id && !answer && failure == null && <Loading />}
      {answer && (
        <div class="columns">
          <div class="main">
            {answer.paper ? <Whole paper={answer.paper} /> : (
              <section class="notice"><Heading>{answer.status === "unanswered" ? t.unansweredTitle : t.notFoundTitle}</Heading><p>{answer.reason}</p></section>
            )}
            {answer.paper?.key && <Reading key={id} id={answer.paper.key} />}
            {answer.paper?.key && (["references", "citations"] as const).map((relation) => <Links key={`${relation} ${id}`} id={answer.paper?.key ?? id} relation={relation} />)}
          </div>
          <aside class="side"><LegReports legs={answer.providers} /></aside>
        </div>
      )}
    </>
  );
}
