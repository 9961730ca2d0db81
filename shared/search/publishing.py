"""Sends the papers of an answer to the knowledge graph, if the caller agrees."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol, TypeAlias

if TYPE_CHECKING:
    from shared.answers.search import Queued, StoredPaper
    from shared.search.requests.context import Context  # with pydantic, which a cold dispatcher does not load

# Results and the context that cites them -> how many papers were queued and how many were not.
Publish: TypeAlias = "Callable[[Sequence[StoredPaper], Mapping[str, str] | None], Queued]"


class Consent(Protocol):
    """The fields of a request that concern the graph."""

    @property
    def cite_in_kg(self) -> bool:
        """Whether the papers of the answer may be stored in the graph."""

    @property
    def context(self) -> Context | None:
        """What cites the papers."""


def context_written(request: Consent) -> Context | None:
    """The context that the request writes to, if any."""
    return request.context if request.cite_in_kg else None


def publish_results(results: Sequence[StoredPaper], request: Consent, publish: Publish) -> Queued:
    """Queue the results for the graph; the answer's `kg`."""
    if not request.cite_in_kg or not results:
        return {"queued": 0, "skipped": len(results)}
    return publish(results, request.context.model_dump(include={"type", "id"}) if request.context else None)
