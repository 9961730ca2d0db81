"""What EventBridge brings: runs of saved searches, the look at their schedules, searches that an event holds whole."""

from __future__ import annotations

import time
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from functions.dispatcher.routes.search import search
from functions.dispatcher.wiring import saved_searches as wiring
from functions.dispatcher.wiring.search import DISCIPLINES
from shared.aws.dynamodb.saved_searches.runs import Run, begin
from shared.aws.runtime.observability import logger
from shared.clock import timestamp
from shared.delivery.deliveries import deliveries
from shared.saved_searches.request import monitoring_request
from shared.saved_searches.run import SavedSearch, run_saved_search
from shared.saved_searches.schedule import Schedule, firings
from shared.saved_searches.windows import Window, from_json
from shared.search.request import read_request

RECONCILE = "Schedules Reconciled"
# What a run needs for itself at its end, and the most that one takes.
RESERVE_S, MOST_S = 10.0, 75.0
# Where much is left to read, the next run comes after this, when the schedule's own is later than that.
SOON = timedelta(minutes=10)


def scheduled(event: Mapping[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Raises RunUnderWay and storage's errors: EventBridge brings the event again."""
    detail = event.get("detail", event)
    if event.get("detail-type") == RECONCILE:
        return _put_right(context)
    if "owner" in detail:
        return _run(str(detail["owner"]), str(detail["search_id"]), event, context)
    asked = detail.get("request", detail)
    answer = search(asked, str(event.get("id") or context.aws_request_id), scheduled=True)
    logger.info("scheduled search", returned=answer["returned"], complete=answer["complete"])
    return answer


def _run(owner: str, search_id: str, event: Mapping[str, Any], context: LambdaContext) -> dict[str, Any]:
    due = str(event.get("time") or timestamp(wiring.now()))
    run = begin(wiring.TABLE, owner, search_id, due=due, now=wiring.now)
    if isinstance(run, str):
        logger.info("nothing to run", search_id=search_id, reason=run)
        if run == "gone":  # its schedule was made at the same moment, or could not be removed
            wiring.schedules(context.invoked_function_arn).remove(search_id)
        return {"search_id": search_id, "skipped": run}
    until = time.monotonic() + min(context.get_remaining_time_in_millis() / 1000 - RESERVE_S, MOST_S)
    saved = _as_run(run.saved)
    report = run_saved_search(saved, run.known(), run, wiring.run_dependencies(context.aws_request_id), until=until)
    _hand_over(run)
    if report["windows"]["left"]:  # before the end: a run that could not make it is brought again
        _schedule_early_rerun(run, context)
    run.end(report, due)
    logger.info("saved search run", search_id=search_id, complete=report["complete"], events=report["events"])
    return {"search_id": search_id, **report}


def _as_run(item: Mapping[str, Any]) -> SavedSearch:
    return SavedSearch(
        id=item["id"],
        owner=item["owner"],
        request=monitoring_request(item["search"], DISCIPLINES),
        without_retracted=not read_request(item["search"], DISCIPLINES).include_retracted,
        since=item["since"],
        windows=tuple(from_json(it) for it in item["windows"]) if item["windows"] else (Window(),),
        first_run=not item["last_run"],
    )


def _hand_over(run: Run) -> None:
    """What was told since the last time that this worked: a run that died before it, or a queue that was away.

    To where it shall go now: a webhook that was enabled during the run was handed only what was told until then.
    """
    current = wiring.SEARCHES.get(run.saved["owner"], run.saved["id"]) or run.saved
    waiting = list(deliveries(current, run.saved["queued_to"], run.last_number))
    refused = wiring.enqueue(waiting) if waiting else []
    if not refused and run.last_number > run.saved["queued_to"]:
        run.queued(run.last_number)


def _schedule_early_rerun(run: Run, context: LambdaContext) -> None:
    """A broad search's first reading takes several runs: they do not wait for a day each."""
    saved, moment = run.saved, wiring.now()
    schedule = Schedule(saved["schedule"]["expression"], saved["schedule"]["timezone"])
    following = next(firings(schedule, moment), None)
    if following is None or following - moment > 2 * SOON:
        wiring.schedules(context.invoked_function_arn).soon(saved, moment + SOON)
        run.schedule_rerun(timestamp(moment + SOON))


def _put_right(context: LambdaContext) -> dict[str, Any]:
    now, seconds = time.monotonic(), context.get_remaining_time_in_millis() / 1000 - RESERVE_S
    until, half = now + seconds, now + seconds / 2
    ours = wiring.schedules(context.invoked_function_arn)
    searches = wiring.SEARCHES
    done = searches.purge_deleted(lambda: time.monotonic() < half)
    done |= ours.reconcile(searches.list_all(), now_of=searches.get, in_time=lambda: time.monotonic() < until)
    logger.info("schedules put right", done=done)
    return done
