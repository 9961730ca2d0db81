"""An AWS on loopback for cold starts: a DynamoDB without items, no secrets, files that are lost, given functions."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from http import HTTPStatus
from typing import Any

from werkzeug import Request, Response

from tests.http_server import serving

_MISSING = json.dumps({"__type": "ResourceNotFoundException", "Message": "Secrets Manager can't find the secret."})
_DONE: dict[str, Any] = {
    "BatchGetItem": {"Responses": {}, "UnprocessedKeys": {}},
    "BatchWriteItem": {"UnprocessedItems": {}},
}
_FUNCTION = re.compile(r"/functions/([^/]+)/invocations")


def _answer(functions: Mapping[str, Any], request: Request) -> Response:
    request.get_data()
    if invoked := _FUNCTION.search(request.path):
        return Response(json.dumps(functions[invoked[1]]), content_type="application/json")
    target = request.headers.get("X-Amz-Target", "")
    if not target:  # S3, which speaks XML
        return Response("")
    if target.startswith("secretsmanager."):
        return Response(_MISSING, status=HTTPStatus.BAD_REQUEST, content_type="application/x-amz-json-1.0")
    body = json.dumps(_DONE.get(target.partition(".")[2], {}))
    return Response(body, content_type="application/x-amz-json-1.0")


@contextmanager
def aws_stub(functions: Mapping[str, Any] | None = None) -> Iterator[str]:
    """Its address. `functions` are the answers of Lambda functions, by name, whatever they are invoked with."""
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    with serving(Request.application(partial(_answer, functions or {}))) as address:
        yield address
