"""The budget of a fetched document: its text is cut, and of its metadata the least, until `max_tokens` hold it.

The service counts 3.1 bytes of JSON a token; the client, which has none of its code, counts fewer bytes, so that a
document within its budget here is within the service's.
"""

from __future__ import annotations

import json
from math import ceil

from .documents import Document
from .errors import bad_request

BYTES_PER_TOKEN = 3
FIRST_AUTHORS = 3
GIVE_MORE_TOKENS = "Give more tokens, or leave max_tokens out."
# What is added where a text was cut: the mark in the text, and the reason.
_REASON_BYTES = 120
_LEAST_TEXT_BYTES = 150  # a shorter one says nothing


def tokens_of(document: Document) -> int:
    """The size of a document as JSON, in tokens, rounded up."""
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
    return ceil(len(text.encode("utf-8", "replace")) / BYTES_PER_TOKEN)


def within(document: Document, max_tokens: int | None) -> Document:
    """The document within a budget; `metadata.truncated` says what was cut.

    Raises ToolError with the least budget if not even its title and the beginning of its text fit.
    """
    if max_tokens is None or tokens_of(document) <= max_tokens:
        return document
    for small in (document, _with_least_metadata(document)):
        empty: Document = {**small, "text": ""}
        room = (max_tokens - tokens_of(empty)) * BYTES_PER_TOKEN - _REASON_BYTES
        if room >= _LEAST_TEXT_BYTES:
            reason = f"max_tokens={max_tokens}: {tokens_of(document)} show all"
            return {**small, "text": _cut(small["text"], room), "metadata": {**small["metadata"], "truncated": reason}}
    least = tokens_of(empty) + ceil((_LEAST_TEXT_BYTES + _REASON_BYTES) / BYTES_PER_TOKEN)
    raise bad_request("max_tokens", f"too few: this document takes {least}", GIVE_MORE_TOKENS)


def _with_least_metadata(document: Document) -> Document:
    """The document without what its metadata can do without; `author_count` says how many authors there are."""
    metadata = {
        name: value for name, value in document["metadata"].items() if name not in ("external_ids", "full_text")
    }
    authors = metadata.get("authors")
    if isinstance(authors, list):
        metadata["authors"] = authors[:FIRST_AUTHORS]
    return {**document, "metadata": metadata}


def _cut(text: str, most: int) -> str:
    """At most `most` bytes of JSON of a text, ending at a word."""
    if len(json.dumps(text, ensure_ascii=False).encode("utf-8", "replace")) <= most:
        return text
    fits, exceeds = 0, len(text)
    while exceeds - fits > 1:
        middle = (fits + exceeds) // 2
        size = len(json.dumps(text[:middle], ensure_ascii=False).encode("utf-8", "replace"))
        fits, exceeds = (middle, exceeds) if size <= most else (fits, middle)
    start = text[:fits]
    return (start.rpartition(" ")[0] or start) + "…"
