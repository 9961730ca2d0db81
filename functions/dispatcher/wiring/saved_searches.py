"""The adapters of saved searches, built once a process: their table, their schedules, their deliveries, the clock."""

from __future__ import annotations

import os
import secrets
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import cache
from typing import Any

import boto3

from functions.dispatcher.wiring.search import DISCIPLINES, INTEGRITY, PUBLISH, SQS, leg_dependencies
from functions.dispatcher.wiring.storage import TABLES
from shared.aws.dynamodb.saved_searches.searches import SavedSearches
from shared.aws.messaging.queues import send
from shared.aws.messaging.schedules import Schedules
from shared.aws.runtime.boto_configs import ESSENTIAL
from shared.aws.runtime.metrics import observe
from shared.aws.runtime.settings import required
from shared.clock import timestamp
from shared.delivery.deliveries import Delivery, to_message
from shared.saved_searches.run import RunWorld

TABLE = TABLES.Table(required("SAVED_SEARCHES_TABLE"))
SEARCHES = SavedSearches(TABLE)


def now() -> datetime:
    """This moment."""
    return datetime.now(UTC)


@cache
def schedules(function_arn: str) -> Schedules:
    """The schedules that invoke this function; a client is made only for who needs one."""
    return Schedules(
        boto3.client("scheduler", config=ESSENTIAL),
        group=required("SCHEDULE_GROUP"),
        role_arn=required("SCHEDULER_ROLE_ARN"),
        target_arn=function_arn,
    )


def new_id() -> str:
    """A search's id: not to be guessed, fit for a schedule's name and for a path."""
    return secrets.token_hex(10)


def random_bytes() -> bytes:
    """What a webhook's secret is made of."""
    return os.urandom(32)


def resolve(host: str, port: int) -> Sequence[str]:
    """Every address of a host. Raises OSError when there is none."""
    from shared.delivery.webhook_client import look_up  # with its HTTP library, only for who sets a webhook

    return look_up(host, port)


def hand_over(deliveries: Sequence[Delivery]) -> list[Any]:
    """To the deliverer's queue; those that it did not take are handed back."""
    return list(send(SQS, required("DELIVERIES_QUEUE_URL"), [to_message(it) for it in deliveries]))


def run_world(run_id: str) -> RunWorld:
    """The outside world of one run."""
    return RunWorld(
        legs=leg_dependencies(run_id, scheduled=True),
        disciplines=DISCIPLINES,
        tracks_integrity=INTEGRITY,
        publish=PUBLISH,
        observe=observe,
        monotonic=time.monotonic,
        now=lambda: timestamp(now()),
        run_id=run_id,
    )


def moment(text: str) -> datetime:
    """A timestamp of ours as a moment."""
    return datetime.fromisoformat(text)
