"""Retraction status when a source that tracks retractions did not answer.

A retraction that one source reports is reported. `none` is reported only if every queried source that tracks
retractions answered; otherwise the status is `unknown`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from copy import copy
from dataclasses import replace
from typing import TYPE_CHECKING

from shared.bibliography.paper import MergedPaper, Retraction, RetractionStatus
from shared.providers.provider import ProviderReply

if TYPE_CHECKING:
    from shared.answers.search import StoredPaper


def unanswered_trackers(replies: Iterable[ProviderReply], trackers: Collection[str]) -> set[str]:
    """The providers among `trackers`, which track retractions, that were queried and did not answer."""
    return {reply.provider for reply in replies if reply.provider in trackers and not reply.outcome.answered}


def with_integrity(paper: MergedPaper, unanswered: Collection[str]) -> MergedPaper:
    """The paper, its retraction status `unknown` instead of `none` if there are `unanswered` trackers.

    The providers that reported `none` stay in the provenance, under `retraction.none`.
    """
    if not unanswered or paper.retraction.status is not RetractionStatus.NONE:
        return paper
    provenance = dict(paper.provenance)
    if reported_none := provenance.pop("retraction", ()):
        provenance["retraction.none"] = reported_none
    return replace(paper, retraction=Retraction(), provenance=provenance)


def with_unknown_retraction(results: Iterable[StoredPaper]) -> list[StoredPaper]:
    """Results for the graph, of which not every tracker was queried: the graph must not store `none`."""
    return [_with_unknown_status(result) for result in results]


def _with_unknown_status(result: StoredPaper) -> StoredPaper:
    changed = copy(result)
    if result["retraction"]["status"] == RetractionStatus.NONE:
        changed["retraction"] = {**result["retraction"], "status": RetractionStatus.UNKNOWN}
    return changed
