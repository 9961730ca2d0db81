"""The dependencies of one search: the adapters of its legs, and the lookup of papers that its query names."""

from __future__ import annotations

import time
from collections.abc import Collection, Sequence
from functools import partial
from typing import TYPE_CHECKING

from functions.dispatcher.wiring.search import DISCIPLINES, INTEGRITY, MAKING, PUBLISH, leg_dependencies, result_sets
from shared.aws.runtime.metrics import observe
from shared.clock import Deadline
from shared.legs.leg import LegAnswer

if TYPE_CHECKING:
    from shared.search.run import SearchDependencies


def _look_up(
    request_id: str, names: Sequence[str], deadline: Deadline, *, fresh: bool, only: Collection[str] | None
) -> Sequence[LegAnswer]:
    """The answers of the providers for the papers of a query that names them."""
    from functions.dispatcher.wiring.papers import paper_dependencies  # on first use: few searches need the graph
    from shared.papers.lookup import look_up

    return look_up(names, paper_dependencies(request_id), deadline, fresh=fresh, only=only).answers


def search_dependencies(request_id: str, *, scheduled: bool = False) -> SearchDependencies:
    """The dependencies of one search."""
    from shared.search.run import SearchDependencies

    return SearchDependencies(
        legs=leg_dependencies(request_id, scheduled=scheduled),
        result_sets=result_sets(),
        publish=PUBLISH,
        observe=observe,
        disciplines=DISCIPLINES,
        tracks_integrity=INTEGRITY,
        look_up=partial(_look_up, request_id),
        monotonic=time.monotonic,
        request_id=request_id,
        making=MAKING,
    )
