"""What a saved search has told of: every paper under all its names, so that none is told twice and none is missed.

A paper is known again by the rules that merge a search's records (`shared.matching`): its ids, its versions' ids, its
title with its authors. So one that changes its id, or a preprint that appears in a journal, is the paper it was.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from shared.bibliography.characters import CONTROLS
from shared.bibliography.identifiers import Identifiers
from shared.bibliography.paper import Author, MergedPaper, Paper, RetractionStatus, Version, from_json, to_json
from shared.bibliography.preprints import is_preprint
from shared.matching.collection import Collection

MAX_AUTHORS = 10  # as many as comparing needs, and as many versions
MAX_STUBS = 8
MAX_TITLES = 3  # other forms of the title
# Bytes of a title, of an id and of any other text, another version's id too: the largest item that these make has less
# than 400 kB, so that no stub and no id is ever left out for want of room.
MAX_TITLE, MAX_ID, MAX_BYTES = 1_000, 500, 200
# They tell nothing, and JSON writes each as six characters.
_CONTROLS = dict.fromkeys(map(ord, CONTROLS), " ")
# What comparing reads of a record, and nothing else is kept of it.
_KEPT = (
    "title", "ids", "authors", "author_count", "year", "publication_date", "journal", "volume", "issue", "pages",
    "type", "versions", "alternative_titles",
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """A paper that was told: what it is known again by, under which key it was told last, and how it stood then."""

    number: int
    key: str
    stubs: tuple[Paper, ...]  # one for each version and each set of ids that contradict one another
    published: bool  # more than a preprint
    retracted: bool


def known_of(paper: MergedPaper, number: int, before: Sequence[Known] = ()) -> Known:
    """What is kept of a paper that is told, beside what was known of it."""
    stubs = list(before[0].stubs) if before else []
    for stub in (*(stub for known in before[1:] for stub in known.stubs), *map(_stub, paper.records)):
        _add(stubs, stub)
    appeared = is_published(paper) and not all(known.published for known in before)
    return Known(
        number=number,
        key=before[0].key if before and not appeared else _short(paper.key, MAX_TITLE),
        stubs=tuple(stubs[:MAX_STUBS]),
        published=is_published(paper) or any(known.published for known in before),
        retracted=is_retracted(paper) or any(known.retracted for known in before),
    )


def agreed(known: Known, before: Sequence[Known]) -> list[Known]:
    """What is known now, and the others of `before`, which stand for the same paper and so stand as it does."""
    others = [it for it in before if it.number != known.number]
    return [known, *(replace(it, published=known.published, retracted=known.retracted) for it in others)]


def is_published(paper: MergedPaper) -> bool:
    """Whether it is known as more than a preprint."""
    linked = any(version.relation == "published" for version in paper.versions)
    return linked or not all(is_preprint(record) for record in paper.records)


def is_retracted(paper: MergedPaper) -> bool:
    """Whether a source says that it was retracted."""
    return paper.retraction.status is RetractionStatus.RETRACTED


class Seen:
    """Everything that was told, read once a run: what is asked of it then costs no more than what is asked about."""

    def __init__(self, known: Iterable[Known]) -> None:
        self._known: dict[int, Known] = {}
        self._stubs = Collection()
        self.learn(known)

    def learn(self, known: Iterable[Known]) -> None:
        """What is told now, or was told already and is known otherwise now."""
        for it in known:
            before = self._known.get(it.number)
            for number in range(len(before.stubs) if before else 0):
                self._stubs.remove((it.number, number))
            for number, stub in enumerate(it.stubs):
                self._stubs.put((it.number, number), replace(stub, provider=f"seen {it.number}-{number}"))
            self._known[it.number] = it

    def recognised(self, papers: Sequence[MergedPaper]) -> list[list[Known]]:
        """For each paper what was told of it before: nothing, or as a rule one. The order of both does not matter."""
        in_order = sorted(range(len(papers)), key=lambda number: (papers[number].key, papers[number].title))
        records = [
            (record_id, replace(record, title=_short(record.title, MAX_TITLE)))
            for n in in_order
            for record_id, record in zip(papers[n].record_ids, papers[n].records, strict=True)
        ]
        owners = [number for number in in_order for _ in papers[number].records]
        found: list[set[int]] = [set() for _ in papers]
        for group in self._stubs.groups_with(records):
            told = {number for number, _ in group if number}
            for owner in {owners[place] for number, place in group if not number}:
                found[owner] |= told
        return [[self._known[number] for number in sorted(its)] for its in found]


def _stub(record: Paper) -> Paper:
    kept = {name: _short(getattr(record, name), MAX_TITLE if "title" in name else MAX_BYTES) for name in _KEPT}
    kept["ids"] = Identifiers(**{it.name: _whole(getattr(record.ids, it.name), MAX_ID) for it in fields(Identifiers)})
    kept["versions"] = tuple(
        Version(it.relation, *(_whole(text, MAX_BYTES) for text in (it.doi, it.pmid, it.arxiv)))
        for it in record.versions[:MAX_AUTHORS]
    )
    kept["alternative_titles"] = kept["alternative_titles"][:MAX_TITLES]
    return Paper(provider="seen", rank=1, **kept)


def _whole(text: str | None, most: int) -> str | None:
    """An id; None when it is longer: a part of one would be another's."""
    return text if text and _short(text, most) == text else None


def _short(value: Any, most: int) -> Any:
    """The same with texts of so many bytes and lists of so many entries, without controls and half characters."""
    match value:
        case str():
            return value.translate(_CONTROLS).encode("utf-8", "replace")[:most].decode("utf-8", "ignore")
        case tuple():
            return tuple(_short(it, most) for it in value[:MAX_AUTHORS])
        case Author():
            return replace(value, **{it.name: _short(getattr(value, it.name), most) for it in fields(value)})
    return value


def _add(stubs: list[Paper], stub: Paper) -> None:
    """Into one of the same version whose ids it does not contradict, else as one more."""
    for number, other in enumerate(stubs):
        if is_preprint(other) == is_preprint(stub) and _agree(other.ids, stub.ids):
            stubs[number] = _joined(other, stub)
            return
    stubs.append(stub)


def _agree(one: Identifiers, other: Identifiers) -> bool:
    pairs = [(getattr(one, it.name), getattr(other, it.name)) for it in fields(Identifiers)]
    return all(a is None or b is None or a == b for a, b in pairs)


def _joined(one: Paper, other: Paper) -> Paper:
    ids = {it.name: getattr(one.ids, it.name) or getattr(other.ids, it.name) for it in fields(Identifiers)}
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


def known_to_json(known: Known) -> dict[str, Any]:
    """JSON-ready data, without what is empty: a search may have told of thousands."""
    stubs = [_filled({name: to_json(stub)[name] for name in _KEPT}) for stub in known.stubs]
    flags = {"key": known.key, "published": known.published, "retracted": known.retracted}
    return {**flags, "stubs": stubs}


_EMPTY = to_json(Paper(provider="seen", rank=1, title=""))


def known_from_json(data: Mapping[str, Any], number: int) -> Known:
    """What `known_to_json` wrote."""
    return Known(
        number=number,
        key=data["key"],
        stubs=tuple(from_json({**_EMPTY, **stub}) for stub in data["stubs"]),
        published=data["published"],
        retracted=data["retracted"],
    )


def _filled(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {name: _filled(it) for name, it in value.items() if it not in (None, "", (), [], {})}
    if isinstance(value, list | tuple):
        return [_filled(it) for it in value]
    return value
