"""The papers table. Every write commutes and repeats, so that any order and any repetition ends the same.

pk = paper#<key>   sk = paper        the newest state seen (`seen_at`, then `digest`), and `first_seen`
pk = alias#<key>   sk = <key>        under this key the paper <sk> may be asked for
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from boto3.dynamodb.conditions import Key
from botocore.exceptions import ClientError

from shared.graph import aliases, best_key, digest

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.service_resource import Table


class GraphStore:
    """Papers and the keys that lead to them."""

    def __init__(self, table: Table) -> None:
        self._table = table

    def upsert(self, paper: Mapping[str, Any], seen_at: str) -> None:
        """Write a paper; an older or repeated state changes nothing."""
        for alias in aliases(paper):
            self._table.put_item(Item={"pk": f"alias#{alias}", "sk": paper["key"]})
        key = {"pk": f"paper#{paper['key']}", "sk": "paper"}
        state = {":paper": dict(paper), ":seen_at": seen_at, ":digest": digest(paper)}
        self._update(
            key,
            "SET paper = :paper, seen_at = :seen_at, digest = :digest",
            "attribute_not_exists(seen_at) OR seen_at < :seen_at OR (seen_at = :seen_at AND digest < :digest)",
            state,
        )
        self._update(
            key,
            "SET first_seen = :seen_at",
            "attribute_not_exists(first_seen) OR first_seen > :seen_at",
            {":seen_at": seen_at},
        )

    def _update(self, key: dict[str, str], change: str, only_if: str, values: dict[str, Any]) -> None:
        try:
            self._table.update_item(
                Key=key, UpdateExpression=change, ConditionExpression=only_if, ExpressionAttributeValues=values
            )
        except ClientError as error:
            # Not an error: what is stored already is newer or the same.
            if error.response["Error"]["Code"] != "ConditionalCheckFailedException":
                raise

    def get(self, key: str) -> dict[str, Any] | None:
        """The paper that is known under any of its keys; the best-named one where there are several."""
        found = self._table.query(KeyConditionExpression=Key("pk").eq(f"alias#{key}"))["Items"]
        if not found:
            return None
        best = best_key(str(item["sk"]) for item in found)
        return self._table.get_item(Key={"pk": f"paper#{best}", "sk": "paper"}).get("Item")

    def count(self) -> int:
        """How many papers there are; reads the whole table, for one machine only."""
        return sum(
            str(item["pk"]).startswith("paper#") for item in self._table.scan(ProjectionExpression="pk")["Items"]
        )
