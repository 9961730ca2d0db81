"""Errors -> status codes: the one table, and the problem object that every error has, by HTTP and in MCP (RFC 9457)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shared.body_size import TooLarge, UnsupportedEncoding
from shared.clock import bounded_wait_s
from shared.errors import (
    AllProvidersFailed,
    BadRequest,
    Conflict,
    Expired,
    LiteratureError,
    NotFound,
    StorageUnavailable,
    Unanswered,
    Unprocessable,
)
from shared.legs.overload import Overloaded
from shared.rate_limits.fresh_budget import FreshBudgetSpent

if TYPE_CHECKING:
    from shared.answers.service import ProblemFields

_UNSUPPORTED = (501, 505)  # a method, a version of HTTP: the same request fails again

STATUS: dict[type[LiteratureError], int] = {
    BadRequest: 400,
    TooLarge: 413,
    UnsupportedEncoding: 415,
    Unprocessable: 422,
    NotFound: 404,
    Conflict: 409,
    Expired: 410,
    Unanswered: 502,
    FreshBudgetSpent: 429,
    StorageUnavailable: 503,
    Overloaded: 503,
    AllProvidersFailed: 502,
}
TITLES = {
    400: "The request is malformed",
    404: "Not found",
    405: "Method not allowed",
    409: "Conflict with another request",
    410: "The cursor or result set has expired or never existed",
    413: "The request or its answer is too large",
    415: "The body is in a form that is not read",
    422: "The request has an invalid value",
    429: "Too many requests",
    500: "Internal error",
    502: "No provider answered",
    503: "Storage is unavailable",
    504: "No provider answered in time",
}

# Of errors that share their status with another cause.
OWN_TITLES: dict[type[LiteratureError], str] = {
    Overloaded: "The service is overloaded",
    Unanswered: "A source that may have it did not answer",
}

# What to do where an error says nothing better.
HINTS = {
    400: "Correct the fields listed in `errors`; /openapi.json describes every field.",
    404: "See /openapi.json for the routes.",
    405: "See /openapi.json for the methods of each route.",
    409: "Read the current state, then send what is still needed.",
    410: "Start again without the cursor.",
    413: "Send it in smaller parts.",
    415: "Send the body as it is, without `Content-Encoding`.",
    422: "Correct the fields that `errors` names.",
    429: "Retry after `retry_after_s` seconds.",
    500: "Retry; if the error persists, report the request_id.",
    502: "Retry later.",
    503: "Retry after `retry_after_s` seconds.",
    504: "Retry with a longer `timeout_ms`.",
}


def status_of(error: LiteratureError) -> int:
    """The status of an error; its nearest listed ancestor's where it has none of its own."""
    if isinstance(error, AllProvidersFailed) and error.timed_out:
        return 504
    return next((STATUS[kind] for kind in type(error).__mro__ if kind in STATUS), 500)


def problem_of(error: LiteratureError) -> ProblemFields:
    """The problem object of a named error, to which the entry point adds the `request_id`."""
    status = status_of(error)
    title = OWN_TITLES.get(type(error))
    return {
        **plain_problem(status, error.code, error.message, hint=error.hint, title=title),
        "retryable": error.retryable,
        "retry_after_s": bounded_wait_s(error.retry_after_s),
        "errors": [{"field": fault.field, "message": fault.message} for fault in getattr(error, "errors", ())],
    }


def plain_problem(
    status: int, code: str, detail: str, *, hint: str | None = None, title: str | None = None
) -> ProblemFields:
    """The problem object of a failure without a named error: an unknown route, an internal error, a time-out."""
    return {
        "type": "about:blank",
        "title": title or TITLES[status],
        "status": status,
        "detail": detail,
        "code": code,
        "retryable": status >= 500 and status not in _UNSUPPORTED,
        "retry_after_s": None,
        "hint": hint or HINTS.get(status),
        "errors": [],
    }
