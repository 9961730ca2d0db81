// The papers that a paper cites, or that cite it; read when the reader opens the list.
import { useState } from "preact/hooks";
import { addressOf } from "../address";
import { get, type LinkedPaper, type LinksAnswer } from "../api";
import { nameOfSource, texts } from "../texts";
import { useFocusOnAdded } from "./focus";
import { Foreign } from "./links";
import { FailureNotice, Loading } from "./notices";
import { PaperMeta } from "./paper";

const t = texts.paper;
const PAGE = 25;

function Entry({ it }: { it: LinkedPaper }) {
  const title = <Foreign text={it.paper?.title ?? it.text ?? it.key ?? t.untitled} />;
  return (
    <li class="linked">
      <p class="linked-title">{it.key ? <a href={addressOf("paper", { id: it.key })}>{title}</a> : title}</p>
      {it.paper && <PaperMeta paper={it.paper} />}
      {it.in_text?.sentences.map((sentence) => <blockquote key={sentence} class="text small"><Foreign text={sentence} /></blockquote>)}
      <p class="small">
        {t.listed(it.asserted_by.map(nameOfSource).join(", "))}
        {it.in_text && it.in_text.intents.length > 0 && ` · ${t.citedFor(it.in_text.intents.map((name) => t.intents[name]).join(", "))}`}
        {it.in_text?.influential && ` · ${t.influential}`}
      </p>
    </li>
  );
}

export function Links({ id, relation }: { id: string; relation: "references" | "citations" }) {
  const [items, setItems] = useState<LinkedPaper[] | null>(null);
  const [page, setPage] = useState<LinksAnswer | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const { list, added } = useFocusOnAdded<HTMLOListElement>(items?.length ?? 0);
  const read = (cursor?: string | null) => {
    setBusy(true);
    setFailure(null);
    get<LinksAnswer>(`v1/papers/${encodeURIComponent(id)}/${relation}`, { max_results: PAGE, cursor })
      .then((answer) => { setItems([...(cursor ? (items ?? []) : []), ...answer.results]); setPage(answer); })
      .catch(setFailure)
      .finally(() => setBusy(false));
  };
  return (
    <details class="links" onToggle={(event) => { if (event.currentTarget.open && !items && !busy) read(); }}>
      <summary>{t[relation]}{page && ` (${page.total_count.toLocaleString("en")})`}</summary>
      {failure != null && <FailureNotice failure={failure} again={() => read(page?.next_cursor)} />}
      {busy && !items && <Loading />}
      {items?.length === 0 && <p class="small">{t.noLinks}</p>}
      <ol ref={list}>{items?.map((it, at) => <Entry key={it.key ?? at} it={it} />)}</ol>
      {page?.next_cursor && <p><button type="button" aria-disabled={busy} onClick={() => { if (busy) return; added(); read(page.next_cursor); }}>{texts.search.more}</button></p>}
    </details>
  );
}
