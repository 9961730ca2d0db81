"""How OpenAlex's index breaks a text into terms.

Documented (developers.openalex.org/guides/searching): stop words are removed and words are stemmed by the Kstem
filter, except in the `.exact` fields; whole words match only. The rest is Elasticsearch's standard tokenizer: a hyphen
separates words, a full stop or an apostrophe inside a word does not, every Chinese character and every hiragana is a
term.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

# Lucene's English stop words. Question words (how, what, does, which) are not among them.
STOP_WORDS = frozenset(
    ("a", "an", "and", "are", "as", "at", "be", "but", "by", "for", "if", "in", "into", "is", "it", "no", "not", "of",
     "on", "or", "such", "that", "the", "their", "then", "there", "these", "they", "this", "to", "was", "will", "with")
)  # fmt: skip
_SINGLE = "\u3040-\u309f\u3400-\u4dbf\u4e00-\u9fff"
_TERM = re.compile(rf"[{_SINGLE}]|(?:(?![{_SINGLE}])\w)+(?:[.'’](?:(?![{_SINGLE}])\w)+)*")
_VOWEL = re.compile(r"[aeiouy]")

Postings = Mapping[str, Sequence[int]]  # the positions of each term of a text


def stem(word: str) -> str:
    """Return the word without its inflection: plurals, -ed and -ing, a final e. Kstem needs a dictionary for more."""
    word = word.removesuffix("'s").removesuffix("’s")
    if len(word) < 4 or not word.isascii() or not word.isalpha():
        return word
    if word.endswith("ies"):
        return word[:-3] + "y"
    if word.endswith(("sses", "xes", "zes", "ches", "shes")):
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    for suffix in ("ing", "ed"):
        root = word.removesuffix(suffix)
        if root != word and len(root) > 2 and _VOWEL.search(root):
            return root[:-1] if root[-1] == root[-2] and root[-1] not in "lsz" else root
    return word.removesuffix("e") if len(word) > 3 else word


def terms_of(text: str, *, exact: bool) -> list[tuple[int, str]]:
    """Return the terms of a text with their positions; a stop word leaves a gap."""
    words = enumerate(match.group() for match in _TERM.finditer(text.lower()))
    if exact:
        return list(words)
    return [(place, stem(word)) for place, word in words if word not in STOP_WORDS]


@lru_cache(maxsize=8192)  # a search compares the same texts with every query
def postings(text: str, *, exact: bool) -> Postings:
    """Return the positions of each term of an indexed text."""
    found: dict[str, list[int]] = {}
    for place, term in terms_of(text, exact=exact):
        found.setdefault(term, []).append(place)
    return found
