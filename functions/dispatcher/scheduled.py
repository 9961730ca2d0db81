"""Events and direct invocations without an HTTP request: searches, and the events of schedules of earlier versions."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from functions.dispatcher.routes.search import search
from functions.dispatcher.wiring.legs import DISCIPLINES
from shared.aws.messaging.schedules import RECONCILE
from shared.aws.runtime.observability import logger
from shared.search.requests.search_request import read_request
from shared.search.sizes.details import RESULT_FIELDS

if TYPE_CHECKING:
    from aws_lambda_powertools.utilities.typing import LambdaContext

# The caller of searches that the operator schedules directly: no API key has this id.
OPERATOR = "operator"


def scheduled(event: Mapping[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Handle an event from EventBridge. Raises errors of AWS and of the search: EventBridge retries the event."""
    given = event.get("detail")
    detail = given if isinstance(given, Mapping) else event
    if event.get("detail-type") == RECONCILE or {"owner", "search_id"} <= detail.keys():
        return _forwarded(event)
    request = read_request(detail.get("request", detail), DISCIPLINES, RESULT_FIELDS)
    answer = search(request, str(event.get("id") or context.aws_request_id), OPERATOR, scheduled=True)
    logger.info("scheduled search", returned=answer["returned"], complete=answer["complete"])
    return dict(answer)


def _forwarded(event: Mapping[str, Any]) -> dict[str, Any]:
    """Invoke the function that runs saved searches, for a schedule that does not yet invoke it (decision 0105)."""
    from functions.dispatcher.wiring.saved_searches import invoke_runner

    invoke_runner(json.dumps(event).encode())
    logger.info("a schedule's event is forwarded", detail_type=event.get("detail-type"))
    return {"forwarded": True}
