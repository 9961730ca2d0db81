"""The labelled questions: the figures that the benchmark prints do not fall."""

from __future__ import annotations

from infra.local.sandbox.texts.written_texts import written_texts
from shared.bibliography.full_text import BETWEEN
from shared.passages.ranking import LEAST_SCORE
from tests.benchmarks.passages import WITH_STRUCTURE, labelled, measured, rejected, texts


def test_there_are_120_questions_with_an_answer_in_their_text_and_30_without() -> None:
    answered = [it for it in labelled() if it.text]
    assert (len(answered), len(labelled()) - len(answered)) == (120, 30)
    assert set(texts()) == set(written_texts()) == {it.text for it in answered}
    for it in answered:
        whole = BETWEEN.join(place.paragraph.text for place in texts()[it.text or ""].paragraphs)
        assert it.answer and whole.count(it.answer), it


def test_most_questions_find_the_sentence_that_answers_them() -> None:
    report = [it for it in labelled() if it.is_report]
    figures = measured(report, WITH_STRUCTURE)
    assert figures.recall_at_5 >= 0.95
    assert figures.precision_at_1 >= 0.8


def test_questions_that_nothing_answers_get_nothing_and_the_others_something() -> None:
    report = [it for it in labelled() if it.is_report]
    assert rejected(report, LEAST_SCORE, answered=False)[0] >= 14
    assert rejected(report, LEAST_SCORE, answered=True)[0] == 0
