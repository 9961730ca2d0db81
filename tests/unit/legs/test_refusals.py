"""A leg whose turn would come too late is refused at once; questions of a source's own discipline may wait longest."""

from __future__ import annotations

import pytest

from shared.legs.refusals import refusals_of
from shared.outcomes import Outcome
from shared.rate_limits.budget import Budget
from shared.rate_limits.circuit_breaker import Circuit, Reason
from shared.rate_limits.permit_queue import longest_wait_s, search_queue_s
from shared.rate_limits.state import ProviderState
from shared.search.disciplines import unrelated

NOW = 1_000.0
DISCIPLINES = {"arxiv": ["computing"], "pubmed": ["biomedical"], "openalex": ["any"]}


def waiting(seconds: float) -> ProviderState:
    """A provider whose last permit was granted for so many seconds from now."""
    return ProviderState(Budget(permits=(NOW - 3, NOW + seconds)))


@pytest.mark.parametrize(("queue", "refused"), [(-3.0, False), (0.0, False), (12.9, False), (13.1, True), (60.0, True)])
def test_a_leg_is_refused_when_the_queue_is_longer_than_its_time(queue: float, refused: bool) -> None:
    waits = {"arxiv": longest_wait_s(15.0)}
    assert waits == {"arxiv": 13.0}  # two seconds are for the response
    replies = refusals_of({"arxiv": waiting(queue)}, waits, NOW)
    assert set(replies) == ({"arxiv"} if refused else set())
    if refused:
        reply = replies["arxiv"]
        assert (reply.outcome, reply.retry_after_s) == (Outcome.SKIPPED_BUDGET, queue)
        assert reply.warnings == ("arxiv was not queried: its rate limit allows no request in time",)


def test_a_question_of_another_discipline_leaves_the_later_permits_to_others() -> None:
    waits = {name: longest_wait_s(15.0, search_queue_s(unrelated=name == "arxiv")) for name in ("arxiv", "pubmed")}
    assert waits == {"arxiv": 1.0, "pubmed": 3.5}
    queues = {"arxiv": waiting(1.1), "pubmed": waiting(3.4)}
    assert set(refusals_of(queues, waits, NOW)) == {"arxiv"}


@pytest.mark.parametrize(("patience_ms", "wait_s"), [(0, 3.5), (3_000, 3.5), (8_000, 8.0), (20_000, 13.0)])
def test_a_patient_caller_waits_longer_in_a_queue(patience_ms: int, wait_s: float) -> None:
    assert longest_wait_s(15.0, search_queue_s(unrelated=False, patience_ms=patience_ms)) == wait_s


@pytest.mark.parametrize("seconds", [0.5, 2.0, 2.5])
def test_a_leg_of_little_time_is_not_refused_for_permits_that_others_just_got(seconds: float) -> None:
    waits = {"arxiv": longest_wait_s(seconds)}
    assert not refusals_of({"arxiv": waiting(0.002)}, waits, NOW)
    assert refusals_of({"arxiv": waiting(3.0)}, waits, NOW)


def test_an_open_circuit_is_reported_before_a_queue() -> None:
    state = ProviderState(Budget(permits=(NOW + 60,)), Circuit(open_until=NOW + 20, reason=Reason.OUTAGE))
    replies = refusals_of({"arxiv": state}, {"arxiv": 13.0}, NOW)
    assert replies["arxiv"].outcome is Outcome.CIRCUIT_OPEN


def test_a_provider_without_a_state_is_queried() -> None:
    assert refusals_of({}, {"arxiv": 13.0}, NOW) == {}
    assert refusals_of({"arxiv": ProviderState()}, {"arxiv": 13.0}, NOW) == {}


@pytest.mark.parametrize(("wording", "providers"), [
    ("TREM2 microglia", {"arxiv"}),
    ("reinforcement learning of robots", {"pubmed"}),
    ("quantum effects in proteins and enzymes", set()),  # of both disciplines
    ("a view from the bridge", set()),  # of none that its words indicate
])  # fmt: skip
def test_providers_of_other_disciplines_than_the_questions(wording: str, providers: set[str]) -> None:
    assert unrelated([wording], DISCIPLINES) == providers
