"""A process has a thread for each leg of the largest search."""

from __future__ import annotations

import json
import threading
from typing import Any, cast

import pytest

from infra.functions import providers_for, searched_by_default
from infra.local.gateway import rest_event
from infra.local.machine import Machine
from shared.outcomes import Outcome
from shared.providers.provider import ProviderReply, reply_to_json

WORDINGS = [
    "microglia",
    "TREM2",
    "glacier",
    "language",
    "retraction",
    "amyloid",
]  # `query` and, at most, five `queries`
TIMEOUT_MS = 5_000


def answering_together(local: Machine, legs: int) -> list[str]:
    """Let no source answer before so many legs are at sources; the list gets the source of each leg."""
    asked: list[str] = []
    together = threading.Event()

    def source(name: str) -> Any:
        def answer(*_: Any) -> dict[str, Any]:
            asked.append(name)
            if len(asked) >= legs:
                together.set()
            together.wait(TIMEOUT_MS / 1000)
            return reply_to_json(ProviderReply(provider=name, family=name, outcome=Outcome.EMPTY))

        return answer

    functions = cast("dict[str, Any]", local.functions)
    functions.update({f"local-{name}": source(name) for name in providers_for("search")})
    return asked


@pytest.mark.parametrize("named", [True, False], ids=["every source by name", "the usual sources"])
def test_every_leg_of_the_largest_search_is_sent_at_once(as_deployed: Machine, named: bool) -> None:
    query, *queries = WORDINGS
    sources = list(providers_for("search")) if named else []
    asked = answering_together(as_deployed, len(sources or searched_by_default()) * len(WORDINGS))
    fields = {"query": query, "queries": queries, "providers": sources, "timeout_ms": TIMEOUT_MS, "cite_in_kg": False}
    answer = as_deployed.invoke("dispatcher", rest_event("POST", "/v1/literature-search", body=json.dumps(fields)))
    assert answer["statusCode"] == 200, answer["body"]
    reports = json.loads(answer["body"])["providers"]
    assert {report["outcome"] for report in reports.values()} == {"empty"}
    assert len(asked) == len(reports) * len(WORDINGS)
