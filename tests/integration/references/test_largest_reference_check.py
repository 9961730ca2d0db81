"""The longest list that one check takes, to its end on one machine: progress, results, requests and processor time."""

from __future__ import annotations

import time
from collections import Counter
from itertools import product

import pytest

from infra.local.machine import machine
from infra.local.sandbox.server import Sandbox
from shared.documents.bounds import MAX_ENTRIES
from shared.reference_checks.progress import BLOCK
from tests.benchmarks.reference_set import papers, printed
from tests.benchmarks.reference_styles import STYLES
from tests.integration.reference_checks import (
    PATH,
    all_references,
    request,
    standing_time,
    work_until_done,
)

pytestmark = pytest.mark.slow  # two thousand references: more than half a minute of one processor

LINES = [name for name in STYLES if name != "BibTeX"]
MOST_SECONDS = 160.0  # of processor time, this process alone; 32 measured
MOST_REQUESTS = 600  # upstream: 60 for each 200 references; 549 measured


def different_lines(count: int) -> list[str]:
    """So many references, no two of which are the same: the papers in one style after the other, half with a DOI."""
    pairs = list(product(LINES, papers()))[:count]
    return [STYLES[style](printed(fact, with_doi=number % 2 == 0)) for number, (style, fact) in enumerate(pairs)]


def test_the_longest_list_is_checked_to_its_end() -> None:
    lines = different_lines(MAX_ENTRIES)
    assert len(set(lines)) == len(lines) == 2_000
    with machine(sandbox=Sandbox(faults={})) as own, standing_time():
        assert own.sandbox
        assert request(own, "POST", body={"references": [*lines, lines[0]]}).status == 422
        started = time.process_time()
        answer = request(own, "POST", body={"references": lines})
        assert answer.status == 202
        check_id = answer.json()["check_id"]
        states = work_until_done(own, check_id, steps=MAX_ENTRIES // BLOCK + 10)
        spent = time.process_time() - started
        references = all_references(own, check_id)
        document = request(own, "GET", f"{PATH}/{check_id}/document")
        sent = Counter(it.provider for it in own.sandbox.requests)
    assert [state["done"] for state in states] == [*range(0, MAX_ENTRIES, BLOCK), MAX_ENTRIES]
    left = [state["seconds_left"] for state in states[1:]]
    assert left[-1] == 0
    assert [it["number"] for it in references] == list(range(1, MAX_ENTRIES + 1))
    assert states[-1]["counts"]["matched"] >= 0.97 * MAX_ENTRIES
    assert document.status == 200
    assert sum(sent.values()) <= MOST_REQUESTS, sent
    assert spent < MOST_SECONDS
