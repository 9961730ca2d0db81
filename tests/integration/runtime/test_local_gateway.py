"""The service on one machine answers programs of that machine only: no web page of another host."""

from __future__ import annotations

import socket
import threading

import httpx
import pytest
from werkzeug.serving import make_server

from infra.local.gateway import AccessLog, application
from infra.local.machine import Machine


@pytest.mark.parametrize("headers", [
    {"Origin": "https://evil.example"},
    {"Origin": "null"},
    {"Origin": "http://127.0.0.1.evil.example"},
    {"Origin": "http://localhost:1@evil.example"},
    {"Host": "evil.example"},
    {"Host": "localhost.evil.example:80"},
])  # fmt: skip
@pytest.mark.parametrize("path", ["/mcp", "/v1/literature-search"])
def test_a_foreign_origin_or_host_is_refused(address: str, path: str, headers: dict[str, str]) -> None:
    answer = httpx.post(address + path, content='{"query": "TREM2"}', headers={"Content-Type": "text/plain", **headers})
    assert (answer.status_code, answer.json()["code"]) == (403, "forbidden")
    assert next(iter(headers)) in answer.json()["detail"]


@pytest.mark.parametrize("origin", [None, "http://localhost:3000", "http://127.0.0.1", "http://[::1]:8000"])
def test_this_machine_is_answered(address: str, origin: str | None) -> None:
    answer = httpx.get(f"{address}/health", headers={"Origin": origin} if origin else {})
    assert answer.status_code == 200
    assert answer.headers["X-Content-Type-Options"] == "nosniff"


def test_a_connection_that_sends_nothing_is_closed(running: Machine) -> None:
    assert 0 < AccessLog.timeout <= 60
    hurried = type("Hurried", (AccessLog,), {"timeout": 0.05})
    server = make_server("127.0.0.1", 0, application(running), threaded=True, request_handler=hurried)
    thread = threading.Thread(target=server.handle_request)
    thread.start()
    with socket.create_connection(("127.0.0.1", server.server_port), timeout=10) as connection:
        connection.sendall(b"GET /health HT")
        assert connection.recv(100) == b""
    thread.join()
    server.server_close()
