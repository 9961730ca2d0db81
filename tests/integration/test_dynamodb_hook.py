"""The short way to moto's tables answers as the way over HTTP does."""

from __future__ import annotations

import os
from typing import Any

import boto3
import pytest
from botocore.exceptions import ClientError

from infra.local import dynamodb_hook
from infra.local.machine import Machine

KEY = {"pk": {"S": "provider#x"}, "sk": {"S": "state"}}
CALLS: list[tuple[str, dict[str, Any]]] = [
    ("put_item", {"Item": {**KEY, "version": {"N": "1"}, "data": {"B": b"\x00\xff"}}}),
    ("get_item", {"Key": KEY, "ConsistentRead": True}),
    ("get_item", {"Key": {**KEY, "sk": {"S": "other"}}}),
    (
        "put_item",
        {
            "Item": KEY,
            "ConditionExpression": "attribute_not_exists(pk)",
            "ReturnValuesOnConditionCheckFailure": "ALL_OLD",
        },
    ),
    (
        "update_item",
        {
            "Key": KEY,
            "UpdateExpression": "SET version = version + :one",
            "ExpressionAttributeValues": {":one": {"N": "1"}},
            "ReturnValues": "ALL_NEW",
        },
    ),
    ("query", {"KeyConditionExpression": "pk = :pk", "ExpressionAttributeValues": {":pk": KEY["pk"]}}),
    ("put_item", {"Item": {"pk": {"S": "only half of the key"}}}),
    ("query", {"KeyConditionExpression": "not an expression"}),
    ("delete_item", {"Key": KEY, "ReturnValues": "ALL_OLD"}),
]


def answers() -> list[Any]:
    client: Any = boto3.client("dynamodb")
    table = os.environ["PROVIDER_BUDGETS_TABLE"]
    found = []
    for name, arguments in CALLS:
        try:
            answer = getattr(client, name)(TableName=table, **arguments)
        except ClientError as error:
            answer = error.response
        answer["ResponseMetadata"] = answer["ResponseMetadata"]["HTTPStatusCode"]
        answer.pop("ConsumedCapacity", None)  # moto returns it unasked in some answers over HTTP
        found.append(answer)
    return found


def test_both_ways_answer_alike(local: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    direct = answers()
    monkeypatch.setattr(dynamodb_hook, "OPERATIONS", frozenset())
    assert answers() == direct
    assert direct[3]["Item"]["version"] == {"N": "1"}
