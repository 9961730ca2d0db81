// The papers most like one, and which sources say so; read when the reader opens the list.
import { useState } from "preact/hooks";
import { addressOf } from "../address";
import { get, type SimilarAnswer } from "../api";
import { nameOfVote, texts } from "../texts";
import { say } from "./announce";
import { Foreign } from "./links";
import { FailureNotice, Loading } from "./notices";
import { PaperMeta } from "./paper";

const t = texts.paper;

export function Similar({ id }: { id: string }) {
  const [answer, setAnswer] = useState<SimilarAnswer | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const read = () => {
    setFailure(null);
    say(texts.loading);
    get<SimilarAnswer>(`v1/papers/${encodeURIComponent(id)}/similar`).then(setAnswer).catch(setFailure);
  };
  return (
    <details class="links similar" onToggle={(event) => { if (event.currentTarget.open && !answer) read(); }}>
      <summary>{t.similar}</summary>
      {failure != null && <FailureNotice failure={failure} again={read} />}
      {!answer && failure == null && <Loading quiet />}
      {answer?.results.length === 0 && <p class="small">{t.noLinks}</p>}
      <ol>{answer?.results.map((it) => (
        <li key={it.key} class="linked">
          <p class="linked-title"><a href={addressOf("paper", { id: it.key })}><Foreign text={it.paper.title ?? t.untitled} /></a></p>
          <PaperMeta paper={it.paper} />
          <p class="small">{t.votes(Object.entries(it.votes).map(([name, vote]) => t.vote(nameOfVote(name), vote.rank)).join(", "))}</p>
        </li>
      ))}</ol>
    </details>
  );
}
