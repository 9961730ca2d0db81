"""The dependencies of one search: the adapters of its legs, and the lookup of papers that its query names."""

from __future__ import annotations

import time
from collections.abc import Collection, Sequence
from functools import partial
from typing import TYPE_CHECKING

from functions.dispatcher.wiring.legs import (
    DISCIPLINES,
    LEGS,
    PAGES,
    PUBLISH,
    SINGLE_FLIGHT,
    SQS,
    leg_dependencies,
    result_sets,
)
from functions.dispatcher.wiring.reranking import reranker
from shared.aws.messaging.queues import send
from shared.aws.runtime.metrics import observe
from shared.aws.runtime.settings import required
from shared.clock import Deadline
from shared.legs.leg import LegAnswer

if TYPE_CHECKING:
    from shared.search.early_response import EarlyResponseDependencies
    from shared.search.run import SearchDependencies


def _complete_later(result_set_id: str) -> bool:
    """Queue the completion of a result set; False if the queue did not accept it."""
    return not send(SQS, required("COMPLETIONS_QUEUE_URL"), [{"result_set_id": result_set_id}])


def _early_response_dependencies(request_id: str) -> EarlyResponseDependencies:
    """What a search needs to respond early."""
    from shared.search.early_response import EarlyResponseDependencies

    return EarlyResponseDependencies(
        legs=lambda moment: leg_dependencies(request_id, stored_after=moment),
        sets=result_sets(),
        complete_later=_complete_later,
        now=time.time,
    )


def _look_up(
    request_id: str, names: Sequence[str], deadline: Deadline, *, fresh: bool, only: Collection[str] | None
) -> Sequence[LegAnswer]:
    """The answers of the providers for the papers of a query that names them."""
    from functions.dispatcher.wiring.papers import paper_dependencies  # on first use: few searches need the graph
    from shared.papers.lookup import look_up

    return look_up(names, paper_dependencies(request_id), deadline, fresh=fresh, only=only, in_part=True).answers


def search_dependencies(
    request_id: str, *, scheduled: bool = False, whole: bool = False, began_ms: int | None = None
) -> SearchDependencies:
    """The dependencies of one search. A scheduled or `whole` one waits for all its legs."""
    from shared.search.run import SearchDependencies

    return SearchDependencies(
        legs=leg_dependencies(request_id, scheduled=scheduled, began_ms=began_ms),
        result_sets=result_sets(),
        publish=PUBLISH,
        observe=observe,
        disciplines=DISCIPLINES,
        tracks_integrity=LEGS.tracks_integrity,
        look_up=partial(_look_up, request_id),
        monotonic=time.monotonic,
        request_id=request_id,
        single_flight=SINGLE_FLIGHT,
        pages=PAGES,
        reranker=reranker(),
        early_responses=None if scheduled or whole else _early_response_dependencies(request_id),
    )
