"""Errors -> status codes: the one table, and the body that every error has (RFC 9457)."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

from aws_lambda_powertools.event_handler import Response

from shared.errors import (
    AllProvidersFailed,
    BadRequest,
    Conflict,
    Expired,
    LiteratureError,
    NotFound,
    StorageUnavailable,
    Unprocessable,
)

MEDIA_TYPE = "application/problem+json"
STATUS: dict[type[LiteratureError], int] = {
    BadRequest: 400,
    Unprocessable: 422,
    NotFound: 404,
    Conflict: 409,
    Expired: 410,
    StorageUnavailable: 503,
    AllProvidersFailed: 502,
}
TITLES = {
    400: "The request cannot be understood",
    404: "There is no such thing here",
    405: "This method is not offered here",
    409: "It contradicts an earlier request",
    410: "It is kept no longer",
    422: "The request has an impossible value",
    500: "A fault of ours",
    502: "No provider answered",
    503: "Our storage is busy",
    504: "No provider answered in time",
}


def status_of(error: LiteratureError) -> int:
    """The status of an error; its nearest listed ancestor's where it has none of its own."""
    if isinstance(error, AllProvidersFailed) and error.timed_out:
        return 504
    return next((STATUS[kind] for kind in type(error).__mro__ if kind in STATUS), 500)


def problem(error: LiteratureError, request_id: str) -> Response[str]:
    """The HTTP answer for a named error."""
    faults = [{"field": fault.field, "message": fault.message} for fault in getattr(error, "errors", ())]
    body = {
        "detail": error.message,
        "code": error.code,
        "retryable": error.retryable,
        "retry_after_s": error.retry_after_s,
        "hint": error.hint,
        "errors": faults,
    }
    return _response(status_of(error), body, request_id)


def plain_problem(
    status: int,
    code: str,
    detail: str,
    request_id: str,
    *,
    hint: str | None = None,
    headers: Mapping[str, str] | None = None,
) -> Response[str]:
    """The HTTP answer for what has no named error: an unknown route, a fault of ours."""
    body = {
        "detail": detail,
        "code": code,
        "retryable": status >= 500,
        "retry_after_s": None,
        "hint": hint,
        "errors": [],
    }
    return _response(status, body, request_id, headers)


def _response(
    status: int, body: dict[str, Any], request_id: str, more: Mapping[str, str] | None = None
) -> Response[str]:
    whole = {"type": "about:blank", "title": TITLES[status], "status": status, **body, "request_id": request_id}
    wait = body["retry_after_s"]
    headers: dict[str, str | list[str]] = dict(more or {})
    if wait is not None:
        headers["Retry-After"] = str(math.ceil(wait))
    return Response(status, MEDIA_TYPE, json.dumps(whole, ensure_ascii=False), headers=headers)
