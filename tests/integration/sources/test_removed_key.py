"""A key that Semantic Scholar removed: the search goes on without it, through the real rate limiter and circuit."""

from __future__ import annotations

import json

import pytest

from infra.local.gateway import rest_event
from infra.local.machine import Machine
from infra.local.sandbox.services.semantic_scholar import REVOKED_KEY


def test_a_removed_key_costs_one_request_and_no_papers(local: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SEMANTIC_SCHOLAR_API_KEY", REVOKED_KEY)
    for query in ("microglia", "transformer"):
        body = json.dumps({"query": query, "providers": "semantic_scholar"})
        answer = json.loads(local.invoke("dispatcher", rest_event("POST", "/v1/literature-search", body=body))["body"])
        report = answer["providers"]["semantic_scholar"]
        assert (report["outcome"], answer["returned"]) == ("ok", 10), report
        assert any("refused the key" in warning for warning in report["warnings"])
