// What each source said, in words.
import type { LegReport } from "../api";
import { nameOfSource, outcomes, texts } from "../texts";

const t = texts.leg;

/** good: it answered; wait: it is still asked; bad: the reader misses something. */
export function mood(outcome: LegReport["outcome"]): "good" | "wait" | "bad" {
  if (outcome === "ok" || outcome === "empty") return "good";
  return outcome === "pending" ? "wait" : "bad";
}

function notes(leg: LegReport): string[] {
  const said = [];
  if (leg.source === "cache") said.push(t.cache);
  if (leg.source === "stale") said.push(t.stale);
  if (leg.partial) said.push(t.partial);
  if (leg.relaxed) said.push(t.relaxed(leg.relaxed));
  if (leg.unsupported_filters?.length) said.push(t.filters(leg.unsupported_filters.join(", ")));
  if (leg.retry_after_s != null) said.push(t.retry(leg.retry_after_s));
  return said;
}

export function LegReports({ legs }: { legs: Record<string, LegReport> }) {
  const sorted = Object.entries(legs).sort(([a], [b]) => nameOfSource(a).localeCompare(nameOfSource(b)));
  const explained = sorted.filter(([, leg]) => leg.effective_query || leg.warnings?.length);
  return (
    <section class="legs" aria-labelledby="legs-title">
      <h2 id="legs-title">{texts.search.report}</h2>
      <ul class="report">
        {sorted.map(([name, leg]) => (
          <li key={name} class={mood(leg.outcome)}>
            <span class="dot" aria-hidden="true" />
            <span class="who">{nameOfSource(name)}</span>
            <span class="what">
              {outcomes[leg.outcome]}
              {leg.outcome === "ok" && `: ${t.papers(leg.returned, leg.total_estimate ?? null)}`}
              {notes(leg).map((note) => <span class="note" key={note}>{note}</span>)}
            </span>
            <span class="ms">{leg.elapsed_ms != null && leg.source !== "cache" ? t.ms(leg.elapsed_ms) : ""}</span>
          </li>
        ))}
      </ul>
      {explained.length > 0 && (
        <details>
          <summary>{t.details}</summary>
          <dl class="queries">
            {explained.map(([name, leg]) => (
              <div key={name}>
                <dt>{nameOfSource(name)}</dt>
                {leg.effective_query && <dd><code>{leg.effective_query}</code></dd>}
                {leg.warnings?.map((warning) => <dd key={warning} class="small">{warning}</dd>)}
              </div>
            ))}
          </dl>
        </details>
      )}
    </section>
  );
}
