"""An AWS on loopback for cold starts: a DynamoDB without items and a Secrets Manager without secrets."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus

from werkzeug import Request, Response

from tests.http_server import serving

_MISSING = json.dumps({"__type": "ResourceNotFoundException", "Message": "Secrets Manager can't find the secret."})


@Request.application
def _answer(request: Request) -> Response:
    request.get_data()
    is_secret = request.headers.get("X-Amz-Target", "").startswith("secretsmanager.")
    body, status = (_MISSING, HTTPStatus.BAD_REQUEST) if is_secret else ("{}", HTTPStatus.OK)
    return Response(body, status=status, content_type="application/x-amz-json-1.0")


@contextmanager
def aws_stub() -> Iterator[str]:
    """Its address."""
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    with serving(_answer) as address:
        yield address
