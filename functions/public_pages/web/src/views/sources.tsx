// The sources: what each can do now, and how it answered in this tab.
import { useEffect, useState } from "preact/hooks";
import { get, type Provider, type ProvidersAnswer, type SilentProvider } from "../api";
import { useSaid } from "../parts/announce";
import { Heading } from "../parts/focus";
import { LastHour } from "../parts/hour";
import { useKeyChanges } from "../parts/key";
import { mood } from "../parts/legs";
import { WebLink } from "../parts/links";
import { FailureNotice, Loading } from "../parts/notices";
import { outcomesSeen, type Seen } from "../session";
import { nameOfSource, outcomes, texts } from "../texts";

const t = texts.sources;

const isSilent = (it: Provider | SilentProvider): it is SilentProvider => "error" in it;

function state(it: Provider | SilentProvider): ["good" | "wait" | "bad", string] {
  if (isSilent(it)) return ["bad", t.broken];
  if (it.needs_key && !it.has_key) return ["bad", t.noKey];
  if (it.circuit?.state === "open") {
    return ["bad", t.open(it.circuit.reason === "key_refused" ? t.keyRefused : t.outage, it.circuit.retry_after_s)];
  }
  return it.circuit?.state === "half_open" ? ["wait", t.testing] : ["good", t.ready];
}

function Left({ provider }: { provider: Provider }) {
  const { budget } = provider;
  if (!budget) return <p class="small">{t.unlimited}</p>;
  const most = Math.min(budget.requests, budget.concurrency ?? budget.requests); // what can be left now
  return (
    <div class="left">
      <meter min={0} max={most} value={budget.left_now} aria-label={t.used} />
      <p class="small">
        {t.left(budget.left_now, most, budget.requests, budget.window_s)}
        {budget.under_way ? ` · ${t.underway(budget.under_way)}` : ""}
        {budget.credits_left != null ? ` · ${t.credits(budget.credits_left)}` : ""}
      </p>
    </div>
  );
}

function Strip({ seen }: { seen: Seen[] }) {
  if (!seen.length) return <p class="small">{t.stripNone}</p>;
  const good = seen.filter((it) => mood(it.outcome) === "good").length;
  return (
    <div class="strip">
      <div role="img" aria-label={t.stripText(good, seen.length)}>
        {seen.map((it) => <span key={it.at} class={mood(it.outcome)} title={t.stripItem(outcomes[it.outcome], it.ms)} />)}
      </div>
      <p class="small">{t.stripText(good, seen.length)}</p>
    </div>
  );
}

export function Sources() {
  const [answer, setAnswer] = useState<ProvidersAnswer | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const [looks, setLooks] = useState(0);
  const [seenAt, setSeenAt] = useState<Date | null>(null);
  const asOf = seenAt ? t.asOf(seenAt.toLocaleTimeString("en")) : "";
  useSaid(asOf);
  const keyChanges = useKeyChanges();
  useEffect(() => {
    const control = new AbortController();
    get<ProvidersAnswer>("v1/providers", {}, control.signal)
      .then((it) => { setAnswer(it); setSeenAt(new Date()); setFailure(null); })
      .catch((error: unknown) => { if (!control.signal.aborted) setFailure(error); });
    return () => control.abort();
  }, [looks, keyChanges]);
  const again = () => setLooks(looks + 1);
  const seen = outcomesSeen();
  return (
    <>
      <div class="view-title"><Heading>{t.title}</Heading><p class="lead">{t.lead}</p></div>
      {failure != null && <FailureNotice failure={failure} again={again} />}
      {!answer && failure == null && <Loading />}
      {answer && (
        <>
          <ul class="cards">
            {Object.entries(answer.providers).map(([name, it]) => {
              const [kind, words] = state(it);
              return (
                <li class="card" key={name}>
                  <h2>{isSilent(it) ? nameOfSource(name) : it.title}</h2>
                  <p class={`state ${kind}`}><span class="dot" aria-hidden="true" />{words}</p>
                  {!isSilent(it) && <Left provider={it} />}
                  <dl class="facts">
                    {!isSilent(it) && <div><dt>{texts.hour.title}</dt><dd><LastHour known={it.last_hour} /></dd></div>}
                    <div><dt>{t.strip}</dt><dd><Strip seen={seen[name] ?? []} /></dd></div>
                    {!isSilent(it) && <div><dt>{t.filters}</dt><dd>{it.filters.join(", ").replaceAll("_", " ") || t.none}</dd></div>}
                    {!isSilent(it) && it.disciplines.length > 0 && <div><dt>{t.disciplines}</dt><dd>{it.disciplines.join(", ").replaceAll("_", " ")}</dd></div>}
                  </dl>
                  {!isSilent(it) && <p class="small">{t.waits(it.timeout_s)} · <WebLink address={it.manual}>{t.manual}</WebLink></p>}
                </li>
              );
            })}
          </ul>
          <p class="actions"><button type="button" onClick={again}>{t.refresh}</button><span class="small">{asOf}</span></p>
        </>
      )}
    </>
  );
}
