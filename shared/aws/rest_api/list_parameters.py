"""The query parameters of a list in pages: how many entries a page has, and how many tokens it may take."""

from __future__ import annotations

import re

from aws_lambda_powertools.utilities.data_classes import APIGatewayProxyEvent

from shared.aws.rest_api.request_body import query_value
from shared.error_texts import from_to
from shared.errors import Unprocessable
from shared.search.requests.search_request import LEAST_BUDGET, MOST_BUDGET

MAX_LIMIT = 100
DEFAULT_LIMIT = 20


def limit_of(event: APIGatewayProxyEvent, default: int = DEFAULT_LIMIT) -> int:
    """The parameter `limit`. Raises Unprocessable for a number out of its range."""
    return _whole(event, "limit", 1, MAX_LIMIT) or default


def budget_of(event: APIGatewayProxyEvent) -> int | None:
    """The parameter `max_tokens`; None without one. Raises Unprocessable for a number out of its range."""
    return _whole(event, "max_tokens", LEAST_BUDGET, MOST_BUDGET)


def _whole(event: APIGatewayProxyEvent, name: str, least: int, most: int) -> int | None:
    text = query_value(event, name)
    if text is None:
        return None
    if not re.fullmatch(f"0*[0-9]{{1,{len(str(most))}}}", text) or not least <= int(text) <= most:
        raise Unprocessable.field(name, from_to(least, most, text))
    return int(text)
