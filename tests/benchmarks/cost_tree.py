"""What the tree of cited ids costs a message, by the size of the graph: `python -m tests.benchmarks.cost_tree --write`.

Edges are moved from node to node as the graph grows, which a few messages into an empty table do not show. Here the
tree's own code fills a table in memory, and the units of what it reads, writes and deletes are counted. Made-up papers:
of every ten, five with 17 references from Crossref, four by DOI of five, and five with 29 from OpenAlex; what is cited
follows a power law in which the first of ten million has 0.2 % of the edges. Takes three minutes.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from random import Random
from typing import TypedDict

from shared.canonical_json import digest
from shared.graph.citing_tree import divide_full_nodes, edges_to, segments
from shared.graph.items import EdgeId, Item, Key
from tests.benchmarks.cost import MEASURED
from tests.benchmarks.cost_units import read_units, write_units
from tests.unit.graph.large_table import LargeTable, stored_bytes

MESSAGES = (1_000, 4_000, 16_000)
PAPERS, IDS = 10, 10**7
JOURNALS = (
    "10.1016/j.neuron.", "10.1038/s41586-", "10.1126/science.", "10.1371/journal.pone.", "10.7554/elife.",
    "10.1186/s12859-", "10.1093/nar/gk", "10.1073/pnas.", "10.1101/", "10.1021/acs.jmedchem.",
)  # fmt: skip


class Row(TypedDict):
    """Of a graph of so many papers: the tree's depth, how many edges have items of their own, and units.

    What a message costs besides the segment that it adds to the root, the mean of the last fifth of the messages, and
    what reading who cites one id costs.
    """

    papers: int
    edges: int
    depth: int
    own_items: int
    write_units: float
    read_units: float
    units_of_a_reader: float


class BilledTable(LargeTable):
    """Counts what DynamoDB would bill."""

    def __init__(self) -> None:
        super().__init__()
        self.write_units = self.read_units = 0.0

    def put(self, items: Sequence[Item]) -> None:
        for item in items:
            before = self.partitions[item["pk"]].get(item["sk"], {})
            self.write_units += write_units(max(stored_bytes(item), stored_bytes(before)))
        super().put(items)

    def delete(self, keys: Iterable[Key]) -> None:
        keys = list(keys)
        self.write_units += sum(write_units(stored_bytes(self.partitions[pk].get(sk, {}))) for pk, sk in keys)
        super().delete(keys)

    def query(
        self, partition: str, lower: str, upper: str, limit: int, *, index: bool, consistent: bool = False
    ) -> tuple[list[Item], bool]:
        found, more = super().query(partition, lower, upper, limit, index=index, consistent=consistent)
        self.read_units += read_units(sum(map(stored_bytes, found)), consistent=consistent)
        return found, more


def message(chance: Random) -> Iterator[EdgeId]:
    """The edges of ten papers."""
    for number in range(PAPERS):
        paper = f"{_doi(chance.randrange(10**9))}" if chance.random() < 0.5 else f"pmid:{chance.randrange(4 * 10**7)}"
        provider, count = ("crossref", 17) if number % 2 else ("openalex", 29)
        for _ in range(count):
            cited = int(IDS * chance.random() ** 2.5)
            by_doi = provider == "crossref" and cited % 5
            yield EdgeId(paper, _doi(cited) if by_doi else f"openalex:W{1_500_000_000 + cited * 211}", provider)


def _doi(number: int) -> str:
    return f"doi:{JOURNALS[number % len(JOURNALS)]}{int(digest(str(number), 6), 16)}"


def rows() -> Iterator[Row]:
    """A row for each size."""
    table, chance = BilledTable(), Random(1)
    began = (0.0, 0.0)
    edges = 0
    for number in range(1, MESSAGES[-1] + 1):
        made = list(message(chance))
        edges += len(made)
        (segment,) = segments("", made)
        LargeTable.put(table, [segment])  # counted by `cost_usage`, as a part of the message
        divide_full_nodes(table, segment)
        if number * 5 in [4 * size for size in MESSAGES]:
            began = (table.write_units, table.read_units)
        if number in MESSAGES:
            fifth = number / 5
            written, read = table.write_units - began[0], table.read_units - began[1]
            yield {
                "papers": number * PAPERS,
                "edges": edges,
                "depth": max(len(pk.partition("#")[2]) for pk in table.partitions if pk.startswith("citing#")),
                "own_items": sum(len(it) for pk, it in table.partitions.items() if pk.startswith("cited#")),
                "write_units": round(written / fifth, 2),
                "read_units": round(read / fifth, 2),
                "units_of_a_reader": _reader(table, [edge.target for edge in made[::10]]),
            }


def _reader(table: BilledTable, names: Sequence[str]) -> float:
    before = table.read_units
    for name in names:
        edges_to(table, [name])
    return round((table.read_units - before) / len(names), 1)


def main() -> None:
    """Print the rows; with `--write`, keep them for the arithmetic."""
    found = list(rows())
    for row in found:
        print(row, flush=True)
    if "--write" in sys.argv:
        stored = json.loads(MEASURED.read_text(encoding="utf-8"))
        MEASURED.write_text(json.dumps({**stored, "tree": found}, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
