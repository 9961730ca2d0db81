"""`/openapi.json`, `/docs` and `/llms.txt` as they are served; and that the document has every route and no other."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from infra.local.gateway import rest_event
from infra.local.machine import Machine
from shared.api.operations import OPERATIONS
from shared.delivery.webhook import new_secret, signed_headers
from tests.interface_examples import examples
from tests.published_schemas import document, validate

SIGNED: dict[str, Any] = {"delivery_id": "d", "at": 0, "body": b"{}"}


def get(local: Machine, path: str, **headers: str) -> tuple[int, str, str]:
    response = local.request(rest_event("GET", path, headers=headers))
    return response["statusCode"], response["multiValueHeaders"]["Content-Type"][0], response["body"]


def test_the_document_names_the_requested_host(running: Machine) -> None:
    status, kind, body = get(running, "/openapi.json", Host="127.0.0.1:8080")
    assert (status, kind) == (200, "application/json")
    assert json.loads(body)["servers"] == [{"url": "http://127.0.0.1:8080"}]
    assert json.loads(body)["paths"] == document()["paths"]


def test_behind_api_gateway_the_address_has_its_stage(running: Machine) -> None:
    event = rest_event("GET", "/openapi.json", headers={"Host": "evil.example", "X-Forwarded-Proto": "https"})
    event["requestContext"] |= {"domainName": "abc.execute-api.example.org", "path": "/dev/openapi.json"}
    served = json.loads(running.request(event)["body"])
    assert served["servers"] == [{"url": "https://abc.execute-api.example.org/dev"}]


@pytest.mark.parametrize("host", ["", "a b", "x/../y", '"><script>', "a" * 300])
def test_an_invalid_host_is_not_repeated(running: Machine, host: str) -> None:
    _, _, body = get(running, "/openapi.json", Host=host)
    assert json.loads(body)["servers"] == [{"url": "/"}]


def test_the_page_is_html_under_a_strict_policy(running: Machine) -> None:
    response = running.request(rest_event("GET", "/docs", headers={"Host": "127.0.0.1"}))
    assert response["multiValueHeaders"]["Content-Type"] == ["text/html; charset=utf-8"]
    assert response["multiValueHeaders"]["Content-Security-Policy"][0].startswith("default-src 'none'")
    assert response["body"].startswith("<!DOCTYPE html>")


def test_the_guide_is_markdown(running: Machine) -> None:
    status, kind, body = get(running, "/llms.txt", Host="127.0.0.1")
    assert (status, kind) == (200, "text/markdown; charset=utf-8")
    assert body.startswith("# Literature search\n\n> ")


def test_every_route_is_in_the_document_and_no_other(running: Machine) -> None:
    from functions.dispatcher import handler as dispatcher
    from functions.public_pages import handler as public_pages

    routes: set[tuple[str, str]] = set()
    for function in (dispatcher, public_pages):
        for path in function.MODULES:
            function.application.routes.include(path)
        app = function.application.app
        found = {(it.method, _name(it.rule.pattern)) for it in (*app._static_routes, *app._dynamic_routes)}
        assert not routes & found
        routes |= found
    documented = {(it.method, _name(it.path)) for it in OPERATIONS}
    of_one_paper = {("GET", f"/v1/papers/*/{part}") for part in ("references", "citations", "fulltext", "similar")}
    for_browsers = {("GET", "/assets/*")}
    assert documented - of_one_paper == routes - for_browsers


def _name(pattern: str) -> str:
    """`/v1/papers/*`, of a route's regular expression as of a template."""
    bare = pattern.removeprefix("^").removesuffix("$").removesuffix("/*")
    return re.sub(r"\(\?P<\w+>.*?\]\+\)|\{\w+\}|\.\+|\[\\s\\S\]\+", "*", bare) or "/"


