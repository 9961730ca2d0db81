"""What the score of a result says, from the first paper of a search to its last, over HTTP and MCP."""

from __future__ import annotations

import re
from typing import Any

import pytest

from infra.local.machine import Machine
from tests.integration.mcp_calls import called
from tests.integration.papers_calls import fetch


def every_result(local: Machine, **search: Any) -> list[dict[str, Any]]:
    """All results of a search: its pool."""
    asked = {"max_results": 100, "cite_in_kg": False, **search}
    answer = fetch(local, "POST", "/v1/literature-search", {**asked, "detail": "full"})
    assert answer["returned"] == answer["total_count"] > 20
    return list(answer["results"])


@pytest.mark.parametrize("ranking", ["balanced", "relevance", "impact"])
def test_the_last_paper_scores_half_of_what_it_has_of_the_words_and_a_tenth_at_least(
    running: Machine, ranking: str
) -> None:
    for query in ("TREM2 AND microglia", "TREM2 microglia"):
        results = every_result(running, query=query, ranking=ranking)
        scores = [it["score"] for it in results]
        assert scores == sorted(scores, reverse=True)
        words = set(re.findall(r"\w+", f"{results[-1]['title']} {results[-1]['abstract']}".casefold()))
        half = 0.25 * len({"trem2", "microglia"} & words)
        assert (scores[0], scores[-1]) == (1.0, max(0.1, half))


def test_the_scores_over_mcp_are_the_same(running: Machine) -> None:
    query = "TREM2 AND microglia"
    results = every_result(running, query=query)
    last = called(running, "literature_search", query=query, max_results=100, cite_in_kg=False, max_tokens=100_000)[
        "results"
    ][-1]
    assert (last["key"], last["score"]) == (results[-1]["key"], results[-1]["score"])
