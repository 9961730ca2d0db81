"""Where a model that reads question and passage together (a cross-encoder) may order the best passages anew.

None is deployed. One would be a Lambda function of its own, whose caller is a `Reranker`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Protocol

from shared.passages.ranking import Scored

RERANKED = 50  # passages that a re-ranker reads


class Reranker(Protocol):
    """A model that says how well passages answer a question."""

    def __call__(self, question: str, passages: Sequence[str], seconds: float) -> Sequence[float] | None:
        """A score for each passage, in order, the higher the better; None if there is no answer in time."""


def reranked(best: Sequence[Scored], question: str, reranker: Reranker | None, seconds: float) -> list[Scored]:
    """The passages by the re-ranker's scores; in their own order where it does not answer, or not as it should."""
    if reranker is None or seconds <= 0 or not best:
        return list(best)
    scores = reranker(question, [it.candidate.quoted for it in best], seconds)
    if scores is None or len(scores) != len(best) or not all(map(math.isfinite, scores)):
        return list(best)
    return [best[number] for number in sorted(range(len(best)), key=lambda number: (-scores[number], number))]
