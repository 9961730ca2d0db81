"""Works through long lists of references: each message checks the next batch of a document, and sends the next message.

References are resolved by invoking the dispatcher on behalf of the check's owner, so that this function needs no
provider, no cache and no budget of its own.
"""

from __future__ import annotations

import shared.garbage_collection  # before the imports that make many objects

# isort: split
import time
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, cast

import boto3

from shared.aws.dynamodb.jobs import job_store
from shared.aws.lambda_functions.dispatcher_call import DispatcherCall, dispatcher_invoker
from shared.aws.lambda_functions.job_worker import JobWorker
from shared.aws.messaging.job_queue import job_queue
from shared.aws.runtime.boto_configs import ESSENTIAL
from shared.aws.runtime.observability import current_request_ids, logger
from shared.aws.runtime.settings import required
from shared.client.errors import ToolError
from shared.json_types import JsonObject
from shared.reference_checks.batch import check_batch
from shared.reference_checks.progress import PASS_WAIT_S
from shared.reference_checks.stored_checks import CHECK_JOBS, Check
from shared.reference_checks.stored_request import resolve_request

if TYPE_CHECKING:
    from aws_lambda_powertools.utilities.typing import LambdaContext

    from shared.answers.papers import ResolvedReference

INVOKER, DISPATCHER = dispatcher_invoker(), required("DISPATCHER_FUNCTION")
QUEUE = job_queue(boto3.client("sqs", config=ESSENTIAL), CHECK_JOBS)
CHECKS = job_store(boto3.resource("dynamodb", config=ESSENTIAL), CHECK_JOBS)
GAVE_UP = "its references could not be checked; send the document again to resume"
NO_PROVIDER = (502, 504)  # of the dispatcher: no provider answered, in time or at all
monotonic = time.monotonic


class DispatcherFailed(Exception):
    """The dispatcher could not resolve the references of a batch."""


def _check_next(check_id: str, context: LambdaContext) -> None:
    """Check the next batch and store it. A check that is gone, or has ended, is left as it is."""
    check = CHECKS.get(check_id)
    if check is None or check.progress.ended:
        return
    after = check_batch(check, CHECKS, partial(_resolve, check, context.aws_request_id), monotonic)
    if after is None:
        logger.info("another worker checked this batch", check_id=check_id)
        return
    progress = after.progress
    logger.info("references checked", check_id=check_id, done=progress.done, of=progress.total, passes=progress.passes)
    if not progress.ended:
        begins_again = progress.passes > check.progress.passes
        QUEUE.send(check_id, delay_s=PASS_WAIT_S if begins_again else 0)


def _resolve(check: Check, request_id: str, references: Sequence[JsonObject]) -> Sequence[ResolvedReference] | None:
    """Resolve references for the owner of the check; None if no provider answered. Raises DispatcherFailed."""
    call = DispatcherCall(INVOKER, DISPATCHER, request_id, check.owner, current_request_ids().get("correlation_id"))
    status, answer = call("POST", "/v1/resolve", resolve_request(check.request, references), {})
    if status in NO_PROVIDER:
        return None
    if status != 200:
        raise DispatcherFailed(f"the dispatcher answered {status}")
    return cast("Sequence[ResolvedReference]", answer["references"])


handler = JobWorker(
    store=CHECKS, queue=QUEUE, step=_check_next, gave_up=GAVE_UP, expected=(DispatcherFailed, ToolError)
).handle


shared.garbage_collection.begin()
