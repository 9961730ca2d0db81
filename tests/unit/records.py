"""Records of papers in few words, for the tests of matching and merging."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import repeat
from typing import Any

from shared.bibliography.identifiers import Identifiers, read_arxiv, read_doi, read_pmid
from shared.bibliography.paper import Author, MergedPaper, Paper, RecordId, Version
from shared.matching.features import features
from shared.matching.same_paper import Verdict, compare
from shared.merging.merge import merge

_ranks = iter(range(1, 1_000_000))


def record(title: str, authors: str = "", year: int | None = None, place: str = "", **other: Any) -> Paper:
    """`record("Title", "Noris, Marina; Remuzzi, G.", 2009, "N Engl J Med 361:1676-87", doi=…, provider=…)`.

    Each record comes from a provider of its own unless one is named.
    """
    rank = next(_ranks)
    journal, _, numbers = place.rpartition(" ") if ":" in place else (place, "", "")
    volume, _, pages = numbers.partition(":")
    ids = Identifiers(
        doi=read_doi(other.pop("doi", None)),
        pmid=read_pmid(other.pop("pmid", None)),
        arxiv=read_arxiv(other.pop("arxiv", None)),
        **{name: other.pop(name) for name in ("pmcid", "paper_id", "openalex") if name in other},
    )
    return Paper(
        provider=other.pop("provider", f"provider{rank}"),
        rank=other.pop("rank", rank),
        title=title,
        ids=ids,
        authors=tuple(_author(name) for name in authors.split("; ") if name),
        year=year,
        journal=journal or None,
        volume=volume or None,
        pages=pages or None,
        **other,
    )


def _author(name: str) -> Author:
    family, comma, given = name.partition(", ")
    return Author(family=family, given=given) if comma else Author(name=name)


def identified(records: Iterable[Paper], answers: Iterable[int] | None = None) -> list[tuple[RecordId, Paper]]:
    """Give each record its id: its provider, the number of the answer that it comes from (default: 0), and its rank."""
    numbers = repeat(0) if answers is None else answers
    return [(RecordId(it.provider, number, it.rank), it) for it, number in zip(records, numbers, strict=False)]


def merge_records(records: Iterable[Paper], answers: Iterable[int] | None = None) -> list[MergedPaper]:
    """Merge records of one answer of each provider, or of the answers that `answers` numbers."""
    return merge(identified(records, answers))


def merged(*papers: Paper) -> MergedPaper:
    """Merge records that are one paper."""
    (paper,) = merge_records(papers)
    return paper


def preprint(**ids: str) -> tuple[Version, ...]:
    """The link of an article to its preprint."""
    return (Version("preprint", **ids),)


def published(**ids: str) -> tuple[Version, ...]:
    """The link of a preprint to its article."""
    return (Version("published", **ids),)


def same_paper(a: Paper, b: Paper) -> Verdict:
    """The comparison of two records, which are read for it."""
    return compare(features(a), features(b))
