"""The adapters of saved searches, built once per process: table, schedules, delivery queue, clock."""

from __future__ import annotations

import os
import secrets
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import cache

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
from shared.saved_searches.run import RunDependencies

TABLE = TABLES.Table(required("SAVED_SEARCHES_TABLE"))
SEARCHES = SavedSearches(TABLE)


def now() -> datetime:
    """Return the current time."""
    return datetime.now(UTC)


@cache
def schedules(function_arn: str) -> Schedules:
    """Return the schedules that invoke this function; the client is created on first use.

    They invoke its alias, where SCHEDULED_ALIAS names one, however this invocation named the function: Scheduler's
    role may invoke nothing else.
    """
    alias = os.environ.get("SCHEDULED_ALIAS")
    function = ":".join(function_arn.split(":")[:7])  # without the version or the alias that was invoked
    return Schedules(
        boto3.client("scheduler", config=ESSENTIAL),
        group=required("SCHEDULE_GROUP"),
        role_arn=required("SCHEDULER_ROLE_ARN"),
        target_arn=f"{function}:{alias}" if alias else function_arn,
    )


def new_id() -> str:
    """Return a new search id: not guessable, and valid in the name of a schedule and in a path."""
    return secrets.token_hex(10)


def random_bytes() -> bytes:
    """Return the random bytes of a webhook secret."""
    return os.urandom(32)


def resolve(host: str, port: int) -> Sequence[str]:
    """Resolve a host to all its addresses. Raises OSError when there is none."""
    from shared.providers.host_lookup import look_up  # on first use

    return look_up(host, port)


def enqueue(deliveries: Sequence[Delivery]) -> bool:
    """Send the deliveries to the deliverer's queue; return whether it accepted all of them."""
    return not send(SQS, required("DELIVERIES_QUEUE_URL"), [{**to_message(it)} for it in deliveries])


def run_dependencies(run_id: str) -> RunDependencies:
    """Return the dependencies of one run."""
    return RunDependencies(
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
    """Parse a timestamp written by `shared.clock.timestamp`."""
    return datetime.fromisoformat(text)
