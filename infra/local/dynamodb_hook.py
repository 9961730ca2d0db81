"""DynamoDB's item operations answered by moto's own handler, without the HTTP in between.

moto spends three quarters of a call on what a local run does not need: botocore signs a request, moto matches its
address against those of all services, and both write and read JSON. Here botocore's `before-call` event hands the
parameters to moto. botocore still validates and serialises them, moto still evaluates the expressions, and errors take
the whole way through moto's serialiser and botocore's parser. Not exercised are signing, retries and checksums.
"""

from __future__ import annotations

import base64
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from operator import attrgetter
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import boto3
from botocore import xform_name
from botocore.model import OperationModel
from botocore.parsers import create_parser
from moto.core.exceptions import ServiceException
from moto.core.models import botocore_stubber
from moto.core.responses import ActionResult
from moto.dynamodb.models.dynamo_type import DynamoType, Item
from moto.dynamodb.models.table import Table
from moto.dynamodb.responses import DynamoHandler
from werkzeug.exceptions import HTTPException

ACCOUNT = "123456789012"  # moto's default
OPERATIONS = frozenset({
    "BatchGetItem", "BatchWriteItem", "DeleteItem", "GetItem", "PutItem", "Query", "Scan", "TransactGetItems",
    "TransactWriteItems", "UpdateItem",
})  # fmt: skip
# moto checks a condition and writes in two steps that other threads may come between; AWS does it in one.
LOCK = threading.RLock()
_PARSER = create_parser("json")


def answer_item_operations(session: boto3.Session) -> None:
    """From now on, DynamoDB clients of this session reach moto's tables directly while moto is active."""
    session.events.register_last("before-call.dynamodb", _answer)


@contextmanager
def queries_by_text_keys() -> Iterator[None]:
    """While inside, moto compares keys as the texts that they are, and a query reads its own partition.

    For each query moto sorts the whole table and compares each key after looking for seven other types: half of the
    time of a test of the graph. Our tables have two keys each, which are texts (infra/tables.py).
    """
    compare, order, query = DynamoType.__eq__, DynamoType.__lt__, Table.query
    queried = threading.local()

    def equal(one: DynamoType, other: DynamoType) -> bool:
        return one.value == other.value if one.type == other.type == "S" else compare(one, other)

    def less(one: DynamoType, other: DynamoType) -> bool:
        return bool(one.value < other.value) if one.type == other.type == "S" else order(one, other)

    def all_items(table: Table) -> list[Item]:
        if partition := getattr(queried, "partition", None):
            return list(table.items.get(partition, {}).values())  # `query` sorts them
        items = [item for partition in table.items.values() for item in partition.values()]
        return sorted(items, key=attrgetter("hash_key.value", "range_key.value"))

    def query_of_partition(table: Table, hash_key: DynamoType | None, *arguments: Any, **named: Any) -> Any:
        of_index = arguments[6]  # its name, by position
        queried.partition = None if of_index else hash_key
        try:
            return query(table, hash_key, *arguments, **named)
        finally:
            queried.partition = None

    with (
        patch.object(DynamoType, "__eq__", equal),
        patch.object(DynamoType, "__lt__", less),
        patch.object(Table, "all_items", all_items),
        patch.object(Table, "query", query_of_partition),
    ):
        yield


def _answer(model: OperationModel, params: dict[str, Any], context: dict[str, Any], **_: Any) -> Any:
    """The HTTP response and the parsed one; None, which lets botocore send the request, for anything else."""
    if model.name not in OPERATIONS or not botocore_stubber.enabled or ".amazonaws.com" not in params["url"]:
        return None
    with LOCK:
        return call(model, with_bytes(json.loads(params["body"])), params["headers"], context["client_region"])


def call(model: OperationModel, body: dict[str, Any], headers: dict[str, Any], region: str) -> Any:
    """Run one operation on moto's tables; `body` is the request's JSON, with binary attributes as bytes."""
    handler = DynamoHandler()
    handler.region, handler.current_account = region, ACCOUNT
    handler.params = handler.body = body
    try:
        result = getattr(handler, xform_name(model.name))().result
    except ServiceException as error:
        handler.headers, handler.querystring, handler.response_headers = headers, {}, {}
        status, answered, text = handler.serialized(ActionResult(error))
        return _failed(model, status, answered, str(text))
    except HTTPException as error:
        return _failed(model, error.code or 400, dict(error.get_headers() or []), error.description or "")
    known = model.output_shape.members if model.output_shape else {}
    parsed = {name: value for name, value in result.items() if name in known and value is not None}
    parsed["ResponseMetadata"] = {"HTTPStatusCode": 200, "HTTPHeaders": {}, "RetryAttempts": 0}
    return SimpleNamespace(status_code=200), parsed


def with_bytes(value: Any) -> Any:
    """Decode binary attributes, as moto does for a request over HTTP: their size counts."""
    if isinstance(value, dict):
        if isinstance(binary := value.get("B"), str) and len(value) == 1:
            return {"B": base64.b64decode(binary)}
        return {name: with_bytes(part) for name, part in value.items()}
    return [with_bytes(part) for part in value] if isinstance(value, list) else value


def _failed(model: OperationModel, status: int, headers: Any, text: str) -> Any:
    """A parsed error with the members of its own shape (`Item` of a failed condition), as botocore adds them."""
    response = {"status_code": status, "headers": headers, "body": text.encode()}
    shape: Any = model.output_shape  # every item operation has one
    parsed = _PARSER.parse(response, shape)
    error_shape: Any = model.service_model.shape_for_error_code(parsed["Error"]["Code"])
    if error_shape:
        parsed.update(_PARSER.parse(response, error_shape))
    return SimpleNamespace(status_code=status), parsed
