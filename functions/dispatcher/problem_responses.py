"""The HTTP responses of errors; `shared.api.problems` has their content."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import TYPE_CHECKING

from aws_lambda_powertools.event_handler import Response

from shared.api import problems
from shared.errors import LiteratureError

if TYPE_CHECKING:
    from shared.answers.service import Problem, ProblemFields

MEDIA_TYPE = "application/problem+json"


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


def _response(fields: ProblemFields, request_id: str, more: Mapping[str, str] | None = None) -> Response[str]:
    body: Problem = {**fields, "request_id": request_id}
    headers: dict[str, str | list[str]] = dict(more or {})
    if body["retry_after_s"] is not None:
        headers["Retry-After"] = str(math.ceil(body["retry_after_s"]))
    return Response(body["status"], MEDIA_TYPE, json.dumps(body, ensure_ascii=False), headers=headers)
