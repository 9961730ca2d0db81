"""What each outcome means: one row for each outcome, one column for each question, and what follows from it where.

The rows follow the contract: "not found" is said only when every source that would know has answered, a failure is
never an empty result, a source without a key counts only if it was named (decision 0005), one that is switched off
leaves an answer incomplete (decision 0077).
"""

from __future__ import annotations

import pytest

from shared.outcomes import Outcome

QUESTIONS = (
    "answered",
    "unanswered",
    "would_know",
    "may_answer_later",
    "worth_repeating",
    "failed",
    "no_room",
    "asks_to_wait",
    "skipped",
)
TABLE = {
    "ok": "answered",
    "empty": "answered",
    "rate_limited": "unanswered would_know may_answer_later worth_repeating failed asks_to_wait",
    "timeout": "unanswered would_know may_answer_later worth_repeating failed",
    "unavailable": "unanswered would_know may_answer_later worth_repeating failed",
    "bad_response": "unanswered would_know may_answer_later worth_repeating failed",
    "circuit_open": "unanswered would_know may_answer_later worth_repeating failed asks_to_wait",
    "skipped_budget": "unanswered would_know may_answer_later worth_repeating no_room asks_to_wait skipped",
    "skipped_overload": "unanswered would_know may_answer_later worth_repeating no_room asks_to_wait skipped",
    "pending": "unanswered would_know may_answer_later",
    "skipped_disabled": "unanswered would_know skipped",
    "skipped_unsupported_filter": "unanswered skipped",
    "skipped_no_key": "skipped",
}  # fmt: skip


@pytest.mark.parametrize("outcome", TABLE)
def test_an_outcome_means_what_its_row_says(outcome: str) -> None:
    assert [it for it in QUESTIONS if getattr(Outcome(outcome), it)] == TABLE[outcome].split()


def test_every_outcome_has_a_row_and_every_question_a_column() -> None:
    assert {*TABLE} == {it.value for it in Outcome}
    assert {*QUESTIONS} == {name for name, it in vars(Outcome).items() if isinstance(it, property)}


@pytest.mark.parametrize("outcome", Outcome)
def test_only_a_missing_key_is_exempt_and_only_if_the_provider_was_not_named(outcome: Outcome) -> None:
    assert outcome.is_exempt(named=False) == (outcome.value == "skipped_no_key")
    assert not outcome.is_exempt(named=True)
