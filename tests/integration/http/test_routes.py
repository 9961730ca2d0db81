"""The REST API: every route, every form of event, and the errors of wrong ones."""

from __future__ import annotations

import base64
import json
from typing import Any
from urllib.parse import urlsplit

import pytest

from infra.functions import provider_names
from infra.local.gateway import rest_event
from infra.local.machine import Machine
from shared.version import VERSION
from tests.integration.empty_cache import remove_cached_legs
from tests.results import keys

SEARCH = "/v1/literature-search"
PROBLEM_FIELDS = {
    "type", "title", "status", "detail", "code", "retryable", "retry_after_s", "hint", "errors", "request_id",
}  # fmt: skip


def call(local: Machine, *args: Any, **kwargs: Any) -> tuple[int, dict[str, Any], str]:
    response = local.request(rest_event(*args, **kwargs))
    return response["statusCode"], json.loads(response["body"]), response["multiValueHeaders"]["Content-Type"][0]


def test_get_and_post_take_the_same_fields(running: Machine) -> None:
    parameters = {
        "query": ["TREM2"],
        "providers": ["openalex,crossref"],
        "max_results": ["4"],
        "include_abstract": ["false"],
    }
    _, by_get, _ = call(running, "GET", SEARCH, query=parameters)
    body = json.dumps(
        {"query": "TREM2", "providers": ["openalex", "crossref"], "max_results": 4, "include_abstract": False}
    )
    _, by_post, _ = call(running, "POST", SEARCH, body=body)
    assert keys(by_get) == keys(by_post)
    assert by_get["returned"] == 4
    assert all(result["abstract"] is None for result in by_get["results"])


def test_a_repeated_parameter_is_a_list(running: Machine) -> None:
    status, answer, _ = call(running, "GET", SEARCH, query={"query": ["TREM2"], "providers": ["openalex", "crossref"]})
    assert (status, set(answer["providers"])) == (200, {"openalex", "crossref"})


def test_a_base64_body_is_decoded(running: Machine) -> None:
    body = base64.b64encode('{"query": "TREM2 “Alzheimer’s”"}'.encode()).decode()
    status, answer, _ = call(running, "POST", SEARCH, body=body, is_base64=True)
    assert (status, answer["query"]) == (200, "TREM2 “Alzheimer’s”")


BAD_BODIES = {
    "no body": (None, False),
    "no JSON": ("query=TREM2", False),
    "an array": ('["TREM2"]', False),
    "half": ('{"query": "TREM2"', False),
    "bytes that are not text": (base64.b64encode(b"\xff\xfe\xfa").decode(), True),
    "base64 that is none": ("%%%", True),
}


def test_too_large_a_body_is_a_413_that_says_how_large_it_may_be(running: Machine) -> None:
    body = json.dumps({"query": "a", "author": "x" * 70_000})
    status, problem, kind = call(running, "POST", SEARCH, body=body)
    assert (status, kind, problem["code"]) == (413, "application/problem+json", "too_large")
    assert problem["detail"] == "body: must have at most 64000 bytes"
    assert problem["errors"][0]["field"] == "body"


@pytest.mark.parametrize("name", BAD_BODIES)
def test_a_body_that_cannot_be_read_is_a_400_that_names_it(running: Machine, name: str) -> None:
    body, is_base64 = BAD_BODIES[name]
    status, problem, kind = call(running, "POST", SEARCH, body=body, is_base64=is_base64)
    assert (status, kind) == (400, "application/problem+json")
    assert problem["errors"][0]["field"] == "body"
    assert problem["hint"]


def test_a_problem_has_the_fields_of_rfc_9457_and_our_own(running: Machine) -> None:
    status, problem, kind = call(running, "GET", SEARCH, query={"query": ["a"], "sort": ["oldest"]})
    assert (status, kind, problem["status"]) == (422, "application/problem+json", 422)
    assert set(problem) == PROBLEM_FIELDS
    assert problem["request_id"]


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/v1/nothing"),
        ("GET", SEARCH + "/x"),
    ],
)
def test_an_unknown_route_is_a_404_problem(running: Machine, method: str, path: str) -> None:
    status, problem, kind = call(running, method, path)
    assert (status, kind, problem["code"]) == (404, "application/problem+json", "not_found")
    assert set(problem) == PROBLEM_FIELDS


