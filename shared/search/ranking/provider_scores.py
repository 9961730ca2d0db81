"""How well each provider found a paper: by its rank there and by the query's words in its title."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from shared.bibliography.paper import MergedPaper
from shared.search.ranking.text_match import Question, TitleTerms, terms, title_coverage


class ProviderScores:
    """Half for the rank in the provider's list (1 for the first), half for the query's words in the title."""

    def __init__(self, question: Question, damping: int, title_terms: TitleTerms = terms) -> None:
        """`damping`: reciprocal rank fusion's k. `title_terms`: the terms of a title, as `terms` reads them."""
        self._damping = damping
        # Cached: most records of one paper have the same title.
        self._coverage = cache(lambda title: _title_coverage(question, title_terms(title)))

    def of(self, paper: MergedPaper) -> dict[str, float]:
        """Each provider's score by its name; the best of its records counts."""
        scores: dict[str, float] = {}
        for record in paper.records:
            by_rank = (self._damping + 1) / (self._damping + record.rank)
            score = (by_rank + self._coverage(record.title)) / 2
            scores[record.provider] = max(score, scores.get(record.provider, 0.0))
        return dict(sorted(scores.items()))


def _title_coverage(question: Question, title: Iterable[str]) -> float:
    return max([title_coverage(asked, title) for asked in question.wordings], default=0.0)
