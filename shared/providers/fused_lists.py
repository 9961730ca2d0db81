"""Two lists of one provider for one query, joined by rank: for two forms of which neither is the better one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from shared.bibliography.identifiers import Identifiers
from shared.bibliography.paper import Paper
from shared.errors import ProviderError
from shared.providers.provider import Page
from shared.providers.relaxation import MIN_TIME_S

if TYPE_CHECKING:
    from shared.providers.http_client import Client

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
    papers: dict[Identifiers, Paper] = {}
    scores: dict[Identifiers, float] = {}
    for page in pages:
        for paper in page.papers:
            papers.setdefault(paper.ids, paper)
            scores[paper.ids] = scores.get(paper.ids, 0.0) + 1 / (_DAMPING + paper.rank)
    best = sorted(papers, key=lambda ids: -scores[ids])
    return [replace(papers[ids], rank=rank) for rank, ids in enumerate(best, start=1)]
