"""The first papers of a search ordered anew by a model, and what that leaves as it was."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import pytest

from shared.search.ranking.formula import RankedPaper, rank, rerank_parts
from shared.search.ranking.reranker import ModelScores
from shared.search.ranking.reranking import RERANKED_PAPERS, reranked_papers
from shared.search.requests.search_request import SearchRequest
from shared.search.results import result_of
from tests.unit.search.test_ranking import FAMILIES, keys, paper, topic

QUERY = "microglia in disease"
POOL = rank([topic(number) for number in range(1, 31)], [QUERY], FAMILIES)
BEFORE = keys(POOL)


def search(**fields: Any) -> SearchRequest:
    return SearchRequest.model_validate({"query": QUERY, **fields})


def from_the_end(question: str, texts: Sequence[str]) -> ModelScores:
    """Prefers what was last, by far."""
    assert question == QUERY
    return ModelScores([1000.0**number for number in range(len(texts))], "from-the-end")


def sums(ranked: Sequence[RankedPaper]) -> list[float]:
    return [math.fsum(it.score_parts.values()) for it in ranked]


def test_the_part_is_two_standard_deviations_from_the_lowest_score() -> None:
    assert rerank_parts([1.0, 2.0, 3.0]) == pytest.approx([0.0, 2 * math.sqrt(1.5), 4 * math.sqrt(1.5)])
    assert (rerank_parts([5.0, 5.0]), rerank_parts([])) == ([0.0, 0.0], [])


def test_only_papers_that_the_model_has_read_change_places_and_none_falls_behind_the_others() -> None:
    ordered = reranked_papers(POOL, search(), from_the_end)
    assert keys(list(ordered.papers))[RERANKED_PAPERS:] == BEFORE[RERANKED_PAPERS:]
    assert set(keys(list(ordered.papers))) == set(BEFORE)
    assert keys(list(ordered.papers)).index(BEFORE[RERANKED_PAPERS - 1]) < RERANKED_PAPERS - 1
    assert sums(ordered.papers) == sorted(sums(ordered.papers), reverse=True)
    assert "from-the-end" in ordered.hints[0]["message"]


def test_the_part_is_shown_and_null_where_the_model_has_read_nothing() -> None:
    shown = [result_of(it)["score_parts"] for it in reranked_papers(POOL, search(), from_the_end).papers]
    assert all(parts["rerank"] is not None for parts in shown[:RERANKED_PAPERS])
    assert [parts["rerank"] for parts in shown[RERANKED_PAPERS:]] == [None] * 10
    assert not any("rerank" in result_of(it)["score_parts"] for it in POOL)


def test_scores_keep_their_range_and_fall_with_the_order() -> None:
    scores = [it.score for it in reranked_papers(POOL, search(), from_the_end).papers]
    assert (scores[0], scores[-1]) == (POOL[0].score, POOL[-1].score)
    assert scores == sorted(scores, reverse=True)


def test_equal_sums_keep_the_order_that_the_keys_have_decided() -> None:
    twins = rank([paper(f"doi:10.1/{it}", title=QUERY, citations=1) for it in "cab"], [QUERY], FAMILIES)
    ordered = reranked_papers(twins, search(), lambda _, texts: ModelScores([2.0] * len(texts), "flat"))
    assert keys(list(ordered.papers)) == ["doi:10.1/a", "doi:10.1/b", "doi:10.1/c"]


def test_a_queried_title_stays_first_against_any_model() -> None:
    wanted = topic(7)
    titled = rank([topic(number) for number in range(1, 31)], [wanted.title], FAMILIES)
    assert titled[0].paper.key == wanted.key
    ordered = reranked_papers(
        titled, search(query=wanted.title), lambda _, texts: ModelScores([*range(len(texts))], "m")
    )
    assert ordered.papers[0].paper.key == wanted.key


@pytest.mark.parametrize("fields", [
    {"sort": "date"}, {"sort": "citations"}, {"ranking": "impact"}, {"query": "10.1038/s41586-020-2649-2"},
])  # fmt: skip
def test_another_order_and_a_paper_that_is_named_are_left_as_they_are(fields: dict[str, Any]) -> None:
    def never(*_: object) -> ModelScores | None:
        raise AssertionError

    ordered = reranked_papers(POOL, search(**fields), never)
    assert (ordered.papers, ordered.hints, ordered.missed) == (POOL, [], False)


@pytest.mark.parametrize(("query", "question"), [
    (QUERY, QUERY),
    ("Does metformin reduce cancer risk?", "Does metformin reduce cancer risk?"),
    ("TREM2 AND (tau OR amyloid) NOT mouse", "TREM2 tau amyloid"),
    ('TREM2[tiab] AND "Alzheimer Disease"[Mesh] AND Colonna M[au]', "TREM2 Alzheimer Disease"),
])  # fmt: skip
def test_the_model_reads_the_wanted_words_of_an_expression(query: str, question: str) -> None:
    read: list[str] = []
    reranked_papers(POOL, search(query=query), lambda asked, _: read.append(asked))
    assert read == [question]


@pytest.mark.parametrize("fields", [{"query": "Colonna M[au] AND 2019[dp]"}, {"query": None, "author": "Colonna M"}])
def test_without_words_there_is_nothing_that_a_model_could_read(fields: dict[str, Any]) -> None:
    def never(*_: object) -> ModelScores | None:
        raise AssertionError

    ordered = reranked_papers(POOL, search(**fields), never)
    assert (ordered.papers, ordered.hints, ordered.missed) == (POOL, [], False)


def test_without_an_answer_the_order_stays_and_a_hint_says_so() -> None:
    ordered = reranked_papers(POOL, search(), lambda *_: None)
    assert (ordered.papers, ordered.missed) == (POOL, True)
    assert [it["reason"] for it in ordered.hints] == ["not_reranked"]
    without = reranked_papers(POOL, search(), None)
    assert (without.papers, without.hints, without.missed) == (POOL, [], False)
