"""DynamoDB calls that are retried while it throttles them, with exponential backoff."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from tenacity import Retrying, retry_if_exception, stop_after_attempt, wait_exponential

from shared.aws.dynamodb.errors import is_throttled, try_write

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.service_resource import Table

Result = TypeVar("Result")
FIRST_WAIT_S, ATTEMPTS = 0.05, 7  # 3.15 s of waiting in all: runs, deliveries and requests have more time than that
sleep: Callable[[float], None] = time.sleep  # replaced in tests


def retry_throttled(call: Callable[..., Result], **arguments: object) -> Result:
    """Call with the arguments, and retry while DynamoDB throttles. Raises botocore's error after the last attempt."""
    retrying = Retrying(
        retry=retry_if_exception(is_throttled),
        wait=wait_exponential(multiplier=FIRST_WAIT_S),
        stop=stop_after_attempt(ATTEMPTS),
        sleep=lambda seconds: sleep(seconds),
        reraise=True,
    )
    return retrying(call, **arguments)


def transact_write(table: Table, items: Sequence[Any]) -> bool:
    """Write all items in one transaction; return False if a condition failed. Raises botocore's other errors."""
    return try_write(retry_throttled, table.meta.client.transact_write_items, TransactItems=items)
