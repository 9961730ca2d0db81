"""200 callers at once, over moto's tables in virtual time: each leg is requested once, and all get the same answer."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest

from infra.local.machine import machine
from shared.answers.search import SearchAnswer
from shared.search.requests.search_request import read_request
from shared.search.run import run_search
from tests.equal_answers import the_same
from tests.simulations.simulated_providers import SPECS
from tests.simulations.zipf_workload import YESTERDAY_S, Arrival, Day

pytestmark = pytest.mark.slow

CALLERS = 200
# PubMed is asked for the ids, then for their records.
ONE_SEARCH = {name: 2 if name == "pubmed" else 1 for name in SPECS}


class Crowd(Day):
    """All of them send their request at the same moment; their answers are recorded."""

    def __init__(self, requests: Sequence[dict[str, Any]]) -> None:
        super().__init__()
        self._requests = requests
        self.answers: list[SearchAnswer] = []
        self.run([Arrival(at=YESTERDAY_S, query="") for _ in requests])

    def _search(self, it: Arrival, number: int) -> None:
        request = read_request({"cite_in_kg": False, **self._requests[number]}, SPECS)
        self.answers.append(run_search(request, self._dependencies(f"request-{number}")))

    @property
    def asked(self) -> Counter[str]:
        """Requests that reached each provider."""
        return Counter(it.provider for it in self.seen.requests)


def test_identical_searches_cause_one_search_upstream_a_leg() -> None:
    with machine(sandbox=None):
        crowd = Crowd([{"query": "question 1"}] * CALLERS)
    assert crowd.asked == ONE_SEARCH
    assert len(crowd.answers) == CALLERS
    assert the_same(crowd.answers)
    assert {answer["complete"] for answer in crowd.answers} == {True}


def test_different_searches_that_share_a_leg_cause_it_once() -> None:
    requests = [
        {"query": "question 1", "providers": "openalex", "max_results": 1 + number // 2, "ranking": ranking}
        for number, ranking in enumerate(("balanced", "relevance") * (CALLERS // 2))
    ]
    with machine(sandbox=None):
        crowd = Crowd(requests)
    assert len({json.dumps(request) for request in requests}) == CALLERS
    assert crowd.asked == {"openalex": 1}
    assert [answer["complete"] for answer in crowd.answers] == [True] * CALLERS
