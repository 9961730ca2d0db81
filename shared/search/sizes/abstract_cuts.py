"""How long abstracts may be, and their shorter forms. `…` stands wherever text was left out."""

from __future__ import annotations

from collections.abc import Sequence

from shared.bibliography.sentences import sentences

ABSTRACT_CHARS = 1_200  # of an abstract in a standard answer
# A sentence that ends before this share of the space is too short to stand for the abstract: a word's end is used.
LEAST_SHARE = 1 / 3


def cut_at_word(text: str | None, chars: int) -> str | None:
    """At most `chars` characters, ending at a word; None for 0."""
    if text is None or len(text) <= chars:
        return text
    start = text[: max(0, chars - 1)]
    return (start.rpartition(" ")[0] or start) + "…" if chars else None


def cut_at_sentence(text: str | None, chars: int) -> str | None:
    """At most `chars` characters, ending at a sentence where one ends in the last two thirds, else at a word."""
    if text is None or len(text) <= chars:
        return text
    ends = [end for _, end in sentences(text[: chars + 1]) if LEAST_SHARE * chars <= end < chars]
    return text[: ends[-1]] + "…" if ends else cut_at_word(text, chars)


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
