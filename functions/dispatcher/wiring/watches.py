"""The adapters of a run of a watch: the context in the graph, and the sources that look its papers up."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from functions.dispatcher.wiring.graph import STORE
from functions.dispatcher.wiring.papers import paper_dependencies
from functions.dispatcher.wiring.search import leg_dependencies
from shared.graph.pages import MAX_LIMIT
from shared.saved_searches.watch import WatchDependencies

if TYPE_CHECKING:
    from shared.answers.graph import ContextRef


def watch_dependencies(context: ContextRef, owner: str, run_id: str) -> WatchDependencies:
    """Return the dependencies of one run; the context is read as its owner may read it."""
    store = STORE.of_tenant(owner)
    return WatchDependencies(
        papers=replace(paper_dependencies(run_id), legs=leg_dependencies(run_id, scheduled=True)),
        read_context=lambda cursor: store.context(context["type"], context["id"], cursor, MAX_LIMIT),
        run_id=run_id,
    )
