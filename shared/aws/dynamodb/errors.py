"""What a refusal by DynamoDB means.

https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Programming.Errors.html
"""

from __future__ import annotations

from typing import Any

from botocore.exceptions import ClientError

# As the code of a request, and as the reason of one item of a cancelled transaction.
_CONDITION_CODES = {"ConditionalCheckFailedException", "ConditionalCheckFailed"}


def is_condition_failure(error: Exception) -> bool:
    """Whether a condition expression did not hold, of the request or of an item of its transaction."""
    return isinstance(error, ClientError) and bool(error_codes(error) & _CONDITION_CODES)


def error_codes(error: ClientError) -> set[str]:
    """The error's own code, and those of each item of a cancelled transaction."""
    response: Any = error.response
    return {response["Error"]["Code"], *(str(it.get("Code")) for it in response.get("CancellationReasons", ()))}
