"""How many entries of a file fit into a budget of tokens: the same rule for all formats but JSON."""

from __future__ import annotations

import math
from collections.abc import Callable

from shared.errors import Unprocessable
from shared.search.sizes.token_budget import tokens

# What a tool returns around a file, as HTTP does in its headers: the media type, and what the file lacks.
ENVELOPE = 60


def within_budget(write: Callable[[int], str], count: int, max_tokens: int | None) -> tuple[str, int]:
    """The file with as many of the first entries as fit, and how many of all `count` are left out.

    `write` makes the file of the first so many entries. A file is measured as JSON text, which is how a tool returns
    it. Raises Unprocessable with the least budget if not even one entry fits.
    """
    text = write(count)
    if max_tokens is None or _size(text) <= max_tokens:
        return text, 0
    fits, exceeds = 0, count
    while exceeds - fits > 1:
        middle = (fits + exceeds) // 2
        fits, exceeds = (middle, exceeds) if _size(write(middle)) <= max_tokens else (fits, middle)
    if fits == 0:
        least = math.ceil(_size(write(min(count, 1))))
        raise Unprocessable.field("max_tokens", f"too few: a file with one of its papers takes {least}")
    return write(fits), count - fits


def _size(text: str) -> float:
    return tokens(text) + ENVELOPE
