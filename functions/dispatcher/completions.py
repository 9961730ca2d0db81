"""Messages from SQS: result sets of early responses, to be completed."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING

from functions.dispatcher.wiring.legs import result_sets
from functions.dispatcher.wiring.searches import search_dependencies
from shared.aws.messaging.received_messages import ReceivedMessage, ReceivedMessages, handle_each
from shared.aws.runtime.observability import error_code, logger
from shared.search.completion import COMPLETION_S, complete_result_set

if TYPE_CHECKING:
    from aws_lambda_powertools.utilities.batch.types import PartialItemFailureResponse
    from aws_lambda_powertools.utilities.typing import LambdaContext

RESERVE_S = 5.0  # of the function's time, for what follows the legs


def completed(event: ReceivedMessages, context: LambdaContext) -> PartialItemFailureResponse:
    """Complete the result set of each message; returns the messages that SQS must redeliver or, at last, put aside."""
    return handle_each(event, lambda message: _completed(message, context))


def _completed(record: ReceivedMessage, context: LambdaContext) -> bool:
    """Whether nothing is left to do for one message. A failure is retried: a completion may be repeated."""
    try:
        result_set_id = str(json.loads(record["body"])["result_set_id"])
        sets = result_sets()
        result_set = sets.get(result_set_id)
        pending = result_set.get("pending") if result_set else None
        if result_set is None or pending is None:
            logger.info("nothing to complete", result_set_id=result_set_id)
            return True
        seconds = min(COMPLETION_S, context.get_remaining_time_in_millis() / 1000 - RESERVE_S)
        # An owner of its own: the search that responded early still holds the leases of its legs.
        dependencies = search_dependencies(context.aws_request_id, whole=True, began_ms=pending["began_ms"])
        state = complete_result_set(result_set, dependencies, sets, until=time.monotonic() + seconds)
        logger.info("result set completed", result_set_id=result_set_id, state=state)
    except Exception as error:  # also a bug: the text of the error may contain parts of a query
        logger.error("a result set was not completed", reason=error_code(error), message_id=record["messageId"])
        return False
    return True