@pytest.mark.parametrize(
    ("path", "nearest"),
    [
        ("/v1/literature_search", "GET, POST /v1/literature-search"),
        ("/v1/search", "GET, POST /v1/literature-search"),
        ("/v2/literature-search", "GET, POST /v1/literature-search"),
        ("/v1/paper", "POST /v1/papers"),
        ("/v1/paper/10.1000/x", "GET /v1/papers/{id}"),
        ("/v1/paper/10.1000/x/reference", "GET /v1/papers/{id}/references"),
        ("/v1/resolve_reference", "POST /v1/resolve"),
        ("/v1/references/resolve", "POST /v1/resolve"),
        ("/v1/resolve-references", "POST /v1/resolve"),
        ("/v1/serach", "GET, POST /v1/literature-search"),
        ("/api/v1/search", "GET, POST /v1/literature-search"),
        ("/mcp/", "POST /mcp"),
        ("/v1/mcp", "POST /mcp"),
        ("/sse", "POST /mcp"),
        ("/v1/searches/saved", "GET, POST /v1/saved-searches"),
        ("/v1/paper/10.1000/x/similar", "GET /v1/papers/{id}/similar"),
        ("/v1/graph/context/debate/42", "GET /v1/graph/contexts/{type}/{id}"),
        ("/v1/saved-searches/a1/news", "GET /v1/saved-searches/{id}/new"),
        ("/v1/saved-searches/a1/webhook", "POST /v1/saved-searches/{id}/webhook-secret"),
        ("/v2/papers/10.1000/x", "GET /v1/papers/{id}"),
        ("/healthz", "GET /health"),
        ("/v1/result-sets", "GET /v1/result-sets/{id}"),
        ("/v1/graph/papers", "GET /v1/graph/papers/{id}"),
        ("/v1/exports/papers", "GET, POST /v1/exports"),
        ("/v1/export/papers", "GET, POST /v1/exports"),
        ("/v1/graph/contexts/debate", "GET /v1/graph/contexts/{type}/{id}"),
        ("/v1/networks", "POST /v1/citation-network"),
        ("/v1/contexts", "GET /v1/graph/contexts/{type}/{id}"),
        ("/v1/facets", "GET /v1/result-sets/{id}/facets"),
        ("/v1/references", "GET /v1/papers/{id}/references"),
        ("/v1/saved", "GET, POST /v1/saved-searches"),
        ("/literature-searchs", "GET, POST /v1/literature-search"),
    ],
)
def test_an_unknown_route_is_answered_with_the_nearest_one(running: Machine, path: str, nearest: str) -> None:
    status, problem, _ = call(running, "GET", path)
    assert (status, problem["hint"]) == (404, f"Did you mean {nearest}? All routes are in /openapi.json.")


@pytest.mark.parametrize(
    "path",
    [
        "/v1",
        "/v1/usage",
        "/v1/models",
        "/favicon.ico",
        "/wp-login.php",
        "/" + "x" * 5_000,
        "/../../etc/passwd",
    ],
)
def test_a_path_that_is_like_no_route_gets_no_guess(running: Machine, path: str) -> None:
    status, problem, _ = call(running, "GET", path)
    assert (status, problem["hint"]) == (404, "See /openapi.json.")


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("HEAD", "/v1/literature-search", "GET, POST"),
        ("POST", "/v1/providers", "GET, HEAD"),
        ("PUT", "/v1/papers", "POST"),
        ("GET", "/v1/passages", "POST"),
        ("DELETE", "/v1/graph/stats", "GET, HEAD"),
    ],
)
def test_another_method_is_a_405_that_names_those_of_the_path(
    running: Machine, method: str, path: str, allowed: str
) -> None:
    response = running.request(rest_event(method, path))
    assert (response["statusCode"], response["multiValueHeaders"]["Allow"]) == (405, [allowed])


def test_a_byte_order_mark_before_the_body_is_no_part_of_it(running: Machine) -> None:
    body = "\ufeff" + json.dumps({"query": "TREM2", "max_results": 1})
    status, answer, _ = call(running, "POST", SEARCH, body=body)
    assert (status, answer["query"]) == (200, "TREM2")


@pytest.mark.parametrize(
    ("path", "body", "name"),
    [
        (SEARCH, '{"query": "TREM2", "query": "tau"}', "query"),
        (SEARCH, '{"query": "TREM2", "context": {"type": "debate", "id": "1", "id": "2"}}', "id"),
        ("/v1/papers", '{"ids": ["10.1000/x"], "ids": []}', "ids"),
        ("/v1/resolve", '{"references": [{"title": "a", "year": 2000, "year": 2001}]}', "year"),
        ("/v1/citations", '{"context": {"type": "debate", "id": "1"}, "text": "a", "text": "a"}', "text"),
    ],
)
def test_a_name_that_a_body_has_twice_is_refused(running: Machine, path: str, body: str, name: str) -> None:
    status, problem, _ = call(running, "POST", path, body=body)
    assert (status, problem["errors"]) == (400, [{"field": name, "message": "is given more than once"}])


