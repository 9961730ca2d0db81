// Saved searches and watches: what they are, when they run, what is new.
import { useEffect, useRef, useState } from "preact/hooks";
import { addressOf } from "../address";
import { change, get, post, remove, type Feed, type SavedSearch, type SavedSearches } from "../api";
import { say } from "../parts/announce";
import { Choice } from "../parts/choice";
import { Heading, useFocusOnAdded } from "../parts/focus";
import { useKeyChanges } from "../parts/key";
import { Foreign } from "../parts/links";
import { FailureNotice, Loading } from "../parts/notices";
import { PaperMeta, PaperTitle } from "../parts/paper";
import { texts } from "../texts";

const t = texts.saved;
const MOST = 100; // that a key may have
const at = (moment: string) => new Date(moment).toLocaleString("en", { dateStyle: "medium", timeStyle: "short" });
const pathOf = (it: SavedSearch) => `v1/saved-searches/${encodeURIComponent(it.id)}`;

function Create({ made, failed }: { made: () => void; failed: (failure: unknown) => void }) {
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const data = new FormData(form);
    const name = String(data.get("name")).trim();
    const body = { search: { query: String(data.get("query")).trim() }, schedule: { expression: String(data.get("schedule")) }, ...(name && { name }) };
    post("v1/saved-searches", body).then(() => { form.reset(); say(t.created); made(); }).catch(failed);
  };
  return (
    <form class="inline-form" onSubmit={submit}>
      <label>{t.query}<input name="query" required maxLength={2000} /></label>
      <label>{t.name}<input name="name" maxLength={200} /></label>
      <Choice name="schedule" label={t.schedule} values={Object.entries(t.schedules)} chosen="rate(1 day)" />
      <button type="submit" class="primary">{t.create}</button>
    </form>
  );
}

/** Name, query and schedule; what the reader leaves as it is is not sent. */
function Change({ it, done, failed }: { it: SavedSearch; done: () => void; failed: (failure: unknown) => void }) {
  const query = typeof it.search?.query === "string" ? it.search.query : null;
  const schedules = { [it.schedule.expression]: it.schedule.expression, ...t.schedules };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget as HTMLFormElement);
    const written = (name: string) => String(data.get(name) ?? "").trim();
    const body = {
      ...(written("name") !== it.name && { name: written("name") }),
      ...(query !== null && written("query") !== query && { search: { ...it.search, query: written("query") } }),
      ...(written("schedule") !== it.schedule.expression && { schedule: { ...it.schedule, expression: written("schedule") } }),
    };
    change(pathOf(it), body).then(done).catch(failed);
  };
  return (
    <form class="inline-form" onSubmit={submit}>
      {query !== null && <label>{t.query}<input name="query" required maxLength={2000} defaultValue={query} /></label>}
      <label>{t.newName}<input name="name" required maxLength={200} defaultValue={it.name} /></label>
      <Choice name="schedule" label={t.schedule} values={Object.entries(schedules)} chosen={it.schedule.expression} />
      <button type="submit" class="primary">{t.keep}</button>
    </form>
  );
}

function News({ it }: { it: SavedSearch }) {
  const [feed, setFeed] = useState<Feed | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const { list, added } = useFocusOnAdded<HTMLUListElement>(feed?.events.length ?? 0);
  const read = () => {
    setFailure(null);
    say(texts.loading);
    get<Feed>(`${pathOf(it)}/new`, { cursor: feed?.next_cursor })
      .then((page) => setFeed({ ...page, events: [...(feed?.events ?? []), ...page.events] })).catch(setFailure);
  };
  return (
    <details onToggle={(event) => { if (event.currentTarget.open && !feed) read(); }}>
      <summary>{t.news}</summary>
      {failure != null && <FailureNotice failure={failure} again={read} />}
      {!feed && failure == null && <Loading quiet />}
      {feed?.events.length === 0 && <p class="small">{t.noNews}</p>}
      <ul ref={list} class="news">{feed?.events.map((event) => (
        <li key={event.id}>
          <span class="badge">{t.events[event.type] ?? event.type}</span> <span class="small">{at(event.at)}</span>
          {event.paper && <><p><PaperTitle paper={event.paper} /></p><PaperMeta paper={event.paper} /></>}
          {event.message && <p>{event.message}</p>}
        </li>
      ))}</ul>
      {feed?.next_cursor && <p><button type="button" onClick={() => { added(); read(); }}>{t.more}</button></p>}
    </details>
  );
}

