"""A library of 20,000 records sent to be checked: refused at once, with the limit and what to do, over HTTP and MCP."""

from __future__ import annotations

import pytest

from infra.local.machine import Machine
from tests.integration.mcp_calls import message
from tests.integration.papers_calls import call

RECORDS = 20_000


def ris(padding: str) -> str:
    return "".join(f"TY  - JOUR\nTI  - Paper {number}{padding}\nPY  - 2001\nER  - \n\n" for number in range(RECORDS))


@pytest.mark.parametrize(("document", "reason"), [
    pytest.param(ris(""), "has more than 2,000 references; send it in parts", id="many records"),
    pytest.param(ris(" on microglia in old age" * 3),
                 "has more than 2,000,000 characters; send its reference list alone, in parts, or exported without "
                 "abstracts and cited references", id="a large file"),
])  # fmt: skip
def test_a_library_that_is_too_large_is_refused_with_the_limit(running: Machine, document: str, reason: str) -> None:
    status, problem = call(running, "POST", "/v1/reference-checks", {"document": document})
    assert (status, problem["errors"]) == (422, [{"field": "document", "message": reason}])


def test_over_mcp_as_well(running: Machine) -> None:
    result = message(running, "resolve_reference", {"document": ris("")[:900_000]})
    assert result["isError"]
    assert result["structuredContent"]["errors"][0]["message"] == "has more than 2,000 references; send it in parts"
