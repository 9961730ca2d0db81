"""JSON in fixed forms, digests of it, and lists divided by size: what cache keys, ids, ETags and batches are made of.

Stored keys and ids depend on the bytes written here: a change of any form orphans what is stored.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator
from operator import add
from typing import Any, TypeVar

T = TypeVar("T")


def canonical(value: Any, *, spaced: bool = False, ensure_ascii: bool = False) -> str:
    """JSON with sorted keys: equal values are equal texts.

    `spaced` and `ensure_ascii` exist for digests that are stored already; new code passes neither.
    """
    separators = None if spaced else (",", ":")
    return json.dumps(value, sort_keys=True, ensure_ascii=ensure_ascii, separators=separators)


def compact_json(value: Any) -> str:
    """JSON as HTTP answers have it: keys in their own order, no spaces, characters unescaped."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def digest(content: str | bytes, length: int = 64) -> str:
    """The first `length` hexadecimal digits of the SHA-256 of bytes, or of a text in UTF-8 (lone surrogates too)."""
    data = content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content
    return hashlib.sha256(data).hexdigest()[:length]


def json_bytes(value: Any, *, ensure_ascii: bool = True) -> int:
    """What a value takes as an element of a JSON list, in bytes of UTF-8, with the separator before the next one."""
    return len(json.dumps(value, ensure_ascii=ensure_ascii).encode("utf-8", "replace")) + 2


def chunked(items: Iterable[T], sizes: Callable[[T], tuple[int, ...]], limits: tuple[int, ...]) -> Iterator[list[T]]:
    """Items in order, in chunks whose sums stay within every limit; an item that exceeds one stands alone.

    `sizes` gives what an item takes of each limit, for example `(1, bytes)`.
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
