"""The envelope of an answer, and the order of the fields in which each answer publishes it."""

from __future__ import annotations

import pytest

from shared.answers.content_trust import UNTRUSTED
from shared.answers.envelope import envelope, in_order
from shared.search import page as answer

ABOUT = {"complete": True, "providers": {"pubmed": {"outcome": "ok"}}, "cache": "hit", "hints": [], "query": "TREM2"}
KG = {"queued": 1, "skipped": 0}
ENVELOPE = envelope(ABOUT, kg=KG, search_time_ms=12, request_id="r1")
NAMES = ["complete", "providers", "cache", "kg", "hints", "search_time_ms", "request_id", "content_trust"]


def test_the_envelope_has_what_every_answer_says_of_itself() -> None:
    assert list(ENVELOPE) == NAMES
    assert {
        **{name: value for name, value in ABOUT.items() if name != "query"},
        "kg": KG, "search_time_ms": 12, "request_id": "r1", "content_trust": UNTRUSTED,
    } == ENVELOPE  # fmt: skip


def test_an_answer_has_its_fields_in_the_order_given_and_no_others() -> None:
    laid_out = in_order(("cache", "own", "complete"), {"own": 1}, ENVELOPE)
    assert list(laid_out.items()) == [("cache", "hit"), ("own", 1), ("complete", True)]


@pytest.mark.parametrize(
    ("published", "order"),
    # As it was when each answer was written by itself.
    [
        (answer.FIELDS, "query total_count returned results providers_searched search_time_ms complete providers cache "
         "result_set_id next_cursor kg hints next_actions truncated request_id content_trust"),
    ],
)  # fmt: skip
def test_the_order_of_published_fields_stays(published: tuple[str, ...], order: str) -> None:
    assert " ".join(published) == order
    assert set(NAMES) <= set(published)
