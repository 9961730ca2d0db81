"""Runs saved searches and watches on their schedules, and reconciles the schedules with what is saved.

EventBridge Scheduler invokes it: for each saved search by a schedule of its own, once a day to reconcile. A run
queries the sources, stores its events and queues their deliveries. Nobody waits for it.
"""

from __future__ import annotations

import shared.garbage_collection  # before the imports that make many objects

# isort: split
from collections.abc import Mapping
from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from functions.saved_search_runner.reconciliation import reconcile
from functions.saved_search_runner.runs import run
from shared.aws.messaging.schedules import RECONCILE
from shared.aws.runtime.observability import bind_request_ids


def handler(event: Mapping[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Handle an event of a schedule. Raises RunUnderWay and storage errors: EventBridge retries the event.

    Raises KeyError for an event that names no saved search.
    """
    bind_request_ids(context.aws_request_id, str(event.get("id") or "") or None)
    if event.get("detail-type") == RECONCILE:
        return reconcile(context)
    detail = event["detail"]
    return run(str(detail["owner"]), str(detail["search_id"]), event, context)


shared.garbage_collection.begin()
