"""What is too long, too deep or no text is refused before any work is done on it, by every route and in few bytes."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest

from infra.local.gateway import rest_event
from infra.local.machine import Machine
from shared.aws.runtime.observability import logger
from tests.integration.mcp_calls import message
from tests.integration.papers_calls import call

CONTEXT = {"type": "debate", "id": "42"}
HALF = "10.1084/jem.\ud800"
DEEP = "(" * 320 + "a" + ")" * 320
MANY = 50_000
MOST_BYTES = 20_000


@pytest.mark.parametrize(("path", "body", "field"), [
    ("/v1/citations", {"context": CONTEXT, "papers": [HALF]}, "papers.0"),
    ("/v1/citations", {"context": CONTEXT, "text": f"see {HALF}"}, "text"),
    ("/v1/papers", {"ids": [HALF]}, "ids.0"),
    ("/v1/exports", {"ids": ["10.1/a", HALF], "format": "ris"}, "ids.1"),
    ("/v1/resolve", {"references": [HALF]}, "references.0"),
    ("/v1/citation-network", {"seeds": [HALF]}, "seeds.0"),
    ("/v1/literature-search", {"query": HALF}, "query"),
    ("/v1/literature-search", {"query": DEEP}, "query"),
    ("/v1/saved-searches", {"search": {"query": DEEP}, "schedule": "rate(1 day)"}, "search.query"),
    ("/v1/saved-searches", {"search": {"query": HALF}, "schedule": "rate(1 day)"}, "search.query"),
])  # fmt: skip
def test_it_is_refused_by_the_name_of_its_field(running: Machine, path: str, body: Any, field: str) -> None:
    status, problem = call(running, "POST", path, body)
    assert (status, [fault["field"] for fault in problem["errors"]]) == (422, [field])
    assert problem["retryable"] is False


@pytest.mark.parametrize(("tool", "arguments", "field"), [
    ("literature_search", {"query": DEEP}, "query"),
    ("get_papers", {"ids": json.dumps([HALF])}, "ids.0"),
])  # fmt: skip
def test_so_it_is_by_mcp(running: Machine, tool: str, arguments: Any, field: str) -> None:
    reported = message(running, tool, arguments)
    problem = reported["structuredContent"]
    assert reported["isError"]
    assert (problem["status"], [fault["field"] for fault in problem["errors"]]) == (422, [field])


@pytest.mark.parametrize(("path", "body"), [
    ("/v1/citations", {"context": CONTEXT, "papers": [1] * MANY}),
    ("/v1/citations", {"context": CONTEXT, "papers": [1] * 15_000}),
    ("/v1/citations", {"context": CONTEXT, "papers": [f"none {number}" for number in range(500)]}),
    ("/v1/citations", {"context": CONTEXT, "papers": ", ".join(f"none {number}" for number in range(MANY))}),
    ("/v1/resolve", {"references": [{}] * MANY}),
    ("/v1/resolve", {"references": [{}] * 15_000}),
    ("/v1/papers", {"ids": [{}] * 15_000}),
    ("/v1/exports", {"ids": [{}] * 15_000}),
])  # fmt: skip
def test_a_refusal_is_short_and_so_is_its_log(
    running: Machine, monkeypatch: pytest.MonkeyPatch, path: str, body: Any
) -> None:
    written = io.StringIO()
    for handler in logger.handlers:
        monkeypatch.setattr(handler, "stream", written)
    response = running.invoke("dispatcher", rest_event("POST", path, body=json.dumps(body)))
    assert response["statusCode"] in (400, 413, 422)
    assert 1 <= len(json.loads(response["body"])["errors"]) <= 11
    assert len(response["body"]) < MOST_BYTES
    assert len(written.getvalue()) < MOST_BYTES


def test_fifty_levels_of_parentheses_are_searched(running: Machine) -> None:
    nested = "(TREM2 OR a b " * 50 + "microglia" + ")" * 50
    asked = {"query": nested, "include_abstract": False}
    status, answer = call(running, "POST", "/v1/literature-search", asked)
    assert status == 200
    outcomes = {report["outcome"] for report in answer["providers"].values()}
    assert outcomes <= {"ok", "empty", "skipped_no_key", "skipped_unsupported_filter"}


def test_the_logs_of_a_search_have_no_word_of_it(running: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    written = io.StringIO()
    monkeypatch.setattr(logger._logger, "level", 20)
    for handler in logger.handlers:
        monkeypatch.setattr(handler, "stream", written)
    call(running, "POST", "/v1/literature-search", {"query": 'secretword "zzqqword unknown" OR truncatedw*'})
    call(running, "POST", "/v1/literature-search", {"query": "secretword", "providers": ["secretword"]})
    call(running, "POST", "/v1/citations", {"context": CONTEXT, "papers": ["secretword"]})
    log = written.getvalue()
    assert '"message":"leg"' in log
    assert '"message":"problem"' in log
    for word in ("secretword", "zzqqword", "truncatedw"):
        assert word not in log


@pytest.mark.parametrize(("length", "cited"), [(390, 1), (600, 0)])
def test_a_doi_is_cited_whole_or_not_at_all(running: Machine, length: int, cited: int) -> None:
    doi = "10.1000/" + "a1" * (length // 2)
    status, answer = call(running, "POST", "/v1/citations", {"context": CONTEXT, "text": f"as in doi:{doi} (2020)"})
    assert (status, answer["recorded"]) == (200, cited)
    assert all(mention["id"] == f"doi:{doi}" for mention in answer["mentions"])
    status, answer = call(running, "POST", "/v1/citations", {"context": CONTEXT, "papers": [doi]})
    assert status == (200 if cited else 422)
