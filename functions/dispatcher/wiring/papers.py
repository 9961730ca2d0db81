"""The adapters of the routes about known papers: those of the search, and the knowledge graph as a source of papers."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from functions.dispatcher.wiring.graph import STORE
from functions.dispatcher.wiring.legs import LEGS, PUBLISH, leg_dependencies, result_sets
from shared.aws.dynamodb.errors import STORAGE_ERRORS
from shared.aws.runtime.metrics import observe
from shared.aws.runtime.observability import error_code, logger
from shared.clock import now, timestamp
from shared.graph.stored_edges import Direction
from shared.papers.dependencies import PaperDependencies

if TYPE_CHECKING:
    from shared.answers.graph import GraphPaper


def _known(names: Sequence[str]) -> Mapping[str, GraphPaper | None]:
    """What the graph stores of these papers; empty if its table cannot be read: then the providers are queried."""
    try:
        return STORE.known(names)
    except STORAGE_ERRORS as error:
        logger.error("papers of the graph cannot be read", count=len(names), error=error_code(error))
        return {}


def _edges(direction: Direction, name: str) -> Sequence[str] | None:
    """The first papers that the graph links with this one; None if its table cannot be read."""
    try:
        page = (STORE.cites if direction == "cites" else STORE.cited_by)(name, in_text=False)
    except STORAGE_ERRORS as error:
        logger.error("citations of the graph cannot be read", paper=name, error=error_code(error))
        return None
    return [edge["key"] for edge in page.items]


def paper_dependencies(request_id: str) -> PaperDependencies:
    """The dependencies of one request."""
    return PaperDependencies(
        legs=leg_dependencies(request_id),
        capabilities=LEGS.capabilities,
        result_sets=result_sets(),
        known=_known,
        publish=PUBLISH,
        observe=observe,
        monotonic=time.monotonic,
        now=lambda: timestamp(now()),
        graph_edges=_edges,
        request_id=request_id,
    )
