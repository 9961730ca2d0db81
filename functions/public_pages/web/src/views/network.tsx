// The citation network around a few papers, as a picture and as a list.
import { useEffect, useState } from "preact/hooks";
import { addressOf, go } from "../address";
import { post, type NetworkAnswer, type NetworkNode, type NetworkRole } from "../api";
import { useSaid } from "../parts/announce";
import { Choice } from "../parts/choice";
import { Heading } from "../parts/focus";
import { Graph } from "../parts/graph";
import { useKeyChanges } from "../parts/key";
import type { Place } from "../parts/places";
import { Foreign } from "../parts/links";
import { FailureNotice, Loading } from "../parts/notices";
import { PaperMeta } from "../parts/paper";
import { roles, texts } from "../texts";

const t = texts.network;
type Drawn = { network: NetworkAnswer; places: Map<string, Place> };
type Filter = { role: "" | NetworkRole; from: string; to: string };

function passes(filter: Filter, node: NetworkNode): boolean {
  const year = node.paper?.year;
  if (node.seed) return true;
  if (filter.role && !node.roles.includes(filter.role)) return false;
  if (filter.from && !(year != null && year >= Number(filter.from))) return false;
  return !filter.to || (year != null && year <= Number(filter.to));
}

function Form({ fields }: { fields: URLSearchParams }) {
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget as HTMLFormElement);
    const id = String(data.get("ids")).split(/[\n,]/).map((it) => it.trim()).filter(Boolean);
    go("network", { id, depth: String(data.get("depth")), nodes: String(data.get("nodes")), direction: String(data.get("direction")) });
  };
  return (
    <form class="network-form" onSubmit={submit}>
      <label class="wide">{t.seeds}<textarea name="ids" rows={2} required defaultValue={fields.getAll("id").join("\n")} placeholder={t.example} /></label>
      <Choice name="direction" label={t.direction} values={Object.entries(t.directions)} chosen={fields.get("direction") ?? "both"} />
      <Choice name="depth" label={t.depth} values={[["1", "1"], ["2", "2"]]} chosen={fields.get("depth") ?? "1"} />
      <label>{t.nodes}<input name="nodes" type="number" min={2} max={200} defaultValue={fields.get("nodes") ?? "60"} /></label>
      <button type="submit" class="primary">{t.show}</button>
    </form>
  );
}

function Details({ node }: { node: NetworkNode | undefined }) {
  useSaid(node ? (node.paper?.title ?? t.unnamed) : "");
  if (!node) return <p class="small">{t.none}</p>;
  return (
    <div class="chosen-paper">
      <h3><Foreign text={node.paper?.title ?? t.unnamed} /></h3>
      {node.paper && <PaperMeta paper={node.paper} />}
      <p class="small">{t.within(node.cited_within)}</p>
      {node.roles.map((role) => <p class="small" key={role}>{roles[role]}</p>)}
      <p class="actions"><a href={addressOf("paper", { id: node.key })}>{t.open}</a><a href={addressOf("network", { id: node.key })}>{t.here}</a></p>
    </div>
  );
}

function Found({ drawn }: { drawn: Drawn }) {
  const { network, places } = drawn;
  const [selected, setSelected] = useState<string | null>(null);
  const [filter, setFilter] = useState<Filter>({ role: "", from: "", to: "" });
  const shown = (node: NetworkNode) => passes(filter, node);
  const listed = network.nodes.filter(shown);
  const missing = [...network.seeds_not_found, ...network.seeds_unanswered];
  return (
    <>
      {missing.length > 0 && <p class="notice">{t.notFound(missing.join(", "))}</p>}
      <div class="columns network">
        <div class="main">
          <Heading level={2}>{t.picture(listed.length, network.edges.length)}</Heading>
          <Graph network={network} start={places} selected={selected} select={setSelected} shown={shown} />
          {(network.truncated?.nodes ?? 0) > 0 && <p class="small">{t.cut(network.truncated?.nodes ?? 0)}</p>}
        </div>
        <aside class="side">
          <section><h2>{t.selected}</h2><Details node={network.nodes.find((node) => node.key === selected)} /></section>
          <section class="network-filter">
            <label>{t.role}
              <select value={filter.role} onChange={(event) => setFilter({ ...filter, role: event.currentTarget.value as Filter["role"] })}>
                <option value="">{t.roleAny}</option>
                {(Object.keys(roles) as NetworkRole[]).map((role) => <option key={role} value={role}>{roles[role]}</option>)}
              </select>
            </label>
            <div class="range two">
              <label>{t.from}<input type="number" value={filter.from} onInput={(event) => setFilter({ ...filter, from: event.currentTarget.value })} /></label>
              <label>{t.to}<input type="number" value={filter.to} onInput={(event) => setFilter({ ...filter, to: event.currentTarget.value })} /></label>
            </div>
            <ul class="legend small">
              <li class="seed">{t.seed}</li>
              {(Object.keys(roles) as NetworkRole[]).map((role) => <li key={role} class={role}>{roles[role]}</li>)}
              <li class="other">{t.other}</li>
            </ul>
          </section>
          <section><h2>{t.list}</h2>
            <ol class="node-list" tabIndex={0} aria-label={t.list}>
              {listed.map((node) => (
                <li key={node.key}><button type="button" class="quiet" aria-pressed={node.key === selected} onClick={() => setSelected(node.key)}>
                  <Foreign text={node.paper?.title ?? node.key} />
                </button></li>
              ))}
            </ol>
          </section>
        </aside>
      </div>
    </>
  );
}

export function Network({ fields }: { fields: URLSearchParams }) {
  const [drawn, setDrawn] = useState<Drawn | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const [tries, setTries] = useState(0);
  const keyChanges = useKeyChanges();
  const seeds = fields.getAll("id");
  const address = fields.toString();
  useEffect(() => {
    const control = new AbortController();
    setDrawn(null);
    setFailure(null);
    const draw = async () => {
      const request = { seeds, depth: Number(fields.get("depth") ?? 1), max_nodes: Number(fields.get("nodes") ?? 60), direction: fields.get("direction") ?? "both" };
      const [network, { layout }] = await Promise.all([
        post<NetworkAnswer>("v1/citation-network", request, control.signal), import("../parts/layout"),
      ]);
      const places = await layout(network);
      if (!control.signal.aborted) setDrawn({ network, places });
    };
    if (seeds.length) draw().catch((error: unknown) => { if (!control.signal.aborted) setFailure(error); });
    return () => control.abort();
  }, [address, tries, keyChanges]);
  return (
    <>
      <div class="view-title"><Heading>{t.title}</Heading><p class="lead">{t.lead}</p></div>
      <Form key={address} fields={fields} />
      {failure != null && <FailureNotice failure={failure} again={() => setTries(tries + 1)} />}
      {seeds.length > 0 && !drawn && failure == null && <Loading />}
      {drawn && drawn.network.nodes.length > 0 && <Found drawn={drawn} />}
      {drawn && drawn.network.nodes.length === 0 && <p class="notice">{t.notFound(seeds.join(", "))}</p>}
    </>
  );
}
