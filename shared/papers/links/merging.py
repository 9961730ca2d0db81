"""Merges the reference or citation lists of many providers into one list with one item per paper.

Records are merged as those of a search are. An id without a record joins the item that has this id, directly or through
another pointer with both ids. A printed reference counts as the id that stands in it; otherwise it joins the item whose
title stands in it, and remains an item of its own if there is none. A record without ids joins the one item with its
title. Each item has the assertions of the providers that list it. A paper is not in its own list. The result does
not depend on the order of the lists or of the pointers.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from typing import NamedTuple

from shared.bibliography.identifiers import Identifiers
from shared.bibliography.paper import InTextCitation, MergedPaper, Paper, Pointer, RecordId
from shared.bibliography.paper_ids import SCHEMES, best_id, id_texts, identifiers_of, key_of
from shared.bibliography.reference_text import distinct_ids, read_references
from shared.bibliography.text import fold
from shared.merging.merge import merge
from shared.papers.links.index import NameIndex, TitleIndex


class LinkList(NamedTuple):
    """One provider's list of the papers that the paper `head` cites or is cited by."""

    head: str  # the key of the paper whose list this is
    relation: str  # references, citations
    provider: str
    papers: Sequence[Paper]
    pointers: Sequence[Pointer]
    in_text: Sequence[InTextCitation] = ()


class Assertion(NamedTuple):
    """A provider's statement that an item is in the list of the paper `head`, at this position (from 1)."""

    head: str
    relation: str
    provider: str
    position: int


@dataclass(frozen=True, slots=True)
class LinkedItem:
    """One paper of a merged list: with its record, or by its ids alone, or as a printed reference alone."""

    key: str | None
    paper: MergedPaper | None
    ids: Identifiers
    text: str | None
    assertions: tuple[Assertion, ...]

    @property
    def asserted_by(self) -> list[str]:
        """The providers that list it."""
        return sorted({assertion.provider for assertion in self.assertions})


def merge_listings(listings: Sequence[LinkList], records: Sequence[Paper] = ()) -> list[LinkedItem]:
    """One item for each paper of all listings, in a fixed order; `records` are further records of such papers."""
    listings = sorted(listings, key=attrgetter("provider", "relation", "head"))
    papers = _merged(listings, records)
    names = [_all_names(paper) for paper in papers]
    assertions = [_listed_by(paper, listings) for paper in papers]
    name_index, title_index = NameIndex(names), TitleIndex(papers)
    for without_ids, same in enumerate(map(title_index.same_paper, papers)):
        if same is not None:
            assertions[same].made += assertions[without_ids].made
            assertions[without_ids].made.clear()
    groups: defaultdict[str, Assertions] = defaultdict(Assertions)
    texts: defaultdict[str, Assertions] = defaultdict(Assertions)
    pointers = [
        (_assertion(listing, pointer.rank), _names_in(pointer), pointer.text)
        for listing in listings
        for pointer in listing.pointers
    ]
    for _, its_names, _ in pointers:
        name_index.join(its_names)
    for assertion, its_names, text in pointers:
        number = name_index.paper(its_names) if its_names else title_index.find(text or "")
        if number is not None:
            assertions[number].made.append(assertion)
        elif its_names:
            groups[name_index.group(its_names[0])].add(assertion, its_names, text)
        elif folded := fold(text or ""):
            texts[folded].add(assertion, (), text)
    items = [
        LinkedItem(paper.key, paper, paper.ids, None, assertions[number].by_others(names[number]))
        for number, paper in enumerate(papers)
    ]
    items += sorted((group.item() for group in groups.values()), key=lambda item: str(item.key))
    items += [texts[folded].item() for folded in sorted(texts)]
    return [item for item in items if item.assertions]


def _merged(listings: Sequence[LinkList], records: Sequence[Paper]) -> list[MergedPaper]:
    """All records, where `RecordId.answer` is the number of the listing; `records` have the number after the last."""
    listed = [
        (RecordId(paper.provider, number, paper.rank), paper)
        for number, listing in enumerate(listings)
        for paper in listing.papers
    ]
    further = [(RecordId(paper.provider, len(listings), rank), paper) for rank, paper in enumerate(records, start=1)]
    return merge([*listed, *further])


def _listed_by(paper: MergedPaper, listings: Sequence[LinkList]) -> Assertions:
    """The assertions of the lists that the paper's records come from."""
    listed = [record_id for record_id in paper.record_ids if record_id.answer < len(listings)]
    return Assertions([_assertion(listings[record_id.answer], record_id.rank) for record_id in listed])


def _all_names(paper: MergedPaper) -> set[str]:
    return {paper.key, *id_texts(paper.ids)}.union(*(id_texts(record.ids) for record in paper.records))


def _names_in(pointer: Pointer) -> tuple[str, ...]:
    """The names of a pointer; if it has no ids those in its text, unless the text has two ids of one kind."""
    if names := id_texts(pointer.ids):
        return names
    found = distinct_ids(read_references(pointer.text or ""))
    ids = dict(found)
    return id_texts(Identifiers(**ids)) if len(ids) == len(found) else ()


def _assertion(listing: LinkList, position: int) -> Assertion:
    return Assertion(listing.head, listing.relation, listing.provider, position)


@dataclass(slots=True)
class Assertions:
    """The assertions about one linked paper, with the names and the printed reference that they give."""

    made: list[Assertion] = field(default_factory=list)
    names: set[str] = field(default_factory=set)
    text: str | None = None

    def add(self, assertion: Assertion, names: Collection[str], text: str | None) -> None:
        """Add one; of several printed references the longest is shown."""
        self.made.append(assertion)
        self.names.update(names)
        self.text = max((line for line in (self.text, text) if line), key=lambda line: (len(line), line), default=None)

    def by_others(self, names: Collection[str]) -> tuple[Assertion, ...]:
        """In a fixed order, without those from the lists of the paper itself, which has these names."""
        return tuple(sorted({assertion for assertion in self.made if assertion.head not in names}))

    def item(self) -> LinkedItem:
        """The item of a paper that no record is known of."""
        names = sorted(self.names)
        key = best_id({*names, *map(key_of, names)}, [*SCHEMES.values()])
        return LinkedItem(key, None, identifiers_of(names), self.text, self.by_others(self.names))
