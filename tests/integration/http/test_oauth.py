"""Callers with an access token: the issuer is found through the metadata, and each subject is a tenant."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import time
from collections.abc import Iterator
from typing import Any

import anyio
import httpx
import httpx2
import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from infra.local.gateway import application
from infra.local.machine import Machine, machine
from infra.local.sandbox.server import Sandbox
from tests.closed_service import SCOPE, closed_service, machine_with
from tests.http_server import serving
from tests.local_issuer import Issuer

pytestmark = pytest.mark.slow  # whole flows with an issuer of their own

METADATA = "/.well-known/oauth-protected-resource"
OWN = "/v1/graph/contexts/debate/tokens"
OF_TOKENS = "local-callers-with-access-tokens"
ELIFE = "10.7554/eLife.20391"


@pytest.fixture(scope="module")
def running(issuer: Issuer) -> Iterator[Machine]:
    with machine_with(issuer) as local:
        yield local


@pytest.fixture(scope="module")
def closed(running: Machine) -> Iterator[str]:
    with closed_service(running) as address:
        yield address


def mcp(address: str, token: str, method: str, **params: Any) -> dict[str, Any]:
    headers = {"Accept": "application/json, text/event-stream", "MCP-Protocol-Version": "2025-11-25"}
    message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    answer = httpx.post(f"{address}/mcp", json=message, headers={**headers, **bearer(token)}, timeout=30)
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def test_a_client_without_a_token_finds_the_issuer(closed: str, issuer: Issuer) -> None:
    for headers in ({}, bearer("a.b.c"), bearer(issuer.token(aud="https://other.example"))):
        refused = httpx.post(f"{closed}/mcp", json={}, headers=headers)
        assert refused.status_code == 401
        challenge = f'Bearer resource_metadata="{closed}{METADATA}/mcp", scope="{SCOPE}"'
        assert refused.headers["WWW-Authenticate"] == challenge
    for path in ("", "/mcp"):
        found = httpx.get(closed + METADATA + path).json()
        assert (found["resource"], found["authorization_servers"]) == (closed + path, [issuer.address])
        assert (found["bearer_methods_supported"], found["scopes_supported"]) == (["header"], [SCOPE])


def test_the_whole_flow_from_the_401_to_the_graph(closed: str) -> None:
    refused = httpx.post(f"{closed}/mcp", json={})
    named = re.fullmatch(r'Bearer resource_metadata="([^"]+)", scope="([^"]+)"', refused.headers["WWW-Authenticate"])
    assert named
    resource = httpx.get(named[1]).json()
    issuer = httpx.get(f"{resource['authorization_servers'][0]}/.well-known/openid-configuration").json()
    verifier = "v" * 43
    proof = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
    wanted = {"response_type": "code", "client_id": "a-client", "redirect_uri": "http://127.0.0.1:1/back",
              "code_challenge": proof, "code_challenge_method": "S256", "resource": resource["resource"],
              "scope": named[2]}  # fmt: skip
    back = httpx.get(issuer["authorization_endpoint"], params=wanted).headers["Location"]
    code = {"grant_type": "authorization_code", "code": httpx.URL(back).params["code"], "code_verifier": verifier,
            "resource": resource["resource"], "client_id": "a-client"}  # fmt: skip
    token = httpx.post(issuer["token_endpoint"], data=code).json()["access_token"]
    found = mcp(closed, token, "tools/call", name="search", arguments={"query": "TREM2 microglia"})
    first = found["result"]["structuredContent"]["results"][0]["id"]
    paper = mcp(closed, token, "tools/call", name="fetch", arguments={"id": first})
    assert paper["result"]["structuredContent"]["title"]
    graph = mcp(closed, token, "resources/read", uri="literature://graph/stats")
    assert "papers" in json.loads(graph["result"]["contents"][0]["text"])


@pytest.mark.parametrize("suffix", ["", "/", "/mcp"])
def test_a_token_for_this_service_is_good(closed: str, issuer: Issuer, suffix: str) -> None:
    token = issuer.token(aud=closed + suffix, scope=SCOPE)
    assert httpx.get(f"{closed}/v1/graph/stats", headers=bearer(token)).status_code == 200


WRONG: dict[str, dict[str, Any]] = {
    "for another service": {"aud": "https://other.example"},
    "of another issuer": {"iss": "https://other.example"},
    "expired": {"exp": int(time.time()) - 3_600},
    "not valid yet": {"nbf": int(time.time()) + 3_600},
    "without an end": {"exp": None},
    "without a subject": {"sub": None},
    "of an unknown key": {"kid": "two"},
    "signed by somebody else": {"key": rsa.generate_private_key(public_exponent=65_537, key_size=2_048)},
    "signed with a shared secret": {"key": "a" * 32, "algorithm": "HS256"},
    "not signed": {"algorithm": "none"},
    "without the scope": {"scope": "openid"},
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_token_is_refused_on_every_route(closed: str, issuer: Issuer, name: str) -> None:
    token = issuer.token(**{"aud": closed, "scope": SCOPE, **WRONG[name]})
    for path in ("/v1/graph/stats", "/v1/saved-searches", "/mcp"):
        assert httpx.get(closed + path, headers=bearer(token)).status_code == 401
    altered = issuer.token(aud=closed, scope=SCOPE)[:-4] + "AAAA"
    assert httpx.get(f"{closed}/v1/graph/stats", headers=bearer(altered)).status_code == 401


def test_each_subject_is_a_tenant_of_its_own(closed: str, issuer: Issuer, running: Machine) -> None:
    mine = bearer(issuer.token(aud=closed, scope=SCOPE, sub="one"))
    cited = {"context": {"type": "debate", "id": "tokens"}, "papers": [ELIFE]}
    assert httpx.post(f"{closed}/v1/citations", json=cited, headers=mine, timeout=30).status_code == 200
    running.drain_queue()
    others = [bearer(issuer.token(aud=closed, scope=SCOPE, sub="two")), bearer("a-key"), {"x-api-key": "a-key"}]
    assert httpx.get(closed + OWN, headers=bearer(issuer.token(aud=closed, scope=SCOPE, sub="one"))).status_code == 200
    assert [httpx.get(closed + OWN, headers=it).status_code for it in others] == [404] * 3


def test_the_sdks_client_searches_opens_a_paper_and_reads_the_graph_with_a_token(closed: str, issuer: Issuer) -> None:
    async def run() -> tuple[Any, Any, Any]:
        async with (
            httpx2.AsyncClient(headers=bearer(issuer.token(aud=f"{closed}/mcp", scope=SCOPE)), timeout=30) as http,
            Client(streamable_http_client(f"{closed}/mcp", http_client=http)) as client,
        ):
            found = await client.call_tool("search", {"query": "TREM2 microglia"})
            first = found.structured_content["results"][0]["id"]
            paper = await client.call_tool("fetch", {"id": first})
            return found, paper, await client.read_resource("literature://graph/stats")

    found, paper, graph = anyio.run(run)
    assert not found.is_error
    assert paper.structured_content["title"]
    assert "papers" in json.loads(graph.contents[0].text)


def test_without_an_issuer_there_is_no_metadata(running: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OAUTH_ISSUER")
    with serving(application(running)) as address:
        assert httpx.get(address + METADATA).status_code == 404


def test_the_key_that_callers_with_tokens_count_for_opens_nothing(closed: str) -> None:
    for headers in ({"x-api-key": OF_TOKENS}, bearer(OF_TOKENS)):
        assert httpx.get(f"{closed}/v1/graph/stats", headers=headers).status_code == 401


def test_while_the_issuer_is_down_a_token_is_neither_good_nor_wrong(issuer: Issuer) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OAUTH_ISSUER", issuer.address)
        patch.setattr(issuer, "down", True)
        with machine(sandbox=Sandbox(faults={})) as local, serving(application(local, key_required=True)) as address:
            answer = httpx.get(f"{address}/v1/graph/stats", headers=bearer(issuer.token(aud=address)))
            assert (answer.status_code, answer.json()["code"], answer.json()["retryable"]) == (503, "unavailable", True)
            assert httpx.get(f"{address}/v1/graph/stats", headers={"x-api-key": "a-key"}).status_code == 200
