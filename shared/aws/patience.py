"""What DynamoDB refuses for a moment is asked for again, after waits that grow; what a condition refuses is not."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from botocore.exceptions import ClientError

from shared.aws.dynamodb_errors import error_codes, is_condition_failure

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.service_resource import Table

Answer = TypeVar("Answer")
WAITS_S = (0.05, 0.1, 0.2, 0.4, 0.8, 1.6)  # 3 s together: a run, a delivery and a request have more
pause: Callable[[float], None] = time.sleep  # what tests put another in place of
# Of a whole request, or among the reasons why a transaction was cancelled. Not of one that may yet go through.
_BUSY = {
    "ThrottlingException", "ThrottlingError", "RequestLimitExceeded", "ProvisionedThroughputExceededException",
    "ProvisionedThroughputExceeded", "TransactionConflictException", "TransactionConflict",
}  # fmt: skip


def patiently(call: Callable[..., Answer], **arguments: Any) -> Answer:
    """What the call answers, however often DynamoDB is too busy first. Raises botocore's error after the last wait."""
    for seconds in WAITS_S:
        try:
            return call(**arguments)
        except ClientError as error:
            if is_condition_failure(error) or not error_codes(error) & _BUSY:
                raise
        pause(seconds)
    return call(**arguments)


def written_together(table: Table, items: Sequence[Any]) -> bool:
    """Write all in one transaction; False when a condition did not hold. Raises botocore's errors for all else."""
    try:
        patiently(table.meta.client.transact_write_items, TransactItems=items)
    except ClientError as error:
        if is_condition_failure(error):
            return False
        raise
    return True
