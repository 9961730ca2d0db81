"""Who sees what: each kind of caller on each kind of route, over HTTP and MCP, where a credential is required."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from infra.local.gateway import application
from infra.local.machine import Machine
from tests.closed_service import closed_service, machine_with
from tests.http_server import serving
from tests.local_issuer import Issuer

ELIFE = "10.7554/eLife.20391"
CONTEXT, CONTEXT_OF_TOKEN = {"type": "debate", "id": "of the first"}, {"type": "debate", "id": "of a token"}
# The first caller wrote the context and saved the search; by Bearer it is the same caller.
CALLERS: dict[str, dict[str, str]] = {
    "none": {},
    "key": {"x-api-key": "first-key"},
    "bearer": {"Authorization": "Bearer first-key"},
    "bearer in another case": {"authorization": "bearer first-key"},
    "other": {"x-api-key": "second-key"},
    "other bearer": {"Authorization": "Bearer second-key"},
    "both headers": {"x-api-key": "first-key", "Authorization": "Bearer second-key"},
    "no scheme": {"Authorization": "first-key"},
    "basic": {"Authorization": "Basic Zmlyc3Q6a2V5"},
    "empty": {"Authorization": "Bearer"},
    "control characters": {"x-api-key": "a\tb"},
    "key of the tokens": {"Authorization": "Bearer local-callers-with-access-tokens"},
}
# Callers with an access token: each subject is a caller of its own. Their headers are made when the issuer runs.
TOKENS: dict[str, dict[str, str]] = {
    "token": {"sub": "one"},
    "token of another": {"sub": "two"},
    "token as a key": {"sub": "one"},
    "token for another service": {"aud": "https://other.example"},
    "token of another issuer": {"iss": "https://other.example"},
}
OWNERS = {"key", "bearer", "bearer in another case", "both headers"}
OWNERS_BY_TOKEN = {"token", "token as a key"}
REFUSED = {"none", "no scheme", "basic", "empty", "control characters", "key of the tokens",
           "token for another service", "token of another issuer"}  # fmt: skip
PUBLIC = ("/", "/health", "/openapi.json", "/llms.txt")
COMMON = (f"/v1/papers/{ELIFE}?cite_in_kg=false&fields=key", f"/v1/graph/papers/{ELIFE}?limit=1", "/v1/graph/stats",
          "/v1/providers", "/v1/tools", "/v1/saved-searches")  # fmt: skip
OWN, OWN_OF_TOKEN = "/v1/graph/contexts/debate/of%20the%20first", "/v1/graph/contexts/debate/of%20a%20token"


@pytest.fixture(scope="module")
def running(issuer: Issuer) -> Iterator[Machine]:
    with machine_with(issuer, scope=None) as local:
        yield local


@pytest.fixture(scope="module")
def closed(running: Machine, issuer: Issuer) -> Iterator[str]:
    """The service where a credential is required, as in AWS.

    The first caller has a context and a saved search, and so has the subject of the first token.
    """
    with closed_service(running) as address:
        for name, claims in TOKENS.items():
            token = issuer.token(**{"aud": f"{address}/mcp", **claims})
            CALLERS[name] = {"x-api-key": token} if name == "token as a key" else {"Authorization": f"Bearer {token}"}
        for owner, context in (("key", CONTEXT), ("token", CONTEXT_OF_TOKEN)):
            search = {"search": {"query": "TREM2", "providers": ["crossref"]}, "schedule": "rate(1 day)"}
            with httpx.Client(base_url=address, headers=CALLERS[owner], timeout=30) as client:
                assert client.post("/v1/saved-searches", json=search).status_code == 201
                assert client.post("/v1/papers", json={"ids": [ELIFE]}).status_code == 200
                cited = {"context": context, "papers": [ELIFE]}
                assert client.post("/v1/citations", json=cited).status_code == 200
        running.drain_queue()
        yield address


every_caller = pytest.mark.parametrize("caller", [*CALLERS, *TOKENS])


@every_caller
def test_public_paths_are_for_all(closed: str, caller: str) -> None:
    statuses = [httpx.get(closed + path, headers=CALLERS[caller], timeout=30).status_code for path in PUBLIC]
    assert statuses == [200] * len(PUBLIC)


@every_caller
def test_papers_and_the_graph_are_for_every_caller_with_a_credential(closed: str, caller: str) -> None:
    expected = 401 if caller in REFUSED else 200
    for path in COMMON:
        answer = httpx.get(closed + path, headers=CALLERS[caller], timeout=30)
        assert answer.status_code == expected, path
        if expected == 401:
            assert answer.headers["WWW-Authenticate"].startswith("Bearer")
            assert answer.headers["Content-Type"] == "application/problem+json"
            assert (answer.json()["code"], answer.json()["retryable"]) == ("unauthorized", False)


@every_caller
def test_a_context_and_saved_searches_are_for_their_owner(closed: str, caller: str) -> None:
    for owners, path in ((OWNERS, OWN), (OWNERS_BY_TOKEN, OWN_OF_TOKEN)):
        answer = httpx.get(closed + path, headers=CALLERS[caller])
        assert answer.status_code == (401 if caller in REFUSED else 200 if caller in owners else 404)
    if caller not in REFUSED:
        saved = httpx.get(f"{closed}/v1/saved-searches", headers=CALLERS[caller]).json()["saved_searches"]
        assert len(saved) == (1 if caller in OWNERS | OWNERS_BY_TOKEN else 0)


def mcp(address: str, caller: str, method: str, **params: Any) -> httpx.Response:
    headers = {"Accept": "application/json, text/event-stream", "MCP-Protocol-Version": "2025-11-25"}
    message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    return httpx.post(f"{address}/mcp", json=message, headers={**headers, **CALLERS[caller]}, timeout=30)


@every_caller
def test_mcp_shows_each_caller_what_http_does(closed: str, caller: str) -> None:
    found = mcp(closed, caller, "tools/call", name="fetch", arguments={"id": f"doi:{ELIFE.lower()}"})
    own = mcp(closed, caller, "resources/read", uri="literature://graph/contexts/debate/of%20the%20first")
    of_token = mcp(closed, caller, "resources/read", uri="literature://graph/contexts/debate/of%20a%20token")
    opened = mcp(closed, caller, "tools/call", name="fetch", arguments={"id": "literature://saved-searches"})
    if caller in REFUSED:
        assert {it.status_code for it in (found, own, of_token, opened)} == {401}
        return
    assert found.json()["result"]["structuredContent"]["title"]
    assert ("result" in own.json()) is (caller in OWNERS)
    assert ("result" in of_token.json()) is (caller in OWNERS_BY_TOKEN)
    saved = json.loads(opened.json()["result"]["structuredContent"]["text"])["saved_searches"]
    assert len(saved) == (1 if caller in OWNERS | OWNERS_BY_TOKEN else 0)


def test_on_one_machine_no_credential_is_needed_but_a_wrong_one_is_refused(running: Machine, closed: str) -> None:
    with serving(application(running)) as address:
        assert httpx.get(f"{address}/v1/graph/stats").status_code == 200
        wrong = CALLERS["token for another service"]
        assert httpx.get(f"{address}/v1/graph/stats", headers=wrong).status_code == 401


def test_a_caller_cannot_name_itself(closed: str) -> None:
    headers = {**CALLERS["other"], "tenant": "first-key", "X-Amzn-Tenant": "first-key"}
    assert httpx.get(closed + OWN, headers=headers).status_code == 404


def test_a_key_is_replaced_by_another_of_its_tenant_and_nothing_is_lost(closed: str) -> None:
    old, new, stranger = (
        {"x-api-key": f"{name}.{secret * 40}"} for name, secret in (("team", "a"), ("team", "b"), ("x", "c"))
    )
    saved = {"search": {"query": "TREM2", "providers": ["crossref"]}, "schedule": "rate(1 day)"}
    made = httpx.post(f"{closed}/v1/saved-searches", json=saved, headers=old).json()
    path = f"{closed}/v1/saved-searches/{made['id']}"
    assert [httpx.get(path, headers=it).status_code for it in (old, new, stranger)] == [200, 200, 404]
    assert httpx.delete(path, headers=new).status_code in (200, 204)
