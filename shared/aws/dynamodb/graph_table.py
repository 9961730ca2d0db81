"""The papers table, one request at a time: each bounded in time, none begun when there is no time left for it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from botocore.exceptions import ClientError

from shared.aws.dynamodb.batches import put_batches, read_batches
from shared.aws.dynamodb.errors import is_condition_failure
from shared.graph.facts import Item, Key, Update
from shared.storage_errors import TableBusy

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.service_resource import Table

# No request takes longer with `shared.aws.runtime.boto_configs.ESSENTIAL`.
REQUEST_S = 7.5
INDEX = "by_target"


class GraphTable:
    """Reads and writes of single requests. Raises TableBusy and botocore's errors."""

    def __init__(self, table: Table, seconds_left: Callable[[], float] = lambda: math.inf) -> None:
        self._table = table
        self._client: Any = table.meta.client
        self._seconds_left = seconds_left

    def read(self, keys: Iterable[Key], attributes: Sequence[str], *, consistent: bool = False) -> dict[Key, Item]:
        """The items there are; one request a hundred keys."""
        options = {
            "ProjectionExpression": ", ".join(f"#{name}" for name in attributes),
            "ExpressionAttributeNames": {f"#{name}": name for name in attributes},
            "ConsistentRead": consistent,
        }
        items = read_batches(self._table, keys, options=options, before_request=self._in_time)
        return {(item["pk"], item["sk"]): item for item in items}

    def put(self, items: Sequence[Item]) -> None:
        """Write whole items; one request for 25."""
        put_batches(self._table, items, before_request=self._in_time)

    def update(self, update: Update) -> bool:
        """Carry out an update; False when the item is no longer as expected."""
        self._in_time()
        try:
            self._client.update_item(TableName=self._table.name, **update_request(update))
        except ClientError as error:
            if not is_condition_failure(error):
                raise
            return False
        return True

    def query(self, partition: str, above: str, below: str, limit: int, *, index: bool) -> tuple[list[Item], bool]:
        """Items of a partition between two sort keys, in order; and whether there may be more. One request."""
        self._in_time()
        names = ("target", "source") if index else ("pk", "sk")
        where: dict[str, Any] = {"IndexName": INDEX} if index else {}
        answer: Any = self._table.query(
            KeyConditionExpression="#pk = :pk AND #sk BETWEEN :above AND :below",
            ExpressionAttributeNames=dict(zip(("#pk", "#sk"), names, strict=True)),
            ExpressionAttributeValues={":pk": partition, ":above": above, ":below": below},
            Limit=limit,
            **where,
        )
        return answer["Items"], "LastEvaluatedKey" in answer

    def scan(self, attributes: Sequence[str], requests: int) -> tuple[list[Item], bool]:
        """The whole table, a megabyte a request; and whether that was all."""
        form: dict[str, Any] = {
            "ProjectionExpression": ", ".join(f"#{name}" for name in attributes),
            "ExpressionAttributeNames": {f"#{name}": name for name in attributes},
        }
        found: list[Item] = []
        for _ in range(requests):
            self._in_time()
            answer = self._table.scan(**form)
            found += answer["Items"]
            if "LastEvaluatedKey" not in answer:
                return found, True
            form["ExclusiveStartKey"] = answer["LastEvaluatedKey"]
        return found, False

    def _in_time(self) -> None:
        if self._seconds_left() < REQUEST_S:
            raise TableBusy("no time is left for another request")


def update_request(update: Update) -> dict[str, Any]:
    """An update as DynamoDB reads it; every name is given apart, for some are reserved words."""
    used = {*update.sets, *update.adds, *update.expected}
    changes = {
        "SET": ", ".join(f"#{name} = :{name}" for name in update.sets),
        "ADD": ", ".join(f"#{name} :{name}" for name in update.adds),
    }
    values: dict[str, Any] = {f":{name}": value for name, value in update.sets.items()}
    values |= {f":{name}": set(members) for name, members in update.adds.items()}
    values |= {f":was_{name}": value for name, value in update.expected.items() if value is not None}
    request: dict[str, Any] = {
        "Key": dict(zip(("pk", "sk"), update.key, strict=True)),
        "UpdateExpression": " ".join(f"{verb} {what}" for verb, what in changes.items() if what),
        "ExpressionAttributeNames": {f"#{name}": name for name in sorted(used)},
        "ExpressionAttributeValues": values,
    }
    if update.expected:
        request["ConditionExpression"] = " AND ".join(_still(*it) for it in update.expected.items())
    return request


def _still(name: str, value: str | None) -> str:
    return f"attribute_not_exists(#{name})" if value is None else f"#{name} = :was_{name}"
