"""How Unpaywall searches titles: PostgreSQL's `websearch_to_tsquery` with the English dictionary.

Source: `search.py` of ourresearch/oadoi, and the chapter "Controlling Text Search" of PostgreSQL's manual: all words
are required, `"…"` is a phrase, `or` joins two terms, `-` excludes one; stop words are left out, words are stemmed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from infra.local.sandbox.facts import Fact

_TERM = re.compile(r'(-?)(?:"([^"]*)"|(\S+))')
_WORD = re.compile(r"\w+")
_ENDINGS = ("ing", "ies", "es", "ed", "s")
_STOP_WORDS = frozenset(
    {"a", "an", "and", "are", "as", "at", "by", "for", "from", "in", "is", "of", "on", "or", "the", "to", "with", "you"}
)


def titles_with(query: str, facts: Iterable[Fact]) -> list[tuple[Fact, float, str]]:
    """The papers whose title the query matches, the best first, with a score and the title with its words marked."""
    required, excluded = _read(query)
    if not required:
        return []
    found = []
    for fact in facts:
        words = _stems(fact.title)
        if all(any(_has(words, term) for term in group) for group in required) and not any(
            _has(words, term) for term in excluded
        ):
            marked = {stem for group in required for term in group for stem in term}
            found.append((fact, round(1 / (1 + len(words)), 6), _marked(fact.title, marked)))
    return sorted(found, key=lambda hit: (-hit[1], hit[0].title))


def _read(query: str) -> tuple[list[list[list[str]]], list[list[str]]]:
    """The groups of alternatives of which each needs one, and the excluded terms; a term is a list of stems."""
    required: list[list[list[str]]] = []
    excluded: list[list[str]] = []
    joined = False
    for minus, phrase, word in _TERM.findall(query):
        if word.lower() == "or":
            joined = True
            continue
        stems = [stem for stem in _stems(phrase or word) if stem not in _STOP_WORDS]
        if not stems:
            continue
        if minus:
            excluded.append(stems)
        elif joined and required:
            required[-1].append(stems)
        else:
            required.append([stems])
        joined = False
    return required, excluded


def _stems(text: str) -> list[str]:
    return [_stem(word) for word in _WORD.findall(text.lower())]


def _stem(word: str) -> str:
    ending = next((end for end in _ENDINGS if word.endswith(end) and len(word) - len(end) > 2), "")
    return word.removesuffix(ending)


def _has(words: list[str], term: list[str]) -> bool:
    return any(words[start : start + len(term)] == term for start in range(len(words)))


def _marked(title: str, stems: set[str]) -> str:
    return _WORD.sub(lambda word: f"<b>{word[0]}</b>" if _stem(word[0].lower()) in stems else word[0], title)
