"""SQS -> webhooks and the topic: sends the news of saved searches where their owners want them.

An attempt that fails is hidden in its queue until the next one is due. After the last, or when the receiver wants no
more, the webhook is disabled, its owner is told so in the feed, and nothing is lost: the feed has it all.
"""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import boto3
from aws_lambda_powertools.utilities.batch import BatchProcessor, EventType, process_partial_response
from aws_lambda_powertools.utilities.data_classes.sqs_event import SQSRecord
from aws_lambda_powertools.utilities.typing import LambdaContext

from shared import webhook_client
from shared.aws.graph_table import BOUNDED
from shared.aws.observability import attribute_ids, follow, logger
from shared.aws.saved_notices import disable_webhook, keep_undelivered
from shared.aws.saved_searches import SavedSearches
from shared.aws.settings import required
from shared.errors import MessageRefused, Undelivered, Unprocessable
from shared.provider import timestamp
from shared.saved.addresses import check_url
from shared.saved.deliveries import Delivery, in_sizes, pushed, read_delivery
from shared.saved.webhook import Ended, backoff_s, judge, payload, signed_headers

processor = BatchProcessor(event_type=EventType.SQS, raise_on_entire_batch_failure=False)
TABLE = boto3.resource("dynamodb", config=BOUNDED).Table(required("SAVED_SEARCHES_TABLE"))
SEARCHES = SavedSearches(TABLE)
SQS = boto3.client("sqs", config=BOUNDED)
SNS = boto3.client("sns", config=BOUNDED)
post = webhook_client.post  # what tests on loopback put a certificate and a host of their own into


def deliver(record: SQSRecord) -> None:
    """One delivery. Raises Undelivered for one that is tried again, MessageRefused for what is none of ours."""
    follow(*attribute_ids(record.raw_event))
    delivery = read_delivery(_json(record.body))
    saved = SEARCHES.get(delivery.owner, delivery.search_id)
    if saved is None:
        logger.info("the search of a delivery is gone", search_id=delivery.search_id)
        return
    page = SEARCHES.events(saved["id"], above=delivery.first - 1, below=delivery.last + 1, limit=1 + delivery.size)
    events = [event for event in reversed(page.events) if pushed(saved, event)]
    if not events:
        return
    webhook = saved["delivery"]["webhook"]
    if delivery.channel == "sns":
        _publish(saved, events)
    elif webhook and webhook["status"] == "disabled":
        keep_undelivered(SEARCHES, TABLE, delivery)
    elif webhook:
        _send(delivery, saved, events, record)


def _json(body: str) -> Any:
    try:
        return json.loads(body)
    except ValueError as error:
        raise MessageRefused("not JSON") from error


def _publish(saved: Mapping[str, Any], events: Sequence[Mapping[str, Any]]) -> None:
    """To the service's topic; subscribers choose by search and by type of event."""
    for part in in_sizes(events):
        attributes = {"saved_search": saved["id"], "owner": saved["owner"]}
        told: dict[str, Any] = {name: {"DataType": "String", "StringValue": it} for name, it in attributes.items()}
        kinds = sorted({str(event["type"]) for event in part})
        told["types"] = {"DataType": "String.Array", "StringValue": json.dumps(kinds)}
        message = payload(_named(saved), part).decode()
        SNS.publish(TopicArn=required("NEWS_TOPIC_ARN"), Message=message, MessageAttributes=told)


def _send(delivery: Delivery, saved: Mapping[str, Any], events: Sequence[Mapping[str, Any]], record: SQSRecord) -> None:
    url, body = saved["delivery"]["webhook"]["url"], payload(_named(saved), events)
    headers = signed_headers(saved["secret"], delivery_id=delivery.id, at=int(time.time()), body=body)
    told: int | Undelivered
    try:
        told = post(check_url(url), body, headers, clock=time.monotonic)
    except Undelivered as error:
        told = error
    except Unprocessable as error:  # it was saved under other rules
        told = Undelivered(error.message)
    verdict = judge(told)
    attempt = int(record.attributes.approximate_receive_count)
    logger.info("webhook", delivery=delivery.id, attempt=attempt, ended=verdict.ended.value, reason=verdict.reason)
    if verdict.ended is Ended.DELIVERED:
        return
    wait = backoff_s(attempt)
    if verdict.ended is Ended.GONE or wait is None:
        disable_webhook(SEARCHES, TABLE, delivery, url, str(verdict.reason), timestamp(datetime.now(UTC)))
        return
    _hide(record, wait)
    raise Undelivered(f"attempt {attempt}: {verdict.reason}")


def _hide(record: SQSRecord, seconds: int) -> None:
    url = required("DELIVERIES_QUEUE_URL")
    SQS.change_message_visibility(QueueUrl=url, ReceiptHandle=record.receipt_handle, VisibilityTimeout=seconds)


def _named(saved: Mapping[str, Any]) -> dict[str, Any]:
    feed = f"/v1/saved-searches/{saved['id']}/new"
    return {"id": saved["id"], "name": saved["name"], "feed": {"json": feed, "atom": f"{feed}?format=atom"}}


def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    """`{"batchItemFailures": […]}`: the messages that SQS shows again, when they are due."""
    return dict(process_partial_response(event=event, record_handler=deliver, processor=processor, context=context))
