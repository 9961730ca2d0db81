"""The papers table in DynamoDB. Starts no request for which the Lambda function has too little time left."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from shared.aws.dynamodb.batches import ReadOptions, delete_batches, put_batches, read_batches
from shared.aws.dynamodb.errors import try_write
from shared.graph.facts import Update
from shared.graph.items import Item, Key, key_of
from shared.storage_errors import TableBusy

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.service_resource import Table

# The longest that a request takes, in seconds, with `shared.aws.runtime.boto_configs.ESSENTIAL`.
REQUEST_S = 7.5
INDEX = "by_target"


class GraphTable:
    """Reads and writes items. Raises TableBusy if too little time is left for a request, and botocore's errors."""

    def __init__(self, table: Table, seconds_left: Callable[[], float] = lambda: math.inf) -> None:
        self._table = table
        self._client: Any = table.meta.client
        self._seconds_left = seconds_left

    def read(self, keys: Iterable[Key], attributes: Sequence[str], *, consistent: bool = False) -> dict[Key, Item]:
        """Those of the items that exist. One request per hundred keys."""
        options: ReadOptions = {
            "ProjectionExpression": ", ".join(f"#{name}" for name in attributes),
            "ExpressionAttributeNames": {f"#{name}": name for name in attributes},
            "ConsistentRead": consistent,
        }
        items = read_batches(self._table, keys, options=options, before_request=self._require_time)
        return {key_of(item): item for item in items}

    def put(self, items: Sequence[Item]) -> None:
        """Write whole items. One request per 25 items."""
        put_batches(self._table, items, before_request=self._require_time)

    def delete(self, keys: Sequence[Key]) -> None:
        """Delete items; those that do not exist are none. One request per 25 items."""
        delete_batches(self._table, keys, before_request=self._require_time)

    def create(self, item: Item) -> bool:
        """Write a whole item; False if one with its key exists. One request."""
        self._require_time()
        return try_write(self._table.put_item, Item=item, ConditionExpression="attribute_not_exists(pk)")

    def update(self, update: Update) -> bool:
        """Carry out an update; False if the item is not as expected."""
        self._require_time()
        return try_write(self._client.update_item, TableName=self._table.name, **_update_request(update))

    def query(
        self, partition: str, lower: str, upper: str, limit: int, *, index: bool, consistent: bool = False
    ) -> tuple[list[Item], bool]:
        """Items of a partition between two sort keys, in order, and whether there may be more. One request.

        The index has no consistent reads.
        """
        self._require_time()
        names = ("target", "source") if index else ("pk", "sk")
        options: dict[str, Any] = {"IndexName": INDEX} if index else {"ConsistentRead": consistent}
        response: Any = self._table.query(
            KeyConditionExpression="#pk = :pk AND #sk BETWEEN :lower AND :upper",
            ExpressionAttributeNames=dict(zip(("#pk", "#sk"), names, strict=True)),
            ExpressionAttributeValues={":pk": partition, ":lower": lower, ":upper": upper},
            Limit=limit,
            **options,
        )
        return response["Items"], "LastEvaluatedKey" in response

    def scan(self, attributes: Sequence[str], requests: int) -> tuple[list[Item], bool]:
        """The items that so many requests read, a megabyte each, and whether these are all items of the table."""
        options: dict[str, Any] = {
            "ProjectionExpression": ", ".join(f"#{name}" for name in attributes),
            "ExpressionAttributeNames": {f"#{name}": name for name in attributes},
        }
        found: list[Item] = []
        for _ in range(requests):
            self._require_time()
            response: Any = self._table.scan(**options)
            found += response["Items"]
            if "LastEvaluatedKey" not in response:
                return found, True
            options["ExclusiveStartKey"] = response["LastEvaluatedKey"]
        return found, False

    def _require_time(self) -> None:
        if self._seconds_left() < REQUEST_S:
            raise TableBusy(f"less than {REQUEST_S} s left, too little for another request")


def _update_request(update: Update) -> dict[str, Any]:
    """The arguments of UpdateItem. Names are placeholders, because some attribute names are reserved words."""
    names = {*update.sets, *update.adds, *update.expected}
    changes = {
        "SET": ", ".join(f"#{name} = :{name}" for name in update.sets),
        "ADD": ", ".join(f"#{name} :{name}" for name in update.adds),
    }
    values: dict[str, Any] = {f":{name}": value for name, value in update.sets.items()}
    values |= {f":{name}": set(members) for name, members in update.adds.items()}
    values |= {f":was_{name}": value for name, value in update.expected.items() if value is not None}
    request: dict[str, Any] = {
        "Key": dict(zip(("pk", "sk"), update.key, strict=True)),
        "UpdateExpression": " ".join(f"{verb} {clause}" for verb, clause in changes.items() if clause),
        "ExpressionAttributeNames": {f"#{name}": name for name in sorted(names)},
        "ExpressionAttributeValues": values,
    }
    if update.expected:
        request["ConditionExpression"] = " AND ".join(
            _unchanged(name, value) for name, value in update.expected.items()
        )
    return request


def _unchanged(name: str, value: str | None) -> str:
    return f"attribute_not_exists(#{name})" if value is None else f"#{name} = :was_{name}"
