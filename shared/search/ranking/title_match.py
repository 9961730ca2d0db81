"""Whether a query is the title of a paper: the part `title` of the ranking formula, before its weight."""

from __future__ import annotations

import re
from collections.abc import Sequence

from shared.bibliography.paper import MergedPaper
from shared.search.ranking.text_match import Question, TitleTerms, terms, title_overlap

KNOWN_ITEM_FROM, KNOWN_ITEM_SURE = 0.5, 0.8  # the range of title similarity over which the title gains its weight …
SHORT_QUERY_FROM, SHORT_QUERY_SURE = 0.9, 1.0  # … and for one or two words, which are a topic rather than a title
MAIN_TITLE_WORDS = 3  # the least of a title's part before its subtitle that counts as a title

_SUBTITLE = re.compile(r"[:?!.] |[:\u2013\u2014] ?| - ")


def title_match(question: Question, paper: MergedPaper, title_terms: TitleTerms) -> float:
    """The confidence that some wording is a title of this paper, from 0 to 1 (the same words).

    The main part of a title counts as well, and titles in other languages.
    """
    names = {paper.title, *(other for record in paper.records for other in record.alternative_titles)}
    near = [(name, words) for name in names if _is_near(question, words := title_terms(name))]
    titles = {tuple(words) for _, words in near}
    main_parts = (terms(_SUBTITLE.split(name, maxsplit=1)[0]) for name, _ in near)
    titles |= {tuple(part) for part in main_parts if len(part) >= MAIN_TITLE_WORDS}
    overlaps = ((title_overlap(asked, title), asked.total()) for asked in question.wordings for title in titles)
    return max((overlap * _known_item(overlap, words) for overlap, words in overlaps), default=0.0)


def _is_near(question: Question, title: Sequence[str]) -> bool:
    """Whether a title, or a part of it, may overlap with a wording by more than KNOWN_ITEM_FROM; most do not."""
    shared = [(len([word for word in title if word in asked]), asked.total()) for asked in question.wordings]
    return any(2 * both > KNOWN_ITEM_FROM * (both + words) for both, words in shared if both)


def _known_item(overlap: float, words: int) -> float:
    """The confidence that a query of so many words with this title overlap is a title, from 0 to 1."""
    short = _ramp(4 - words, 0, 2)
    start = KNOWN_ITEM_FROM + short * (SHORT_QUERY_FROM - KNOWN_ITEM_FROM)
    return _ramp(overlap, start, KNOWN_ITEM_SURE + short * (SHORT_QUERY_SURE - KNOWN_ITEM_SURE))


def _ramp(value: float, start: float, end: float) -> float:
    return min(1.0, max(0.0, (value - start) / (end - start)))
