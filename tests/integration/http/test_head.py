"""HEAD is GET without the body (RFC 9110, 9.3.2), where reading queries no source; others name what they offer."""

from __future__ import annotations

import httpx
import pytest

from infra.local.gateway import rest_event
from infra.local.machine import Machine
from tests.integration.papers_calls import fetch, upstream


@pytest.mark.parametrize(
    "path", ["/health", "/openapi.json", "/docs", "/llms.txt", "/v1/tools", "/v1/saved-searches/no"]
)
def test_head_has_the_headers_of_get_and_no_body(address: str, path: str) -> None:
    with httpx.Client(base_url=address) as client:  # one connection: a body would be read as the next answer
        got, head, again = client.get(path), client.head(path), client.get(path)
    assert head.content == b""
    assert (head.status_code, again.status_code) == (got.status_code, got.status_code)
    assert {**head.headers, "date": ""} == {**got.headers, "date": ""}
    assert int(head.headers["Content-Length"]) > 0


def test_head_of_a_stored_list_queries_no_source(running: Machine, address: str) -> None:
    found = fetch(running, "POST", "/v1/literature-search", {"query": "TREM2 microglia", "max_results": 3})
    before = upstream(running)
    for path in (
        f"result-sets/{found['result_set_id']}",
        f"result-sets/{found['result_set_id']}/facets",
        "graph/stats",
    ):
        assert httpx.head(f"{address}/v1/{path}").status_code == 200
    assert httpx.head(f"{address}/v1/result-sets/{'0' * 32}").status_code == 410
    assert httpx.head(f"{address}/v1/nothing").status_code == 404
    assert upstream(running) == before


@pytest.mark.parametrize(("method", "path", "allowed"), [
    ("HEAD", "/v1/literature-search", "GET, POST"), ("HEAD", "/v1/papers/10.1000%2Fa", "GET"),
    ("HEAD", "/v1/exports", "GET, POST"), ("HEAD", "/v1/passages", "POST"), ("PUT", "/v1/papers/10.1000%2Fa", "GET"),
    ("POST", "/v1/providers", "GET, HEAD"), ("POST", "/health", "GET, HEAD"),
    ("PUT", "/v1/saved-searches/0", "DELETE, GET, HEAD, PATCH"),
])  # fmt: skip
def test_allow_names_head_where_it_is_answered(running: Machine, method: str, path: str, allowed: str) -> None:
    response = running.request(rest_event(method, path))
    assert (response["statusCode"], response["multiValueHeaders"]["Allow"]) == (405, [allowed])
