"""The pull feed of a saved search in JSON, and its ETags."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from shared.answers.content_trust import UNTRUSTED
from shared.canonical_json import digest

if TYPE_CHECKING:
    from shared.answers.saved_searches import Event, FeedAnswer, FeedLinks, FeedOf

PATH = "/v1/saved-searches"
# RFC 9110, 8.8.3, without `W/`, which a weak comparison ignores. A tag may contain a comma, but no space.
_OPAQUE_TAG = re.compile(r'"[!\x23-\x7e\x80-\xff]*"')


def feed_links(search_id: str) -> FeedLinks:
    """Return the addresses of a saved search's feed in both formats, as paths of the API."""
    path = f"{PATH}/{search_id}/new"
    return {"json": path, "atom": f"{path}?format=atom"}


def json_feed(saved: FeedOf, events: Sequence[Event], *, next_cursor: str | None) -> FeedAnswer:
    """Return one page of events, newest first; `next_cursor` is None on the last page."""
    return {
        "saved_search": {"id": saved["id"], "name": saved["name"]},
        "events": list(events),
        "next_cursor": next_cursor,
        "content_trust": UNTRUSTED,
    }


def etag(content: str) -> str:
    """Return the strong ETag of a body, with its quotation marks: equal bytes have equal tags."""
    return f'"{digest(content, 32)}"'


def not_modified(if_none_match: str | None, tag: str) -> bool:
    """Return whether the reader has this version already, so that the answer is 304 (RFC 9110, 13.1.2).

    `if_none_match` is the header value: None, `*`, or a list of tags. `W/` before either tag makes no difference.
    """
    if if_none_match is None:
        return False
    if if_none_match.strip(" \t") == "*":
        return True
    # A malformed list is read leniently: a header that contains our tag, in quotation marks, comes from this body.
    return tag.removeprefix("W/") in _OPAQUE_TAG.findall(if_none_match)
