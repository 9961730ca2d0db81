"""A re-ranker orders the best passages anew, and its faults cost nothing but its order."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from shared.passages.reranking import reranked
from shared.search.ranking.reranker import MAX_CHARS, ModelScores, scorer_of
from tests.unit.passages.texts import found, full_text, quoted

QUESTION = "Do microglia eat plaques?"
BEST = found(QUESTION, full_text({"Results": ["Microglia eat plaques.", "Microglia eat.", "Plaques grow."]}))


def last_first(question: str, passages: Sequence[str]) -> ModelScores:
    assert question == QUESTION
    return ModelScores([float(number) for number in range(len(passages))], "last-first")


def test_passages_are_in_the_order_of_both_measures_and_each_says_what_the_model_adds() -> None:
    ordered = reranked(BEST, QUESTION, last_first)
    assert quoted(ordered.passages) == ["Plaques grow.", "Microglia eat.", "Microglia eat plaques."]
    assert ordered.parts == sorted(ordered.parts, key=lambda part: -(part or 0.0))
    assert ordered.parts[-1] == 0.0
    (said,) = ordered.hints
    assert (said["reason"], "last-first" in said["message"]) == ("reranked", True)


def test_a_model_that_prefers_nothing_changes_nothing() -> None:
    ordered = reranked(BEST, QUESTION, lambda _, passages: ModelScores([3.5] * len(passages), "flat"))
    assert (ordered.passages, ordered.parts) == (BEST, [0.0] * len(BEST))


@pytest.mark.parametrize("given", [
    None, ModelScores([], "m"), ModelScores([1.0], "m"), ModelScores([float("nan")] * 3, "m"),
    ModelScores([1e400] * 3, "m"), ModelScores([1e308, -1e308, 0.0], "m"), ModelScores([10**400, 1, 2], "m"),
    ModelScores([True] * 3, "m"), ModelScores(["1"] * 3, "m"), ModelScores([1.0, 2.0, 3.0], "m" * 101),  # type: ignore[list-item]
    ModelScores([1.0, 2.0, 3.0], ""),
])  # fmt: skip
def test_a_reranker_that_does_not_answer_as_it_should_changes_nothing_and_a_hint_reports_it(
    given: ModelScores | None,
) -> None:
    assert len(BEST) == 3
    ordered = reranked(BEST, QUESTION, scorer_of(lambda *_: given, lambda: 2.0))
    assert (ordered.passages, ordered.parts) == (BEST, [None] * 3)
    assert [it["reason"] for it in ordered.hints] == ["not_reranked"]


@pytest.mark.parametrize("scores", [[1e-200, 2e-200, 0.0], [5e-324, 0.0, 0.0], [-0.0, 0.0, 0]])
def test_scores_that_hardly_differ_are_equal(scores: list[float]) -> None:
    ordered = reranked(BEST, QUESTION, scorer_of(lambda *_: ModelScores(scores, "m"), lambda: 2.0))
    assert (ordered.passages, ordered.parts) == (BEST, [0.0] * 3)


def test_without_a_reranker_or_passages_there_is_no_hint() -> None:
    assert reranked(BEST, QUESTION, None).hints == reranked([], QUESTION, last_first).hints == ()


def test_one_passage_is_not_ordered() -> None:
    """A request waited up to two seconds for that, and said that "the first 1 passages" were ordered."""

    def never(question: str, passages: Sequence[str]) -> ModelScores | None:
        raise AssertionError

    ordered = reranked(BEST[:1], QUESTION, never)
    assert (ordered.passages, ordered.parts, ordered.hints) == (BEST[:1], [None], ())


def test_without_time_no_reranker_is_invoked() -> None:
    def never(question: str, texts: Sequence[str], seconds: float) -> ModelScores | None:
        raise AssertionError

    assert reranked(BEST, QUESTION, scorer_of(never, lambda: 0.0)).passages == BEST


def test_texts_are_cut_to_the_lengths_that_the_function_accepts() -> None:
    sent: list[tuple[str, Sequence[str], float]] = []

    def keep(question: str, texts: Sequence[str], seconds: float) -> None:
        sent.append((question, texts, seconds))

    scorer = scorer_of(keep, lambda: 1.5)
    assert scorer is not None
    assert scorer("q" * 100_000, ["t" * 100_000, "🧠\x00"]) is None
    assert sent == [("q" * MAX_CHARS, ["t" * MAX_CHARS, "🧠\x00"], 1.5)]
