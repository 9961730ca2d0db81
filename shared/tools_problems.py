"""What a tool answers when it has no answer: the problem object of the HTTPS API (RFC 9457), whoever noticed it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from shared import problems
from shared.errors import LiteratureError

# What API Gateway refuses before our own code runs, in other words than ours.
_REFUSED = {
    401: ("unauthorized", "Send a valid API key."),
    403: ("forbidden", "Send a valid API key."),
    429: ("rate_limited", "Wait, then ask less often: the key's rate or quota is spent."),
}


class ToolError(LiteratureError):
    """A tool call that brought no answer; `problem` is the API's problem object where it sent one."""

    code = "tool_error"

    def __init__(self, message: str, problem: Mapping[str, Any] | None = None, *, hint: str | None = None) -> None:
        self.problem = dict(problem or {})
        super().__init__(message, hint=hint or self.problem.get("hint"))
        self.code = str(self.problem.get("code") or self.code)
        self.retryable = bool(self.problem.get("retryable", False))
        self.retry_after_s = self.problem.get("retry_after_s")


def problem_of(error: LiteratureError, request_id: str | None = None) -> dict[str, Any]:
    """The problem object of a fault: a ToolError's own, else made of a named error as the API makes it."""
    if isinstance(error, ToolError) and error.problem:
        return error.problem
    return problems.problem_of(error, request_id)


def refusal(status: int, answer: Mapping[str, Any]) -> ToolError:
    """The error for any answer but 200: the API's own problem, completed where API Gateway wrote it."""
    code, hint = _REFUSED.get(status, ("bad_response", None))
    detail = answer.get("detail") or answer.get("message") or "no detail"
    problem = {**_away(status, str(detail), code, hint), "retryable": status == 429 or status >= 500, **answer}
    return ToolError(f"HTTP {status}: {detail}", problem, hint=problem.get("hint"))


def unreachable(status: int, detail: str, *, hint: str | None = None) -> ToolError:
    """The error when nothing came back that could be read; `status` is what a gateway would answer: 502 or 504."""
    return ToolError(detail, _away(status, detail, "unreachable", hint), hint=hint)


def _away(status: int, detail: str, code: str, hint: str | None) -> dict[str, Any]:
    title = "The literature search gave no answer"
    return {**problems.plain_problem(status, code, detail, None, hint=hint, title=title), "retryable": True}
