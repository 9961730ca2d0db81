"""The HTTP responses of errors; `shared.api.problems` has their content.

Lambda returns at most 6 MB, for the JSON object that contains the body as a text, with its quotation marks escaped; a
larger answer would fail without a reason, as a 502 of API Gateway:
https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from aws_lambda_powertools.event_handler import Response

from shared.api import problems
from shared.errors import LiteratureError

if TYPE_CHECKING:
    from shared.answers.service import Problem, ProblemFields

MEDIA_TYPE = "application/problem+json"
MAX_BYTES = 6_000_000
SMALL_CHARS = MAX_BYTES // 6  # JSON takes at most six bytes for a character
TOO_LARGE_HINT = "Request fewer papers with `max_results`, a smaller `detail`, or a budget with `max_tokens`."


def problem(error: LiteratureError, request_id: str) -> Response[str]:
    """The response for an error of this product."""
    return _response(problems.problem_of(error), request_id)


def plain_problem(
    status: int,
    code: str,
    detail: str,
    request_id: str,
    *,
    hint: str | None = None,
    headers: Mapping[str, str] | None = None,
) -> Response[str]:
    """The response for an error without an exception class: an unknown route, an internal error."""
    return _response(problems.plain_problem(status, code, detail, hint=hint), request_id, headers)


def within_limit(answer: dict[str, Any], request_id: str) -> dict[str, Any]:
    """The answer as Powertools returns it, or a problem 413 in its place."""
    body = answer["body"] or ""
    if len(body) <= SMALL_CHARS:
        return answer
    size = len(json.dumps(body, ensure_ascii=False).encode("utf-8", "replace"))
    if size <= MAX_BYTES:
        return answer
    detail = f"the answer has {size / 1e6:.1f} MB, more than the {MAX_BYTES / 1e6:.0f} MB that can be returned"
    refusal = plain_problem(413, "answer_too_large", detail, request_id, hint=TOO_LARGE_HINT)
    headers = {"Content-Type": [str(refusal.headers["Content-Type"])]}
    return {**answer, "statusCode": 413, "body": refusal.body, "isBase64Encoded": False, "multiValueHeaders": headers}


def _response(fields: ProblemFields, request_id: str, more: Mapping[str, str] | None = None) -> Response[str]:
    body: Problem = {**fields, "request_id": request_id}
    headers: dict[str, str | list[str]] = dict(more or {})
    if body["retry_after_s"] is not None:
        headers["Retry-After"] = str(math.ceil(body["retry_after_s"]))
    # A message may repeat half of a surrogate pair, which UTF-8 cannot have.
    text = json.dumps(body, ensure_ascii=False).encode("utf-8", "replace").decode()
    return Response(body["status"], MEDIA_TYPE, text, headers=headers)
