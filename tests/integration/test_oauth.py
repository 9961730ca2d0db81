"""Callers with an access token: the issuer is found through the metadata, and each subject is a tenant."""

from __future__ import annotations

import json
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
from tests.http_server import serving
from tests.local_issuer import Issuer, issuing

METADATA = "/.well-known/oauth-protected-resource"
OWN = "/v1/graph/contexts/debate/tokens"
ELIFE = "10.7554/eLife.20391"


@pytest.fixture(scope="module")
def issuer() -> Iterator[Issuer]:
    with issuing() as running:
        yield running


@pytest.fixture(scope="module")
def running(issuer: Issuer) -> Iterator[Machine]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OAUTH_ISSUER", issuer.address)
        patch.setenv("OAUTH_SCOPE", "literature/search")
        with machine(sandbox=Sandbox(faults={})) as local:
            yield local


@pytest.fixture(scope="module")
def closed(running: Machine) -> Iterator[str]:
    with serving(application(running, key_required=True)) as address:
        yield address


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def test_a_client_without_a_token_finds_the_issuer(closed: str, issuer: Issuer) -> None:
    refused = httpx.post(f"{closed}/mcp", json={})
    assert refused.status_code == 401
    assert refused.headers["WWW-Authenticate"] == f'Bearer resource_metadata="{closed}{METADATA}"'
    for path in (METADATA, f"{METADATA}/mcp"):
        found = httpx.get(closed + path).json()
        assert (found["resource"], found["authorization_servers"]) == (closed, [issuer.address])
        assert found["bearer_methods_supported"] == ["header"]


@pytest.mark.parametrize("suffix", ["", "/", "/mcp"])
def test_a_token_for_this_service_is_good(closed: str, issuer: Issuer, suffix: str) -> None:
    token = issuer.token(aud=closed + suffix)
    assert httpx.get(f"{closed}/v1/graph/stats", headers=bearer(token)).status_code == 200


def test_a_token_without_an_audience_needs_the_scope_of_this_service(closed: str, issuer: Issuer) -> None:
    statuses = [
        httpx.get(f"{closed}/v1/graph/stats", headers=bearer(issuer.token(scope=scope))).status_code
        for scope in ("openid literature/search", "openid", None)
    ]
    assert statuses == [200, 401, 401]


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
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_token_is_refused_on_every_route(closed: str, issuer: Issuer, name: str) -> None:
    token = issuer.token(**{"aud": closed, **WRONG[name]})
    for path in ("/v1/graph/stats", "/v1/saved-searches", "/mcp"):
        assert httpx.get(closed + path, headers=bearer(token)).status_code == 401
    altered = issuer.token(aud=closed)[:-4] + "AAAA"
    assert httpx.get(f"{closed}/v1/graph/stats", headers=bearer(altered)).status_code == 401


def test_unknown_keys_make_no_requests_to_the_issuer(closed: str, issuer: Issuer) -> None:
    httpx.get(f"{closed}/v1/graph/stats", headers=bearer(issuer.token(aud=closed)))
    before = len(issuer.requests)
    for number in range(5):
        httpx.get(f"{closed}/v1/graph/stats", headers=bearer(issuer.token(aud=closed, kid=f"made up {number}")))
    assert len(issuer.requests) == before


def test_each_subject_is_a_tenant_of_its_own(closed: str, issuer: Issuer, running: Machine) -> None:
    mine = bearer(issuer.token(aud=closed, sub="one"))
    cited = {"context": {"type": "debate", "id": "tokens"}, "papers": [ELIFE]}
    assert httpx.post(f"{closed}/v1/citations", json=cited, headers=mine, timeout=30).status_code == 200
    running.drain_queue()
    others = [bearer(issuer.token(aud=closed, sub="two")), bearer("a-key"), {"x-api-key": "a-key"}]
    assert httpx.get(closed + OWN, headers=bearer(issuer.token(aud=closed, sub="one"))).status_code == 200
    assert [httpx.get(closed + OWN, headers=it).status_code for it in others] == [404] * 3


def test_the_sdks_client_searches_opens_a_paper_and_reads_the_graph_with_a_token(closed: str, issuer: Issuer) -> None:
    async def run() -> tuple[Any, Any, Any]:
        async with (
            httpx2.AsyncClient(headers=bearer(issuer.token(aud=f"{closed}/mcp")), timeout=30) as http,
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
