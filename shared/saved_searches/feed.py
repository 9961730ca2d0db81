"""The pull feed of a saved search in JSON, and how a reader learns that nothing changed since its last look."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from shared.answers.content_trust import UNTRUSTED
from shared.canonical_json import digest

PATH = "/v1/saved-searches"
# RFC 9110, 8.8.3, without `W/`, which a weak comparison leaves out. A tag may hold a comma, but no blank.
_OPAQUE_TAG = re.compile(r'"[!\x23-\x7e\x80-\xff]*"')


def feed_of(search_id: str) -> dict[str, str]:
    """Where the feed of a saved search is, in both forms, as paths of the API."""
    path = f"{PATH}/{search_id}/new"
    return {"json": path, "atom": f"{path}?format=atom"}


def json_feed(
    saved: Mapping[str, Any], events: Sequence[Mapping[str, Any]], *, next_cursor: str | None
) -> dict[str, Any]:
    """One page of events, as they stand, newest first; `next_cursor` is None on the last page."""
    return {
        "saved_search": {"id": saved["id"], "name": saved["name"]},
        "events": [dict(event) for event in events],
        "next_cursor": next_cursor,
        "content_trust": UNTRUSTED,
    }


def etag(content: str) -> str:
    """The strong ETag of a body, with its quotation marks: equal bytes have equal tags."""
    return f'"{digest(content, 32)}"'


def not_modified(if_none_match: str | None, tag: str) -> bool:
    """Whether the reader holds this already, so that 304 answers it: RFC 9110, 13.1.2.

    `if_none_match` is the header: None, `*`, or a list of tags; `W/` before either of two tags makes no difference.
    """
    if if_none_match is None:
        return False
    if if_none_match.strip(" \t") == "*":
        return True
    # A header that is not quite a list is read leniently: who names our tag, in quotation marks, has seen the body.
    return tag.removeprefix("W/") in _OPAQUE_TAG.findall(if_none_match)
