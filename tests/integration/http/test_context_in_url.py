"""A context as JSON text in a URL: GET takes the fields that POST takes."""

from __future__ import annotations

import json
from typing import Any

import pytest

from infra.local.machine import Machine
from tests.integration.papers_calls import call, fetch

CONTEXT = {"type": "debate", "id": "in-a-url/ü"}
PAPER = "10.1084/jem.20212479"


@pytest.mark.parametrize("path", ["/v1/literature-search", "/v1/pubmed-search", f"/v1/papers/{PAPER}"])
def test_papers_read_by_get_are_shown_in_their_context(running: Machine, path: str) -> None:
    context = {**CONTEXT, "id": f"{CONTEXT['id']}{path}"}
    query: dict[str, Any] = {} if "papers" in path else {"query": "TREM2", "max_results": 2}
    fetch(running, "GET", path, context=json.dumps(context), **query)
    running.drain_queue()
    shown = fetch(running, "GET", f"/v1/graph/contexts/debate/{context['id']}")["items"]
    assert shown
    assert {it["relation"] for it in shown} == {"shown_in"}


@pytest.mark.parametrize(("text", "field"), [
    ("debate", "context"), ("[]", "context"), ('"debate"', "context"), ("{", "context"), ("[" * 1_900, "context"),
    ('{"type": "debate", "id": "7", "id": "8"}', "context"), ('{"type": "debate"}', "context.id"),
    ('{"type": "debate", "id": "7", "of": {}}', "context.of"), ('{"type": "debate", "id": {"a": 1}}', "context.id"),
    (json.dumps({"type": "debate", "id": "7" * 5_000}), "context"),
    ('{"type": "debate", "id": "\\ud800"}', "context.id"),
])  # fmt: skip
def test_another_text_is_refused(running: Machine, text: str, field: str) -> None:
    status, problem = call(running, "GET", "/v1/literature-search", query="TREM2", context=text)
    assert status in (400, 422)
    assert [it["field"] for it in problem["errors"]] == [field]
