"""Events from EventBridge: runs of saved searches, the reconciliation of schedules, and direct scheduled searches."""

from __future__ import annotations

import time
from collections.abc import Mapping
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from functions.dispatcher.admission import claim_context
from functions.dispatcher.routes.search import search
from functions.dispatcher.wiring import saved_searches as wiring
from functions.dispatcher.wiring.search import DISCIPLINES
from shared.aws.dynamodb.saved_searches.runs import Run, begin
from shared.aws.runtime.observability import logger
from shared.clock import timestamp
from shared.delivery.deliveries import deliveries
from shared.errors import Conflict, NotFound
from shared.json_types import JsonObject
from shared.saved_searches.request import monitoring_request
from shared.saved_searches.run import SavedSearch, run_saved_search
from shared.saved_searches.schedule import Schedule, firings
from shared.saved_searches.stored import StoredSearch
from shared.saved_searches.watch import Watch, run_watch
from shared.saved_searches.windows import Window, from_json
from shared.search.request import SearchRequest, read_request
from shared.search.sizes import RESULT_FIELDS

if TYPE_CHECKING:
    from shared.answers.saved_search_runs import LastRun, WatchRun

# The caller of searches that the operator schedules directly: no API key has this id.
OPERATOR = "operator"
RECONCILE = "Schedules Reconciled"
# Seconds kept for the end of a run, and the longest run.
RESERVE_S, MAX_RUN_S = 10.0, 75.0
# If windows or papers are left, the next run starts after this time, unless the schedule's own run is soon anyway.
SOON = timedelta(minutes=10)


def scheduled(event: Mapping[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Handle an event from EventBridge. Raises RunUnderWay and storage errors: EventBridge retries the event."""
    detail = event.get("detail", event)
    if event.get("detail-type") == RECONCILE:
        return _reconcile(context)
    if "owner" in detail:
        return _run(str(detail["owner"]), str(detail["search_id"]), event, context)
    request = read_request(detail.get("request", detail), DISCIPLINES, RESULT_FIELDS)
    answer = search(request, str(event.get("id") or context.aws_request_id), OPERATOR, scheduled=True)
    logger.info("scheduled search", returned=answer["returned"], complete=answer["complete"])
    return dict(answer)


def _run(owner: str, search_id: str, event: Mapping[str, Any], context: LambdaContext) -> dict[str, Any]:
    due = str(event.get("time") or timestamp(wiring.now()))
    run = begin(wiring.TABLE, owner, search_id, due=due, now=wiring.now)
    if isinstance(run, str):
        logger.info("run of a saved search skipped", search_id=search_id, reason=run)
        if run == "gone":  # its schedule was created concurrently with the deletion, or could not be removed
            wiring.schedules(context.invoked_function_arn).remove(search_id)
        return {"search_id": search_id, "skipped": run}
    until = time.monotonic() + min(context.get_remaining_time_in_millis() / 1000 - RESERVE_S, MAX_RUN_S)
    report, left = _carry_out(run, context.aws_request_id, until)
    _enqueue_deliveries(run)
    if left:  # before the run ends: if this fails, EventBridge retries the event
        _schedule_early_rerun(run, context)
    run.end(report, due)
    logger.info("saved search run", search_id=search_id, complete=report["complete"], events=report["events"])
    return {"search_id": search_id, **report}


def _carry_out(run: Run, run_id: str, until: float) -> tuple[LastRun | WatchRun, int]:
    """Run the search or the watch; return its report, and how much it left for another run."""
    if context := run.saved["watch"]:
        from functions.dispatcher.wiring import watches  # with the graph and its table

        watch = Watch(first_run=not run.saved["last_run"], position=run.saved.get("watch_position"))
        watching = watches.watch_dependencies(context, run.saved["owner"], run_id)
        watched = run_watch(watch, run.known(), run, watching, until=until)
        return watched, watched["papers"]["left"]
    saved, dependencies = _as_run(run.saved, run.saved["search"] or {}), wiring.run_dependencies(run_id)
    searched = run_saved_search(saved, run.known(), run, dependencies, until=until)
    return searched, searched["windows"]["left"]


def _as_run(saved: StoredSearch, search: JsonObject) -> SavedSearch:
    return SavedSearch(
        id=saved["id"],
        owner=saved["owner"],
        request=_permitted_request(saved, search),
        without_retracted=not read_request(search, DISCIPLINES).include_retracted,
        since=saved["since"],
        windows=tuple(from_json(it) for it in saved["windows"]) if saved["windows"] else (Window(),),
        first_run=not saved["last_run"],
    )


def _permitted_request(saved: StoredSearch, search: JsonObject) -> SearchRequest:
    """The request of a run, which claims its context; one that another caller owns by now gets no results."""
    request = monitoring_request(search, DISCIPLINES)
    try:
        claim_context(request, saved["owner"])
    except (NotFound, Conflict):
        logger.warning("a saved search may not write to its context", search_id=saved["id"])
        return request.model_copy(update={"cite_in_kg": False})
    return request


def _enqueue_deliveries(run: Run) -> None:
    """Enqueue all events since the last time this succeeded: an earlier run may have died, or the queue failed.

    The current delivery settings apply: a webhook that was enabled during the run has received the earlier events only.
    """
    current = wiring.SEARCHES.get(run.saved["owner"], run.saved["id"]) or run.saved
    waiting = list(deliveries(current, run.saved["queued_to"], run.last_number))
    accepted = not waiting or wiring.enqueue(waiting)
    if accepted and run.last_number > run.saved["queued_to"]:
        run.queued(run.last_number)


def _schedule_early_rerun(run: Run, context: LambdaContext) -> None:
    """Schedule the next run soon: a broad search, or a context that cites many papers, may take several runs."""
    saved, now = run.saved, wiring.now()
    schedule = Schedule(saved["schedule"]["expression"], saved["schedule"]["timezone"])
    following = next(firings(schedule, now), None)
    if following is None or following - now > 2 * SOON:
        wiring.schedules(context.invoked_function_arn).soon(saved, now + SOON)
        run.schedule_rerun(timestamp(now + SOON))


def _reconcile(context: LambdaContext) -> dict[str, Any]:
    """Purge deleted searches and reconcile the schedules, each with half of the remaining time.

    Where the time ends, the next reconciliation goes on.
    """
    now, seconds = time.monotonic(), context.get_remaining_time_in_millis() / 1000 - RESERVE_S
    until, half = now + seconds, now + seconds / 2
    schedules, searches = wiring.schedules(context.invoked_function_arn), wiring.SEARCHES
    purged = searches.purge_deleted(lambda: time.monotonic() < half)
    reconciled = schedules.reconcile(
        searches.list_all(),
        find=searches.get,
        in_time=lambda: time.monotonic() < until,
        after=searches.compared_to(),
    )
    searches.set_compared_to(reconciled.compared_to)
    done: dict[str, Any] = {"swept": purged.purged, "unswept": purged.remaining}
    done |= {str(name): count for name, count in reconciled.changes.items()}
    logger.info("schedules reconciled", done=done)
    return done
