"""Merged papers as the results of a search, as they are stored: with all authors and the whole abstract.

A result's fields are those of `shared.answers.search.Paper`: a field that a `MergedPaper` has under the same name and
in the same form needs no line here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from operator import attrgetter
from typing import TYPE_CHECKING, Any, cast

from shared.bibliography.paper import MergedPaper
from shared.json_types import flat_json
from shared.search.sizes.details import RESULT_FIELDS

if TYPE_CHECKING:
    from shared.answers.search import StoredPaper
    from shared.search.ranking.formula import RankedPaper


_IN_ORDER = (*RESULT_FIELDS, "references", "author_parts")
# The fields that are converted as well are replaced.
_AS_THEY_ARE = tuple(field.name for field in fields(MergedPaper) if field.name in RESULT_FIELDS)
_read_as_they_are: Callable[[MergedPaper], tuple[Any, ...]] = attrgetter(*_AS_THEY_ARE)


def result_of(ranked: RankedPaper) -> StoredPaper:
    """One result in full: all authors, the whole abstract, and the fields of `unranked` that are not shown."""
    result = unranked(ranked.paper)
    result.update(
        {
            "provider_scores": {name: round(score, 6) for name, score in sorted(ranked.provider_scores.items())},
            "best_provider": ranked.best_provider,
            "best_score": _rounded(ranked.best_score),
            "score": _rounded(ranked.score),
            "score_parts": {name: _rounded(ranked.score_parts.get(name)) for name in ranked.named_parts},
        }
    )
    return result


def unranked(paper: MergedPaper) -> StoredPaper:
    """A paper that was not ranked, in the form of a result without scores.

    Besides the fields of a result: `references` by provider, for the graph, and `author_parts`, for exports.
    """
    ordered: dict[str, Any] = dict.fromkeys(_IN_ORDER)
    ordered.update(zip(_AS_THEY_ARE, _read_as_they_are(paper), strict=True))
    ordered.update(converted_fields(paper))
    return cast("StoredPaper", ordered)  # mypy cannot follow a TypedDict through a loop; a test compares the fields


def converted_fields(paper: MergedPaper) -> StoredPaper:
    """The fields of a result that are not simply the attribute of the same name of a MergedPaper."""
    return {
        "doi": paper.ids.doi,
        "pmid": paper.ids.pmid,
        "paper_id": paper.ids.paper_id,
        "authors": [author.display for author in paper.authors],
        "citation_counts": dict(sorted(paper.citation_counts.items())),
        "external_ids": flat_json(paper.ids),
        "open_access": {
            "is_oa": paper.open_access.is_oa,
            "url": paper.open_access.url,
            "license": paper.open_access.license,
            "locations": [flat_json(it) for it in paper.open_access.locations],
        },
        "retraction": flat_json(paper.retraction),
        "versions": [flat_json(version) for version in paper.versions],
        "registrations": list(paper.registrations),
        "provider_scores": {},
        "best_provider": None,
        "best_score": None,
        "score": None,
        "score_parts": {},
        "provenance": {name: list(providers) for name, providers in sorted(paper.provenance.items())},
        "possible_duplicates": [flat_json(duplicate) for duplicate in paper.possible_duplicates],
        "found_by": None,
        "references": {record.provider: list(record.references) for record in paper.records if record.references},
        "author_parts": [{"family": it.family, "given": it.given, "name": it.name} for it in paper.authors],
    }


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 6)
