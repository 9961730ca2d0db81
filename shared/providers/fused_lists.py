"""Several lists of one provider, joined by rank: of two forms of a query, or of the papers like several others."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from shared.bibliography.paper import Paper
from shared.errors import ProviderError
from shared.providers.provider import Page
from shared.providers.relaxation import MIN_TIME_S

if TYPE_CHECKING:
    from shared.providers.http_client import Client

Entry = TypeVar("Entry", bound=Hashable)
_DAMPING = 60  # reciprocal rank fusion's k, https://doi.org/10.1145/1571941.1572114


def fused(first: Page, send: Callable[[], Page], client: Client, *, limit: int) -> Page:
    """The papers of both pages, at most `limit`; those that stand high in both come first.

    `send` requests the second page. If that fails, the first stands, with a warning. Raises the ProviderError if the
    first is empty: that nothing was found is then not known.
    """
    if client.time_left() < MIN_TIME_S and first.papers:
        return replace(first, warnings=[*first.warnings, "no time was left to search by meaning as well"])
    try:
        second = send()
    except ProviderError as error:
        if not first.papers:
            raise
        return replace(first, warnings=[*first.warnings, f"a search by meaning failed: {error.message}"])
    return replace(
        first,
        papers=_by_rank(first, second)[:limit],
        total=max((total for total in (first.total, second.total) if total is not None), default=None),
        effective_query=f"{first.effective_query} ; and {second.effective_query}",
        warnings=list(dict.fromkeys([*first.warnings, *second.warnings])),
        partial=first.partial or second.partial,
    )


def _by_rank(*pages: Page) -> list[Paper]:
    papers = {paper.ids: paper for page in reversed(pages) for paper in reversed(page.papers)}
    best = fused_order([[paper.ids for paper in page.papers] for page in pages])
    return [replace(papers[ids], rank=rank) for rank, ids in enumerate(best, start=1)]


def fused_order(lists: Sequence[Sequence[Entry]], against: Sequence[Sequence[Entry]] = ()) -> list[Entry]:
    """The entries of all lists, those first that stand high in many, by reciprocal rank fusion; a tie stays as it is.

    An entry that stands as high or higher in the lists `against` is left out.
    """
    scores: dict[Entry, float] = {}
    for sign, group in ((1, lists), (-1, against)):
        for listed in group:
            for place, entry in enumerate(listed, start=1):
                scores[entry] = scores.get(entry, 0.0) + sign / (_DAMPING + place)
    wanted = [entry for entry, score in scores.items() if score > 0]
    return sorted(wanted, key=lambda entry: -scores[entry])
