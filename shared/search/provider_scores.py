"""How well each provider found a paper: by its rank there and by the query's words in its title."""

from __future__ import annotations

from functools import cache

from shared.bibliography.paper import MergedPaper
from shared.search.text_match import Question, terms, title_coverage


class ProviderScores:
    """Half for the rank in the provider's list (1 for the first), half for the query's words in the title."""

    def __init__(self, question: Question, damping: int) -> None:
        """`damping`: reciprocal rank fusion's k."""
        self._damping = damping
        # Cached: most records of one paper have the same title.
        self._coverage = cache(lambda title: _title_coverage(question, title))

    def of(self, paper: MergedPaper) -> dict[str, float]:
        """Each provider's score by its name; the best of its records counts."""
        scores: dict[str, float] = {}
        for record in paper.records:
            by_rank = (self._damping + 1) / (self._damping + record.rank)
            score = (by_rank + self._coverage(record.title)) / 2
            scores[record.provider] = max(score, scores.get(record.provider, 0.0))
        return dict(sorted(scores.items()))


def _title_coverage(question: Question, title: str) -> float:
    words = terms(title)
    return max((title_coverage(asked, words) for asked in question.wordings), default=0.0)
