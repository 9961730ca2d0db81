// Places the papers of a network in the plane, by forces. The same network always gets the same picture.
import {
  forceCollide, forceLink, forceManyBody, forceSimulation, forceX, forceY, type SimulationLinkDatum, type SimulationNodeDatum,
} from "d3-force";
import type { NetworkAnswer } from "../api";
import { radiusOf, type Place } from "./places";

type Point = SimulationNodeDatum & { id: string; radius: number };

const TICKS = 160;
const BUDGET_MS = 12; // of each slice of work, so that the page stays responsive

/** The place of each paper, by its key, around the origin. */
export async function layout(network: NetworkAnswer): Promise<Map<string, Place>> {
  const points: Point[] = network.nodes.map((node) => ({ id: node.key, radius: radiusOf(node) }));
  const known = new Set(points.map((point) => point.id));
  const links: SimulationLinkDatum<Point>[] = network.edges
    .filter((edge) => known.has(edge.source) && known.has(edge.target))
    .map((edge) => ({ source: edge.source, target: edge.target }));
  const simulation = forceSimulation(points)
    .force("link", forceLink<Point, SimulationLinkDatum<Point>>(links).id((point) => point.id).distance(70))
    .force("charge", forceManyBody<Point>().strength(-140).distanceMax(500))
    .force("x", forceX<Point>(0).strength(0.09))
    .force("y", forceY<Point>(0).strength(0.14))
    .force("collide", forceCollide<Point>((point) => point.radius + 3))
    .stop();
  for (let tick = 0; tick < TICKS;) {
    const end = performance.now() + BUDGET_MS;
    while (tick < TICKS && performance.now() < end) {
      simulation.tick();
      tick += 1;
    }
    await new Promise((done) => setTimeout(done));
  }
  return new Map(points.map((point) => [point.id, { x: point.x ?? 0, y: point.y ?? 0 }]));
}
