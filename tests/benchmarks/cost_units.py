"""What DynamoDB, S3, SQS and Secrets Manager would bill for the calls that the code makes, counted in botocore.

DynamoDB bills by the size of the items: a read by 4 KB (half of that when it may be a little old), a write by 1 KB of
the larger of before and after, a transaction twice, an index like a table of its own. SQS bills by 64 KB.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from math import ceil
from typing import Any
from unittest.mock import patch

from botocore.client import BaseClient
from botocore.exceptions import ClientError
from moto.dynamodb.models import dynamodb_backends
from moto.dynamodb.models.dynamo_type import DynamoType

from infra.tables import TABLES
from shared.compression import compressed

ACCOUNT, REGION = "123456789012", "us-east-1"
CHUNK_BYTES = 64 * 1024
_FILES = {"PutObject": "files written", "GetObject": "files read"}
Note = Callable[[str, float], None]
_INDEXES = {f"local-{table.name}": table.indexes for table in TABLES}


def packed_bytes(data: Any) -> int:
    """How large it is in the cache."""
    return len(compressed(json.dumps(data, ensure_ascii=False).encode()))


def read_units(size: int, *, consistent: bool) -> float:
    """Of one item, or of a whole query."""
    return max(ceil(size / 4096), 1) * (1.0 if consistent else 0.5)


def write_units(size: int) -> int:
    """Of one item, or of its copy in an index."""
    return max(ceil(size / 1024), 1)


@contextmanager
def counted_calls(note: Note) -> Iterator[None]:
    """While inside, what every call is billed as is noted by name."""
    call = vars(BaseClient)["_make_api_call"]

    def recorded(client: Any, operation: str, arguments: Any) -> Any:
        service = client.meta.service_model.service_name
        if service == "secretsmanager":
            note("secrets calls", 1)
        if service == "s3" and operation in _FILES:
            note(_FILES[operation], 1)
        if service == "sqs" and operation == "SendMessageBatch":
            size = sum(len(entry["MessageBody"]) for entry in arguments["Entries"])
            note("sqs requests", max(ceil(size / CHUNK_BYTES), 1))
            note("sqs messages", len(arguments["Entries"]))
        if service != "dynamodb":
            return call(client, operation, arguments)
        return _dynamodb(note, operation, arguments, lambda: call(client, operation, arguments))

    with patch.object(BaseClient, "_make_api_call", recorded):
        yield


def _dynamodb(note: Note, operation: str, arguments: Mapping[str, Any], call: Callable[[], Any]) -> Any:
    written = list(_written(operation, arguments))
    before = {key: _size(*key) for key in written}
    try:
        return_value = call()
    except ClientError:
        for table, *_ in written:
            note(f"wru {table}", 1)
        raise
    for table, pk, sk in written:
        after = _size(table, pk, sk)
        times = 2 if operation == "TransactWriteItems" else 1
        note(f"wru {table}", times * write_units(max(before[table, pk, sk], after)))
        if not before[table, pk, sk] and _indexed(table, pk, sk):
            note(f"wru {table}", times * write_units(after))
    for table, units in _read(operation, arguments, return_value):
        note(f"rru {table}", units)
    return return_value


def _written(operation: str, arguments: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    """Table and keys of every item that is written."""
    if operation == "BatchWriteItem":
        for table, requests in arguments["RequestItems"].items():
            for request in requests:
                item = request["PutRequest"]["Item"] if "PutRequest" in request else request["DeleteRequest"]["Key"]
                yield table, _text(item["pk"]), _text(item["sk"])
    elif operation == "TransactWriteItems":
        for entry in arguments["TransactItems"]:
            ((kind, it),) = entry.items()
            item = it["Item" if kind == "Put" else "Key"]
            yield it["TableName"], _text(item["pk"]), _text(item["sk"])
    elif operation in ("PutItem", "UpdateItem", "DeleteItem"):
        item = arguments["Item" if operation == "PutItem" else "Key"]
        yield arguments["TableName"], _text(item["pk"]), _text(item["sk"])


def _read(operation: str, arguments: Mapping[str, Any], answer: Any) -> Iterator[tuple[str, float]]:
    """Table and units of what is read; an item that is not there costs as much as a small one."""
    if operation == "BatchGetItem":
        for table, it in arguments["RequestItems"].items():
            consistent = bool(it.get("ConsistentRead"))
            for key in it["Keys"]:
                size = _size(table, _text(key["pk"]), _text(key["sk"]))
                yield table, read_units(size, consistent=consistent)
    elif operation == "GetItem":
        table, key = arguments["TableName"], arguments["Key"]
        size = _size(table, _text(key["pk"]), _text(key["sk"]))
        yield table, read_units(size, consistent=bool(arguments.get("ConsistentRead")))
    elif operation in ("Query", "Scan"):
        table = arguments["TableName"]
        size = sum(_size(table, _text(item["pk"]), _text(item["sk"])) for item in answer.get("Items", ()))
        yield table, read_units(size, consistent=bool(arguments.get("ConsistentRead")))


def _text(value: Any) -> str:
    return str(value["S"]) if isinstance(value, dict) else str(value)


def _item(table: str, pk: str, sk: str) -> Any:
    return dynamodb_backends[ACCOUNT][REGION].tables[table].get_item(DynamoType({"S": pk}), DynamoType({"S": sk}))


def _size(table: str, pk: str, sk: str) -> int:
    """Of an item as stored, 0 when there is none; moto stores bytes as Base64, DynamoDB does not."""
    item = _item(table, pk, sk)
    if item is None:
        return 0
    packed = sum(len(it.value) for it in item.attrs.values() if it.is_binary() and isinstance(it.value, str))
    return int(item.size()) - packed // 4


def _indexed(table: str, pk: str, sk: str) -> bool:
    """Whether an index holds the item as well."""
    item = _item(table, pk, sk)
    return item is not None and any({it.partition, it.sort} <= set(item.attrs) for it in _INDEXES.get(table, ()))
