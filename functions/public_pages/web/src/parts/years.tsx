// A plot of how many papers are of each year. It is a picture: the fields below it choose the years.
import { useEffect, useState } from "preact/hooks";
import { texts } from "../texts";

const t = texts.facets;
const WIDTH = 320;
const HEIGHT = 84;
const MOST_BARS = 60;

export type YearCount = { value: number; count: number };

/** Every year from the first to the last, at most the last sixty. */
export function filled(values: readonly YearCount[]): YearCount[] {
  const known = new Map(values.map((it) => [it.value, it.count]));
  const last = Math.max(...known.keys());
  const first = Math.max(Math.min(...known.keys()), last - MOST_BARS + 1);
  return Array.from({ length: last - first + 1 }, (_, at) => ({ value: first + at, count: known.get(first + at) ?? 0 }));
}

export function YearPlot({ values, chosen, choose }: {
  values: readonly YearCount[]; chosen: readonly number[]; choose: (years: number[]) => void;
}) {
  const bars = filled(values);
  const top = bars.reduce((best, bar) => (bar.count > best.count ? bar : best));
  const first = bars[0]?.value ?? 0;
  const last = bars[bars.length - 1]?.value ?? 0;
  const [from, setFrom] = useState("");
  const [to, setTo] = useState("");
  useEffect(() => {
    setFrom(String(chosen.length ? Math.min(...chosen) : first));
    setTo(String(chosen.length ? Math.max(...chosen) : last));
  }, [chosen.join(), first, last]);
  const step = WIDTH / bars.length;
  const within = (low: number, high: number) => values.map((it) => it.value).filter((year) => low <= year && year <= high);
  return (
    <form class="years" onSubmit={(event) => { event.preventDefault(); choose(within(Number(from), Number(to))); }}>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT + 14}`} role="img" aria-label={t.yearPlot(first, last, top.count, top.value)}>
        {bars.map((bar, at) => {
          const high = bar.count ? Math.max(2, (bar.count / top.count) * HEIGHT) : 0;
          const off = chosen.length > 0 && !chosen.includes(bar.value);
          return (
            <g key={bar.value} onClick={() => bar.count && choose([bar.value])}>
              <title>{t.bar(bar.value, bar.count)}</title>
              <rect class="hit" x={at * step} y={0} width={step} height={HEIGHT} />
              <rect class={off ? "year off" : "year"} x={at * step + step * 0.1} y={HEIGHT - high} width={step * 0.8} height={high} />
            </g>
          );
        })}
        <text x={0} y={HEIGHT + 12}>{first}</text>
        <text x={WIDTH} y={HEIGHT + 12} text-anchor="end">{last}</text>
      </svg>
      <div class="range">
        <label>{texts.form.from}<input type="number" value={from} onInput={(event) => setFrom(event.currentTarget.value)} /></label>
        <label>{texts.form.to}<input type="number" value={to} onInput={(event) => setTo(event.currentTarget.value)} /></label>
        <button type="submit">{t.apply}</button>
      </div>
    </form>
  );
}
