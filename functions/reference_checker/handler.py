"""Works through long lists of references: each message checks the next batch of a document, and sends the next message.

References are resolved by invoking the dispatcher on behalf of the check's owner, so that this function needs no
provider, no cache and no budget of its own.
"""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Any, cast

import boto3
from botocore.exceptions import BotoCoreError, ClientError

from shared.aws.dynamodb.large_items import LargeItems
from shared.aws.dynamodb.reference_checks import ReferenceChecks
from shared.aws.lambda_functions.dispatcher_call import DispatcherCall, dispatcher_invoker
from shared.aws.messaging.check_queue import send_check
from shared.aws.runtime.boto_configs import ESSENTIAL
from shared.aws.runtime.observability import attribute_ids, bind_request_ids, current_request_ids, error_code, logger
from shared.aws.runtime.settings import required
from shared.client.errors import ToolError
from shared.json_types import JsonObject
from shared.reference_checks.check import Check, check_batch
from shared.reference_checks.progress import PASS_WAIT_S
from shared.reference_checks.stored_request import resolve_request
from shared.storage_errors import TableBusy

if TYPE_CHECKING:
    from aws_lambda_powertools.utilities.batch.types import PartialItemFailureResponse
    from aws_lambda_powertools.utilities.typing import LambdaContext

    from shared.answers.papers import ResolvedReference

INVOKER, DISPATCHER = dispatcher_invoker(), required("DISPATCHER_FUNCTION")
SQS, QUEUE_URL = boto3.client("sqs", config=ESSENTIAL), required("CHECKS_QUEUE_URL")
TABLES = boto3.resource("dynamodb", config=ESSENTIAL)
# A message that failed is tried again after this time; after so many times the check ends as failed.
RETRY_S, MAX_RECEIVES = 20, 5
GAVE_UP = "its references could not be checked; send the document again to resume"
NO_PROVIDER = (502, 504)  # of the dispatcher: no provider answered, in time or at all


def _now() -> datetime:
    return datetime.now(UTC)


CHECKS = ReferenceChecks(LargeItems(TABLES, required("REFERENCE_CHECKS_TABLE")), _now)
monotonic = time.monotonic


class DispatcherFailed(Exception):
    """The dispatcher could not resolve the references of a batch."""


def handler(event: Mapping[str, Any], context: LambdaContext) -> PartialItemFailureResponse:
    """Check the next batch of each message's document; returns the messages that failed."""
    failed = [record["messageId"] for record in event["Records"] if not _handled(record, context)]
    return {"batchItemFailures": [{"itemIdentifier": message_id} for message_id in failed]}


def _handled(record: Mapping[str, Any], context: LambdaContext) -> bool:
    """Whether a message needs no further attempt."""
    bind_request_ids(*attribute_ids(record.get("messageAttributes", {})))
    check_id = _check_id(record["body"])
    if check_id is None:
        logger.error("message refused", reason="it names no check", message_id=record["messageId"])
        return False
    try:
        _check_next(check_id, context)
    except (DispatcherFailed, ToolError, TableBusy, BotoCoreError, ClientError) as error:
        logger.warning("a batch of references failed", check_id=check_id, reason=error_code(error))
    except Exception as error:  # a bug; the text of the error may contain parts of the document
        logger.error("a batch of references failed", check_id=check_id, reason=type(error).__name__)
    else:
        return True
    _give_up_or_wait(check_id, record)
    return False


def _check_id(body: str) -> str | None:
    try:
        message = json.loads(body)
    except ValueError:
        return None
    check_id = message.get("check_id") if isinstance(message, Mapping) else None
    return check_id if isinstance(check_id, str) else None


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
        send_check(SQS, QUEUE_URL, check_id, delay_s=PASS_WAIT_S if begins_again else 0)


def _resolve(check: Check, request_id: str, references: Sequence[JsonObject]) -> Sequence[ResolvedReference] | None:
    """Resolve references for the owner of the check; None if no provider answered. Raises DispatcherFailed."""
    call = DispatcherCall(INVOKER, DISPATCHER, request_id, check.owner, current_request_ids().get("correlation_id"))
    status, answer = call("POST", "/v1/resolve", resolve_request(check.request, references), {})
    if status in NO_PROVIDER:
        return None
    if status != 200:
        raise DispatcherFailed(f"the dispatcher answered {status}")
    return cast("Sequence[ResolvedReference]", answer["references"])


def _give_up_or_wait(check_id: str, record: Mapping[str, Any]) -> None:
    """Hide the message for a short time; at its last attempt, end the check as failed."""
    try:
        if int(record.get("attributes", {}).get("ApproximateReceiveCount", 1)) >= MAX_RECEIVES:
            if check := CHECKS.get(check_id):
                CHECKS.change(check, check.progress.failed(GAVE_UP))
            return
        SQS.change_message_visibility(
            QueueUrl=QUEUE_URL, ReceiptHandle=record["receiptHandle"], VisibilityTimeout=RETRY_S
        )
    except (TableBusy, BotoCoreError, ClientError) as error:
        logger.error("a failed message could not be handled", check_id=check_id, reason=error_code(error))
