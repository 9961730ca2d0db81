"""Values in URLs: ids in the path, and lists in the query, as few as possible, each within what web servers accept."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import quote

_MAX_LIST_CHARS = 6000  # of a URL, whose limit is 8,000 characters in all


def in_path(name: str) -> str:
    """An id, or a path with one, in the path of a URL: DOIs keep their slashes, colons, semicolons and parentheses."""
    return quote(name, safe="/:;()")


def lists_in_urls(values: Sequence[str], prefix: str = ",") -> list[list[str]]:
    """The values in as few lists as fit into URLs; `prefix` is written before each value."""
    lists: list[list[str]] = []
    chars = _MAX_LIST_CHARS
    for value in values:
        size = len(quote(prefix + value, safe=""))
        chars += size
        if chars > _MAX_LIST_CHARS:
            lists, chars = [*lists, []], size
        lists[-1].append(value)
    return lists
