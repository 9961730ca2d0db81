"""Callers by either header and by access token, through the deployed authorizer and API Gateway's usage plan."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from tests.e2e.deployment import WRITTEN_S, Deployment, until
from tests.local_issuer import Issuer, issuing

ELIFE = "10.7554/eLife.20391"
AUDIENCE = "https://the-service.example"
ID = "of one caller"
OWN = "v1/graph/contexts/debate/of%20one%20caller"
STATS = "literature://graph/stats"


@pytest.fixture(scope="module")
def issuer(deployed: Deployment) -> Iterator[Issuer]:
    """An issuer whose tokens the deployed authorizer accepts, as with `-c oauth_issuer`, and count for a key of it."""
    client, name = deployed.aws.client("lambda"), deployed.functions["authorizer"]
    value, end = deployed.new_key("tokens")
    with issuing() as running:
        variables = {"OAUTH_ISSUER": running.address, "OAUTH_AUDIENCE": AUDIENCE, "OAUTH_API_KEY": value}
        client.update_function_configuration(FunctionName=name, Environment={"Variables": variables})
        yield running
        client.update_function_configuration(FunctionName=name, Environment={"Variables": {}})
    end()


def by(deployed: Deployment, headers: dict[str, str]) -> httpx.Client:
    client = deployed.http()
    client.headers.update(headers)
    return client


def bearer(text: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {text}"}


def mcp(client: httpx.Client, method: str, **params: Any) -> dict[str, Any]:
    headers = {"Accept": "application/json, text/event-stream", "MCP-Protocol-Version": "2025-11-25"}
    message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    answer = client.post("mcp", json=message, headers=headers)
    assert answer.status_code == 200, answer.text
    return dict(answer.json()["result"])


def test_a_key_as_a_bearer_is_the_same_caller(deployed: Deployment) -> None:
    saved = {"search": {"query": "TREM2", "providers": ["crossref"]}, "schedule": "rate(1 day)"}
    made = deployed.caller.post("v1/saved-searches", json=saved).json()
    with by(deployed, bearer(deployed.key)) as same:
        assert same.get(f"v1/saved-searches/{made['id']}").status_code == 200
        found = mcp(same, "tools/call", name="search", arguments={"query": "TREM2"})
        assert found["structuredContent"]["results"]
        assert same.delete(f"v1/saved-searches/{made['id']}").status_code in (200, 204)


def test_a_key_is_replaced_by_another_of_its_tenant_and_no_key_can_be_made_up(deployed: Deployment) -> None:
    values = [f"{tenant}.{secret * 40}" for tenant, secret in (("team", "a"), ("team", "b"), ("other", "c"))]
    ends = [deployed.new_key(f"key {number}", value=value)[1] for number, value in enumerate(values)]
    old, new, other = (by(deployed, {"x-api-key": value}) for value in values)
    saved = {"search": {"query": "TREM2", "providers": ["crossref"]}, "schedule": "rate(1 day)"}
    with old, new, other, by(deployed, {"x-api-key": f"team.{'z' * 40}"}) as made_up:
        path = f"v1/saved-searches/{old.post('v1/saved-searches', json=saved).json()['id']}"
        statuses = [client.get(path).status_code for client in (old, new, other, made_up)]
        assert statuses == [200, 200, 404, 403]
        ends[0]()
        assert (old.get(path).status_code, new.delete(path).status_code) == (403, 204)
    for end in ends[1:]:
        end()


def test_subjects_of_tokens_are_tenants_who_search_open_a_paper_and_read_the_graph(
    deployed: Deployment, issuer: Issuer
) -> None:
    one, two = (by(deployed, bearer(issuer.token(aud=AUDIENCE, sub=name))) for name in ("one", "two"))
    with one, two:
        found = mcp(one, "tools/call", name="search", arguments={"query": "TREM2"})["structuredContent"]["results"]
        paper = mcp(one, "tools/call", name="fetch", arguments={"id": found[0]["id"]})["structuredContent"]
        assert paper["title"] == found[0]["title"]
        cited = {"context": {"type": "debate", "id": ID}, "papers": [ELIFE]}
        assert one.post("v1/citations", json=cited).status_code == 200
        until(WRITTEN_S, lambda: one.get(OWN).status_code == 200)
        assert "papers" in mcp(one, "resources/read", uri=STATS)["contents"][0]["text"]
        assert two.get(OWN).status_code == deployed.caller.get(OWN).status_code == 404


@pytest.mark.parametrize("claims", [{"aud": "https://other.example"}, {"iss": "https://other.example"}, {"exp": 1}])
def test_a_wrong_token_is_a_401(deployed: Deployment, issuer: Issuer, claims: dict[str, Any]) -> None:
    with by(deployed, bearer(issuer.token(**{"aud": AUDIENCE, **claims}))) as caller:
        for path in ("v1/tools", "mcp"):
            answer = caller.get(path)
            assert (answer.status_code, answer.json()["code"]) == (401, "unauthorized")
            assert answer.headers["WWW-Authenticate"].startswith("Bearer")


def test_the_logs_have_neither_keys_nor_tokens(deployed: Deployment, issuer: Issuer) -> None:
    token = issuer.token(aud=AUDIENCE, sub="logged")
    with by(deployed, bearer(token)) as caller:
        assert caller.get("v1/tools").status_code == 200
    logged = "\n".join(deployed.logged())
    assert logged
    assert token not in logged
    assert deployed.key not in logged


def test_while_the_issuer_is_down_a_token_is_unavailable_and_a_key_is_not(
    deployed: Deployment, issuer: Issuer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(issuer, "down", True)
    client, name = deployed.aws.client("lambda"), deployed.functions["authorizer"]
    variables = client.get_function_configuration(FunctionName=name)["Environment"]["Variables"]
    again = {"Variables": {**variables, "STARTED_AGAIN": "1"}}  # without the keys it has read
    client.update_function_configuration(FunctionName=name, Environment=again)
    with by(deployed, bearer(issuer.token(aud=AUDIENCE))) as caller:
        answer = caller.get("v1/tools")
    assert (answer.status_code, answer.json()["code"], answer.headers["Retry-After"]) == (503, "unavailable", "5")
    assert deployed.caller.get("v1/tools").status_code == 200
