"""The papers around some seeds, merged from the lists and records received so far."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from shared.bibliography.paper import MergedPaper, Paper
from shared.bibliography.paper_ids import id_texts, key_of
from shared.networks.roles import Edge
from shared.papers.links.in_text import in_text_index, merged_in_text
from shared.papers.links.merging import Assertion, LinkedItem, LinkList, merge_listings

if TYPE_CHECKING:
    from shared.answers.in_text import InText


class View:
    """The papers by key, with their names and the papers in whose lists they are.

    Attributes, each by key:
        papers: the paper; None if only names are known.
        names: all names of the paper, its key among them.
        heads: the papers in whose lists it is, by the keys that they had when the lists were requested.

    `only_text` is the number of printed references for which no paper was found.
    """

    def __init__(
        self, listings: Sequence[LinkList], records: Sequence[Paper], seeds: Mapping[str, MergedPaper]
    ) -> None:
        self.papers: dict[str, MergedPaper | None] = {}
        self.names: dict[str, set[str]] = {}
        self.heads: dict[str, set[str]] = {}
        items = merge_listings(listings, records)
        self._stated = in_text_index(listings)
        self._items = [item for item in items if item.key]
        self.only_text = len(items) - len(self._items)
        self._key_of: dict[str, str] = {}
        for item in self._items:
            heads = {assertion.head for assertion in item.assertions}
            self._add(str(item.key), item.paper, id_texts(item.ids), heads)
        for key, paper in seeds.items():
            if key not in self._key_of:
                self._add(key, paper, (), set())

    def _add(self, key: str, paper: MergedPaper | None, names: Iterable[str], heads: set[str]) -> None:
        records = paper.records if paper else ()
        all_names = {key, *names}.union(*(id_texts(record.ids) for record in records))
        self.papers[key], self.names[key], self.heads[key] = paper, all_names, heads
        for name in sorted(all_names.union(map(key_of, all_names))):
            self._key_of.setdefault(name, key)

    def key_of(self, name: str) -> str | None:
        """The key of the paper with this name; None if there is none.

        The key of a paper that was known by its title alone is no longer found once the paper has been merged.
        """
        return self._key_of.get(name)

    def edges(self) -> Iterator[Edge]:
        """The citations in all lists and records, between papers of the view."""
        for item in self._items:
            yield from self._listed(item, str(item.key))
        for key, paper in self.papers.items():
            for record in paper.records if paper else ():
                for name in record.references:
                    if cited := self.key_of(name):
                        yield Edge(key, cited, (record.provider,))

    def in_text(self) -> dict[tuple[str, str], InText]:
        """How papers are cited in the text of others, by the ends of the edge, where a source states it."""
        found: dict[tuple[str, str], list[Assertion]] = {}
        for item in self._items:
            for assertion in item.assertions:
                found.setdefault(self._ends(assertion, str(item.key)), []).append(assertion)
        merged = ((ends, merged_in_text(assertions, self._stated)) for ends, assertions in found.items())
        return {ends: it for ends, it in merged if it}

    def _listed(self, item: LinkedItem, key: str) -> Iterator[Edge]:
        for assertion in item.assertions:
            yield Edge(*self._ends(assertion, key), (assertion.provider,))

    def _ends(self, assertion: Assertion, key: str) -> tuple[str, str]:
        head = self.key_of(assertion.head) or assertion.head
        return (head, key) if assertion.relation == "references" else (key, head)
