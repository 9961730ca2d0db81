"""Shorter forms of an abstract. `…` stands wherever text was left out."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from shared.search.text_match import terms

# A sentence ends at a full stop before a blank, or at the full stop of a script that has no blanks.
_END = re.compile(r"[.!?][\"')\]”’]{0,3}(?=\s)|[。！？]")
# Abbreviations after which a sentence goes on.
_ABBREVIATIONS = frozenset(
    ("al", "ca", "cf", "dr", "e.g", "eg", "etc", "fig", "figs", "i.e", "ie", "no", "resp", "spp", "st", "vs")
)
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
    ends = [end for _, end in _sentences(text[: chars + 1]) if LEAST_SHARE * chars <= end < chars]
    return text[: ends[-1]] + "…" if ends else cut_at_word(text, chars)


def best_sentence(text: str | None, words: Collection[str], chars: int) -> str | None:
    """The sentence with the most of these `words` (as `terms` has them), the first of equals, cut to `chars`."""
    if not text:
        return text
    wanted = frozenset(words)
    start, end = max(_sentences(text), key=lambda place: (_hits(text[slice(*place)], wanted), -place[0]))
    before, after = "…" if start else "", "…" if end < len(text) else ""
    sentence = cut_at_word(text[start:end], max(1, chars - len(before) - len(after))) or ""
    return before + sentence + ("" if sentence.endswith("…") else after)


def _hits(sentence: str, wanted: frozenset[str]) -> int:
    return len(wanted.intersection(terms(sentence)))


def _sentences(text: str) -> Iterator[tuple[int, int]]:
    """Where each sentence begins and ends; together they are the text without the blanks between them."""
    start = 0
    for match in _END.finditer(text):
        if not _ends_sentence(text, match):
            continue
        yield start, match.end()
        start = match.end()
        while start < len(text) and text[start].isspace():
            start += 1
    if start < len(text) or not text:
        yield start, len(text)


def _ends_sentence(text: str, match: re.Match[str]) -> bool:
    """Whether this is not the point of an abbreviation or of an initial."""
    if match[0][0] != ".":
        return True
    following = text[match.end() : match.end() + 8].lstrip()
    if following[:1].islower():
        return False
    word = text[max(0, match.start() - 12) : match.start()].split(" ")[-1].lstrip("([\"'")
    return word.casefold() not in _ABBREVIATIONS and not (len(word) == 1 and word.isupper())
