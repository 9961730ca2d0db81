"""The daily reconciliation: it removes the rest of deleted searches, and makes the schedules those of what is saved."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from functions.saved_search_runner import wiring
from shared.aws.runtime.observability import logger

if TYPE_CHECKING:
    from aws_lambda_powertools.utilities.typing import LambdaContext

RESERVE_S = 10.0  # of the function's time, for the last write


def reconcile(context: LambdaContext) -> dict[str, Any]:
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
