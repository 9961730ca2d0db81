// What a debate, an analysis or a report cites and was shown, in order and over time.
import { useEffect, useState } from "preact/hooks";
import { addressOf, go } from "../address";
import { get, type ContextAnswer, type ContextMention } from "../api";
import { useSaid } from "../parts/announce";
import { Choice } from "../parts/choice";
import { Heading, useFocusOnAdded } from "../parts/focus";
import { useKeyChanges } from "../parts/key";
import { Foreign } from "../parts/links";
import { FailureNotice, Loading } from "../parts/notices";
import { texts } from "../texts";

const t = texts.contexts;
const PAGE = 50;
const [WIDTH, HEIGHT] = [640, 90];

export const dayOf = (moment: string): string => moment.slice(0, 10);

function OverTime({ items }: { items: ContextMention[] }) {
  const counts = new Map<string, number>();
  for (const it of items) counts.set(dayOf(it.at), (counts.get(dayOf(it.at)) ?? 0) + 1);
  const days = [...counts].sort(([a], [b]) => a.localeCompare(b));
  const [first, last] = [days[0]?.[0] ?? "", days.at(-1)?.[0] ?? ""];
  const span = Math.max(1, Date.parse(last) - Date.parse(first));
  const most = Math.max(...counts.values());
  const wide = Math.min(24, WIDTH / Math.max(days.length, 12));
  return (
    <figure class="over-time">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT + 16}`} role="img" aria-label={`${t.plot}. ${days.map(([day, count]) => t.bar(day, count)).slice(0, 30).join("; ")}`}>
        {days.map(([day, count]) => (
          <rect key={day} x={((Date.parse(day) - Date.parse(first)) / span) * (WIDTH - wide)} width={wide * 0.9}
            y={HEIGHT - (count / most) * HEIGHT} height={(count / most) * HEIGHT}><title>{t.bar(day, count)}</title></rect>
        ))}
        <text x={0} y={HEIGHT + 13}>{first}</text>
        {last !== first && <text x={WIDTH} y={HEIGHT + 13} text-anchor="end">{last}</text>}
      </svg>
    </figure>
  );
}

function Mention({ it }: { it: ContextMention }) {
  const status = it.paper?.retraction;
  return (
    <li>
      <h2><a href={addressOf("paper", { id: it.key })}><Foreign text={it.paper?.title ?? it.key} /></a></h2>
      {status && status.status === "retracted" && <ul class="badges"><li class="badge bad">{texts.paper.retracted}</li></ul>}
      <p class="small">{it.relation === "cited_in" ? t.cited : t.shown} {new Date(it.at).toLocaleString("en", { dateStyle: "medium", timeStyle: "short" })}{it.by && <>, <Foreign text={t.by(it.by)} /></>}{!it.paper && ` · ${t.unknown}`}</p>
      {it.text && <p><Foreign text={t.where(it.text)} /></p>}
    </li>
  );
}

export function Contexts({ fields }: { fields: URLSearchParams }) {
  const [type, id] = [fields.get("type") ?? "debate", fields.get("id") ?? ""];
  const [items, setItems] = useState<ContextMention[] | null>(null);
  const [cursor, setCursor] = useState<string | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const { list, added } = useFocusOnAdded<HTMLOListElement>(items?.length ?? 0);
  const keyChanges = useKeyChanges();
  useSaid(items ? (items.length ? t.mentions(items.length) : t.none) : "");
  const path = `v1/graph/contexts/${encodeURIComponent(type)}/${encodeURIComponent(id)}`;
  const read = (from: string | null, before: ContextMention[], signal?: AbortSignal) =>
    get<ContextAnswer>(path, { limit: PAGE, cursor: from }, signal)
      .then((page) => { setItems([...before, ...page.items]); setCursor(page.next_cursor); })
      .catch((error: unknown) => { if (!signal?.aborted) setFailure(error); });
  useEffect(() => {
    const control = new AbortController();
    setItems(null);
    setFailure(null);
    if (id) void read(null, [], control.signal);
    return () => control.abort();
  }, [path, keyChanges]);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget as HTMLFormElement);
    go("contexts", { type: String(data.get("type")), id: String(data.get("id")).trim() });
  };
  return (
    <>
      <div class="view-title"><Heading>{t.title}</Heading><p class="lead">{t.lead}</p></div>
      <form class="inline-form" key={path} onSubmit={submit}>
        <Choice name="type" label={t.type} values={Object.entries(t.types)} chosen={type} />
        <label>{t.id}<input name="id" required defaultValue={id} /></label>
        <button type="submit" class="primary">{t.show}</button>
      </form>
      {failure != null && <FailureNotice failure={failure} />}
      {id && !items && failure == null && <Loading />}
      {items && new Set(items.map((it) => dayOf(it.at))).size > 1 && <OverTime items={items} />}
      {items?.length === 0 && <p class="notice">{t.none}</p>}
      {items && items.length > 0 && <ol ref={list} class="list-of">{items.map((it, at) => <Mention key={at} it={it} />)}</ol>}
      {items && cursor && <p><button type="button" onClick={() => { added(); void read(cursor, items); }}>{t.more}</button></p>}
    </>
  );
}