def test_pubmed_search_refuses_other_providers(running: Machine) -> None:
    body = json.dumps({"query": "a", "providers": "arxiv"})
    status, problem, _ = call(running, "POST", "/v1/pubmed-search", body=body)
    assert (status, problem["errors"][0]["field"]) == (422, "providers")


def test_the_provider_list_shows_capabilities(running: Machine) -> None:
    _, listing, _ = call(running, "GET", "/v1/providers")
    providers = listing["providers"]
    assert set(providers) == set(provider_names())
    assert all(entry["available"] and entry["manual"].startswith("https://") for entry in providers.values())
    assert providers["paperclip"]["needs_key"] is True
    assert "date" in providers["pubmed"]["filters"]
    assert "key" not in {name for entry in providers.values() for name in entry}


def test_the_tools_are_listed_with_their_category(running: Machine) -> None:
    _, listing, _ = call(running, "GET", "/v1/tools")
    names = [tool["name"] for tool in listing["tools"]]
    assert sorted(names) == [
        "citation_network", "cite_in_context", "fetch", "get_papers", "literature_search", "pubmed_search",
        "resolve_reference", "search",
    ]  # fmt: skip
    assert {tool["category"] for tool in listing["tools"]} == {"literature_search"}


def test_health_sends_no_request(running: Machine) -> None:
    assert running.sandbox is not None
    before = len(running.sandbox.requests)
    assert call(running, "GET", "/health")[:2] == (200, {"status": "ok"})
    assert len(running.sandbox.requests) == before


def test_the_address_alone_says_what_answers_there_and_where_to_go_on(running: Machine) -> None:
    status, answer = call(running, "GET", "/")[:2]
    assert (status, answer["name"], answer["version"]) == (200, "Literature search", VERSION)
    assert set(answer["links"]) == {"documentation", "openapi", "guide", "health", "search", "mcp"}
    assert call(running, "GET", urlsplit(answer["links"]["health"]).path)[:2] == (200, {"status": "ok"})


def test_a_schedule_runs_the_request_in_its_detail(running: Machine) -> None:
    detail = {"search_id": "x", "request": {"query": "TREM2", "max_results": 3}}
    answer = running.invoke("dispatcher", {"id": "event-1", "source": "aws.scheduler", "detail": detail})
    assert (answer["returned"], answer["request_id"]) == (3, "event-1")


def test_a_schedule_may_hold_the_request_itself(running: Machine) -> None:
    answer = running.invoke("dispatcher", {"id": "event-2", "detail": {"query": "TREM2", "max_results": 2}})
    assert answer["returned"] == 2


def test_a_direct_call_is_a_request(running: Machine) -> None:
    assert running.invoke("dispatcher", {"query": "TREM2", "max_results": 2})["returned"] == 2


def test_an_internal_error_is_reported_without_detail(running: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    from functions.dispatcher.routes import search as search_routes

    def broken(*_: Any) -> None:
        raise RuntimeError("inner words")

    monkeypatch.setattr(search_routes, "run_search", broken)
    status, problem, kind = call(running, "POST", SEARCH, body='{"query": "a"}')
    assert (status, kind, problem["code"]) == (500, "application/problem+json", "internal_error")
    assert "inner words" not in json.dumps(problem)


def test_a_missing_provider_function_costs_its_own_leg_alone(running: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    remove_cached_legs()
    monkeypatch.delitem(running.functions, "local-crossref")
    body = json.dumps({"query": "TREM2", "fresh": True})
    status, answer, _ = call(running, "POST", SEARCH, body=body)
    assert (status, answer["complete"]) == (200, False)
    assert answer["providers"]["crossref"]["outcome"] == "unavailable"
    assert answer["returned"] == 10


@pytest.mark.parametrize("garbage", [None, "text", {}, {"outcome": "ok"}, {"outcome": "new", "papers": []}])
def test_a_provider_function_that_answers_garbage_costs_its_own_leg_alone(
    running: Machine, monkeypatch: pytest.MonkeyPatch, garbage: Any
) -> None:
    remove_cached_legs()
    monkeypatch.setitem(running.functions, "local-crossref", lambda event, context: garbage)
    _, answer, _ = call(running, "POST", SEARCH, body=json.dumps({"query": "TREM2", "fresh": True}))
    assert answer["providers"]["crossref"]["outcome"] == "bad_response"
    assert answer["returned"] == 10


def test_a_provider_function_that_raises_costs_its_own_leg_alone(
    running: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(event: Any, context: Any) -> None:
        raise MemoryError("inner words")

    remove_cached_legs()
    monkeypatch.setitem(running.functions, "local-crossref", broken)
    _, answer, _ = call(running, "POST", SEARCH, body=json.dumps({"query": "TREM2", "fresh": True}))
    assert answer["providers"]["crossref"]["outcome"] == "bad_response"
    assert "inner words" not in json.dumps(answer)
