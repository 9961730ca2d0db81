"""Hands the papers of an answer to the knowledge graph, if the caller agrees."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from shared.answers.search import Queued
    from shared.search.request import Context  # with pydantic, which a cold dispatcher does not load

# Results and the context in which they were shown -> `{"queued": papers, "skipped": papers}`.
Publish = Callable[[Sequence[Mapping[str, Any]], Mapping[str, str] | None], "Queued"]


class Consent(Protocol):
    """What a request says of the graph."""

    @property
    def cite_in_kg(self) -> bool:
        """Whether the graph may learn the papers of the answer."""

    @property
    def context(self) -> Context | None:
        """Where the papers were shown."""


def publish_results(results: Sequence[Mapping[str, Any]], request: Consent, publish: Publish) -> Queued:
    """The answer's `kg`: how many papers were queued for the graph, and how many were not."""
    if not request.cite_in_kg or not results:
        return {"queued": 0, "skipped": len(results)}
    return publish(results, request.context.model_dump() if request.context else None)
