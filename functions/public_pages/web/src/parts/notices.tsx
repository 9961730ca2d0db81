// Messages: of failures, of loading, and short ones that a screen reader says.
import { useState } from "preact/hooks";
import { Failure } from "../api";
import { storedKey } from "../session";
import { texts } from "../texts";
import { useSaid } from "./announce";
import { arrive } from "./focus";
import { askForKey } from "./key";

/** `quiet` in what is closed at first: it is said when the reader opens it. */
export function Loading({ text = texts.loading, quiet = false }: { text?: string; quiet?: boolean }) {
  useSaid(quiet ? "" : text);
  return <p class="loading">{text}</p>;
}

export function FailureNotice({ failure, again, title }: { failure: unknown; again?: () => void; title?: string }) {
  const problem = failure instanceof Failure ? failure.problem : {};
  const status = failure instanceof Failure ? failure.status : 0;
  const needsKey = status === 401 || status === 403;
  const heading = needsKey ? (storedKey() ? texts.key.wrong : texts.key.needed) : (title ?? texts.failures.title);
  const faults = problem.errors ?? [];
  const allFailed = problem.code === "all_providers_failed";
  return (
    <section class="notice failure" role="alert">
      <h2>{heading}</h2>
      {allFailed && <p>{texts.failures.allFailed}</p>}
      {!needsKey && !faults.length && <p>{problem.detail ?? (failure instanceof Error ? failure.message : texts.failures.unknown)}</p>}
      {!needsKey && faults.length > 0 && (
        <ul>{faults.map((fault) => <li key={fault.field}><b>{fault.field}</b> {fault.message}</li>)}</ul>
      )}
      {!needsKey && !faults.length && problem.hint && <p>{problem.hint}</p>}
      {problem.retry_after_s != null && <p>{texts.failures.wait(problem.retry_after_s)}</p>}
      <p class="actions">
        {needsKey && <button type="button" class="primary" onClick={askForKey}>{texts.key.enter}</button>}
        {again && <button type="button" onClick={() => { arrive(); again(); }}>{texts.failures.again}</button>}
      </p>
      {problem.request_id && <p class="small">{texts.failures.request(problem.request_id)}</p>}
    </section>
  );
}

/** A button that copies a text, which may have to be fetched first, and says so. */
export function CopyButton({ label, text }: { label: string; text: () => string }) {
  const [said, setSaid] = useState("");
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text());
      setSaid(texts.copy.done);
    } catch {
      setSaid(texts.copy.failed);
    }
  };
  return (
    <span class="copy">
      <button type="button" class="quiet" onClick={copy}>{label}</button>
      <span role="status" class="small">{said}</span>
    </span>
  );
}
