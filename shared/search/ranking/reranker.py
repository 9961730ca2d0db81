"""What a re-ranker is asked and may answer: a model that reads a question and each text together (a cross-encoder).

It is a Lambda function of its own (`functions/reranker`), deployed only with a model that the deployer brings. Whatever
it does wrong costs no more than its order: no answer, a late one or an absurd one is None.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol, TypeAlias

# What the function accepts at a time. A longer text is cut: a model reads only its first few hundred words.
MAX_TEXTS, MAX_CHARS = 50, 4_000
MAX_NAME_CHARS = 100
# Scores of real models are between -20 and 20. What differs less is equal: the squares of tiny differences are zero.
MAX_SCORE, DIGITS = 1e9, 6
SEARCH_S, PASSAGES_S = 0.8, 2.0  # how long a search, and a request for passages, waits for it


@dataclass(frozen=True, slots=True)
class ModelScores:
    """A score for each text, in order, the higher the better; and the model's name."""

    scores: Sequence[float]
    model: str


class Reranker(Protocol):
    """A model that says how well texts answer a question."""

    def __call__(self, question: str, texts: Sequence[str], seconds: float) -> ModelScores | None:
        """The scores; None if there is no answer within `seconds`, or none that can be read."""


# Asks a re-ranker for the scores of texts for a question; None if it gives none that can be used.
Scorer: TypeAlias = Callable[[str, Sequence[str]], ModelScores | None]


def scorer_of(reranker: Reranker | None, seconds: Callable[[], float]) -> Scorer | None:
    """Scores by this re-ranker, within the seconds that are left at that moment; None without one."""
    return None if reranker is None else lambda question, texts: scores_of(reranker, question, texts, seconds())


def scores_of(reranker: Reranker, question: str, texts: Sequence[str], seconds: float) -> ModelScores | None:
    """What the re-ranker says of up to MAX_TEXTS texts; None unless it has a score for each of them."""
    if seconds <= 0 or not texts:
        return None
    found = reranker(question[:MAX_CHARS], [text[:MAX_CHARS] for text in texts], seconds)
    if found is None or len(found.scores) != len(texts) or not found.model or len(found.model) > MAX_NAME_CHARS:
        return None
    if not all(map(_is_score, found.scores)):
        return None
    return replace(found, scores=[round(float(it), DIGITS) for it in found.scores])


def _is_score(value: object) -> bool:
    """Whether this is a number that a score can be; NaN compares with nothing."""
    return isinstance(value, int | float) and not isinstance(value, bool) and -MAX_SCORE <= value <= MAX_SCORE
