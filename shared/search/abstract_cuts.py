"""Shorter forms of an abstract. `…` stands wherever text was left out."""

from __future__ import annotations

from collections.abc import Collection

from shared.bibliography.sentences import sentences
from shared.search.text_match import terms

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


def best_sentence(text: str | None, words: Collection[str], chars: int) -> str | None:
    """The sentence with the most of these `words` (as `terms` has them), the first of equals, cut to `chars`."""
    if not text:
        return text
    wanted = frozenset(words)
    start, end = max(sentences(text), key=lambda place: (_hits(text[slice(*place)], wanted), -place[0]))
    before, after = "…" if start else "", "…" if end < len(text) else ""
    sentence = cut_at_word(text[start:end], max(1, chars - len(before) - len(after))) or ""
    return before + sentence + ("" if sentence.endswith("…") else after)


def _hits(sentence: str, wanted: frozenset[str]) -> int:
    return len(wanted.intersection(terms(sentence)))
