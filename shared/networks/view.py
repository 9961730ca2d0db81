"""What the lists and records that have come so far say together of the papers around some seeds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from shared.bibliography.paper import MergedPaper, Paper
from shared.bibliography.paper_ids import id_texts
from shared.networks.roles import Edge
from shared.papers.linked import Item, Listing, linked


class View:
    """The papers by their keys, their names, and from whose lists they are known.

    `papers`: None where only names are known; `names`: all of each, its key among them; `heads`: the keys, as they were
    when their lists were asked for; `only_text`: how many lines of reference lists no paper was found for.
    """

    def __init__(self, listings: Sequence[Listing], records: Sequence[Paper], seeds: Mapping[str, MergedPaper]) -> None:
        self.papers: dict[str, MergedPaper | None] = {}
        self.names: dict[str, set[str]] = {}
        self.heads: dict[str, set[str]] = {}
        items = linked(listings, records)
        self._items = [item for item in items if item.key]
        self.only_text = len(items) - len(self._items)
        self._key_of: dict[str, str] = {}
        for item in self._items:
            heads = {it.head for it in item.told}
            self._add(str(item.key), item.paper, id_texts(item.ids), heads)
        for key, paper in seeds.items():
            if key not in self._key_of:
                self._add(key, paper, (), set())

    def _add(self, key: str, paper: MergedPaper | None, names: Iterable[str], heads: set[str]) -> None:
        records = paper.records if paper else ()
        every = {key, *names}.union(*(id_texts(record.ids) for record in records))
        self.papers[key], self.names[key], self.heads[key] = paper, every, heads
        for name in sorted(every):
            self._key_of.setdefault(name, key)

    def key_of(self, name: str) -> str | None:
        """The key of the paper of this name.

        None also for the key of a mere title that has since become one paper with another of these.
        """
        return self._key_of.get(name)

    def edges(self) -> Iterator[Edge]:
        """Every citation that a list or a record tells, between papers that are known."""
        for item in self._items:
            yield from self._listed(item, str(item.key))
        for key, paper in self.papers.items():
            for record in paper.records if paper else ():
                for name in record.references:
                    if cited := self.key_of(name):
                        yield Edge(key, cited, (record.provider,))

    def _listed(self, item: Item, key: str) -> Iterator[Edge]:
        for it in item.told:
            head = self.key_of(it.head) or it.head
            source, target = (head, key) if it.relation == "references" else (key, head)
            yield Edge(source, target, (it.provider,))
