"""How long abstracts may be, in characters and in bytes."""

from __future__ import annotations

from collections.abc import Sequence

ABSTRACT_CHARS = 1_200  # of an abstract in a standard answer


def equal_share(lengths: Sequence[int], left: float) -> int | None:
    """How many bytes each text may have so that all of them have `left`; None when they fit as they are."""
    for number, length in enumerate(sorted(lengths)):  # short ones are whole, the others share the space left
        each = left / (len(lengths) - number)
        if length > each:
            return max(0, int(each))
        left -= length
    return None


def chars_within(text: str, limit: int) -> int:
    """How many characters of this text fit into `limit` bytes."""
    return limit * len(text) // text_bytes(text) if text else 0


def text_bytes(text: str) -> int:
    """Its length in UTF-8."""
    return len(text.encode("utf-8", "replace"))
