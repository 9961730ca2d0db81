"""Many callers in several processes, one question: every leg is requested once, and all get the same answer."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.equal_answers import the_same
from tests.processes.several import high_rates, search, several

pytestmark = pytest.mark.slow

PROCESSES, CALLERS = 4, 200
# Few papers: two processors do here what 200 Lambdas would.
QUERY = "TREM2 microglia"
# A Lambda has a processor of its own, gives DynamoDB a second, and renews a lease of three in time. Two processors for
# 200 callers and DynamoDB cannot keep that pace: so requests stand in line in front of those clocks, and a leader that
# is only slow is not taken for dead.
PACE: Any = {"at_once": 3, "lease_s": 20.0}


def test_identical_searches_of_four_processes_query_each_provider_once_and_get_equal_answers(tmp_path: Path) -> None:
    names = ("crossref", "europe_pmc", "openalex")
    faults = {name: {"delay_ms": 300} for name in names}
    with several(PROCESSES, tmp_path / "log", faults=faults, settings=high_rates(), **PACE) as running:
        threads = [[search(query=QUERY, providers=",".join(names))] for _ in range(CALLERS)]
        results = [calls[0].answer for calls in running.run(threads)]
        sent = Counter((seen.provider, seen.path, seen.query) for seen in running.sandbox.requests)
        assert {name for name, _, _ in sent} == set(names), running.errors()
        assert set(sent.values()) == {1}, running.errors()
    assert [it["statusCode"] for it in results] == [200] * CALLERS
    answers = [it["body"] for it in results]
    assert len({answer["request_id"] for answer in answers}) == CALLERS
    states = Counter(answer["cache"] for answer in answers)
    assert set(states) <= {"miss", "coalesced", "hit", "partial"}
    assert states["coalesced"] > CALLERS / 2
    assert answers[0]["complete"]
    assert answers[0]["returned"] > 0
    assert the_same(answers)


def test_different_searches_of_four_processes_request_a_shared_leg_once(tmp_path: Path) -> None:
    sizes = range(1, 1 + CALLERS // 2)
    requests = [(size, ranking) for size in sizes for ranking in ("balanced", "relevance")]
    faults = {"openalex": {"delay_ms": 300}}
    with several(PROCESSES, tmp_path / "log", faults=faults, settings=high_rates(), **PACE) as running:
        threads = [
            [search(query=QUERY, providers="openalex", max_results=size, ranking=ranking)] for size, ranking in requests
        ]
        results = running.run(threads)
        assert [seen.provider for seen in running.sandbox.requests] == ["openalex"], running.errors()
    answers = [calls[0].answer["body"] for calls in results]
    assert len({answer["request_id"] for answer in answers}) == CALLERS
    assert all(answer["complete"] for answer in answers)
    sizes_returned = Counter(answer["returned"] for answer in answers)
    total = answers[0]["total_count"]
    assert sizes_returned == Counter(min(size, total) for size, _ in requests)
