"""Shorter forms of an abstract. `…` stands wherever text was left out."""

from __future__ import annotations

from shared.bibliography.sentences import sentences

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
