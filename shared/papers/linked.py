"""The lists of what papers cite, or of who cites them, from many providers put together: one item a paper.

Records are merged by the engine of a search. An id without a record joins the item that has it, also by way of another
id. A line of text counts as the id that it names; else it joins the item whose title stands in it, and is kept as text
where there is none. A record without ids joins the one item that has its title. Every item knows who asserts it. A
paper is no item of its own list. The order in which lists and pointers come does not matter.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any, NamedTuple

from shared.bibliography.identifiers import Identifiers
from shared.bibliography.paper import MergedPaper, Paper, Pointer, RecordId
from shared.bibliography.paper_ids import SCHEMES, best_name, identifiers_of, names_of
from shared.bibliography.reference_text import distinct_ids, read_references
from shared.bibliography.text import fold
from shared.merging.merge import merge

# A title of fewer words or letters may stand in a line by chance.
TITLE_WORDS, TITLE_LETTERS = 4, 25

# The sources that keep a bibliography's order, the best first; an item's place is the first one's that lists it.
IN_ORDER = ("crossref", "pubmed", "europe_pmc", "semantic_scholar", "openalex", "opencitations")


class Listing(NamedTuple):
    """One provider's list of the papers linked to the paper `head`."""

    head: str  # the key of the paper whose list it is
    relation: str  # references, citations
    provider: str
    papers: Sequence[Paper]
    pointers: Sequence[Pointer]


class Assertion(NamedTuple):
    """That a provider lists an item, and at which place of whose list."""

    head: str
    relation: str
    provider: str
    place: int


@dataclass(frozen=True, slots=True)
class Item:
    """One linked paper: its record, or only its names, or only the line that cites it."""

    key: str | None
    paper: MergedPaper | None
    ids: Identifiers
    text: str | None
    told: tuple[Assertion, ...]

    @property
    def asserted_by(self) -> list[str]:
        """The providers that list it."""
        return sorted({it.provider for it in self.told})


def linked(listings: Sequence[Listing], known: Sequence[Paper] = ()) -> list[Item]:
    """One item for each linked paper of all listings, in a fixed order; `known` are records that nobody lists."""
    listings = sorted(listings, key=attrgetter("provider", "relation", "head"))
    papers = _merged(listings, known)
    own = [_names_of(paper) for paper in papers]
    told = [_Told([_of(listings[it.answer], it.rank) for it in paper.record_ids if it.answer < len(listings)])
            for paper in papers]  # fmt: skip
    ids, lines = _Ids(own), _Titles(papers)
    groups: defaultdict[str, _Told] = defaultdict(_Told)
    texts: defaultdict[str, _Told] = defaultdict(_Told)
    for bare, titled in enumerate(map(lines.of_record, papers)):
        if titled is not None:
            told[titled].by += told[bare].by
            told[bare].by.clear()
    pointers = [(_of(listing, it.rank), _named(it), it.text) for listing in listings for it in listing.pointers]
    for _, names, _ in pointers:
        ids.join(names)
    for said, names, text in pointers:
        number = ids.paper(names) if names else lines.find(text or "")
        if number is not None:
            told[number].by.append(said)
        elif names:
            groups[ids.group(names[0])].add(said, names, text)
        elif folded := fold(text or ""):
            texts[folded].add(said, (), text)
    items = [Item(it.key, it, it.ids, None, told[n].by_others(own[n])) for n, it in enumerate(papers)]
    items += sorted((group.item() for group in groups.values()), key=lambda it: str(it.key))
    items += [texts[folded].item() for folded in sorted(texts)]
    return [item for item in items if item.told]


def _merged(listings: Sequence[Listing], known: Sequence[Paper]) -> list[MergedPaper]:
    """Merge all records. The `answer` of an id is the number of the listing; for `known` it is the next number."""
    listed = [
        (RecordId(paper.provider, number, paper.rank), paper)
        for number, listing in enumerate(listings)
        for paper in listing.papers
    ]
    others = [(RecordId(paper.provider, len(listings), number), paper) for number, paper in enumerate(known)]
    return merge([*listed, *others])


def _names_of(paper: MergedPaper) -> set[str]:
    return {paper.key, *names_of(paper.ids)}.union(*(names_of(record.ids) for record in paper.records))


def _named(pointer: Pointer) -> tuple[str, ...]:
    """Its names; without any those that its line names, when these are no more than one of a kind."""
    if names := names_of(pointer.ids):
        return names
    found = distinct_ids(read_references(pointer.text or ""))
    ids = dict(found)
    return names_of(Identifiers(**ids)) if len(ids) == len(found) else ()


def _of(listing: Listing, place: int) -> Assertion:
    return Assertion(listing.head, listing.relation, listing.provider, place)


