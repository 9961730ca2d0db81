"""One request is followed through every log that it left, by the id that its caller sent or was told."""

from __future__ import annotations

from collections.abc import Iterator
from uuid import uuid4

import pytest

from tests.e2e.deployment import Deployment, until

SENT, TOLD = "sent by the caller", "told in the answer"
WRITTEN_S = 60.0


@pytest.fixture(scope="module")
def ids(deployed: Deployment) -> Iterator[dict[str, str]]:
    """Of one search whose papers have gone through the queue into the graph."""
    written = len(messages_written(deployed))
    sent = f"e2e-{uuid4()}"
    asked = {"query": "TREM2 R47H variant", "providers": ["crossref"], "timeout_ms": 20_000, "fresh": True}
    response = deployed.caller.post("v1/literature-search", json=asked, headers={"x-correlation-id": sent})
    assert response.status_code == 200, response.text
    until(WRITTEN_S, lambda: len(messages_written(deployed)) > written)
    yield {SENT: sent, TOLD: response.json()["request_id"]}


def messages_written(deployed: Deployment) -> list[str]:
    return [line for line in deployed.logged("citation_writer") if '"message written"' in line]


@pytest.mark.parametrize("which", [TOLD, SENT])
@pytest.mark.parametrize("function", ["dispatcher", "crossref", "citation_writer"])
def test_an_id_is_in_the_log_of_every_function_on_the_way(
    deployed: Deployment, ids: dict[str, str], which: str, function: str
) -> None:
    assert [line for line in deployed.logged(function) if ids[which] in line]
