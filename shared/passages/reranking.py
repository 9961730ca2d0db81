"""Orders the best passages anew by a re-ranker's scores, with the rule that orders papers (`rerank_parts`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from shared.passages.ranking import Scored
from shared.search.ranking.formula import rerank_parts
from shared.search.ranking.paper_texts import standardised
from shared.search.ranking.reranker import MAX_TEXTS, Scorer
from shared.search.ranking.reranking import not_reranked, reranked_hint

if TYPE_CHECKING:
    from shared.answers.search import Hint

RERANKED = MAX_TEXTS  # passages that a re-ranker reads


@dataclass(frozen=True, slots=True)
class RerankedPassages:
    """The passages in their order, what the model adds for each (None without one), and what is said of it."""

    passages: Sequence[Scored]
    parts: Sequence[float | None]
    hints: Sequence[Hint] = field(default=())

    def first(self, count: int) -> RerankedPassages:
        """The first so many of them."""
        return replace(self, passages=self.passages[:count], parts=self.parts[:count])


def reranked(best: Sequence[Scored], question: str, scorer: Scorer | None) -> RerankedPassages:
    """The passages by the sum of z of their scores and the re-ranker's part; as they were without a usable answer.

    One passage has no order, for which no caller should wait.
    """
    untouched: list[float | None] = [None] * len(best)
    if scorer is None or len(best) < 2:
        return RerankedPassages(best, untouched)
    given = scorer(question, [it.candidate.quoted for it in best])
    if given is None:
        return RerankedPassages(best, untouched, [not_reranked("passages")])
    parts = rerank_parts(given.scores)
    sums = [own + part for own, part in zip(standardised([it.score for it in best]), parts, strict=True)]
    order = sorted(range(len(best)), key=lambda number: (-sums[number], number))
    said = reranked_hint(given.model, len(best), "passages")
    return RerankedPassages([best[it] for it in order], [parts[it] for it in order], [said])
