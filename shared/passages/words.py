"""The words of a question and of passages, as they are compared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from shared.query.telling_words import content_words
from shared.search.ranking.text_match import terms


@dataclass(frozen=True, slots=True)
class QuestionWords:
    """What a question or a claim is about: its words without those of grammar, and the pairs that stand together."""

    weights: Mapping[str, int]  # how often it has each word
    pairs: Sequence[tuple[str, str]]

    @classmethod
    def of(cls, text: str) -> QuestionWords:
        """Read a question; no words if it has no letter or digit."""
        telling = Counter(word for content in content_words(text) for word in terms(content))
        written = terms(text)
        pairs = [(one, other) for one, other in pairwise(written) if one in telling and other in telling]
        return cls(telling, list(dict.fromkeys(pairs)))