@pytest.mark.parametrize(("method", "path", "allowed"), [
    ("DELETE", "/v1/literature-search", "GET, POST"), ("POST", "/health", "GET, HEAD"), ("PUT", "/v1/papers", "POST"),
    ("POST", "/v1/papers/10.1000%2Fa", "GET"), ("OPTIONS", "/v1/resolve", "POST"),
    ("PUT", "/v1/saved-searches", "GET, HEAD, POST"), ("POST", "/v1/saved-searches/0", "DELETE, GET, HEAD, PATCH"),
    ("DELETE", "/v1/saved-searches/0/new", "GET, HEAD"),
])  # fmt: skip
def test_another_method_is_a_405_that_names_the_allowed_ones(
    running: Machine, method: str, path: str, allowed: str
) -> None:
    response = running.request(rest_event(method, path))
    assert (response["statusCode"], response["multiValueHeaders"]["Allow"]) == (405, [allowed])
    assert json.loads(response["body"])["code"] == "method_not_allowed"


@pytest.mark.slow
def test_every_example_can_be_requested_unchanged(running: Machine) -> None:
    recorded = examples(running)
    assert set(recorded) == {*(operation.name for operation in OPERATIONS), "saved_search_events"}
    for operation in OPERATIONS:
        published = document()["paths"][operation.path][operation.method.lower()]
        shown = published["responses"][str(operation.status)].get("content", {}).get("application/json", {})
        shown = shown.get("example")
        assert (shown is None) == ("answer" not in recorded[operation.name]), "run python -m tests.interface_examples"
        if shown is not None:
            assert set(shown) == set(recorded[operation.name]["answer"])


def test_an_answer_that_is_not_as_published_is_found() -> None:
    good: dict[str, Any] = {"papers": 1, "cites": 0, "contexts": 0, "cited_in": 0, "shown_in": 0, "complete": True}
    validate("/v1/graph/stats", "GET", 200, good)
    for wrong in ({**good, "more": 1}, {**good, "papers": -1}, {"papers": 1}, {**good, "complete": None}):
        with pytest.raises(AssertionError, match="not as published"):
            validate("/v1/graph/stats", "GET", 200, wrong)
    with pytest.raises(AssertionError, match="status"):
        validate("/v1/graph/stats", "GET", 418, good)
    with pytest.raises(AssertionError, match="media type"):
        validate("/v1/graph/stats", "GET", 200, good, "text/csv")
    with pytest.raises(AssertionError, match="not in the document"):
        validate("/v1/nothing", "GET", 200, good)


@pytest.mark.slow
def test_webhook_payloads_are_documented_as_webhooks(running: Machine) -> None:
    example = examples(running)["saved_search_events"]
    post = document()["webhooks"]["saved_search_events"]["post"]
    content = post["requestBody"]["content"]["application/json"]
    schema = Draft202012Validator({**content["schema"], "components": document()["components"]})
    for payload in (example, content["example"]):
        schema.validate(payload)
        assert not schema.is_valid({**payload, "type": "other"})
        assert not schema.is_valid({**payload, "data": {**payload["data"], "events": []}})
    assert {it["name"] for it in post["parameters"]} == set(signed_headers(new_secret(bytes(32)), **SIGNED))


def test_every_status_of_a_saved_search_is_in_the_document() -> None:
    documented = {
        (method, path): set(operation["responses"]) - {"400", "401", "500", "403", "413", "415", "429"}
        for path, operations in document()["paths"].items() if "saved-searches" in path
        for method, operation in operations.items()
    }  # fmt: skip
    assert documented == {
        ("post", "/v1/saved-searches"): {"200", "201", "404", "409", "422", "503"},
        ("get", "/v1/saved-searches"): {"200", "422", "503"},
        ("get", "/v1/saved-searches/{id}"): {"200", "404", "503"},
        ("patch", "/v1/saved-searches/{id}"): {"200", "404", "409", "422", "503"},
        ("delete", "/v1/saved-searches/{id}"): {"204", "404", "503"},
        ("post", "/v1/saved-searches/{id}/webhook-secret"): {"200", "404", "409", "503"},
        ("get", "/v1/saved-searches/{id}/new"): {"200", "304", "404", "422", "503"},
    }


def test_the_guide_describes_saved_searches(running: Machine) -> None:
    assert "A saved search runs on a schedule" in get(running, "/llms.txt", Host="127.0.0.1")[2]
