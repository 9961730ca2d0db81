"""SQS -> webhooks and the topic: sends the news of saved searches where their owners want them.

An attempt that fails is hidden in its queue until the next one is due. After the last, or when the receiver wants no
more, the webhook is disabled, its owner is told so in the feed, and nothing is lost: the feed has it all.
"""

from __future__ import annotations

import json
import random
import time
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import boto3
from aws_lambda_powertools.utilities.batch import BatchProcessor, EventType, process_partial_response
from aws_lambda_powertools.utilities.data_classes.sqs_event import SQSRecord
from aws_lambda_powertools.utilities.typing import LambdaContext

from functions.deliverer.attempts import failed_attempts
from shared.aws.dynamodb.saved_searches.notices import disable_webhook, keep_undelivered
from shared.aws.dynamodb.saved_searches.searches import SavedSearches
from shared.aws.runtime.boto_configs import ESSENTIAL
from shared.aws.runtime.observability import attribute_ids, bind_request_ids, logger
from shared.aws.runtime.settings import required
from shared.clock import timestamp
from shared.delivery import webhook_client
from shared.delivery.addresses import check_url
from shared.delivery.deliveries import Delivery, in_sizes, read_delivery, told_unasked
from shared.delivery.webhook import ASKS_TO_WAIT, Ended, judge, payload, secrets_of, signed_headers, wait_s
from shared.errors import MessageRefused, Unprocessable, WebhookError
from shared.providers.http_headers import retry_after_s
from shared.saved_searches.feed import feed_of

processor = BatchProcessor(event_type=EventType.SQS, raise_on_entire_batch_failure=False)
TABLE = boto3.resource("dynamodb", config=ESSENTIAL).Table(required("SAVED_SEARCHES_TABLE"))
SEARCHES = SavedSearches(TABLE)
SQS = boto3.client("sqs", config=ESSENTIAL)
SNS = boto3.client("sns", config=ESSENTIAL)
# What tests put others in the place of: a line to loopback, and no chance.
post = webhook_client.post
chance = random.random


def deliver(record: SQSRecord) -> None:
    """One delivery. Raises WebhookError for one that is tried again, MessageRefused for what is none of ours."""
    bind_request_ids(*attribute_ids(record.raw_event))
    delivery = read_delivery(_json(record.body))
    saved = SEARCHES.get(delivery.owner, delivery.search_id)
    if saved is None:
        logger.info("the search of a delivery is gone", search_id=delivery.search_id)
        return
    page = SEARCHES.events(saved["id"], above=delivery.first - 1, below=delivery.last + 1, limit=1 + delivery.size)
    events = [event for event in reversed(page.events) if told_unasked(saved, event["type"])]
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
    webhook, now = saved["delivery"]["webhook"], datetime.now(UTC)
    told = _posted(delivery, saved, events, now)
    verdict = judge(told.status if isinstance(told, webhook_client.Answer) else told)
    logger.info("webhook", delivery=delivery.id, ended=verdict.ended.value, reason=verdict.reason)
    if verdict.ended is Ended.DELIVERED:
        return
    wait = attempts = None
    if verdict.ended is Ended.FAILED:
        attempts = failed_attempts(TABLE, delivery, webhook, now)
        wait = wait_s(attempts, chance(), _asked_s(told, now))
    if wait is None:
        disable_webhook(SEARCHES, TABLE, delivery, webhook["url"], str(verdict.reason), timestamp(now))
        return
    _hide(record, wait)
    raise WebhookError(f"attempt {attempts}: {verdict.reason}")


def _posted(
    delivery: Delivery, saved: Mapping[str, Any], events: Sequence[Mapping[str, Any]], now: datetime
) -> webhook_client.Answer | WebhookError:
    body = payload(_named(saved), events)
    headers = signed_headers(*secrets_of(saved, now), delivery_id=delivery.id, at=int(now.timestamp()), body=body)
    try:
        return post(check_url(saved["delivery"]["webhook"]["url"]), body, headers, clock=time.monotonic)
    except WebhookError as error:
        return error
    except Unprocessable as error:  # it was saved under other rules
        return WebhookError(error.message)


def _asked_s(told: webhook_client.Answer | WebhookError, now: datetime) -> float | None:
    """For how long a receiver asks to be left alone."""
    if isinstance(told, WebhookError) or told.status not in ASKS_TO_WAIT:
        return None
    return retry_after_s(told.retry_after, now)


def _hide(record: SQSRecord, seconds: int) -> None:
    url = required("DELIVERIES_QUEUE_URL")
    SQS.change_message_visibility(QueueUrl=url, ReceiptHandle=record.receipt_handle, VisibilityTimeout=seconds)


def _named(saved: Mapping[str, Any]) -> dict[str, Any]:
    return {"id": saved["id"], "name": saved["name"], "feed": feed_of(saved["id"])}


def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    """`{"batchItemFailures": […]}`: the messages that SQS shows again, when they are due."""
    return dict(process_partial_response(event=event, record_handler=deliver, processor=processor, context=context))
