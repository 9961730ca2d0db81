// The counts of a stored result set; choosing one narrows the list.
import { useRef } from "preact/hooks";
import type { Facets } from "../api";
import { nameOfSource, nameOfType, texts } from "../texts";
import { Foreign } from "./links";
import { YearPlot } from "./years";

const t = texts.facets;
const SHOWN = 6;

export type Chosen = { year: number[]; type: string[]; source: string[]; venue: string[]; open_access: boolean | null };
export const NOTHING_CHOSEN: Chosen = { year: [], type: [], source: [], venue: [], open_access: null };

export const isChosen = (chosen: Chosen): boolean =>
  chosen.open_access !== null || [chosen.year, chosen.type, chosen.source, chosen.venue].some((list) => list.length > 0);

type Named = "type" | "source" | "venue";

export function FacetList({ facets, chosen, choose }: { facets: Facets; chosen: Chosen; choose: (chosen: Chosen) => void }) {
  const title = useRef<HTMLHeadingElement>(null);
  const label = (name: Named, value: string) =>
    name === "source" ? nameOfSource(value) : name === "type" ? nameOfType(value) : value;
  const values = (name: Named) => (
    <fieldset key={name}>
      <legend>{t[name]}</legend>
      {facets[name].values.slice(0, SHOWN).map(({ value, count }) => (
        <label class="check" key={value}>
          <input type="checkbox" checked={chosen[name].includes(value)} onChange={(event) => {
            const others = chosen[name].filter((it) => it !== value);
            choose({ ...chosen, [name]: event.currentTarget.checked ? [...others, value] : others });
          }} />
          <span><Foreign text={label(name, value)} /></span>
          <span class="count">{count}</span>
        </label>
      ))}
    </fieldset>
  );
  return (
    <section class="facets" aria-labelledby="facets-title">
      <div class="heading">
        <h2 ref={title} id="facets-title" tabIndex={-1}>{texts.search.facets}</h2>
        {isChosen(chosen) && <button type="button" class="quiet" onClick={() => { title.current?.focus(); choose(NOTHING_CHOSEN); }}>{texts.search.clear}</button>}
      </div>
      {facets.year.values.length > 0 && (
        <fieldset>
          <legend>{t.years}</legend>
          <YearPlot values={facets.year.values} chosen={chosen.year}
            choose={(year) => choose({ ...chosen, year })} />
        </fieldset>
      )}
      {(["type", "source", "venue"] as const).filter((name) => facets[name].values.length > 0).map(values)}
      <fieldset>
        <legend>{t.access}</legend>
        <label class="check">
          <input type="checkbox" checked={chosen.open_access === true}
            onChange={(event) => choose({ ...chosen, open_access: event.currentTarget.checked ? true : null })} />
          <span>{t.open}</span><span class="count">{facets.open_access.open}</span>
        </label>
      </fieldset>
    </section>
  );
}