@dataclass(slots=True)
class _Told:
    """Who says something of one linked paper, and by which names and lines."""

    by: list[Assertion] = field(default_factory=list)
    names: set[str] = field(default_factory=set)
    text: str | None = None

    def add(self, said: Assertion, names: Collection[str], text: str | None) -> None:
        """Of several lines the longest stays."""
        self.by.append(said)
        self.names.update(names)
        self.text = max((it for it in (self.text, text) if it), key=lambda it: (len(it), it), default=None)

    def by_others(self, names: Collection[str]) -> tuple[Assertion, ...]:
        """In a fixed order, without the lists of the paper itself."""
        return tuple(sorted({said for said in self.by if said.head not in names}))

    def item(self) -> Item:
        """Of names and a line alone."""
        names = sorted(self.names)
        key = best_name(names, [*SCHEMES.values()])
        return Item(key, None, identifiers_of(names), self.text, self.by_others(self.names))


class _Ids:
    """Names of papers; those that one pointer tells together are of one paper."""

    def __init__(self, papers: Sequence[Collection[str]]) -> None:
        self._paper_of: dict[str, int] = {}
        self._next: dict[str, str] = {}  # name -> another of its group, nearer to the group's own
        self._papers_in: dict[str, int] = {}  # group -> a paper that has one of its names
        for number, names in enumerate(papers):
            for name in names:
                self._paper_of.setdefault(name, number)

    def group(self, name: str) -> str:
        """The name that stands for all names of its group."""
        while (following := self._next.setdefault(name, name)) != name:
            self._next[name] = self._next[following]
            name = following
        return name

    def join(self, names: Sequence[str]) -> None:
        """Make the groups of these names one."""
        found = [self._papers_in.pop(group) for group in {self.group(it) for it in names} if group in self._papers_in]
        found += [self._paper_of[name] for name in names if name in self._paper_of]
        for name in names[1:]:
            self._next[self.group(name)] = self.group(names[0])
        if found:
            self._papers_in[self.group(names[0])] = min(found)

    def paper(self, names: Sequence[str]) -> int | None:
        """The paper that has one of these names, the best first; else one that has a name of their group."""
        known = [self._paper_of[name] for name in names if name in self._paper_of]
        return known[0] if known else self._papers_in.get(self.group(names[0]))


class _Titles:
    """Which merged paper's title stands in a line; by the titles' first words and lengths, so that time is linear."""

    def __init__(self, papers: Sequence[MergedPaper]) -> None:
        self._papers = papers
        self._titled: defaultdict[tuple[str, ...], list[int]] = defaultdict(list)
        self._lengths: defaultdict[tuple[str, ...], set[int]] = defaultdict(set)
        for number, paper in enumerate(papers):
            title = fold(paper.title)
            words = tuple(title.split())
            if len(words) >= TITLE_WORDS and len(title) >= TITLE_LETTERS:
                self._titled[words].append(number)
                self._lengths[words[:TITLE_WORDS]].add(len(words))

    def find(self, line: str) -> int | None:
        """Of several titles the longest; of several papers with one title that of the line's year."""
        words = tuple(fold(line).split())
        spans = {
            words[at : at + length]
            for at in range(len(words) - TITLE_WORDS + 1)
            for length in self._lengths.get(words[at : at + TITLE_WORDS], ())
        }
        found = [(span, number) for span in spans for number in self._titled.get(span, ())]
        fitting = [it for it in found if it[0] == words or not _is_bare(self._papers[it[1]])]
        return max(fitting, key=lambda it: self._order(it, words))[1] if fitting else None

    def of_record(self, paper: MergedPaper) -> int | None:
        """The paper with ids that a record without any is of: the only one with its title, and of its year if told."""
        if names_of(paper.ids):
            return None
        alike = [it for it in self._titled.get(tuple(fold(paper.title).split()), ()) if names_of(self._papers[it].ids)]
        years = {None, paper.year} if paper.year else {self._papers[it].year for it in alike}
        return alike[0] if len(alike) == 1 and self._papers[alike[0]].year in years else None

    def _order(self, found: tuple[tuple[str, ...], int], words: Collection[str]) -> tuple[int, bool, int]:
        span, number = found
        return len(" ".join(span)), str(self._papers[number].year) in words, -number


def _is_bare(paper: MergedPaper) -> bool:
    """A title and nothing else is as often a page's furniture ("Sign up to receive…") as a paper."""
    return not (paper.authors or paper.year or names_of(paper.ids))


def _in_bibliography(item: Item) -> tuple[Any, ...]:
    places = [(IN_ORDER.index(it.provider), it.place) for it in item.told if it.provider in IN_ORDER]
    return min(places, default=(len(IN_ORDER), 0))


def _by_citations(item: Item) -> tuple[Any, ...]:
    count = item.paper.citation_count if item.paper else None
    return (count is None, -(count or 0), *_by_date(item))


def _by_date(item: Item) -> tuple[Any, ...]:
    """The newest first; a year without month counts from its start."""
    date = (item.paper.publication_date or str(item.paper.year or "")) if item.paper else ""
    return (not date, *(-int(part) for part in f"{date}-00-00".split("-")[:3] if date))


# The orders in which items are shown.
ORDERS: dict[str, Callable[[Item], tuple[Any, ...]]] = {
    "bibliography": _in_bibliography, "citations": _by_citations, "date": _by_date,
}  # fmt: skip
