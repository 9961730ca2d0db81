"""Whether a paper stands: what may be said of it when a source that would know did not answer.

A retraction that one source tells is told. That there is none is believed only when every source that keeps account
of retractions, and was asked, has answered: `unknown` is never told as `none`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from shared.bibliography.paper import MergedPaper, Retraction, RetractionStatus
from shared.providers.provider import ProviderReply

if TYPE_CHECKING:
    from shared.answers.search import StoredPaper


def unheard(replies: Iterable[ProviderReply], tracking: Collection[str]) -> set[str]:
    """The sources that keep account of retractions, were asked, and did not answer."""
    return {reply.provider for reply in replies if reply.provider in tracking and not reply.outcome.answered}


def with_integrity(paper: MergedPaper, unheard: Collection[str]) -> MergedPaper:
    """The paper; its standing is unknown instead of sound where the sources `unheard` might have known better.

    Who did say that it stands is kept in the provenance, under `retraction.none`.
    """
    if not unheard or paper.retraction.status is not RetractionStatus.NONE:
        return paper
    provenance = dict(paper.provenance)
    if said_so := provenance.pop("retraction", ()):
        provenance["retraction.none"] = said_so
    return replace(paper, retraction=Retraction(), provenance=provenance)


def uncertain(results: Iterable[StoredPaper]) -> list[StoredPaper]:
    """Results for the graph of whose papers not every source was asked: that one stands is not remembered."""
    return [
        {**result, "retraction": {**result["retraction"], "status": RetractionStatus.UNKNOWN}}
        if result["retraction"]["status"] == RetractionStatus.NONE
        else result
        for result in results
    ]
