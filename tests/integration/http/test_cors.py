"""Web pages of a named list of origins may call the API; others may not, and by default none may."""

from __future__ import annotations

import httpx
import pytest

from infra.local.gateway import application
from infra.local.machine import Machine
from shared.api.cors import RESPONSE_HEADERS
from tests.http_server import serving

PAGE = "https://page.example"
ASKING = {"Origin": PAGE, "Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "authorization"}
ALLOW = "Access-Control-Allow-Origin"
every_door = pytest.mark.parametrize("path", ["/v1/graph/stats", "/mcp", "/v1/saved-searches/none"])


@pytest.fixture
def named(monkeypatch: pytest.MonkeyPatch, address: str) -> str:
    monkeypatch.setenv("CORS_ORIGINS", f"https://other.example, {PAGE}")
    return address


@every_door
def test_a_named_page_may_send_and_read(named: str, path: str) -> None:
    preflight = httpx.options(named + path, headers=ASKING)
    assert (preflight.status_code, preflight.headers[ALLOW]) == (204, PAGE)
    assert "authorization" in preflight.headers["Access-Control-Allow-Headers"].lower()
    assert "POST" in preflight.headers["Access-Control-Allow-Methods"]
    answer = httpx.post(named + path, json={}, headers={"Origin": PAGE})
    assert answer.headers[ALLOW] == PAGE
    assert answer.headers["Vary"] == "Origin"
    assert "Access-Control-Allow-Credentials" not in answer.headers


def test_a_named_page_can_read_why_it_was_refused(named: str, running: Machine) -> None:
    with serving(application(running, key_required=True)) as closed:
        refused = httpx.get(f"{closed}/v1/graph/stats", headers={"Origin": PAGE})
        assert (refused.status_code, refused.headers[ALLOW]) == (401, PAGE)
        assert "WWW-Authenticate" in refused.headers["Access-Control-Expose-Headers"]
    stream = httpx.get(f"{named}/mcp", headers={"Origin": PAGE})
    assert (stream.status_code, stream.headers[ALLOW]) == (405, PAGE)


def test_an_answer_that_varies_by_another_header_says_both(named: str) -> None:
    saved = {"search": {"query": "TREM2", "providers": ["crossref"]}, "schedule": "rate(1 day)"}
    made = httpx.post(f"{named}/v1/saved-searches", json=saved, headers={"Origin": PAGE}).json()
    feed = httpx.get(f"{named}/v1/saved-searches/{made['id']}/new", headers={"Origin": PAGE})
    assert feed.headers["Vary"] == "Accept, Origin"


def test_a_page_can_read_every_header_that_the_document_names(address: str) -> None:
    text = httpx.get(f"{address}/openapi.json").json()
    answers = [answer for path in text["paths"].values() for it in path.values() for answer in it["responses"].values()]
    named = {
        name for answer in [*answers, *text["components"]["responses"].values()] for name in answer.get("headers", {})
    }
    assert named
    assert named <= set(RESPONSE_HEADERS)


@every_door
@pytest.mark.parametrize("origin", ["https://evil.example", f"{PAGE}.evil.example", "null", "*"])
def test_another_page_may_not(named: str, path: str, origin: str) -> None:
    for method in ("OPTIONS", "POST"):
        answer = httpx.request(method, named + path, headers={**ASKING, "Origin": origin})
        assert answer.status_code == 403
        assert ALLOW not in answer.headers


@every_door
def test_by_default_no_page_may(address: str, path: str) -> None:
    assert httpx.options(address + path, headers=ASKING).status_code == 403
    answer = httpx.get(address + path, headers={"Origin": "http://localhost:3000"})
    assert ALLOW not in answer.headers
