// The picture of a citation network: it can be moved, enlarged, dragged, and walked through with the arrow keys.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { go } from "../address";
import type { NetworkAnswer, NetworkNode } from "../api";
import { texts } from "../texts";
import { savePng, saveSvg } from "./graph_file";
import { radiusOf, type Place } from "./places";

const t = texts.network;
const WIDTH = 960;
const HEIGHT = 620;
const STEP = 1.3;
const LABELS = 14;
type Camera = { x: number; y: number; zoom: number };
type Grip = { key: string | null; x: number; y: number };

export const shortName = (node: NetworkNode): string => {
  const last = node.paper?.authors?.[0]?.split(" ").at(-1) ?? node.paper?.title?.slice(0, 20) ?? node.key.slice(0, 24);
  return [last.slice(0, 24), node.paper?.year].filter(Boolean).join(" ");
};

function around(places: Map<string, Place>): Camera {
  const xs = [...places.values()].map((it) => it.x);
  const ys = [...places.values()].map((it) => it.y);
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const zoom = Math.min(2, WIDTH / (right - left + 140), HEIGHT / (bottom - top + 100));
  return { x: (left + right) / 2, y: (top + bottom) / 2, zoom };
}

/** The nearest paper from `here` in a direction, those linked to it first. */
function next(here: string, direction: Place, places: Map<string, Place>, linked: Set<string>): string {
  const from = places.get(here);
  if (!from) return here;
  const rated = [...places].filter(([key]) => key !== here).map(([key, place]) => {
    const [dx, dy] = [place.x - from.x, place.y - from.y];
    const far = Math.hypot(dx, dy) || 1;
    const ahead = (dx * direction.x + dy * direction.y) / far;
    return { key, ahead, cost: (far / Math.max(ahead, 0.01)) * (linked.has(key) ? 0.5 : 1) };
  }).filter((it) => it.ahead > 0.35).sort((a, b) => a.cost - b.cost);
  return rated[0]?.key ?? here;
}

/** The papers that get a label, the most important first, as long as none covers another; `size` is that of the letters. */
function labels(nodes: NetworkNode[], places: Map<string, Place>, size: number): Set<string> {
  const taken: { left: number; right: number; y: number }[] = [];
  const sorted = [...nodes].sort((a, b) => Number(b.seed) - Number(a.seed) || b.roles.length - a.roles.length || b.cited_within - a.cited_within);
  const chosen = new Set<string>();
  for (const node of sorted) {
    const place = places.get(node.key);
    if (!place || chosen.size === LABELS) continue;
    const left = place.x + radiusOf(node);
    const box = { left, right: left + shortName(node).length * size * 0.6, y: place.y };
    if (taken.some((it) => Math.abs(it.y - box.y) < size * 1.4 && it.left < box.right && box.left < it.right)) continue;
    taken.push(box);
    chosen.add(node.key);
  }
  return chosen;
}

const ARROWS: Record<string, Place> = {
  ArrowRight: { x: 1, y: 0 }, ArrowLeft: { x: -1, y: 0 }, ArrowDown: { x: 0, y: 1 }, ArrowUp: { x: 0, y: -1 },
};

type Props = {
  network: NetworkAnswer; start: Map<string, Place>; selected: string | null; select: (key: string) => void;
  shown: (node: NetworkNode) => boolean;
};

