"""OpenAlex's answers: the works of a list, and the place of the next page.

Manual: https://developers.openalex.org/guides/page-through-results
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from shared.errors import BadResponse
from shared.json_types import read_count


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


def next_cursor(body: Any) -> Any:
    """The cursor of the next page as it is stated; the last page has none."""
    return body["meta"].get("next_cursor") if isinstance(body.get("meta"), Mapping) else None
