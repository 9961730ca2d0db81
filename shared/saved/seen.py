"""What a saved search has told of: every paper under all its names, so that none is told twice and none is missed.

A paper is known again by the rules that merge a search's records (`shared.matching`): its ids, its versions' ids, its
title with its authors. So one that changes its id, or a preprint that appears in a journal, is the paper it was.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from shared.identifiers import Identifiers
from shared.matching.clustering import cluster
from shared.matching.features import is_preprint
from shared.paper import Author, MergedPaper, Paper, RetractionStatus, Version, from_json, to_json

MAX_AUTHORS = 10  # as many as comparing needs, and as many versions
MAX_STUBS = 8
MAX_TITLES = 3  # other forms of the title
MAX_TITLE, MAX_CHARS = 500, 200  # characters of a title, and of any other text
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
        key=before[0].key if before and not appeared else paper.key,
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


def recognised(papers: Sequence[MergedPaper], known: Sequence[Known]) -> list[list[Known]]:
    """For each paper what was told of it before: nothing, or as a rule one. The order of both does not matter."""
    in_order = sorted(range(len(papers)), key=lambda number: (papers[number].key, papers[number].title))
    records = [replace(it, title=it.title[:MAX_TITLE]) for number in in_order for it in papers[number].records]
    owners = [number for number in in_order for _ in papers[number].records]
    stubs = [
        (it, replace(stub, provider=f"seen {it.number}-{n}"))
        for it in sorted(known, key=lambda it: it.number)
        for n, stub in enumerate(it.stubs)
    ]
    groups, _ = cluster([*records, *(stub for _, stub in stubs)])
    found: list[dict[int, Known]] = [{} for _ in papers]
    for group in groups:
        told = [stubs[member - len(records)][0] for member in group if member >= len(records)]
        for member in group:
            if member < len(records):
                found[owners[member]].update({it.number: it for it in told})
    return [[its[number] for number in sorted(its)] for its in found]


def _stub(record: Paper) -> Paper:
    kept = {name: _short(getattr(record, name), MAX_TITLE if "title" in name else MAX_CHARS) for name in _KEPT}
    return Paper(provider="seen", rank=1, **{**kept, "alternative_titles": kept["alternative_titles"][:MAX_TITLES]})


def _short(value: Any, chars: int) -> Any:
    """The same, so short that all that is kept of a paper fits into an item of 400 kB, and without half characters."""
    match value:
        case str():
            return value[:chars].encode("utf-8", "replace").decode()
        case tuple():
            return tuple(_short(it, chars) for it in value[:MAX_AUTHORS])
        case Author() | Version():
            return replace(value, **{it.name: _short(getattr(value, it.name), chars) for it in fields(value)})
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


def known_from_json(data: Mapping[str, Any], number: int) -> Known:
    """What `known_to_json` wrote."""
    empty = to_json(Paper(provider="seen", rank=1, title=""))
    return Known(
        number=number,
        key=data["key"],
        stubs=tuple(from_json({**empty, **stub}) for stub in data["stubs"]),
        published=data["published"],
        retracted=data["retracted"],
    )


def _filled(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {name: _filled(it) for name, it in value.items() if it not in (None, "", (), [], {})}
    if isinstance(value, list | tuple):
        return [_filled(it) for it in value]
    return value
