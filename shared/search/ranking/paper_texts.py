"""The texts of the papers of one search, and measures of all of them for a question."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from shared.bibliography.paper import MergedPaper
from shared.search.ranking.text_match import PaperTerms, Question, TextPool, TitleTerms, terms


def standardised(values: Sequence[float]) -> list[float]:
    """Distance from the mean in standard deviations; `fsum` makes it the same in every order of the values."""
    if not values or min(values) == max(values):
        return [0.0] * len(values)
    mean = math.fsum(values) / len(values)
    deviation = math.sqrt(math.fsum((value - mean) ** 2 for value in values) / len(values))
    return [(value - mean) / deviation for value in values]


class PaperTexts:
    """The pool's texts. A paper without an abstract is compared by its title with all titles, not with whole texts."""

    def __init__(self, papers: Sequence[MergedPaper], title_terms: TitleTerms = terms) -> None:
        self.texts = [PaperTerms.of(paper.title, paper.abstract, title_terms) for paper in papers]
        self._whole = TextPool(self.texts)
        self._bare = [row for row, paper in enumerate(papers) if not paper.abstract]
        self._titles = TextPool([PaperTerms.of(it.title, None, title_terms) for it in papers]) if self._bare else None

    def z(self, measure: Callable[[TextPool], list[float]]) -> list[float]:
        """z of a measure: of papers with an abstract among all texts, of others among the titles."""
        values = standardised(measure(self._whole))
        if self._titles:
            titles = standardised(measure(self._titles))
            for row in self._bare:
                values[row] = titles[row]
        return values

    def fits(self, question: Question) -> list[float]:
        """How well each paper fits: the share of the question's terms that it has, from 0 to 1."""
        return self._whole.fits(question)

    def capped(self, feedback: Sequence[float], before: Sequence[float], question: Question) -> list[float]:
        """The feedback, which lifts no paper without the rarest word above one that has it in its title.

        `before`: the sums of the papers' parts without feedback.
        """
        rarest = self._whole.rarest(question)
        titled = [(before[row], before[row] + feedback[row]) for row, it in enumerate(self.texts) if rarest in it.title]
        return [
            value if rarest in text.counts else min([value, *(after - own for first, after in titled if first >= own)])
            for value, own, text in zip(feedback, before, self.texts, strict=True)
        ]
