// The last hour of a source: one bar for each five minutes, filled for its requests, hollow for those that failed.
import type { FiveMinutes, Outcome } from "../api";
import { outcomes, texts } from "../texts";

const t = texts.hour;
const [STEP, WIDE, HIGH, LEAST] = [12, 9, 18, 3];
const [SLICES, SLICE_MS] = [12, 300_000];

const failures = (it: FiveMinutes): number => Object.values(it.failed).reduce((sum, count) => sum + count, 0);
const time = (moment: string): string => new Date(moment).toLocaleTimeString("en", { hour: "2-digit", minute: "2-digit", hour12: false });

/** How often each failure happened, in words, the most frequent first. */
function reasons(slices: readonly FiveMinutes[]): string {
  const counts = new Map<string, number>();
  for (const [outcome, count] of slices.flatMap((it) => Object.entries(it.failed))) counts.set(outcome, (counts.get(outcome) ?? 0) + count);
  return [...counts].sort(([, a], [, b]) => b - a).map(([outcome, count]) => t.reason(outcomes[outcome as Outcome], count)).join(", ");
}

function said(slices: readonly FiveMinutes[]): string {
  const requests = slices.reduce((sum, it) => sum + it.requests, 0);
  const failed = slices.reduce((sum, it) => sum + failures(it), 0);
  return failed ? t.failed(requests, failed, reasons(slices)) : t.requests(requests);
}

/** All five minutes of the hour: the service leaves out those without a request. */
function filled(known: readonly FiveMinutes[], now: number): FiveMinutes[] {
  const slices = new Map(known.map((it) => [Date.parse(it.since), it]));
  const last = Math.max(Math.floor(now / SLICE_MS) * SLICE_MS, ...slices.keys()); // this clock may be behind the service's
  return Array.from({ length: SLICES }, (_, at) => last - (SLICES - 1 - at) * SLICE_MS)
    .map((since) => slices.get(since) ?? { since: new Date(since).toISOString(), requests: 0, failed: {} });
}

export function LastHour({ known }: { known: readonly FiveMinutes[] | null }) {
  if (!known) return <p class="small">{t.unknown}</p>;
  if (!known.length) return <p class="small">{t.requests(0)}</p>;
  const slices = filled(known, Date.now());
  const most = Math.max(1, ...slices.map((it) => it.requests));
  const height = (count: number) => (count ? Math.max(LEAST, (count / most) * HIGH) : 0);
  const words = said(slices);
  return (
    <div class="hour">
      <svg viewBox={`0 0 ${slices.length * STEP} ${HIGH + 8}`} role="img" aria-label={`${t.title}: ${words}`}>
        {slices.map((it, at) => {
          const bad = height(failures(it));
          const good = height(it.requests - failures(it));
          const x = at * STEP + 1.5;
          return (
            <g key={it.since}>
              <title>{t.slice(time(it.since), said([it]))}</title>
              <rect class="base" x={x} y={HIGH + 6} width={WIDE} height={1.5} />
              {good > 0 && <rect class="sent" x={x} y={HIGH + 5 - good} width={WIDE} height={good} />}
              {bad > 0 && <rect class="failed" x={x + 0.75} y={HIGH + 5 - good - bad - 0.5} width={WIDE - 1.5} height={Math.max(LEAST, bad - 1)} />}
            </g>
          );
        })}
      </svg>
      <p class="small">{words}</p>
    </div>
  );
}
