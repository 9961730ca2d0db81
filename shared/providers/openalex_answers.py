"""OpenAlex's requests and answers: the works of a list, the place of the next page, and the limits stated by headers.

Manual: https://developers.openalex.org/guides/page-through-results
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any

from shared.errors import BadResponse, RateLimited
from shared.json_types import read_count
from shared.providers.header_numbers import MAX_CREDITS, header_number, seconds_until
from shared.rate_limits.feedback import A_MOMENT_S
from shared.rate_limits.limits import RateLimitHeaders

if TYPE_CHECKING:
    from shared.providers.http_client import Client


def get(path: str, params: Mapping[str, str], client: Client, *, follow_redirects: bool = False) -> Any:
    """GET and decode JSON. Raises ProviderError, with words for a spent allowance."""
    headers = {"authorization": f"Bearer {client.key}"} if client.key else {}
    try:
        answer = client.request("GET", path, params=params, headers=headers, follow_redirects=follow_redirects)
        return client.decode_json(answer)
    except RateLimited as error:
        spent = (error.retry_after_s or 0) > A_MOMENT_S
        reason = "OpenAlex's allowance for the day is spent; it is renewed at midnight UTC" if spent else error.message
        raise RateLimited(reason, retry_after_s=error.retry_after_s, status=error.status) from error


def read_works(body: Any, *, may_end: bool = False) -> tuple[list[Any], int | None]:
    """The works of a list or of a single-work answer, and their total number.

    The page behind the last work is empty: `may_end` accepts it.
    """
    if isinstance(body, Mapping) and isinstance(body.get("results"), list):
        meta = body.get("meta")
        count = read_count(meta.get("count")) if isinstance(meta, Mapping) else None
        if body["results"] or count == 0 or may_end:  # groups come with an empty list of works
            return body["results"], count
    elif isinstance(body, Mapping) and "error" not in body and ("id" in body or "doi" in body):
        return [body], 1
    raise BadResponse("OpenAlex answered without a list of works")


def next_cursor(body: Any, works: list[Any]) -> str | None:
    """The cursor of the next page; None after the last one, which may be an empty page."""
    cursor = body["meta"].get("next_cursor") if isinstance(body.get("meta"), Mapping) else None
    return cursor if works and isinstance(cursor, str) else None


def read_limits(headers: Mapping[str, str], now: datetime) -> RateLimitHeaders:
    """The day's credits; they limit nothing while there is money on the account."""
    names = ("remaining", "limit", "prepaid-remaining-usd", "onetime-remaining")
    left, a_day, *money = (header_number(headers, f"x-ratelimit-{name}", MAX_CREDITS) for name in names)
    if left is None or any(money):
        return RateLimitHeaders()
    reset_s = seconds_until(headers.get("x-ratelimit-reset"), now)
    return RateLimitHeaders(credits_left=int(left), credits_a_day=int(a_day or 0) or None, credits_reset_s=reset_s)
