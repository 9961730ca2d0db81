"""The ranking formula.

Over the merged papers of one search (the pool), with z the distance from the pool's mean in standard deviations:

    votes      1.0 z   reciprocal ranks: one vote per wording and family of indexes, each further vote counting less
    text       1.5 z   BM25 of title and abstract for the query
    feedback   2.0 z   similarity to the best papers of the pool; reduced when a title matches the query. It never
                       lifts a paper without the query's rarest word above one with that word in its title
    title       30     x the confidence that the query is this title, its main part or a translation of it; 0 for most
                       papers of most searches
    citations  0.5 z   log(citations + 1); unknown counts as the mean. Not in `relevance`
    identifier 1000    if the query names the paper by an identifier; only in searches with one
    rerank     2.0     (z - the lowest z) of a model's scores for the first twenty; not fitted (`reranking.py`)

`score_parts` are these terms, and their sum determines the order. `impact` is relevance x log(citations + 1): every
part is measured from the pool's minimum and multiplied, so that the parts still add up. `score` is the sum mapped
linearly over the pool (`score_scale.py`), to the pool's best fit for the first paper: the share of the query's telling
words that some paper has (`weak_match.WEAK_SCORE`). A paper that an identifier names has 1.

The constants were fitted on the training half of the ranking benchmark (tests/benchmarks/fuse.py).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from shared.bibliography.paper import MergedPaper, RecordId
from shared.search.ranking.paper_texts import PaperTexts, standardised
from shared.search.ranking.provider_scores import ProviderScores
from shared.search.ranking.rank_votes import VOTE_DAMPING, joint_vote
from shared.search.ranking.score_scale import scores_of
from shared.search.ranking.text_match import Question, TitleTerms, terms
from shared.search.ranking.title_match import title_match

VOTES_WEIGHT = 1.0
TEXT_WEIGHT = 1.5
FEEDBACK_WEIGHT = 2.0
FEEDBACK_PAPERS = 10
TITLE_WEIGHT = 30.0  # more than all other parts together: a query that is a title searches for that paper
CITATIONS_WEIGHT = 0.5
RELAXED_PLACES = 10  # by which a record that only a wider form of the query found stands lower in its list
IDENTIFIER_WEIGHT = 1000.0  # more than all other parts together
RERANK_WEIGHT = 2.0
RANKINGS = ("balanced", "relevance", "impact")
SORTS = ("relevance", "citations", "date")

Parts = dict[str, list[float]]  # a column for each term of the formula, a row for each paper


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedPaper:
    """A ranked paper with its scores. `score` and `provider_scores` are in [0, 1]."""

    paper: MergedPaper
    score: float
    score_parts: Mapping[str, float]  # the order is by their sum
    provider_scores: Mapping[str, float]
    best_provider: str | None
    best_score: float | None
    unknown_parts: Sequence[str] = ()  # that others of the list have, and this one could not get

    @property
    def named_parts(self) -> Sequence[str]:
        """The names of its parts, also of those that are not known."""
        return (*self.score_parts, *self.unknown_parts)


def rank(
    papers: Sequence[MergedPaper],
    wordings: Sequence[str],
    families: Mapping[str, str],
    *,
    ranking: str = "balanced",
    sort: str = "relevance",
    identifiers: Sequence[str] = (),
) -> list[RankedPaper]:
    """Rank the papers. `families`: provider -> its index family; by default each provider is one of its own.

    The papers that `identifiers` name come first, in the order of the identifiers.
    """
    if ranking not in RANKINGS or sort not in SORTS:
        raise ValueError(f"no ranking {ranking!r} or sort {sort!r}")
    pool = sorted(papers, key=_identity)
    question = Question.of(wordings)
    title_terms = cache(terms)  # of one search: a paper and its records mostly have one title
    words = PaperTexts(pool, title_terms)
    parts = _relevance_parts(pool, words, question, families, title_terms)
    fits, titled = words.fits(question), max(parts["title"], default=0.0) / TITLE_WEIGHT
    if ranking == "balanced":
        parts["citations"] = _weighted(CITATIONS_WEIGHT, _citation_z(pool))
    elif ranking == "impact":
        parts = _times_impact(parts, pool)
    sums = [math.fsum(row) for row in zip(*parts.values(), strict=True)]
    scores = scores_of(sums, fits, max([titled, *fits]))
    named = [_named(paper, identifiers) if identifiers else 0.0 for paper in pool]
    if identifiers:
        parts["identifier"] = named
        scores = [1.0 if name else score for name, score in zip(named, scores, strict=True)]
    provider_scores = ProviderScores(question, VOTE_DAMPING, title_terms)
    order = sorted(range(len(pool)), key=lambda row: (-named[row], _sort_key(pool[row], sort), -sums[row], row))
    return [
        _ranked(pool[row], scores[row], {name: column[row] for name, column in parts.items()}, provider_scores)
        for row in order
    ]


def _named(paper: MergedPaper, identifiers: Sequence[str]) -> float:
    """More for the paper that the first identifier names than for that of the next; 0 for others."""
    names = {name for record in paper.records for name in record.asked}
    place = next((place for place, name in enumerate(identifiers) if name in names), None)
    return 0.0 if place is None else IDENTIFIER_WEIGHT - place


def _identity(paper: MergedPaper) -> tuple[str, tuple[RecordId, ...]]:
    """Decides every tie: the key, then where the paper was found."""
    return paper.key, tuple(sorted(paper.record_ids))


def _sort_key(paper: MergedPaper, sort: str) -> tuple[int, ...]:
    """What precedes the score in the order: nothing, citations or date; unknown values are last.

    By citations or date, what only a wider form of the query found comes behind all others: most of it is off topic.
    """
    relaxed = bool(paper.records) and all(record.relaxed for record in paper.records)
    if sort == "citations":
        return (relaxed, 1) if paper.citation_count is None else (relaxed, 0, -paper.citation_count)
    if sort == "date":
        date = paper.publication_date or (str(paper.year) if paper.year else None)
        # A year without month, or a month without day, counts from its start.
        return (relaxed, 0, *(-int(part) for part in f"{date}-00-00".split("-")[:3])) if date else (relaxed, 1)
    return ()


def _relevance_parts(
    pool: Sequence[MergedPaper],
    words: PaperTexts,
    question: Question,
    families: Mapping[str, str],
    title_terms: TitleTerms,
) -> Parts:
    votes = _weighted(VOTES_WEIGHT, standardised([_votes(paper, families) for paper in pool]))
    text = _weighted(TEXT_WEIGHT, words.z(lambda texts: texts.bm25(question)))
    title = [title_match(question, paper, title_terms) for paper in pool]
    topical = 1 - max(title, default=0.0)
    first_guess = [vote + match for vote, match in zip(votes, text, strict=True)]
    best = sorted(range(len(pool)), key=lambda row: (-first_guess[row], row))[:FEEDBACK_PAPERS]
    feedback = _weighted(FEEDBACK_WEIGHT * topical, words.z(lambda texts: texts.feedback(best)))
    return {
        "votes": votes,
        "text": text,
        "feedback": words.capped(feedback, first_guess, question),
        "title": _weighted(TITLE_WEIGHT, title),
    }


def _votes(paper: MergedPaper, families: Mapping[str, str]) -> float:
    """The sum of reciprocal ranks, the best of each family and wording: an index and its mirror do not vote twice."""
    best: dict[tuple[int, str], int] = {}
    for (provider, wording, rank), record in zip(paper.record_ids, paper.records, strict=True):
        voter = (wording, families.get(provider, provider))
        place = rank + RELAXED_PLACES * record.relaxed
        best[voter] = min(place, best.get(voter, place))
    return joint_vote(best.values())


def _citation_z(pool: Sequence[MergedPaper]) -> list[float]:
    """z of log(citations + 1) among the papers whose count is known; 0 for an unknown count."""
    known = [row for row, paper in enumerate(pool) if paper.citation_count is not None]
    values = [0.0] * len(pool)
    for row, value in zip(known, standardised([_impact(pool[row]) for row in known]), strict=True):
        values[row] = value
    return values


def _impact(paper: MergedPaper) -> float:
    return math.log(1 + (paper.citation_count or 0))


def _impacts(pool: Sequence[MergedPaper]) -> list[float]:
    """log(citations + 1) of each paper; an unknown count is the mean of the known ones, and never 0 by itself."""
    known = [_impact(paper) for paper in pool if paper.citation_count is not None]
    mean = math.fsum(known) / len(known) if known else 1.0
    return [mean if paper.citation_count is None else _impact(paper) for paper in pool]


def _times_impact(parts: Parts, pool: Sequence[MergedPaper]) -> Parts:
    """relevance x log(citations + 1), part by part: each part is measured from the pool's minimum."""
    impact = _impacts(pool)
    lowest = {name: min(column, default=0.0) for name, column in parts.items()}
    return {
        name: [(value - lowest[name]) * factor for value, factor in zip(column, impact, strict=True)]
        for name, column in parts.items()
    }


def _weighted(weight: float, values: Sequence[float]) -> list[float]:
    return [weight * value for value in values]


def rerank_parts(scores: Sequence[float]) -> list[float]:
    """What a model's scores add to the sums of the results that it has read: nothing to the lowest, more to others."""
    z = standardised(scores)
    return [RERANK_WEIGHT * (it - min(z)) for it in z]


def _ranked(
    paper: MergedPaper, score: float, parts: Mapping[str, float], provider_scores: ProviderScores
) -> RankedPaper:
    scores = provider_scores.of(paper)
    best = max(scores, key=lambda name: scores[name], default=None)  # of equal scores the first by name
    return RankedPaper(
        paper=paper,
        score=score,
        score_parts=parts,
        provider_scores=scores,
        best_provider=best,
        best_score=scores[best] if best else None,
    )
