"""Answers larger than Lambda returns: a 413 that says what to do, instead of a 502 without a reason."""

from __future__ import annotations

import json
from typing import Any

import pytest

from infra.local.gateway import rest_event
from infra.local.machine import Machine

pytestmark = pytest.mark.slow  # answers of several megabytes

LAMBDAS_LIMIT = 6 * 1024 * 1024


@pytest.fixture
def large_set(local: Machine) -> str:
    """The id of a stored result set of 700 papers with long abstracts, in characters of three bytes."""
    from functions.dispatcher.wiring.legs import result_sets

    body = json.dumps({"query": "TREM2 microglia", "providers": "crossref"})
    answer = json.loads(local.invoke("dispatcher", rest_event("POST", "/v1/literature-search", body=body))["body"])
    stored: Any = result_sets().get(answer["result_set_id"])
    (first, *_) = stored["results"]
    results = [{**first, "key": f"doi:10.1/{n}", "abstract": '"文" ' * 1_000} for n in range(700)]
    large: Any = {**stored, "result_set_id": "0" * 32, "results": results}
    assert result_sets().put(large, None, 0.0)
    return str(large["result_set_id"])


def export(local: Machine, result_set_id: str, **more: Any) -> dict[str, Any]:
    body = json.dumps({"result_set_id": result_set_id, "format": "ris", **more})
    return dict(local.invoke("dispatcher", rest_event("POST", "/v1/exports", body=body)))


def test_an_export_that_lambda_cannot_return_is_a_problem_with_a_hint(local: Machine, large_set: str) -> None:
    answer = export(local, large_set)
    problem = json.loads(answer["body"])
    assert (answer["statusCode"], problem["code"], problem["retryable"]) == (413, "answer_too_large", False)
    assert "max_results" in problem["hint"]
    assert answer["multiValueHeaders"]["Content-Type"] == ["application/problem+json"]


def test_an_answer_of_the_size_in_the_hint_is_returned(local: Machine, large_set: str) -> None:
    for smaller in ({"max_results": 300}, {"max_tokens": 100_000}):
        answer = export(local, large_set, **smaller)
        assert answer["statusCode"] == 200
        assert 200_000 < len(json.dumps(answer, ensure_ascii=False).encode()) < LAMBDAS_LIMIT
