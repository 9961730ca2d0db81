"""The one error of the client, and the RFC 9457 problem object that it carries."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, TypedDict, cast

from .json_types import JsonObject

NO_ANSWER = "The literature search gave no answer"
TRY_AGAIN = "Try again after a moment."
# API Gateway rejects these requests before the service runs, in its own words.
_REJECTED = {
    401: ("unauthorized", "Send a valid API key."),
    403: ("forbidden", "Send a valid API key."),
    429: ("rate_limited", "Wait, then send fewer requests: the key's rate or quota is used up."),
}


class FieldFault(TypedDict):
    """What is wrong with one field."""

    field: str
    message: str


class Problem(TypedDict):
    """The problem object of a failed call (RFC 9457); `request_id` is None where no request reached the API."""

    type: Literal["about:blank"]
    title: str
    status: int
    detail: str
    code: str
    retryable: bool
    retry_after_s: float | None
    hint: str | None
    errors: list[FieldFault]
    request_id: str | None


class ToolError(Exception):
    """A call that returned no answer.

    `problem` is the problem object of the API, or one in the same form when the API could not be reached. `code`,
    `hint`, `retryable` and `retry_after_s` (seconds, or None) repeat its most useful fields.
    """

    def __init__(self, message: str, problem: Problem | None = None, *, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.problem = problem or problem_object(500, "tool_error", message, hint=hint)
        self.code = str(self.problem.get("code") or "tool_error")
        self.hint: str | None = hint or self.problem.get("hint")
        self.retryable = bool(self.problem.get("retryable", False))
        self.retry_after_s: float | None = self.problem.get("retry_after_s")


def problem_object(
    status: int,
    code: str,
    detail: str,
    *,
    title: str = NO_ANSWER,
    hint: str | None = None,
    retryable: bool = False,
    errors: Sequence[FieldFault] = (),
    request_id: str | None = None,
) -> Problem:
    """A problem object with every field that the API's own have."""
    return {
        "type": "about:blank",
        "title": title,
        "status": status,
        "detail": detail,
        "code": code,
        "retryable": retryable,
        "retry_after_s": None,
        "hint": hint,
        "errors": list(errors),
        "request_id": request_id,
    }


def rejected(status: int, answer: JsonObject) -> ToolError:
    """The error for any status but 200: the API's own problem, completed where API Gateway wrote the body."""
    retryable = status == 429 or status >= 500
    code, hint = _REJECTED.get(status, ("bad_response", TRY_AGAIN if retryable else None))
    detail = str(answer.get("detail") or answer.get("message") or "no detail")
    problem = {**problem_object(status, code, detail, hint=hint, retryable=retryable), **answer}
    return ToolError(f"HTTP {status}: {detail}", cast("Problem", problem))  # the API's own fields, as they came


def unreachable(status: int, detail: str) -> ToolError:
    """The error when no readable answer came back; `status` is what a gateway would answer: 502 or 504."""
    return ToolError(detail, problem_object(status, "unreachable", detail, hint=TRY_AGAIN, retryable=True))


def bad_request(field: str, message: str, hint: str | None = None) -> ToolError:
    """The error for a field that the tool itself refuses, in the form of the API's."""
    detail = f"{field}: {message}"
    errors: list[FieldFault] = [{"field": field, "message": message}]
    title = "The request is malformed"
    return ToolError(detail, problem_object(400, "bad_request", detail, title=title, hint=hint, errors=errors))


def wrongly_set(message: str, hint: str) -> ToolError:
    """The error for a setting of the caller's environment with which no request can be sent."""
    return ToolError(message, problem_object(400, "tool_error", message, hint=hint), hint=hint)


def renamed(error: ToolError, field: str, argument: str) -> ToolError:
    """The error of a request as that of the tool that sent it, whose argument has another name than the field."""
    problem = error.problem
    errors = [{**it, "field": argument if it["field"] == field else it["field"]} for it in problem.get("errors", ())]
    detail = problem["detail"].replace(f"{field}: ", f"{argument}: ")
    message = error.message.replace(f"{field}: ", f"{argument}: ")
    return ToolError(message, cast("Problem", {**problem, "detail": detail, "errors": errors}))


def of_budget(error: ToolError, whole: Callable[[int], int]) -> ToolError:
    """The error of a budget that is too small as that of a tool, which has a part of its own budget for the API.

    `whole` is the tool's budget for one of the API. Any other error stays as it is.
    """
    problem = error.problem
    if not any(it["field"] == "max_tokens" for it in problem.get("errors", ())):
        return error

    def enough(text: str) -> str:
        what, takes, least = text.rpartition(" takes ")
        return f"{what}{takes}{whole(int(least))}" if takes and least.isdecimal() else text

    errors = [{**it, "message": enough(it["message"])} for it in problem["errors"]]
    named = cast("Problem", {**problem, "detail": enough(problem["detail"]), "errors": errors})
    return ToolError(enough(error.message), named)


def in_arguments(error: ToolError, argument_of: Callable[[str], str]) -> ToolError:
    """The error of a request with the tool's argument in place of each field that it names."""
    for fault in error.problem.get("errors", ()):
        error = renamed(error, fault["field"], argument_of(fault["field"]))
    return error
