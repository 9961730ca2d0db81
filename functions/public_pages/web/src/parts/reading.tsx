// What a paper says: its open full text by sections, each read when the reader opens it, and the sentences on a question.
import { useState } from "preact/hooks";
import { type FullTextAnswer, get, type Passage, type PassagesAnswer, post, type TextSection } from "../api";
import { nameOfSource, texts } from "../texts";
import { say, useSaid } from "./announce";
import { Foreign, WebLink } from "./links";
import { FailureNotice, Loading } from "./notices";

const t = texts.reading;
const MOST_PASSAGES = 5;

const fullTextPath = (id: string): string => `v1/papers/${encodeURIComponent(id)}/fulltext`;

function Paragraphs({ sections }: { sections: readonly TextSection[] }) {
  return (
    <div class="text">
      {sections.flatMap((section) => section.paragraphs.map((it) => (
        <p key={it.start} class={it.kind === "table" || it.kind === "formula" || it.kind === "code" ? "as-printed" : ""} lang={section.language ?? undefined}>
          {it.label && <b><Foreign text={it.label} /> </b>}<Foreign text={it.text} />
        </p>
      )))}
    </div>
  );
}

/** One section without its subsections, which the outline lists after it. */
function Section({ id, number, path, chars }: { id: string; number: string; path: readonly string[]; chars: number }) {
  const [answer, setAnswer] = useState<FullTextAnswer | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const read = () => {
    setFailure(null);
    say(texts.loading);
    get<FullTextAnswer>(fullTextPath(id), { section: number }).then(setAnswer).catch(setFailure);
  };
  const title = path.at(-1) || t.beforeHeadings;
  const depth = `depth-${Math.min(3, Math.max(1, path.length))}`;
  if (!chars) return <p class={`section-title ${depth}`}><Foreign text={title} /></p>;
  return (
    <details class={depth} onToggle={(event) => { if (event.currentTarget.open && !answer) read(); }}>
      <summary><Foreign text={title} /></summary>
      {failure != null && <FailureNotice failure={failure} again={read} />}
      {answer ? <Paragraphs sections={answer.sections.filter((it) => it.section === number)} /> : failure == null && <Loading quiet />}
    </details>
  );
}

function Contents({ id, answer }: { id: string; answer: FullTextAnswer }) {
  const source = answer.source;
  if (!source) return <p class="small">{t.none[answer.status]} {answer.reason}</p>;
  return (
    <>
      <p class="small">
        <WebLink address={source.url}>{t.from(nameOfSource(source.provider.replace(/_text$/, "")))}</WebLink>
        {" · "}{source.license ?? source.license_text ?? t.noLicence}{source.version && ` · ${t.version(source.version)}`}
      </p>
      {answer.outline.map((it) => <Section key={it.section} id={id} number={it.section} path={it.path} chars={it.chars} />)}
    </>
  );
}

export function FullText({ id }: { id: string }) {
  const [answer, setAnswer] = useState<FullTextAnswer | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const read = () => {
    setFailure(null);
    say(texts.loading);
    get<FullTextAnswer>(fullTextPath(id), { outline: true }).then(setAnswer).catch(setFailure);
  };
  return (
    <details class="links full-text" onToggle={(event) => { if (event.currentTarget.open && !answer) read(); }}>
      <summary>{t.title}</summary>
      {failure != null && <FailureNotice failure={failure} again={read} />}
      {answer ? <Contents id={id} answer={answer} /> : failure == null && <Loading quiet />}
    </details>
  );
}

function Found({ it }: { it: Passage }) {
  return (
    <li class="linked">
      <blockquote class="text">
        {it.before && <span class="around"><Foreign text={it.before} /> </span>}
        <mark><Foreign text={it.text} /></mark>
        {it.after && <span class="around"> <Foreign text={it.after} /></span>}
      </blockquote>
      <p class="small">{it.of === "abstract" ? t.ofAbstract : <Foreign text={it.path.join(" › ") || t.beforeHeadings} />}{it.license && ` · ${it.license}`}</p>
    </li>
  );
}

/** A question to one paper. No answer is made up: the sentences are the paper's own, or there are none. */
export function Questions({ id }: { id: string }) {
  const [answer, setAnswer] = useState<PassagesAnswer | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const ask = (question: string) => {
    if (!question || busy) return;
    setBusy(true);
    setFailure(null);
    setAnswer(null);
    post<PassagesAnswer>("v1/passages", { question, ids: [id], max_passages: MOST_PASSAGES })
      .then(setAnswer).catch(setFailure).finally(() => setBusy(false));
  };
  const result = answer ? (answer.passages.length ? t.found(answer.passages.length) : t.nothing[answer.status]) : "";
  useSaid(result);
  return (
    <details class="links questions">
      <summary>{t.passages}</summary>
      <form class="find" onSubmit={(event) => { event.preventDefault(); ask(String(new FormData(event.currentTarget).get("question")).trim()); }}>
        <label>{t.question}<input name="question" required maxLength={500} /></label>
        <button type="submit" aria-disabled={busy}>{t.find}</button>
      </form>
      {failure != null && <FailureNotice failure={failure} />}
      {busy && <Loading />}
      {result && <p class="small">{result}</p>}
      {answer && <ol>{answer.passages.map((it) => <Found key={`${it.of} ${it.start}`} it={it} />)}</ol>}
    </details>
  );
}
