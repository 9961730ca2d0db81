"""The sources that an operator has switched off: one item of the table of rate limits, read with these.

pk = switches   sk = off   one attribute for each source that is off: its name, with the operator's reason as a text

A search reads it in the request that reads the states of its sources, so a switch holds from the next search on.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_dynamodb.type_defs import AttributeValueTypeDef

KEY: Mapping[str, AttributeValueTypeDef] = {"pk": {"S": "switches"}, "sk": {"S": "off"}}
MAX_REASON_CHARS = 200


def switched_off(item: Mapping[str, AttributeValueTypeDef] | None) -> dict[str, str]:
    """The reasons by source, from the stored item; other attributes than texts are not reasons."""
    given = {name: value["S"] for name, value in (item or {}).items() if name not in KEY and "S" in value}
    return {name: reason[:MAX_REASON_CHARS] for name, reason in given.items()}


def read_switches(client: DynamoDBClient, table_name: str) -> dict[str, str]:
    """The sources that are off, with their reasons. Raises botocore's errors."""
    return switched_off(client.get_item(TableName=table_name, Key=KEY, ConsistentRead=True).get("Item"))


def switch_off(client: DynamoDBClient, table_name: str, source: str, reason: str) -> None:
    """Switch a source off. Raises botocore's errors."""
    client.update_item(
        TableName=table_name,
        Key=KEY,
        UpdateExpression="SET #source = :reason",
        ExpressionAttributeNames={"#source": source},
        ExpressionAttributeValues={":reason": {"S": reason[:MAX_REASON_CHARS]}},
    )


def switch_on(client: DynamoDBClient, table_name: str, source: str) -> None:
    """Switch it on again. Raises botocore's errors."""
    client.update_item(
        TableName=table_name,
        Key=KEY,
        UpdateExpression="REMOVE #source",
        ExpressionAttributeNames={"#source": source},
    )
