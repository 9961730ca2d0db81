"""The largest answer that Lambda returns: a larger one would fail without a reason, as a 502 of API Gateway.

Lambda's limit is 6 MB for the JSON object that contains the body as a text, with its quotation marks escaped:
https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
"""

from __future__ import annotations

import json
from typing import Any

from functions.dispatcher.problem_responses import plain_problem

MAX_BYTES = 6_000_000
SMALL_CHARS = MAX_BYTES // 6  # JSON takes at most six bytes for a character
HINT = "Request fewer papers with `max_results`, a smaller `detail`, or a budget with `max_tokens`."


def within_limit(answer: dict[str, Any], request_id: str) -> dict[str, Any]:
    """The answer as Powertools returns it, or a problem 413 in its place."""
    body = answer["body"] or ""
    if len(body) <= SMALL_CHARS:
        return answer
    size = len(json.dumps(body, ensure_ascii=False).encode("utf-8", "replace"))
    if size <= MAX_BYTES:
        return answer
    detail = f"the answer has {size / 1e6:.1f} MB, more than the {MAX_BYTES / 1e6:.0f} MB that can be returned"
    problem = plain_problem(413, "answer_too_large", detail, request_id, hint=HINT)
    headers = {"Content-Type": [str(problem.headers["Content-Type"])]}
    return {**answer, "statusCode": 413, "body": problem.body, "isBase64Encoded": False, "multiValueHeaders": headers}
