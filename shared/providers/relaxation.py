"""A second, wider request where the first found few papers: engines that require every word often find too little.

Each provider decides what its wider form is (fewer words, full text instead of abstracts); the rule when it is sent and
how the two lists join is here. What only the wider form found is marked `relaxed` and ranks below.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from shared.bibliography.paper import Paper
from shared.bibliography.paper_ids import id_texts
from shared.bibliography.text import fold
from shared.errors import ProviderError
from shared.providers.provider import LEG_TIMEOUT_S, Page
from shared.query.query import Query

if TYPE_CHECKING:
    from shared.providers.http_client import Client

ENOUGH = 10  # papers, the default size of an answer's page
# What a second request needs: a source that took half of a leg's time for the first would not end another.
MIN_TIME_S = LEG_TIMEOUT_S / 2


def widened(strict: Page, wider: Callable[[], Page] | None, client: Client, query: Query) -> Page:
    """The page of the strict form, with papers of the wider form behind its own, up to the query's limit in all.

    `wider` sends the second request; None if the query has no wider form. If it fails, the first page stands, with a
    warning: a failure of the second request loses nothing. It does not wait for long in the queue of the provider.
    """
    limit = query.limit
    if wider is None or not query.widen or len(strict.papers) >= min(ENOUGH, limit) or client.time_left() < MIN_TIME_S:
        return strict
    try:
        with client.optional():
            wide = wider()
    except ProviderError as error:
        warning = f"a wider search for more papers failed: {error.message}"
        return replace(strict, warnings=[*strict.warnings, warning])
    known = {name for paper in strict.papers for name in _names(paper)}
    added = [paper for paper in wide.papers if known.isdisjoint(_names(paper))][: limit - len(strict.papers)]
    marked = [replace(paper, rank=len(strict.papers) + place, relaxed=True) for place, paper in enumerate(added, 1)]
    return replace(
        wide,
        papers=[*strict.papers, *marked],
        total=strict.total if wide.total is None else max(wide.total, strict.total or 0),
        effective_query=f"{strict.effective_query} ; then, wider: {wide.effective_query}",
        warnings=list(dict.fromkeys([*strict.warnings, *wide.warnings])),
        unsupported_filters=sorted({*strict.unsupported_filters, *wide.unsupported_filters}),
        partial=strict.partial or wide.partial,
    )


def _names(paper: Paper) -> set[str]:
    """What identifies a record within one provider's lists."""
    return {*id_texts(paper.ids)} or {fold(paper.title)}
