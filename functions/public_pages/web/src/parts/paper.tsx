// One paper in a list: what it is, who has it, why it is there.
import { useState } from "preact/hooks";
import { addressOf } from "../address";
import type { Paper } from "../api";
import { nameOfSource, paperTypes, texts } from "../texts";
import { Foreign, webAddress, WebLink } from "./links";
import { CopyButton } from "./notices";

const LONG_ABSTRACT = 320;
const t = texts.paper;

export function byline(paper: Paper): string {
  const first = paper.authors?.[0];
  if (!first) return t.noAuthors;
  return t.authors(first, (paper.author_count ?? paper.authors?.length ?? 1) - 1);
}

/** A reference in words, as one line. */
export function citation(paper: Paper): string {
  const names = (paper.authors ?? []).slice(0, 3).join(", ");
  const authors = (paper.author_count ?? 0) > 3 ? `${names}, et al.` : names;
  const where = [paper.journal, paper.volume && `${paper.volume}${paper.issue ? `(${paper.issue})` : ""}`, paper.pages];
  const parts = [authors, paper.year && `(${paper.year})`, paper.title, where.filter(Boolean).join(", "), paper.citation_uri];
  return parts.filter(Boolean).map((part) => String(part).replace(/\.$/, "")).join(". ").replace(". (", " (");
}

export function Badges({ paper }: { paper: Paper }) {
  const status = paper.retraction?.status;
  const free = paper.open_access?.is_oa ?? paper.is_oa;
  const versions = paper.versions?.length ?? 0;
  const copy = webAddress(paper.open_access?.url);
  const type = paper.type && paper.type !== "journal-article" ? paperTypes[paper.type] : undefined;
  return (
    <ul class="badges">
      {status === "retracted" && <li class="badge bad">{t.retracted}</li>}
      {status === "concern" && <li class="badge warn">{t.concern}</li>}
      {status === "corrected" && <li class="badge warn">{t.corrected}</li>}
      {type && <li class="badge">{type}</li>}
      {free && <li class="badge good">{copy ? <WebLink address={copy}>{t.free}</WebLink> : t.free}</li>}
      {versions > 0 && <li class="badge">{t.versions(versions)}</li>}
    </ul>
  );
}

export function SourceBadges({ names }: { names: readonly string[] }) {
  return <ul class="badges sources">{[...names].sort().map((name) => <li class="badge bare" key={name}>{nameOfSource(name)}</li>)}</ul>;
}

/** How much each part adds to a score, as bars; what lowers it goes to the left of the line. */
export function ScoreParts({ paper }: { paper: Paper }) {
  const parts = Object.entries(paper.score_parts ?? {}).filter((part): part is [string, number] => part[1] !== null);
  const most = Math.max(1e-9, ...parts.map(([, value]) => Math.abs(value)));
  return (
    <dl class="parts">
      {parts.map(([name, value]) => (
        <div key={name}>
          <dt>{t.parts[name] ?? name}</dt>
          <dd>
            <span class={value < 0 ? "bar less" : "bar"} aria-hidden="true">
              <span style={{ width: `${(Math.abs(value) / most) * 100}%` }} />
            </span>
            <span class="number">{value > 0 ? "+" : ""}{value.toFixed(2)}</span>
          </dd>
        </div>
      ))}
    </dl>
  );
}

export function Abstract({ text }: { text: string }) {
  const [whole, setWhole] = useState(false);
  const long = text.length > LONG_ABSTRACT;
  return (
    <div class="abstract">
      <p class={long && !whole ? "cut" : ""}><Foreign text={text} /></p>
      {long && (
        <button type="button" class="quiet" aria-expanded={whole} onClick={() => setWhole(!whole)}>
          {whole ? t.shorten : t.expand}
        </button>
      )}
    </div>
  );
}

export function PaperTitle({ paper }: { paper: Paper }) {
  const title = <Foreign text={paper.title || t.untitled} />;
  return paper.key ? <a href={addressOf("paper", { id: paper.key })}>{title}</a> : title;
}

export function PaperMeta({ paper }: { paper: Paper }) {
  const cited = paper.citation_count;
  return (
    <p class="meta">
      <Foreign text={byline(paper)} />
      {paper.journal && <> · <i><Foreign text={paper.journal} /></i></>}
      {paper.year != null && <> · {paper.year}</>}
      {cited != null && <> · {t.cites(cited)}</>}
    </p>
  );
}

export function PaperItem({ paper }: { paper: Paper }) {
  return (
    <li class="paper" data-key={paper.key}>
      <article>
        <h3><PaperTitle paper={paper} /></h3>
        <PaperMeta paper={paper} />
        <Badges paper={paper} />
        {paper.abstract && <Abstract text={paper.abstract} />}
        {(paper.found_by?.length ?? 0) > 0 && <p class="small">{t.foundBy((paper.found_by ?? []).join(" · "))}</p>}
        <div class="below">
          <SourceBadges names={Object.keys(paper.provider_scores ?? {})} />
          <div class="tools">
            <CopyButton label={t.cite} text={() => citation(paper)} />
            {paper.score != null && (
              <details>
                <summary>{t.why}</summary>
                <p class="small">{t.score(paper.score)}</p>
                <ScoreParts paper={paper} />
              </details>
            )}
          </div>
        </div>
      </article>
    </li>
  );
}
