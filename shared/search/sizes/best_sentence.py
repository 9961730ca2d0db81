"""The sentence of an abstract that fits a query best."""

from __future__ import annotations

from collections.abc import Collection

from shared.bibliography.sentences import sentences
from shared.search.ranking.text_match import terms
from shared.search.sizes.abstract_cuts import cut_at_word


def best_sentence(text: str | None, words: Collection[str], chars: int) -> str | None:
    """The sentence with the most of these `words` (as `terms` has them), the first of equals, cut to `chars`.

    Without room for one it is `…`: there is an abstract.
    """
    if not text:
        return text
    if not chars:
        return "…"
    wanted = frozenset(words)
    start, end = max(sentences(text), key=lambda place: (_hits(text[slice(*place)], wanted), -place[0]))
    before, after = "…" if start else "", "…" if end < len(text) else ""
    sentence = cut_at_word(text[start:end], max(1, chars - len(before) - len(after))) or ""
    return before + sentence + ("" if sentence.endswith("…") else after)


def _hits(sentence: str, wanted: frozenset[str]) -> int:
    return len(wanted.intersection(terms(sentence)))
