"""Web pages of a named list of origins may call the API; others may not, and by default none may."""

from __future__ import annotations

import httpx
import pytest

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
