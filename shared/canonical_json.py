"""JSON in fixed forms, digests of it, and lists divided by size: for cache keys, ids, ETags and batches.

Stored keys and ids depend on these bytes: after a change of any form, stored data is not found any more.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from json.encoder import encode_basestring_ascii
from operator import add
from typing import TypeVar

T = TypeVar("T")
ID_FORM = "[0-9a-f]{32}"  # a regular expression for `digest(…, 32)`: the ids of result sets, checks and searches


def canonical(value: object, *, spaced: bool = False, ensure_ascii: bool = False) -> str:
    """JSON with sorted keys: equal values have equal texts.

    `spaced` and `ensure_ascii` are for digests that are already stored; new code must not pass them.
    """
    separators = None if spaced else (",", ":")
    return json.dumps(value, sort_keys=True, ensure_ascii=ensure_ascii, separators=separators)


def compact_json(value: object) -> str:
    """JSON as in HTTP answers: keys in their order, no spaces, characters unescaped."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def digest(content: str | bytes, length: int = 64) -> str:
    """The first `length` hexadecimal digits of the SHA-256 of bytes, or of a text in UTF-8 (lone surrogates too)."""
    data = content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content
    return hashlib.sha256(data).hexdigest()[:length]


def json_bytes(value: object, *, ensure_ascii: bool = True) -> int:
    """The size of a value as an element of a JSON list, in bytes of UTF-8, with the separator after it."""
    if ensure_ascii and isinstance(value, str):  # thousands of ids; this is what `dumps` calls for a text
        return len(encode_basestring_ascii(value)) + 2
    return len(json.dumps(value, ensure_ascii=ensure_ascii).encode("utf-8", "replace")) + 2


def chunks_of(items: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    """Items in order, in chunks of `size`; the last may be shorter."""
    for start in range(0, len(items), size):
        yield items[start : start + size]


def chunked(items: Iterable[T], sizes: Callable[[T], tuple[int, ...]], limits: tuple[int, ...]) -> Iterator[list[T]]:
    """Items in order, in chunks whose sums stay within every limit; an item that exceeds one is a chunk of its own.

    `sizes` returns the size of an item for each limit, for example `(1, bytes)`.
    """
    chunk: list[T] = []
    used = (0,) * len(limits)
    for item in items:
        size = sizes(item)
        used = tuple(map(add, used, size))
        if chunk and any(map(int.__gt__, used, limits)):
            yield chunk
            chunk, used = [], size
        chunk.append(item)
    if chunk:
        yield chunk
