// The references of a document: each as it is, what it should say, and the corrected document to take away.
import { useEffect, useRef, useState } from "preact/hooks";
import { addressOf, go } from "../address";
import { fileText, get, post, type CheckedReference, type ReferenceCheck } from "../api";
import { saveFile } from "../download";
import { useSaid } from "../parts/announce";
import { Heading, useFocusOnAdded } from "../parts/focus";
import { useKeyChanges } from "../parts/key";
import { Foreign } from "../parts/links";
import { FailureNotice, Loading } from "../parts/notices";
import { PaperMeta, PaperTitle } from "../parts/paper";
import { nameOfSource, texts } from "../texts";

const t = texts.references;
const MOST_BYTES = 3_000_000;
const POLL_MS = 2_000;
// Formats into which nothing is written; the check's warnings say so.
const READ_ONLY = new Set(["endnote-xml", "nbib", "pubmed", "refer", "table", "web-of-science"]);
type Status = CheckedReference["status"];

/** good: as it should be; warn: the paper is found, and something is wrong or unclear; bad: not found, or another paper. */
export function colour(it: CheckedReference): "good" | "warn" | "bad" {
  if (it.status === "matched") return it.comment || Object.keys(it.changes).length ? "warn" : "good";
  return it.status === "ambiguous" || it.status === "unanswered" ? "warn" : "bad";
}

async function base64(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = "";
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(text);
}

function Upload({ send, busy }: { send: (body: unknown) => void; busy: boolean }) {
  const [text, setText] = useState("");
  const [over, setOver] = useState(false);
  const [refusal, setRefusal] = useState("");
  const file = useRef<HTMLInputElement>(null);
  const take = async (chosen: File | undefined) => {
    setOver(false);
    setRefusal(chosen && chosen.size > MOST_BYTES ? t.tooLarge : "");
    if (chosen && chosen.size <= MOST_BYTES) send({ document_base64: await base64(chosen) });
  };
  return (
    <form class={over ? "upload over" : "upload"} onSubmit={(event) => { event.preventDefault(); if (text.trim() && !busy) send({ document: text }); }}
      onDragOver={(event) => { event.preventDefault(); setOver(true); }} onDragLeave={() => setOver(false)}
      onDrop={(event) => { event.preventDefault(); void take(event.dataTransfer?.files[0]); }}>
      <label>{t.label}
        <textarea rows={9} value={text} placeholder={t.placeholder} spellcheck={false} onInput={(event) => setText(event.currentTarget.value)} />
      </label>
      <p class="actions">
        <button type="submit" class="primary" aria-disabled={busy} disabled={!text.trim()}>{t.check}</button>
        <button type="button" aria-disabled={busy} onClick={() => { if (!busy) file.current?.click(); }}>{t.file}</button>
        <input ref={file} type="file" class="hidden" tabIndex={-1} aria-hidden="true" onChange={(event) => void take(event.currentTarget.files?.[0])} />
        <span class="small">{t.drop}</span>
      </p>
      {refusal && <p role="alert">{refusal}</p>}
    </form>
  );
}

function Differences({ it }: { it: CheckedReference }) {
  const rows = Object.entries(it.fields).filter(([, verdict]) => verdict.verdict === "differs");
  const added = Object.entries(it.changes).filter(([name]) => !rows.some(([field]) => field === name));
  if (!rows.length && !added.length) return null;
  return (
    <table class="differences">
      <thead><tr><th scope="col">{t.field}</th><th scope="col">{t.says}</th><th scope="col">{t.should}</th></tr></thead>
      <tbody>
        {rows.map(([name, { cited, found, note }]) => (
          <tr key={name}><th scope="row">{name}</th><td><del><Foreign text={cited ?? t.nothing} /></del></td>
            <td><ins><Foreign text={it.changes[name] ?? found ?? t.nothing} /></ins>{note && <span class="small"> {note}</span>}</td></tr>
        ))}
        {added.map(([name, value]) => (
          <tr key={name}><th scope="row">{name}</th><td class="small">{t.nothing}</td><td><ins><Foreign text={value} /></ins></td></tr>
        ))}
      </tbody>
    </table>
  );
}

function Reference({ it }: { it: CheckedReference }) {
  const kind = colour(it);
  const words = it.status === "matched" && kind === "warn" ? t.withFaults : t.status[it.status];
  return (
    <li class={`reference ${kind}`}>
      <h2><span class="number-of">{it.number}</span> <span class={`badge ${kind}`}>{words}</span></h2>
      <p class="printed"><Foreign text={it.text} /></p>
      {it.comment && <p>{it.comment}</p>}
      <Differences it={it} />
      {it.paper && <div class="means"><p><PaperTitle paper={it.paper} /></p><PaperMeta paper={it.paper} /></div>}
      {!it.paper && it.candidates.length > 0 && (
        <details><summary>{t.candidates}</summary>
          <ul>{it.candidates.map((match) => <li key={match.paper.key} class="means"><p><PaperTitle paper={match.paper} /></p><PaperMeta paper={match.paper} />{match.reason && <p class="small">{match.reason}</p>}</li>)}</ul>
        </details>
      )}
      {Object.keys(it.unanswered).length > 0 && <p class="small">{texts.search.incomplete(Object.keys(it.unanswered).map(nameOfSource).join(", "))}</p>}
    </li>
  );
}

