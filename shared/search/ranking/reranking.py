"""Orders the first papers of a search anew by a re-ranker's scores.

Off unless a deployment brings a model. Its part of the score (`ranking.rerank_parts`) is measured from the lowest of
the papers that it has read, so that none of these falls behind one that it has not read; the part of the others is not
known. The weight is that of the feedback, and was not fitted: that would have to be done for each model. Whether a
text supports or contradicts anything is not asked. Without a usable answer in time, the order stays as it was, and a
hint says so.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from shared.query.syntax import Tagged, leaves
from shared.query.understanding import understand
from shared.search.hints.query_hints import hint
from shared.search.ranking.formula import RankedPaper, rerank_parts
from shared.search.ranking.reranker import Scorer
from shared.search.ranking.score_scale import on_scale
from shared.search.ranking.text_match import TEXT_FIELDS

if TYPE_CHECKING:
    from shared.answers.search import Hint
    from shared.search.requests.search_request import SearchRequest

RERANKED_PAPERS = 20
PART = "rerank"  # of `score_parts`
RERANKED, NOT_RERANKED = REASONS = ("reranked", "not_reranked")  # of hints


@dataclass(frozen=True, slots=True)
class RerankedPapers:
    """The papers in their order, and what is said of it."""

    papers: Sequence[RankedPaper]
    hints: list[Hint] = field(default_factory=list)
    missed: bool = False  # whether the model should have ordered them, and did not


def reranked_papers(ranked: Sequence[RankedPaper], request: SearchRequest, scorer: Scorer | None) -> RerankedPapers:
    """The papers, the first ones by the re-ranker where the search is ordered by relevance and names no paper."""
    by_relevance = request.sort == "relevance" and request.ranking != "impact"
    question = question_of(next(iter(request.wordings), ""))
    if scorer is None or not question or not by_relevance or request.identifiers or len(ranked) < 2:
        return RerankedPapers(ranked)
    first, others = ranked[:RERANKED_PAPERS], ranked[RERANKED_PAPERS:]
    texts = [f"{it.paper.title}\n{it.paper.abstract or ''}" for it in first]
    given = scorer(question, texts)
    if given is None:
        return RerankedPapers(ranked, [not_reranked("papers")], missed=True)
    papers = _ordered(first, others, rerank_parts(given.scores))
    return RerankedPapers(papers, [reranked_hint(given.model, len(first), "papers")])


def question_of(wording: str) -> str:
    """What a model reads as the question: of an expression, the wanted words alone; "" of names and dates by tag.

    A model knows no operators and no tags: it would prefer papers about mice for `TREM2 NOT mouse`.
    """
    understood = understand(wording)
    if understood.kind != "expression":
        return wording
    texts = (it.text for it in leaves(understood.node) if not isinstance(it, Tagged) or it.field in TEXT_FIELDS)
    return " ".join(texts)


def _ordered(first: Sequence[RankedPaper], others: Sequence[RankedPaper], parts: Sequence[float]) -> list[RankedPaper]:
    """By the sums with the new part; of equal ones, by the order before, which the key has decided."""
    read = [replace(it, score_parts={**it.score_parts, PART: part}) for it, part in zip(first, parts, strict=True)]
    read.sort(key=lambda it: -math.fsum(it.score_parts.values()))
    papers = [*read, *(replace(it, unknown_parts=(*it.unknown_parts, PART)) for it in others)]
    # The range stays: the first had the pool's best fit, the last the least score.
    scores = on_scale(
        [math.fsum(it.score_parts.values()) for it in papers], [*first, *others][-1].score, first[0].score
    )
    return [replace(it, score=score) for it, score in zip(papers, scores, strict=True)]


def reranked_hint(model: str, count: int, what: str) -> Hint:
    """That a model has ordered the first results, and which."""
    return hint(RERANKED, f"The first {count} {what} are also ordered by the model {model} (score_parts.rerank).")


def not_reranked(what: str) -> Hint:
    """That it should have, and did not."""
    return hint(
        NOT_RERANKED, f"The model that re-ranks {what} gave no usable answer in time: they are ranked without it."
    )
