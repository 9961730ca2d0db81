"""What is said of a pasted search history that cannot be read, over HTTP and MCP."""

from __future__ import annotations

import pytest

from infra.local.machine import Machine
from tests.integration.mcp_calls import message
from tests.integration.papers_calls import call


@pytest.mark.parametrize(("history", "reason"), [
    pytest.param("1. tau 2. mice 3. 1 and 7", "line 7 of the search history is missing: it has 3 lines", id="missing"),
    pytest.param("1. tau 2. 3 or 1 3. 2 and 1", "line 3 of the search history names itself", id="a circle"),
    pytest.param(
        "1. tau " + " ".join(f"{number}. {number - 1} or 1" for number in range(2, 30)),
        "the search history nests more than 20 lines", id="deep",
    ),
])  # fmt: skip
def test_a_search_history_that_cannot_be_read_gets_the_true_reason(running: Machine, history: str, reason: str) -> None:
    status, problem = call(running, "POST", "/v1/literature-search", {"query": history})
    over_mcp = message(running, "literature_search", {"query": history})
    assert (status, over_mcp["isError"]) == (422, True)
    for detail in (problem["detail"], over_mcp["structuredContent"]["detail"]):
        assert reason in detail