function Result({ check, items, more }: { check: ReferenceCheck; items: CheckedReference[]; more: (() => void) | null }) {
  const [failure, setFailure] = useState<unknown>(null);
  const running = check.state === "running";
  const { list, added } = useFocusOnAdded<HTMLOListElement>(items.length);
  useSaid(t.progress(check.done, check.of));
  const download = () => {
    fileText(`v1/reference-checks/${check.check_id}/document`).then((text) => saveFile(`corrected.${check.format === "latex" ? "tex" : check.format === "bibtex" ? "bib" : "md"}`, text, "text/plain")).catch(setFailure);
  };
  return (
    <section class="document">
      <div class="progress">
        <progress max={check.of || 1} value={check.done} aria-label={t.progress(check.done, check.of)} />
        <p>{t.progress(check.done, check.of)}{running && check.seconds_left !== null && `, ${t.left(check.seconds_left)}`}</p>
      </div>
      {check.state === "failed" && <p class="notice failure" role="alert">{t.failed}</p>}
      <ul class="counts-of">{(Object.keys(t.status) as Status[]).filter((it) => check.counts[it] > 0).map((it) => <li key={it}><b>{check.counts[it]}</b> {it === "matched" ? t.matched : t.status[it]}</li>)}</ul>
      {check.hints.map((hint) => <p class="notice" key={hint.message}>{hint.message}</p>)}
      {check.warnings.map((it) => <p class="notice" key={it.message}>{it.message}</p>)}
      {check.uncited.length > 0 && <p class="small">{t.uncited(check.uncited.join(", "))}</p>}
      {check.without_entry.length > 0 && <p class="small">{t.withoutEntry(check.without_entry.length)}</p>}
      {failure != null && <FailureNotice failure={failure} />}
      <p class="actions">
        {!running && check.of > 0 && !READ_ONLY.has(check.format) && <button type="button" class="primary" onClick={download}>{t.download}</button>}
        <a href={addressOf("references")}>{t.another}</a>
      </p>
      {check.of === 0 && !running && <p class="notice">{t.none}</p>}
      <ol ref={list} class="references">{items.map((it) => <Reference key={it.number} it={it} />)}</ol>
      {more && <p><button type="button" onClick={() => { added(); more(); }}>{t.more}</button></p>}
    </section>
  );
}

export function References({ fields }: { fields: URLSearchParams }) {
  const id = fields.get("check");
  const [check, setCheck] = useState<ReferenceCheck | null>(null);
  const [items, setItems] = useState<CheckedReference[]>([]);
  const [failure, setFailure] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const [tries, setTries] = useState(0);
  const keyChanges = useKeyChanges();
  useEffect(() => {
    const control = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    setFailure(null);
    if (!id) { setCheck(null); setItems([]); return undefined; }
    const read = async () => {
      const found = await get<ReferenceCheck>(`v1/reference-checks/${encodeURIComponent(id)}`, {}, control.signal);
      setCheck(found);
      setItems(found.references);
      if (found.state === "running") timer = setTimeout(() => { read().catch(failed); }, POLL_MS);
    };
    const failed = (error: unknown) => { if (!control.signal.aborted) setFailure(error); };
    read().catch(failed);
    return () => { control.abort(); clearTimeout(timer); };
  }, [id, tries, keyChanges]);
  const send = (body: unknown) => {
    setBusy(true);
    setFailure(null);
    post<ReferenceCheck>("v1/reference-checks", body).then((it) => go("references", { check: it.check_id }))
      .catch(setFailure).finally(() => setBusy(false));
  };
  const more = () => {
    if (!check?.next_cursor) return;
    get<ReferenceCheck>(`v1/reference-checks/${check.check_id}`, { cursor: check.next_cursor })
      .then((page) => { setItems([...items, ...page.references]); setCheck({ ...check, next_cursor: page.next_cursor }); }).catch(setFailure);
  };
  return (
    <>
      <div class="view-title"><Heading>{t.title}</Heading>{!id && <p class="lead">{t.lead}</p>}</div>
      {failure != null && <FailureNotice failure={failure} again={() => setTries(tries + 1)} />}
      {!id && <Upload send={send} busy={busy} />}
      {(busy || (id && !check && failure == null)) && <Loading />}
      {id && check && <Result check={check} items={items} more={check.next_cursor ? more : null} />}
    </>
  );
}
