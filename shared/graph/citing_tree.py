"""Who cites an id: the edges of all papers by cited id, in a buffer tree of packed segments.

A node of the tree has the ids whose digests begin with its digits; the root has all of them. A segment is an immutable
item with many edges, named by the digest of its content. Writers add segments to the root. A node that has become full
is divided: its edges are written to the nodes below it, by the next digit, and then its segments are deleted. So an
edge is written a few times as a part of a packed item, instead of once as an item of its own.

Every edge is at any time in a node on the path of its id, or beside the tree. What is divided is first written below,
then deleted, and readers go from the root downwards with consistent reads: they find it in one of the two places, or in
both. So any number of writers may divide one node at once, and may end at any point: an edge may be repeated, which a
set of edges does not show, and is never lost. See decision 0104.
https://en.wikipedia.org/wiki/Buffer_tree (Arge, 2003)
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator
from typing import Protocol

from shared.canonical_json import chunked, digest
from shared.compression import decompressed, smallest
from shared.graph.items import CITING, SEGMENT, SPLIT, EdgeId, Item, Key, key_of
from shared.graph.pages import RangeTable, whole_range

# A full node is read with eight read units. A sixteenth of it is 2 kB, so that rounding up costs little.
FULL_BYTES = 32_000
# An id with more than this share of a full node's edges gets an item for each of them, which can be read by pages.
OWN_SHARE = 1 / 16
DIGITS = 16
# An item takes 400 kB; this is before the compression.
SEGMENT_BYTES = 200_000
# Of many edges that are added at once: with a path of the tree checked for each, its nodes stay as small as those
# that writers fill.
ADDED_BYTES = 50_000
# So that a writer ends in its time however many segments a node has got: the next ones divide the rest.
DIVIDED_AT_ONCE = 200
# Beyond the mark: DynamoDB refuses a range whose lower bound is the greater one, as behind the last item of a page.
_AFTER_SPLIT = f"{SPLIT}~"
# The writer checks one path of the tree for full nodes with a quarter of the segments: those whose digest ends so.
CHECKED = frozenset("0123")


class DividedTable(RangeTable, Protocol):
    """A table whose nodes can be divided (`shared.aws.dynamodb.graph_table`)."""

    def put(self, items: list[Item]) -> None:
        """Write whole items."""

    def delete(self, keys: list[Key]) -> None:
        """Delete items; those that do not exist are none."""


def segments(node: str, edges: Iterable[EdgeId], most_bytes: int = SEGMENT_BYTES) -> list[Item]:
    """The items that add edges to a node, given by its digits: one, or several if they are very large."""
    distinct = sorted(set(edges))
    return [_segment(node, part) for part in chunked(distinct, lambda edge: (_bytes(edge),), (most_bytes,))]


def _segment(node: str, edges: Iterable[EdgeId]) -> Item:
    targets: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    for edge in edges:
        targets[edge.source, edge.provider].append(edge.target)
    text = "\n".join(" ".join([*of, *ids]) for of, ids in targets.items())
    name = digest(text, DIGITS)
    return {"pk": f"{CITING}{node}", "sk": f"{SEGMENT}{name}", "edges": smallest(text.encode())}


def _bytes(edge: EdgeId) -> int:
    return sum(len(part.encode()) + 1 for part in edge)


def edges_in_segment(item: Item) -> Iterator[EdgeId]:
    """The edges of a segment. No id and no name of a provider has a space."""
    for line in _text(item).split("\n"):
        source, provider, *targets = line.split(" ")
        for target in targets:
            yield EdgeId(source, target, provider)


def _text(item: Item) -> str:
    # boto3 returns bytes in an object of its own, which bytes() reads.
    return decompressed(bytes(item["edges"])).decode()


def edges_to(table: RangeTable, ids: Collection[str]) -> frozenset[EdgeId]:
    """The edges to these ids that are in the tree. One Query for each node on the paths of the ids."""
    wanted, paths = frozenset(ids), sorted({_path(name) for name in ids})
    found: set[EdgeId] = set()
    nodes = {""}
    while nodes:
        below: set[str] = set()
        for node in sorted(nodes):
            stored, is_split = _read(table, node)
            found |= {edge for item in stored for edge in edges_in_segment(item) if edge.target in wanted}
            if is_split:
                below |= {path[: len(node) + 1] for path in paths if path.startswith(node)}
        nodes = below
    return frozenset(found)


def add(table: DividedTable, edges: Iterable[EdgeId]) -> None:
    """Add edges to the tree, however many: those that are there already are joined when their node is divided."""
    for segment in segments("", edges, ADDED_BYTES):
        table.put([segment])
        _divide_path(table, _path_of(segment))


def divide_full_nodes(table: DividedTable, added: Item) -> None:
    """After a segment was added: for some, divide the full nodes on one path of the tree, which the segment chooses.

    Each node is checked as often as it gets edges, without a list of full nodes that writers would have to share.
    """
    path = _path_of(added)
    if path[-1] in CHECKED:
        _divide_path(table, path)


def _path_of(segment: Item) -> str:
    digits: str = segment["sk"].removeprefix(SEGMENT)
    return digits


def _divide_path(table: DividedTable, path: str) -> None:
    for depth in range(DIGITS + 1):
        node = path[:depth]
        stored, is_split = _read(table, node)
        if sum(len(bytes(item["edges"])) for item in stored) > FULL_BYTES:
            _divide(table, node, stored[:DIVIDED_AT_ONCE], is_split=is_split)
        elif not is_split:
            return


def _divide(table: DividedTable, node: str, stored: list[Item], *, is_split: bool) -> None:
    edges = {edge for item in stored for edge in edges_in_segment(item)}
    numbers = Counter(edge.target for edge in edges)
    below: defaultdict[str, list[EdgeId]] = defaultdict(list)
    beside: list[Item] = []
    for edge in sorted(edges):
        if len(node) == DIGITS or numbers[edge.target] > OWN_SHARE * len(edges):
            beside.append({"pk": edge.key[0], "sk": edge.key[1]})
        else:
            below[_path(edge.target)[: len(node) + 1]].append(edge)
    mark: list[Item] = [{"pk": f"{CITING}{node}", "sk": SPLIT}] if below and not is_split else []
    # Only what was read is deleted, after all of it was written: another writer may add and divide at the same time.
    table.put([*mark, *beside, *(item for child, some in below.items() for item in segments(child, some))])
    table.delete([key_of(item) for item in stored])


def _read(table: RangeTable, node: str) -> tuple[list[Item], bool]:
    """The segments of a node, and whether there are nodes below it.

    The mark is read last: where a segment has been deleted before it was read, the mark was written before.
    """
    items = list(whole_range(table, f"{CITING}{node}", SEGMENT, _AFTER_SPLIT, consistent=True))
    return [item for item in items if _is_segment(item)], any(item["sk"] == SPLIT for item in items)


def _is_segment(item: Item) -> bool:
    """Whether it is a segment that can be read; one that cannot is left as it is, for a version that can."""
    if item["sk"] == SPLIT:
        return False
    try:
        return all(len(line.split(" ")) > 1 for line in _text(item).split("\n"))
    except (ValueError, TypeError, KeyError):
        return False


def _path(name: str) -> str:
    """The digits of an id: those of the nodes that may have its edges are the beginnings of it."""
    return digest(name, DIGITS)
