// Where a paper is in the picture of a network, and how large.
import type { NetworkNode } from "../api";

export type Place = { x: number; y: number };

export const radiusOf = (node: NetworkNode): number => 5 + Math.min(9, Math.sqrt(node.cited_within) * 2) + (node.seed ? 3 : 0);
