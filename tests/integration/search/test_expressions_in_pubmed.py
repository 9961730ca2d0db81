"""What PubMed leaves out of an expression: it loses no paper, and adds none that the expression excludes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.ways_of_asking.capture import Service, service

UNKNOWN = "zzyzxq"  # a word that no paper has


@pytest.fixture(scope="module")
def running() -> Iterator[Service]:
    with service() as started:
        yield started


def _answer(running: Service, query: str) -> Any:
    response, _ = running.post({"query": query, "providers": ["pubmed"], "max_results": 100, "detail": "full"})
    assert response.status_code == 200, response.text
    return response.json()


@pytest.mark.slow
@pytest.mark.parametrize(
    "query",
    [
        f"TREM2 OR {UNKNOWN}",
        f"{UNKNOWN}[tiab] OR TREM2[tiab]",
        f"TREM2 NOT {UNKNOWN}",
        f"TREM2 OR ({UNKNOWN} AND q{UNKNOWN})",
        f"(TREM2 OR {UNKNOWN}) AND (TREM2 OR q{UNKNOWN})",
    ],
)
def test_an_unknown_alternative_loses_no_paper_of_the_known_one(running: Service, query: str) -> None:
    known, answer = _answer(running, "TREM2 OR TREM2"), _answer(running, query)
    assert answer["total_count"] == known["total_count"] > 10
    assert answer["providers"]["pubmed"]["unsupported_filters"] == []
    assert not any(hint["reason"] == "undecided_filter" for hint in answer["hints"])


@pytest.mark.parametrize("query", [f"TREM2 AND {UNKNOWN}", f"TREM2 {UNKNOWN} OR q{UNKNOWN}", f"TREM2 AND ({UNKNOWN})"])
def test_papers_that_lack_a_required_word_are_left_out(running: Service, query: str) -> None:
    answer = _answer(running, query)
    assert answer["results"] == []
    assert answer["providers"]["pubmed"]["unsupported_filters"] == ["operators"]
