"""Which refusals of DynamoDB are a condition that did not hold."""

from __future__ import annotations

from typing import Any

import pytest
from botocore.exceptions import ClientError, ReadTimeoutError

from shared.aws.dynamodb.errors import error_codes, is_condition_failure


def refusal(code: str, *reasons: str | None) -> ClientError:
    response: Any = {"Error": {"Code": code, "Message": "…"}}
    if reasons:
        response["CancellationReasons"] = [{"Code": reason} if reason else {} for reason in reasons]
    return ClientError(response, "PutItem")


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (refusal("ConditionalCheckFailedException"), True),
        # Only one of the five former copies knew transactions.
        (refusal("TransactionCanceledException", "None", "ConditionalCheckFailed"), True),
        (refusal("TransactionCanceledException", "TransactionConflict", None), False),
        (refusal("ThrottlingException"), False),
        (ReadTimeoutError(endpoint_url="https://dynamodb"), False),
        (ValueError("ConditionalCheckFailedException"), False),
    ],
)
def test_a_condition_failure_is_distinguished_from_other_errors(error: Exception, expected: bool) -> None:
    assert is_condition_failure(error) is expected


def test_the_codes_of_a_cancelled_transaction_include_those_of_its_items() -> None:
    error = refusal("TransactionCanceledException", "None", "TransactionConflict")
    assert error_codes(error) == {"TransactionCanceledException", "None", "TransactionConflict"}
