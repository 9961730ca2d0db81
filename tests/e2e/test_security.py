"""Requests that are refused: one table of requests, and tests that need a usage plan or odd headers."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import httpx
import pytest

from tests.e2e.deployment import STAGE, Deployment
from tests.e2e.raw_http import send

TOOLS = "v1/tools"
SEARCH = "v1/literature-search?query=TREM2&providers=crossref"
SAVED = "v1/saved-searches"
CRLF = "%0d%0aX-Injected:%20yes%0d%0a"
MEGABYTE = 1_000_000
NO_KEY, CALLER = "", "the caller's"


@dataclass(frozen=True)
class Row:
    """A request with a key, and how it must end; `code` None: the server in front refuses it, in any form."""

    id: str
    key: str
    statuses: tuple[int, ...]
    code: str | None
    target: str = TOOLS
    method: str = "GET"
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""


def text(size: int) -> bytes:
    return b'{"query": "' + b"a" * size + b'"}'


UNAUTHORIZED = (401,), "unauthorized"
FORBIDDEN, REFUSED = ((403,), "forbidden"), (400, 403, 404, 422)
TABLE = [
    # Without a key only the public paths are answered.
    *(Row(f"no key {path or 'root'}", NO_KEY, *UNAUTHORIZED, path) for path in
      (SEARCH, TOOLS, SAVED, f"{SAVED}/0/new", "v1/graph/stats", "v1/providers", "mcp", "nowhere")),
    *(Row(f"no key POST {path}", NO_KEY, *UNAUTHORIZED, path, "POST") for path in
      ("health", "openapi.json", "docs", "llms.txt", "mcp", SAVED)),
    Row("no key DELETE", NO_KEY, *UNAUTHORIZED, f"{SAVED}/0", "DELETE"),
    # A wrong key is refused, and a key is only read from its header.
    Row("wrong key", "wrong", *FORBIDDEN),
    Row("a key as SQL", "' OR 1=1 --", *FORBIDDEN),
    Row("a long key", "x" * 4_000, *FORBIDDEN),
    Row("a key in the query", NO_KEY, *UNAUTHORIZED, f"{TOOLS}?api_key=KEY&x-api-key=KEY"),
    Row("a wrong key as a bearer", NO_KEY, *FORBIDDEN, headers={"authorization": "Bearer wrong"}),
    Row("a key without a scheme", NO_KEY, *UNAUTHORIZED, headers={"authorization": "KEY"}),
    Row("a key with another case", "KEY-UPPER", *FORBIDDEN),
    # Bodies: each route has its own limit, far below API Gateway's 10 MB.
    Row("a search of 64 kB", CALLER, (413,), "too_large", "v1/literature-search", "POST", {}, text(64_001)),
    Row("a saved search of 64 kB", CALLER, (413,), "too_large", SAVED, "POST", {}, text(64_001)),
    Row("citations of 2 MB", CALLER, (413,), "too_large", "v1/citations", "POST", {}, text(2 * MEGABYTE)),
    Row("MCP of 2 MB", CALLER, (413,), None, "mcp", "POST", {"accept": "application/json",
        "content-type": "application/json"}, text(2 * MEGABYTE)),
    Row("a query of 8 kB", CALLER, (422,), "unprocessable", f"v1/literature-search?query={'a' * 8_000}"),
    Row("deep JSON", CALLER, (400,), "bad_request", "v1/literature-search", "POST", {}, b"[" * 60_000),
    # Methods.
    *(Row(f"method {method}", CALLER, (405,), "method_not_allowed", SEARCH, method) for method in
      ("PUT", "DELETE", "PATCH")),
    *(Row(f"method {method}", CALLER, (400, 403, 404, 405, 501), None, SEARCH, method) for method in
      ("TRACE", "CONNECT", "PROPFIND")),
    Row("an override of the method", CALLER, (405,), "method_not_allowed", SEARCH, "PUT",
        {"x-http-method-override": "GET"}),
    # A public path does not lead to a protected one.
    *(Row(f"out of an open path {path}", NO_KEY, (400, 401, 403, 404), None, path) for path in (
        "health/../v1/tools", "health/%2e%2e/v1/tools", "health/%252e%252e/v1/tools", "health/..%2fv1/tools",
        "docs%2f..%2fv1%2ftools", "health//v1/tools", "health/..;/v1/tools", "health\\..\\v1\\tools",
        "/v1/tools", "./v1/tools", "v1//tools", "../dev/v1/tools", "health%00/v1/tools", "HEALTH/../v1/tools",
    )),
    # With a key, no path leads to a file or to another route.
    *(Row(f"path {path}", CALLER, REFUSED, None, path) for path in (
        "v1/../../etc/passwd", "v1/%2e%2e/%2e%2e/etc/passwd", "v1/papers/..%2f..%2fetc%2fpasswd",
        "..%2f..%2f..%2fetc%2fpasswd", "v1/papers/%00", f"{SAVED}/..%2ftools", f"{SAVED}/%2e%2e/tools", "V1/TOOLS",
        f"{SAVED}/0/../../tools/x", "v1/papers/file:%2f%2f%2fetc%2fpasswd", f"{SAVED}/{'a' * 5_000}",
    )),
]  # fmt: skip


def key_of(deployed: Deployment, row: Row) -> dict[str, str]:
    if row.key == NO_KEY:
        return {}
    keys = {CALLER: deployed.key, "KEY-UPPER": deployed.key.swapcase()}
    return {"x-api-key": keys.get(row.key, row.key)}


@pytest.mark.parametrize("row", TABLE, ids=[row.id for row in TABLE])
def test_the_request_is_refused_with_a_problem_object(deployed: Deployment, row: Row) -> None:
    target = f"/{STAGE}/{row.target.replace('KEY', deployed.key)}"
    headers = {name: value.replace("KEY", deployed.key) for name, value in row.headers.items()}
    status, response_headers, body = send(deployed, row.method, target, {**key_of(deployed, row), **headers}, row.body)
    assert status in row.statuses, body[:500]
    assert "root:" not in body and "Traceback" not in body and deployed.key not in body
    if row.code:
        problem = json.loads(body)
        assert response_headers["content-type"] == "application/problem+json"
        assert (problem["status"], problem["code"], problem["retryable"]) == (status, row.code, False)
        assert problem["request_id"]


@pytest.mark.parametrize("path", ["health", "openapi.json", "docs", "llms.txt"])
def test_the_public_paths_need_no_key(deployed: Deployment, path: str) -> None:
    with deployed.http() as anonymous:
        assert anonymous.get(path).status_code == 200


@pytest.mark.parametrize(
    "target",
    [
        f"v1/literature-search?query={CRLF}&providers=crossref",
        f"v1/literature-search?query=a&format={CRLF}",
        f"v1/graph/export?cursor={CRLF}",
        f"v1/graph/export?format={CRLF}",
        f"v1/exports?ids=10.5555%2Fa{CRLF}&format=bibtex",
        f"{SAVED}/{CRLF}",
        f"{SAVED}/{'0' * 20}/new?cursor={CRLF}",
        f"nowhere/{CRLF}",
    ],
)
@pytest.mark.parametrize("method", ["GET", "PUT"])
def test_a_caller_cannot_inject_a_header(deployed: Deployment, method: str, target: str) -> None:
    status, response_headers, _ = send(deployed, method, f"/{STAGE}/{target}", {"x-api-key": deployed.key})
    assert status < 500
    assert "x-injected" not in response_headers
    assert not [value for value in response_headers.values() if "njected" in value]


@pytest.mark.parametrize(
    "headers",
    [
        {"idempotency-key": "a\rX-Injected: yes"},
        {"if-none-match": "a\x00b"},
        {"accept": "a\r\n folded"},
        {"x injected": "yes"},
        {"content-length": "-1"},
        {"transfer-encoding": "chunked, identity", "content-length": "3"},
    ],
    ids=["cr", "nul", "folded", "name", "length", "smuggled"],
)
def test_malformed_headers_do_no_harm(deployed: Deployment, headers: Mapping[str, str]) -> None:
    status, response_headers, _ = send(deployed, "GET", f"/{STAGE}/{TOOLS}", {"x-api-key": deployed.key, **headers})
    assert status in (200, 400, 403, 501)
    assert "x-injected" not in response_headers


@pytest.mark.parametrize("name", ["x-correlation-id", "x-forwarded-for", "x-forwarded-host", "x-amzn-trace-id"])
def test_unexpected_headers_change_nothing(deployed: Deployment, name: str) -> None:
    response = deployed.caller.get(TOOLS, headers={name: "evil.example\t<script>" + "x" * 2_000})
    assert response.status_code == 200
    assert "evil.example" not in response.text + str(response.headers)


@pytest.fixture
def caller_with(deployed: Deployment) -> Iterator[Callable[..., httpx.Client]]:
    """Makes a client whose key is under a plan with these limits."""
    made: list[tuple[httpx.Client, Callable[[], None]]] = []

    def make_one(**limits: Any) -> httpx.Client:
        key, end = deployed.new_key("limited", **limits)
        made.append((deployed.http(key), end))
        return made[-1][0]

    yield make_one
    for client, end in made:
        client.close()
        end()


@pytest.mark.parametrize(
    ("limits", "allowed", "code", "wait_s"),
    [
        ({"quota": {"limit": 2, "period": "DAY"}}, 2, "quota_spent", 3600),
        ({"throttle": {"rateLimit": 0.01, "burstLimit": 1}}, 1, "rate_limited", 1),
    ],
    ids=["over quota", "over rate"],
)
def test_a_caller_over_its_limit_gets_retry_after(
    deployed: Deployment, caller_with: Callable[..., httpx.Client], limits: dict[str, Any], allowed: int, code: str,
    wait_s: int,
) -> None:  # fmt: skip
    client = caller_with(**limits)
    assert [client.get(TOOLS).status_code for _ in range(allowed)] == [200] * allowed
    over = client.get(TOOLS)
    problem = over.json()
    assert (over.status_code, over.headers["retry-after"]) == (429, str(wait_s))
    assert (problem["code"], problem["retryable"], problem["retry_after_s"]) == (code, True, wait_s)
    assert deployed.caller.get(TOOLS).status_code == 200
