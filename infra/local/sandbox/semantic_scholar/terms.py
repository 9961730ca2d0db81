"""The terms of Semantic Scholar's index: English stems without stop words, of titles and abstracts."""

from __future__ import annotations

import re
import unicodedata
from functools import cache

from infra.local.sandbox.facts import Fact

_STOP_WORDS = frozenset(  # of Lucene's English analyzer
    (
        "a", "an", "and", "are", "as", "at", "be", "but", "by", "for", "if", "in", "into", "is", "it", "no", "not",
        "of", "on", "or", "such", "that", "the", "their", "then", "there", "these", "they", "this", "to", "was",
        "will", "with",
    )
)  # fmt: skip
_WORD = re.compile(r"[^\W_]+")
_VOWEL = re.compile(r"[aeiouy]")
_LACKS_FINAL_E = ("at", "bl", "iz")


def positions(text: str) -> tuple[str | None, ...]:
    """Return the stems of a text in order, and None where a stop word stands."""
    plain = "".join(sign for sign in unicodedata.normalize("NFKD", text.casefold()) if not unicodedata.combining(sign))
    return tuple(None if word in _STOP_WORDS else _stem(word) for word in _WORD.findall(plain))


def stems(text: str) -> tuple[str, ...]:
    """Return the stems of a text without its stop words."""
    return tuple(stem for stem in positions(text) if stem)


def _stem(word: str) -> str:
    """Return a word without its inflection (the first step of Porter's algorithm): edited, editing, therapies."""
    for ending, replaced in (("sses", "ss"), ("ies", "i"), ("ss", "ss"), ("s", "")):
        if word.endswith(ending) and len(word) > len(ending) + 1:
            word = word[: -len(ending)] + replaced
            break
    for ending in ("ing", "ed"):
        start = word[: -len(ending)]
        if word.endswith(ending) and len(start) > 2 and _VOWEL.search(start):
            doubled = start[-1] == start[-2] and start[-1] not in "lsz"
            word = start[:-1] if doubled else start + "e" if start.endswith(_LACKS_FINAL_E) else start
            break
    word = word[:-1] + "i" if word.endswith("y") and _VOWEL.search(word[:-1]) else word
    return word[:-1] if word.endswith("e") and len(word) > 4 else word


def indexed(fact: Fact) -> tuple[str | None, ...]:
    """Return title and abstract as positions."""
    return _index(fact.title, fact.title_translated, fact.abstract)[0]


def vocabulary(fact: Fact) -> frozenset[str]:
    """Return the stems of title and abstract."""
    return _index(fact.title, fact.title_translated, fact.abstract)[1]


@cache  # every query is compared with every title
def of_title(title: str) -> tuple[str, ...]:
    """Return the stems of a paper's title."""
    return stems(title)


@cache  # every query is compared with every paper
def _index(*parts: str | None) -> tuple[tuple[str | None, ...], frozenset[str]]:
    """Return the stems in order and as a set; a phrase does not reach from one part into the next."""
    ordered = tuple(stem for part in parts for stem in (*positions(part or ""), None, None))
    return ordered, frozenset(stem for stem in ordered if stem)