export function Graph({ network, start, selected, select, shown }: Props) {
  const picture = useRef<SVGSVGElement>(null);
  const [places, setPlaces] = useState(start);
  const [camera, setCamera] = useState(() => around(start));
  const grip = useRef<Grip | null>(null);
  useEffect(() => { setPlaces(start); setCamera(around(start)); }, [start]);
  const linked = useMemo(() => {
    const found = new Map<string, Set<string>>(network.nodes.map((node) => [node.key, new Set()]));
    for (const { source, target } of network.edges) {
      found.get(source)?.add(target);
      found.get(target)?.add(source);
    }
    return found;
  }, [network]);
  const visible = network.nodes.filter((node) => shown(node) && places.has(node.key));
  const keys = new Set(visible.map((node) => node.key));
  const labelled = labels(visible, places, 13 / Math.max(0.6, camera.zoom));
  const line = (ends: (source: string, target: string) => boolean) => network.edges
    .filter(({ source, target }) => keys.has(source) && keys.has(target) && ends(source, target))
    .map(({ source, target }) => {
      const [a, b] = [places.get(source), places.get(target)];
      return a && b ? `M${a.x.toFixed(1)} ${a.y.toFixed(1)}L${b.x.toFixed(1)} ${b.y.toFixed(1)}` : "";
    }).join("");
  const zoomBy = (factor: number) => setCamera((it) => ({ ...it, zoom: Math.min(8, Math.max(0.05, it.zoom * factor)) }));
  const scale = () => (picture.current ? WIDTH / picture.current.clientWidth : 1) / camera.zoom;

  useEffect(() => {
    const turned = (event: WheelEvent) => {
      if (!event.ctrlKey && !event.metaKey && document.activeElement !== picture.current) return;
      event.preventDefault();
      zoomBy(event.deltaY < 0 ? 1.1 : 1 / 1.1);
    };
    const element = picture.current;
    element?.addEventListener("wheel", turned, { passive: false });
    return () => element?.removeEventListener("wheel", turned);
  }, []);
  const keyed = (event: KeyboardEvent) => {
    const arrow = ARROWS[event.key];
    const here = selected ?? visible[0]?.key;
    if (arrow && here) {
      const within = new Map([...places].filter(([key]) => keys.has(key)));
      const key = selected ? next(here, arrow, within, linked.get(here) ?? new Set()) : here;
      const place = places.get(key);
      select(key);
      if (place) setCamera((it) => ({ ...it, x: place.x, y: place.y }));
    } else if (event.key === "+" || event.key === "=") zoomBy(STEP);
    else if (event.key === "-") zoomBy(1 / STEP);
    else if (event.key === "0") setCamera(around(places));
    else if (event.key === "Enter" && selected) go("paper", { id: selected });
    else return;
    event.preventDefault();
  };
  const gripped = (event: PointerEvent) => {
    const key = (event.target as Element).closest("[data-key]")?.getAttribute("data-key") ?? null;
    if (key) select(key);
    grip.current = { key, x: event.clientX, y: event.clientY };
    picture.current?.setPointerCapture(event.pointerId);
  };
  const moved = (event: PointerEvent) => {
    const held = grip.current;
    if (!held) return;
    const [dx, dy] = [(event.clientX - held.x) * scale(), (event.clientY - held.y) * scale()];
    grip.current = { ...held, x: event.clientX, y: event.clientY };
    const { key } = held;
    if (!key) return setCamera((it) => ({ ...it, x: it.x - dx, y: it.y - dy }));
    return setPlaces((before) => {
      const place = before.get(key);
      return place ? new Map(before).set(key, { x: place.x + dx, y: place.y + dy }) : before;
    });
  };
  return (
    <div class="graph">
      <svg ref={picture} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} tabindex={0} role="application" aria-roledescription="network"
        aria-label={t.picture(visible.length, network.edges.length)} aria-describedby="graph-keys"
        onKeyDown={keyed} onPointerDown={gripped} onPointerMove={moved} onPointerUp={() => { grip.current = null; }}>
        <g transform={`translate(${WIDTH / 2} ${HEIGHT / 2}) scale(${camera.zoom}) translate(${-camera.x} ${-camera.y})`}>
          <path class="edges" d={line(() => true)} />
          {selected && <path class="edges near" d={line((source, target) => source === selected || target === selected)} />}
          {visible.map((node) => {
            const place = places.get(node.key);
            if (!place) return null;
            const kind = node.seed ? "seed" : (node.roles[0] ?? "other");
            const dim = selected !== null && node.key !== selected && !linked.get(selected)?.has(node.key);
            return (
              <g key={node.key} data-key={node.key} class={`node ${kind}${dim ? " dim" : ""}${node.key === selected ? " chosen" : ""}`}
                transform={`translate(${place.x} ${place.y})`}>
                <title>{node.paper?.title ?? node.key}</title>
                <circle r={radiusOf(node)} />
              </g>
            );
          })}
          {visible.filter((node) => labelled.has(node.key) || node.key === selected).map((node) => {
            const place = places.get(node.key);
            return place && (
              <text key={node.key} class="label" x={place.x + radiusOf(node) + 3} y={place.y + 4} font-size={13 / Math.max(0.6, camera.zoom)}>
                {shortName(node)}
              </text>
            );
          })}
        </g>
      </svg>
      <div class="bar-of-tools tools">
        <button type="button" aria-label={t.zoomIn} onClick={() => zoomBy(STEP)}>+</button>
        <button type="button" aria-label={t.zoomOut} onClick={() => zoomBy(1 / STEP)}>−</button>
        <button type="button" onClick={() => setCamera(around(places))}>{t.all}</button>
        <button type="button" onClick={() => { if (picture.current) saveSvg(picture.current); }}>{t.svg}</button>
        <button type="button" onClick={() => { if (picture.current) void savePng(picture.current); }}>{t.png}</button>
      </div>
      <p class="small" id="graph-keys">{t.keys}</p>
    </div>
  );
}
