"""The adapters of saved searches, built once per process: table, schedules, delivery queue, clock."""

from __future__ import annotations

import os
import secrets
from collections.abc import Sequence
from datetime import datetime
from functools import cache

import boto3

from functions.dispatcher.wiring.storage import TABLES
from shared import clock
from shared.aws.dynamodb.saved_searches.searches import SavedSearches
from shared.aws.messaging.schedules import Schedules
from shared.aws.runtime.boto_configs import ESSENTIAL
from shared.aws.runtime.settings import required

TABLE = TABLES.Table(required("SAVED_SEARCHES_TABLE"))
SEARCHES = SavedSearches(TABLE)
now = clock.now


@cache
def schedules(own_arn: str) -> Schedules:
    """Return the schedules, which invoke the function that runs saved searches; the client is created on first use.

    Its ARN is that of this function (`own_arn`, as it was invoked) with another name.
    """
    return Schedules(
        boto3.client("scheduler", config=ESSENTIAL),
        group=required("SCHEDULE_GROUP"),
        role_arn=required("SCHEDULER_ROLE_ARN"),
        target_arn=":".join([*own_arn.split(":")[:6], required("SCHEDULED_FUNCTION")]),
    )


def invoke_runner(payload: bytes) -> None:
    """Invoke the function that runs saved searches, without waiting for it. Raises botocore's errors."""
    function, invoked = required("SCHEDULED_FUNCTION"), boto3.client("lambda", config=ESSENTIAL)
    invoked.invoke(FunctionName=function, InvocationType="Event", Payload=payload)


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


def moment(text: str) -> datetime:
    """Parse a timestamp written by `shared.clock.timestamp`."""
    return datetime.fromisoformat(text)
