"""The meaning of DynamoDB's errors.

https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Programming.Errors.html
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from botocore.exceptions import BotoCoreError, ClientError

from shared.storage_errors import TableBusy

# What reading or writing a table may raise, however it is reached.
STORAGE_ERRORS = (ClientError, BotoCoreError, TableBusy)
# The code of a request, and the reason of an item of a cancelled transaction.
_CONDITION_CODES = {"ConditionalCheckFailedException", "ConditionalCheckFailed"}
# Error codes of a request, and reasons why a transaction was cancelled. Other reasons are not retried.
_THROTTLED = {
    "ThrottlingException", "ThrottlingError", "RequestLimitExceeded", "ProvisionedThroughputExceededException",
    "ProvisionedThroughputExceeded", "TransactionConflictException", "TransactionConflict",
}  # fmt: skip


def is_condition_failure(error: Exception) -> bool:
    """Return whether a condition expression failed, of the request or of an item of its transaction."""
    return isinstance(error, ClientError) and bool(error_codes(error) & _CONDITION_CODES)


def try_write(write: Callable[..., object], *given: object, **arguments: object) -> bool:
    """Carry out a conditional write; False if its condition failed. Raises botocore's other errors."""
    try:
        write(*given, **arguments)
    except ClientError as error:
        if not is_condition_failure(error):
            raise
        return False
    return True


def is_throttled(error: BaseException) -> bool:
    """Return whether DynamoDB refuses the request for its rate, or because another transaction has the item."""
    return isinstance(error, ClientError) and not is_condition_failure(error) and bool(error_codes(error) & _THROTTLED)


def error_codes(error: ClientError) -> set[str]:
    """Return the error's code, and those of the items of a cancelled transaction."""
    response: Any = error.response
    return {response["Error"]["Code"], *(str(it.get("Code")) for it in response.get("CancellationReasons", ()))}
