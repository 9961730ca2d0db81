"""The short way to moto's tables answers as the way over HTTP does."""

from __future__ import annotations

import os
from contextlib import nullcontext
from typing import Any

import boto3
import pytest
from botocore.exceptions import ClientError

from infra.local import dynamodb_hook
from infra.local.machine import Machine, machine

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


UPDATES: list[dict[str, Any]] = [
    {"UpdateExpression": "SET a = :a, b = :b REMOVE c, d"},
    {"UpdateExpression": "SET a = :b, b = :a REMOVE c"},
    {"UpdateExpression": "SET a = :a, b = :b REMOVE c, d", "ConditionExpression": "attribute_not_exists(e)"},
    {"UpdateExpression": "SET a = :a", "ConditionExpression": "a = :b OR (b > :b AND attribute_exists(pk))"},
    {"UpdateExpression": "SET c = if_not_exists(c, :a) + :b"},
    {"UpdateExpression": "ADD n :b DELETE s :s"},
    {"UpdateExpression": "SET l = list_append(if_not_exists(l, :l), :l)"},
    {"UpdateExpression": "REMOVE l[1], l[0] SET m = :m"},
    {"UpdateExpression": "SET m.x = :a, #n = :b", "ExpressionAttributeNames": {"#n": "name"}},
    {"UpdateExpression": "SET m.x = :a, #n = :b", "ExpressionAttributeNames": {"#n": "b"}},
    {"UpdateExpression": "SET #m = :a, #n = :b", "ExpressionAttributeNames": {"#m": "b", "#n": "b"}},
    {"UpdateExpression": "SET m = :a, m.x = :b"},
    {"UpdateExpression": "SET a = :a SET b = :b"},
    {"UpdateExpression": "SET pk = :a"},
    {"UpdateExpression": "SET nowhere.x = :a"},
    {"UpdateExpression": "SET a = = :a"},
    {"UpdateExpression": "SET a = :a", "ConditionExpression": "a = = :b"},
]
VALUES: dict[str, Any] = {
    ":a": {"N": "1"}, ":b": {"N": "2"}, ":l": {"L": [{"S": "x"}]}, ":m": {"M": {"x": {"N": "0"}}}, ":s": {"SS": ["x"]},
}  # fmt: skip


def updated() -> list[Any]:
    """The answers to each update twice, the second time from the remembered tree, and what is stored at the end."""
    client: Any = boto3.client("dynamodb")
    table = os.environ["PROVIDER_BUDGETS_TABLE"]
    found = []
    for update in [*UPDATES, *UPDATES]:
        text = " ".join((update["UpdateExpression"], update.get("ConditionExpression", "")))
        values = {name: value for name, value in VALUES.items() if name in text}
        try:
            answer = client.update_item(
                TableName=table, Key=KEY, ExpressionAttributeValues=values, ReturnValues="ALL_NEW", **update
            )
            found.append(answer["Attributes"])
        except ClientError as error:
            found.append(error.response["Error"])
        except ValueError as error:  # moto's own, for a condition that it cannot read
            found.append({"Code": str(error)})
    return [*found, client.get_item(TableName=table, Key=KEY)["Item"]]


def test_expressions_that_are_read_once_mean_what_moto_reads_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    with machine(sandbox=None):
        remembered = updated()
    monkeypatch.setattr("infra.local.machine.expressions_read_once", nullcontext)
    with machine(sandbox=None):
        assert updated() == remembered
    assert sum("Code" in answer for answer in remembered) > 10
    assert sum("pk" in answer for answer in remembered) > 10


def written(kind: str, sort_key: str, **more: Any) -> dict[str, Any]:
    """One operation of a transaction on the item of this sort key."""
    key = {"pk": {"S": "provider#x"}, "sk": {"S": sort_key}}
    return {kind: {**({"Item": {**key, "n": {"N": "1"}}} if kind == "Put" else {"Key": key}), **more}}


COUNTED = {"UpdateExpression": "ADD n :one", "ExpressionAttributeValues": {":one": {"N": "1"}}}
ABSENT, PRESENT = ({"ConditionExpression": f"attribute_{it}(pk)"} for it in ("not_exists", "exists"))
TRANSACTIONS: list[list[dict[str, Any]]] = [
    [written("Put", "a", **ABSENT), written("Put", "b"), written("Update", "c", **COUNTED)],
    [written("Update", "a", **COUNTED), written("Put", "d"), written("Put", "b", **ABSENT)],
    [written("Delete", "a"), written("Update", "b", **COUNTED), written("ConditionCheck", "nowhere", **PRESENT)],
    [written("Update", "a", **COUNTED), written("Delete", "c"), written("ConditionCheck", "b", **PRESENT)],
    [written("Put", "e"), written("Update", "a", **COUNTED), written("Update", "a", **COUNTED)],
    [written("Update", "a", **COUNTED), written("Update", "b", UpdateExpression="SET n = = n")],
]


def transacted() -> list[Any]:
    """The error, or None, of each transaction, and what is stored after it."""
    client: Any = boto3.client("dynamodb")
    found: list[Any] = []
    table = {"TableName": os.environ["PROVIDER_BUDGETS_TABLE"]}
    for transaction in TRANSACTIONS:
        operations = [{kind: {**table, **it} for kind, it in operation.items()} for operation in transaction]
        try:
            client.transact_write_items(TransactItems=operations)
            found.append(None)
        except ClientError as error:
            found.append(error.response["Error"]["Code"])
        found.append(client.scan(**table)["Items"])
    return found


def test_a_transaction_that_copies_its_own_items_alone_ends_as_one_that_copies_the_table(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with machine(sandbox=None):
        small = transacted()
    monkeypatch.setattr("infra.local.machine.small_transaction_copies", nullcontext)
    with machine(sandbox=None):
        assert transacted() == small
    errors = small[::2]
    assert errors[0] is errors[3] is None and None not in (*errors[1:3], *errors[4:])
    assert small[9] == small[11] == small[7] != small[1] == small[3] == small[5], "a failed transaction changes nothing"
