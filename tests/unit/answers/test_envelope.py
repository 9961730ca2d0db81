"""The envelope of an answer, and the order of the fields in which each answer publishes it."""

from __future__ import annotations

import pytest

from shared.answers.content_trust import UNTRUSTED
from shared.answers.envelope import envelope, in_order
from shared.networks import build as network
from shared.papers import links, papers
from shared.references import resolve

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
        (papers.FIELDS, "papers found not_found unanswered not_asked search_time_ms complete providers cache kg hints "
         "truncated request_id content_trust"),
        (links.FIELDS, "relation paper total_count totals returned results search_time_ms complete providers cache "
         "result_set_id next_cursor kg hints truncated request_id content_trust"),
        (resolve.FIELDS, "references matched ambiguous not_found unanswered complete providers cache kg "
         "search_time_ms request_id content_trust"),
        (network.REPORT, "seeds_not_found seeds_unanswered truncated complete providers cache hints search_time_ms kg "
         "request_id content_trust"),
    ],
)  # fmt: skip
def test_the_order_of_published_fields_stays(published: tuple[str, ...], order: str) -> None:
    assert " ".join(published) == order
    assert set(NAMES) <= set(published)