function Saved({ it, changed, failed }: { it: SavedSearch; changed: () => void; failed: (failure: unknown) => void }) {
  const [sure, setSure] = useState(false);
  const [changing, setChanging] = useState(false);
  const query = typeof it.search?.query === "string" ? it.search.query : null;
  const webhook = it.delivery.webhook;
  const [changer, remover, confirmer] = [useRef<HTMLButtonElement>(null), useRef<HTMLButtonElement>(null), useRef<HTMLButtonElement>(null)];
  const asked = useRef(false);
  const act = (done: Promise<unknown>, words: string) => { done.then(() => { say(words); changed(); }).catch(failed); };
  // The button that had the focus is replaced by another.
  useEffect(() => {
    if (asked.current) (sure ? confirmer : remover).current?.focus();
    asked.current = true;
  }, [sure]);
  const said = [
    it.enabled ? it.next_run_at && t.next(at(it.next_run_at)) : t.paused,
    it.last_run ? t.last(at(it.last_run.ended_at)) : t.never,
    it.last_run && !it.last_run.complete && t.missing,
    t.schedules[it.schedule.expression] ?? it.schedule.expression,
  ].filter(Boolean);
  return (
    <li class={it.enabled ? "" : "off"}>
      <h2><Foreign text={it.name} /></h2>
      {it.watch && <p>{t.watches(it.watch.type, it.watch.id)}</p>}
      <p class="small">{said.join(" · ")}</p>
      {webhook && <p class="small">{t.webhook(webhook.url)}: {webhook.status === "active" ? t.webhookOn : t.webhookOff} {webhook.disabled_reason}</p>}
      <p class="actions">
        {query && <a href={addressOf("search", { q: query })}>{t.openSearch}</a>}
        <button type="button" onClick={() => act(change(pathOf(it), { enabled: !it.enabled }), it.enabled ? t.paused : t.resumed)}>{it.enabled ? t.pause : t.resume}</button>
        <button ref={changer} type="button" aria-expanded={changing} onClick={() => setChanging(!changing)}>{t.change}</button>
        {sure
          ? <><button ref={confirmer} type="button" class="danger" onClick={() => act(remove(pathOf(it)), t.removed)}>{t.confirm}</button><button type="button" onClick={() => setSure(false)}>{t.cancel}</button></>
          : <button ref={remover} type="button" onClick={() => setSure(true)}>{t.remove}</button>}
      </p>
      {changing && <Change it={it} done={() => { changer.current?.focus(); setChanging(false); say(t.changed); changed(); }} failed={failed} />}
      <News it={it} />
    </li>
  );
}

export function SavedView() {
  const [found, setFound] = useState<SavedSearch[] | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const [changes, setChanges] = useState(0);
  const keyChanges = useKeyChanges();
  const changed = () => { setFailure(null); setChanges((count) => count + 1); };
  useEffect(() => {
    const control = new AbortController();
    get<SavedSearches>("v1/saved-searches", { limit: MOST }, control.signal).then((it) => setFound(it.saved_searches))
      .catch((error: unknown) => { if (!control.signal.aborted) setFailure(error); });
    return () => control.abort();
  }, [changes, keyChanges]);
  return (
    <>
      <div class="view-title"><Heading>{t.title}</Heading><p class="lead">{t.lead}</p></div>
      <Create made={changed} failed={setFailure} />
      {failure != null && <FailureNotice failure={failure} again={changed} />}
      {!found && failure == null && <Loading />}
      {found?.length === 0 && <p class="notice">{t.none}</p>}
      {found && found.length > 0 && <ul class="list-of">{found.map((it) => <Saved key={it.id} it={it} changed={changed} failed={setFailure} />)}</ul>}
    </>
  );
}
