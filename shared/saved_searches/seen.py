"""The papers that a saved search has reported, so that none is reported twice and none is missed.

A paper is recognised by the rules that merge a search's records (`shared.matching`): its ids, the ids of its versions,
its title with its authors. So a paper that changes its id, or a preprint that appears in a journal, is the same paper.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, NotRequired, TypedDict

from shared.bibliography.characters import CONTROLS
from shared.bibliography.identifiers import Identifiers
from shared.bibliography.paper import Author, MergedPaper, Paper, RetractionStatus, Version
from shared.bibliography.preprints import is_preprint
from shared.json_types import JsonObject, to_json
from shared.matching.collection import Collection

MAX_AUTHORS = 10  # as many as matching needs, and as many versions
MAX_STUBS = 8
MAX_TITLES = 3  # alternative titles
# Bytes of a title, of an id and of any other text, including another version's id. With these limits the largest item
# has less than 400 kB, so that no stub and no id is ever left out for size.
MAX_TITLE, MAX_ID, MAX_BYTES = 1_000, 500, 200
# They carry no meaning, and JSON writes each as six characters.
_CONTROLS = dict.fromkeys(map(ord, CONTROLS), " ")
# The fields of a record that matching reads; nothing else is stored.
_FIELDS = (
    "title", "ids", "authors", "author_count", "year", "publication_date", "journal", "volume", "issue", "pages",
    "type", "versions", "alternative_titles",
)  # fmt: skip
_OF_AUTHOR, _IDS = ([it.name for it in fields(kind)] for kind in (Author, Identifiers))
# The fields of a reported paper that are its state.
_STATE = ("published", "retracted", "states", "answered_by")


class StoredReportedPaper(TypedDict):
    """The JSON of a reported paper; its number is the item's sort key."""

    key: str
    published: bool
    retracted: bool
    # The fields of `shared.bibliography.paper.Paper` that matching reads, without empty ones.
    stubs: Sequence[JsonObject]
    states: NotRequired[Sequence[str]]  # of a watched paper, as `answered_by`
    answered_by: NotRequired[Sequence[str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportedPaper:
    """A reported paper: the records it is recognised by, its key when it was last reported, and its state then."""

    number: int
    key: str
    stubs: tuple[Paper, ...]  # one per version, and per set of contradicting ids
    published: bool  # more than a preprint
    retracted: bool
    # Of a paper that a watched context cites (`shared.saved_searches.watched`):
    states: frozenset[str] = frozenset()  # the types of the events that are not reported (again)
    answered_by: frozenset[str] = frozenset()  # the sources that have answered for it at least once


def known_paper(paper: MergedPaper, number: int, before: Sequence[ReportedPaper] = ()) -> ReportedPaper:
    """Return what to store about a paper; `before` is what has been stored about it, the paper itself first."""
    stubs = list(before[0].stubs) if before else []
    for stub in (*(stub for known in before[1:] for stub in known.stubs), *map(_stub, paper.records)):
        _add(stubs, stub)
    appeared = is_published(paper) and not all(known.published for known in before)
    return ReportedPaper(
        number=number,
        key=before[0].key if before and not appeared else _short(paper.key, MAX_TITLE),
        stubs=tuple(stubs[:MAX_STUBS]),
        published=is_published(paper) or any(known.published for known in before),
        retracted=is_retracted(paper) or any(known.retracted for known in before),
    )


def with_same_state(known: ReportedPaper, before: Sequence[ReportedPaper]) -> list[ReportedPaper]:
    """Return the paper, and the others of `before`, which represent the same paper, with its state."""
    others = [it for it in before if it.number != known.number]
    state: dict[str, Any] = {name: getattr(known, name) for name in _STATE}
    return [known, *(replace(it, **state) for it in others)]


def is_published(paper: MergedPaper) -> bool:
    """Return whether the paper is known as more than a preprint."""
    linked = any(version.relation == "published" for version in paper.versions)
    return linked or not all(is_preprint(record) for record in paper.records)


def is_retracted(paper: MergedPaper) -> bool:
    """Return whether a source states that the paper was retracted."""
    return paper.retraction.status is RetractionStatus.RETRACTED


class SeenSet:
    """All reported papers, read once per run. The cost of a look-up depends on the papers looked up alone."""

    def __init__(self, known: Iterable[ReportedPaper]) -> None:
        self._known: dict[int, ReportedPaper] = {}
        self._stubs = Collection()
        self.update(known)

    def update(self, known: Iterable[ReportedPaper]) -> None:
        """Add papers, or replace those with the same number."""
        for paper in known:
            before = self._known.get(paper.number)
            for place in range(len(before.stubs) if before else 0):
                self._stubs.remove((paper.number, place))
            for place, stub in enumerate(paper.stubs):
                # Matching treats the records of one provider as one result list, in which no work is listed twice.
                # Stubs come from different searches, so each is given a result list of its own.
                self._stubs.put((paper.number, place), replace(stub, provider=f"seen {paper.number}-{place}"))
            self._known[paper.number] = paper

    def matches(self, papers: Sequence[MergedPaper]) -> list[list[ReportedPaper]]:
        """Return, for each paper, the reported papers it is the same as: none, or usually one.

        The order of neither sequence matters.
        """
        in_order = sorted(range(len(papers)), key=lambda number: (papers[number].key, papers[number].title))
        records = [
            (record_id, replace(record, title=_short(record.title, MAX_TITLE)))
            for n in in_order
            for record_id, record in zip(papers[n].record_ids, papers[n].records, strict=True)
        ]
        owners = [number for number in in_order for _ in papers[number].records]
        numbers: list[set[int]] = [set() for _ in papers]
        for group in self._stubs.groups_with(records):
            known = {number for number, _ in group if number}
            for owner in {owners[place] for number, place in group if not number}:
                numbers[owner] |= known
        return [[self._known[number] for number in sorted(own)] for own in numbers]


def _stub(record: Paper) -> Paper:
    stub = {name: _short(getattr(record, name), MAX_TITLE if "title" in name else MAX_BYTES) for name in _FIELDS}
    stub["ids"] = Identifiers(**{name: _whole(getattr(record.ids, name), MAX_ID) for name in _IDS})
    stub["versions"] = tuple(
        Version(it.relation, *(_whole(text, MAX_BYTES) for text in (it.doi, it.pmid, it.arxiv)))
        for it in record.versions[:MAX_AUTHORS]
    )
    stub["alternative_titles"] = stub["alternative_titles"][:MAX_TITLES]
    return Paper(provider="seen", rank=1, **stub)


def _whole(text: str | None, most: int) -> str | None:
    """Return an id; None when it is too long: a part of it would be a different id."""
    return text if text and _short(text, most) == text else None


def _short(value: Any, most: int) -> Any:
    """Cut texts to `most` bytes and sequences to MAX_AUTHORS entries; remove controls and lone surrogates."""
    match value:
        case str() if len(value) <= most and value.isascii() and value.isprintable():  # as most are
            return value
        case str():
            return value.translate(_CONTROLS).encode("utf-8", "replace")[:most].decode("utf-8", "ignore")
        case tuple():
            return tuple(_short(it, most) for it in value[:MAX_AUTHORS])
        case Author():
            return Author(**{name: _short(getattr(value, name), most) for name in _OF_AUTHOR})
    return value


def _add(stubs: list[Paper], stub: Paper) -> None:
    """Merge the stub into one of the same version whose ids it does not contradict, or append it."""
    for place, other in enumerate(stubs):
        if is_preprint(other) == is_preprint(stub) and _agree(other.ids, stub.ids):
            stubs[place] = _joined(other, stub)
            return
    stubs.append(stub)


def _agree(one: Identifiers, other: Identifiers) -> bool:
    pairs = ((getattr(one, name), getattr(other, name)) for name in _IDS)
    return all(a is None or b is None or a == b for a, b in pairs)


def _joined(one: Paper, other: Paper) -> Paper:
    ids = {name: getattr(one.ids, name) or getattr(other.ids, name) for name in _IDS}
    titles = {other.title, *other.alternative_titles, *one.alternative_titles} - {one.title}
    plain = ("author_count", "year", "publication_date", "journal", "volume", "issue", "pages", "type")
    return replace(
        one,
        ids=Identifiers(**ids),
        authors=max(one.authors, other.authors, key=len),
        alternative_titles=tuple(sorted(titles)[:MAX_TITLES]),
        versions=tuple(dict.fromkeys((*one.versions, *other.versions)))[:MAX_AUTHORS],
        **{name: getattr(one, name) or getattr(other, name) for name in plain},
    )


def known_to_json(known: ReportedPaper) -> StoredReportedPaper:
    """Convert to JSON-ready data without empty fields: a search may have reported thousands of papers."""
    stubs = [_filled({name: to_json(stub)[name] for name in _FIELDS}) for stub in known.stubs]
    stored: StoredReportedPaper = {
        "key": known.key,
        "published": known.published,
        "retracted": known.retracted,
        "stubs": stubs,
    }
    if known.answered_by:
        stored |= {"states": sorted(known.states), "answered_by": sorted(known.answered_by)}
    return stored


def known_from_json(data: StoredReportedPaper, number: int) -> ReportedPaper:
    """Convert the result of `known_to_json` back to a paper."""
    return ReportedPaper(
        number=number,
        key=data["key"],
        stubs=tuple(_stub_from_json(stub) for stub in data["stubs"]),
        published=data["published"],
        retracted=data["retracted"],
        states=frozenset(data.get("states", ())),
        answered_by=frozenset(data.get("answered_by", ())),
    )


def _stub_from_json(stub: Any) -> Paper:
    return Paper(
        **{
            "provider": "seen",
            "rank": 1,
            "title": "",
            **stub,
            "ids": Identifiers(**stub.get("ids", {})),
            "authors": tuple(Author(**it) for it in stub.get("authors", ())),
            "versions": tuple(Version(**it) for it in stub.get("versions", ())),
            "alternative_titles": tuple(stub.get("alternative_titles", ())),
        }
    )


def _filled(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {name: _filled(it) for name, it in value.items() if it not in (None, "", (), [], {})}
    if isinstance(value, list | tuple):
        return [_filled(it) for it in value]
    return value
