"""A re-ranker orders the best passages anew, and its faults cost nothing but its order."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from shared.passages.reranking import reranked
from tests.unit.passages.texts import found, full_text, quoted

QUESTION = "Do microglia eat plaques?"
BEST = found(QUESTION, full_text({"Results": ["Microglia eat plaques.", "Microglia eat.", "Plaques grow."]}))


def by_length(question: str, passages: Sequence[str], seconds: float) -> list[float]:
    assert (question, seconds) == (QUESTION, 2.0)
    return [-float(len(it)) for it in passages]


def test_passages_are_in_the_order_of_the_rerankers_scores() -> None:
    shown = quoted(reranked(BEST, QUESTION, by_length, 2.0))
    assert shown == sorted(quoted(BEST), key=len) != quoted(BEST)


@pytest.mark.parametrize("scores", [None, [], [1.0], [float("nan")] * 3])
def test_a_reranker_that_does_not_answer_changes_nothing(scores: list[float] | None) -> None:
    assert reranked(BEST, QUESTION, lambda *_: scores, 2.0) == BEST


def test_without_a_reranker_or_time_the_order_stays() -> None:
    assert reranked(BEST, QUESTION, None, 2.0) == reranked(BEST, QUESTION, by_length, 0.0) == BEST
