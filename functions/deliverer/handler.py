"""SQS -> webhooks and the SNS topic: delivers the events of saved searches.

After a failed attempt, the message is hidden in its queue until the next attempt is due. After the last attempt, or if
the receiver wants no more deliveries, the webhook is disabled and a notice is added to the feed, which has all events.
"""

from __future__ import annotations

import shared.garbage_collection  # before the imports that make many objects

# isort: split
import json
import random
import time
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

import boto3
from aws_lambda_powertools.utilities.batch import BatchProcessor, EventType, process_partial_response
from aws_lambda_powertools.utilities.data_classes.sqs_event import SQSRecord
from aws_lambda_powertools.utilities.typing import LambdaContext

from functions.deliverer.attempts import failed_attempts
from shared.aws.dynamodb.saved_searches.notices import disable_webhook, keep_undelivered
from shared.aws.dynamodb.saved_searches.searches import SavedSearches
from shared.aws.runtime.boto_configs import ESSENTIAL
from shared.aws.runtime.observability import bind_attribute_ids, logger
from shared.aws.runtime.settings import required
from shared.clock import begun_epoch_s, now, timestamp
from shared.delivery import webhook_client
from shared.delivery.addresses import check_url
from shared.delivery.deliveries import Delivery, chunk_by_bytes, delivered_by_default, read_delivery
from shared.delivery.errors import WebhookError
from shared.delivery.settings import StoredWebhook
from shared.delivery.webhook import (
    RETRY_AFTER_STATUSES,
    AttemptEnd,
    judge,
    payload,
    signed_headers,
    signing_secrets,
    wait_s,
)
from shared.errors import MessageRefused, Unprocessable
from shared.providers.header_numbers import seconds_until
from shared.saved_searches.feed import feed_links
from shared.saved_searches.stored import StoredSearch

if TYPE_CHECKING:
    from shared.answers.saved_searches import Event, NewsOf

processor = BatchProcessor(event_type=EventType.SQS, raise_on_entire_batch_failure=False)
TABLE = boto3.resource("dynamodb", config=ESSENTIAL).Table(required("SAVED_SEARCHES_TABLE"))
SEARCHES = SavedSearches(TABLE)
SQS = boto3.client("sqs", config=ESSENTIAL)
SNS = boto3.client("sns", config=ESSENTIAL)
# Replaced in tests: by a connection to loopback, and by no jitter.
post = webhook_client.post
chance = random.random


def deliver(record: SQSRecord) -> None:
    """Make one delivery. Raises WebhookError if it is to be retried, and MessageRefused for an invalid message."""
    bind_attribute_ids(record.raw_event.get("messageAttributes", {}))
    delivery = read_delivery(_json(record.body))
    saved = SEARCHES.get(delivery.owner, delivery.search_id)
    if saved is None:
        logger.info("the search of a delivery is gone", search_id=delivery.search_id)
        return
    settings = saved["delivery"]
    page = SEARCHES.events(saved["id"], above=delivery.first - 1, below=delivery.last + 1, limit=1 + delivery.size)
    events = [event for event in reversed(page.events) if delivered_by_default(settings, event["type"])]
    if not events:
        return
    webhook = settings["webhook"]
    if delivery.channel == "sns":
        if settings["sns"]:  # it may have been switched off since
            _publish(saved, events)
    elif webhook and webhook["status"] == "disabled":
        keep_undelivered(SEARCHES, TABLE, delivery)
    elif webhook:
        _send(delivery, saved, webhook, events, record)


def _json(body: str) -> object:
    try:
        return json.loads(body)
    except ValueError as error:
        raise MessageRefused("not JSON") from error


def _publish(saved: StoredSearch, events: Sequence[Event]) -> None:
    """Publish to the service's topic; subscribers filter by search, owner and type of event."""
    for chunk in chunk_by_bytes(events):
        types = sorted({event["type"] for event in chunk})
        attributes: Mapping[str, Mapping[str, str]] = {
            "saved_search": {"DataType": "String", "StringValue": saved["id"]},
            "owner": {"DataType": "String", "StringValue": saved["owner"]},
            "types": {"DataType": "String.Array", "StringValue": json.dumps(types)},
        }
        message = payload(_source(saved), chunk).decode()
        SNS.publish(TopicArn=required("NEWS_TOPIC_ARN"), Message=message, MessageAttributes=attributes)


def _send(
    delivery: Delivery, saved: StoredSearch, webhook: StoredWebhook, events: Sequence[Event], record: SQSRecord
) -> None:
    moment = now()
    response = _posted(delivery, saved, webhook, events, moment)
    result = judge(response.status if isinstance(response, webhook_client.ReceiverResponse) else response)
    logger.info("webhook", delivery=delivery.id, ended=result.ended.value, reason=result.reason)
    if result.ended is AttemptEnd.DELIVERED:
        return
    wait = attempts = None
    if result.ended is AttemptEnd.FAILED:
        attempts = failed_attempts(TABLE, delivery, webhook, moment)
        wait = wait_s(attempts, chance(), _requested_wait_s(response, moment))
    if wait is None:
        disable_webhook(SEARCHES, TABLE, delivery, webhook["url"], str(result.reason), timestamp(moment))
        return
    _hide(record, wait)
    raise WebhookError(f"attempt {attempts}: {result.reason}")


def _posted(
    delivery: Delivery, saved: StoredSearch, webhook: StoredWebhook, events: Sequence[Event], now: datetime
) -> webhook_client.ReceiverResponse | WebhookError:
    body = payload(_source(saved), events)
    headers = signed_headers(*signing_secrets(saved, now), delivery_id=delivery.id, at=begun_epoch_s(now), body=body)
    try:
        return post(check_url(webhook["url"]), body, headers, clock=time.monotonic)
    except WebhookError as error:
        return error
    except Unprocessable as error:  # the URL was saved under less strict rules
        return WebhookError(error.message)


def _requested_wait_s(response: webhook_client.ReceiverResponse | WebhookError, now: datetime) -> float | None:
    """Return how many seconds a receiver's Retry-After header requests."""
    if isinstance(response, WebhookError) or response.status not in RETRY_AFTER_STATUSES:
        return None
    return seconds_until(response.retry_after, now)


def _hide(record: SQSRecord, seconds: int) -> None:
    url = required("DELIVERIES_QUEUE_URL")
    SQS.change_message_visibility(QueueUrl=url, ReceiptHandle=record.receipt_handle, VisibilityTimeout=seconds)


def _source(saved: StoredSearch) -> NewsOf:
    return {"id": saved["id"], "name": saved["name"], "feed": feed_links(saved["id"])}


def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Return `{"batchItemFailures": […]}`: the messages that SQS delivers again."""
    return dict(process_partial_response(event=event, record_handler=deliver, processor=processor, context=context))


shared.garbage_collection.begin()
