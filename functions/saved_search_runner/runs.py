"""One run of a saved search or a watch: it takes the search's lease, runs, and queues the deliveries of its events."""

from __future__ import annotations

import time
from collections.abc import Mapping
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from functions.saved_search_runner import wiring
from shared.aws.dynamodb.saved_searches.runs import Run, begin
from shared.aws.messaging.delivery_queue import queue_deliveries
from shared.aws.runtime.observability import logger
from shared.clock import timestamp
from shared.delivery.deliveries import deliveries
from shared.errors import Conflict, NotFound
from shared.graph.ownership import claim
from shared.json_types import JsonObject
from shared.saved_searches.request import monitoring_request
from shared.saved_searches.run import SearchToRun, run_saved_search
from shared.saved_searches.schedule import Schedule, due_time, firings
from shared.saved_searches.stored import StoredSearch
from shared.saved_searches.watch import Watch, run_watch
from shared.saved_searches.windows import Window, from_json
from shared.search.publishing import context_written
from shared.search.requests.search_request import SearchRequest, read_request

if TYPE_CHECKING:
    from aws_lambda_powertools.utilities.typing import LambdaContext

    from shared.answers.saved_search_runs import LastRun, WatchRun

# Seconds kept for the end of a run, and the longest run.
RESERVE_S, MAX_RUN_S = 10.0, 75.0
# If windows or papers are left, the next run starts after this time, unless the schedule's own run is soon anyway.
SOON = timedelta(minutes=10)


def run(owner: str, search_id: str, event: Mapping[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Run a saved search once for each time that it is due; return the report, or why it was skipped.

    Raises RunUnderWay and storage errors.
    """
    due = due_time(event.get("time"), wiring.now())
    begun = begin(wiring.TABLE, owner, search_id, due=due, now=wiring.now)
    if isinstance(begun, str):
        logger.info("run of a saved search skipped", search_id=search_id, reason=begun)
        if begun == "gone":  # its schedule was created concurrently with the deletion, or could not be removed
            wiring.schedules(context.invoked_function_arn).remove_orphans(search_id, wiring.SEARCHES.get)
        return {"search_id": search_id, "skipped": begun}
    until = time.monotonic() + min(context.get_remaining_time_in_millis() / 1000 - RESERVE_S, MAX_RUN_S)
    report, left = _carry_out(begun, context.aws_request_id, until)
    _enqueue_deliveries(begun)
    if left:  # before the run ends: if this fails, EventBridge retries the event
        _schedule_early_rerun(begun, context)
    begun.end(report, due)
    logger.info("saved search run", search_id=search_id, complete=report["complete"], events=report["events"])
    return {"search_id": search_id, **report}


def _carry_out(begun: Run, run_id: str, until: float) -> tuple[LastRun | WatchRun, int]:
    """Run the search or the watch; return its report, and how much it left for another run."""
    if context := begun.saved["watch"]:
        watch = Watch(first_run=not begun.saved["last_run"], position=begun.saved.get("watch_position"))
        watching = wiring.watch_dependencies(context, begun.saved["owner"], run_id)
        watched = run_watch(watch, begun.known(), begun, watching, until=until)
        return watched, watched["papers"]["left"]
    saved, dependencies = _as_run(begun.saved, begun.saved["search"] or {}), wiring.run_dependencies(run_id)
    searched = run_saved_search(saved, begun.known(), begun, dependencies, until=until)
    return searched, searched["windows"]["left"]


def _as_run(saved: StoredSearch, search: JsonObject) -> SearchToRun:
    return SearchToRun(
        id=saved["id"],
        owner=saved["owner"],
        request=_permitted_request(saved, search),
        without_retracted=not read_request(search, wiring.DISCIPLINES).include_retracted,
        since=saved["since"],
        windows=tuple(from_json(it) for it in saved["windows"]) if saved["windows"] else (Window(),),
        first_run=not saved["last_run"],
    )


def _permitted_request(saved: StoredSearch, search: JsonObject) -> SearchRequest:
    """The request of a run, which claims its context; one that another caller owns by now gets no results."""
    request = monitoring_request(search, wiring.DISCIPLINES)
    context = context_written(request)
    try:
        if context:
            claim(wiring.GRAPH, {"type": context.type, "id": context.id}, saved["owner"], shared=context.shared)
    except (NotFound, Conflict):
        logger.warning("a saved search may not write to its context", search_id=saved["id"])
        return request.model_copy(update={"cite_in_kg": False})
    return request


def _enqueue_deliveries(begun: Run) -> None:
    """Enqueue all events since the last time this succeeded: an earlier run may have died, or the queue failed.

    The current delivery settings apply: a webhook that was enabled during the run has received the earlier events only.
    """
    current = wiring.SEARCHES.get(begun.saved["owner"], begun.saved["id"]) or begun.saved
    waiting = list(deliveries(current, begun.saved["queued_to"], begun.last_number))
    accepted = not waiting or queue_deliveries(wiring.SQS, waiting)
    if accepted and begun.last_number > begun.saved["queued_to"]:
        begun.queued(begun.last_number)


def _schedule_early_rerun(begun: Run, context: LambdaContext) -> None:
    """Schedule the next run soon: a broad search, or a context that cites many papers, may take several runs."""
    saved, now = begun.saved, wiring.now()
    schedule = Schedule(saved["schedule"]["expression"], saved["schedule"]["timezone"])
    following = next(firings(schedule, now), None)
    if following is None or following - now > 2 * SOON:
        wiring.schedules(context.invoked_function_arn).soon(saved, now + SOON)
        begun.schedule_rerun(timestamp(now + SOON))
