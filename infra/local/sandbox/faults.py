"""Fault injection: makes a provider's sandbox fail, as the environment variable `SANDBOX_FAULTS` says.

    {"arxiv": {"status": 429}, "crossref": {"delay_ms": 20000}, "openalex": {"body": "truncated"}}

Keys: `status` (with `retry_after`), `delay_ms`, `reset` (the connection is reset), `body` (truncated, html, empty, or
error = the API's own error envelope), `content_type`, `headers` (these are added to the response, or replace its own),
`times` (only this many requests, the first ones, fail), `path` (only requests to exactly this path fail).
"""

from __future__ import annotations

import json
import os
import socket
import struct
from collections.abc import Callable, Mapping
from typing import Any

from werkzeug import Request, Response

KEYS = frozenset({"status", "retry_after", "delay_ms", "reset", "body", "content_type", "headers", "times", "path"})
BODIES = ("truncated", "html", "empty", "error")
HTML = "<!doctype html><html><head><title>Service notice</title></head><body><h1>Please wait</h1></body></html>"

Fault = Mapping[str, Any]  # the faults of one provider, by the keys above


def read_faults(text: str | None, providers: tuple[str, ...]) -> dict[str, Fault]:
    """Parse `SANDBOX_FAULTS`. Raises ValueError naming the invalid value and the valid ones."""
    try:
        faults = json.loads(text) if text else {}
    except ValueError as error:
        raise ValueError(f"SANDBOX_FAULTS is not valid JSON: {error}") from error
    if not isinstance(faults, dict):
        raise ValueError("SANDBOX_FAULTS must be a JSON object whose keys are providers")
    for name, fault in faults.items():
        if name not in providers:
            raise ValueError(f"SANDBOX_FAULTS names {name!r}; the providers are {', '.join(providers)}")
        if not isinstance(fault, dict) or not set(fault) <= KEYS:
            raise ValueError(f"SANDBOX_FAULTS of {name}: the keys are {', '.join(sorted(KEYS))}")
        if fault.get("body", BODIES[0]) not in BODIES:
            raise ValueError(f"SANDBOX_FAULTS of {name}: body is one of {', '.join(BODIES)}")
        if not isinstance(fault.get("headers", {}), dict):
            raise ValueError(f"SANDBOX_FAULTS of {name}: headers is an object of names and values")
    return faults


def is_affected(fault: Fault, request: Request, failed: int) -> bool:
    """Whether the fault applies to a request, when `failed` requests to its provider have failed before."""
    return bool(fault.get("path", request.path) == request.path and failed < fault.get("times", float("inf")))


def apply_fault(
    fault: Fault, request: Request, answer: Callable[[], Response], error: Callable[[], Response]
) -> Response:
    """Return the response of a failing service; `answer` makes the correct one, `error` the API's error envelope."""
    if fault.get("reset"):
        _reset(request)
    response = _faulty(fault, answer, error)
    for name, value in fault.get("headers", {}).items():
        response.headers[name] = str(value)
    return response


def _faulty(fault: Fault, answer: Callable[[], Response], error: Callable[[], Response]) -> Response:
    if "status" in fault:
        headers = {"Retry-After": str(fault["retry_after"])} if "retry_after" in fault else {}
        return Response("Something went wrong.", status=fault["status"], headers=headers, content_type="text/plain")
    bodies: dict[str, Callable[[], Response]] = {
        "html": lambda: Response(HTML, content_type="text/html; charset=utf-8"),
        "empty": lambda: Response(b"", content_type=answer().content_type),
        "error": error,
        "truncated": lambda: _truncated(answer()),
    }
    response = bodies.get(fault.get("body", ""), answer)()
    if "content_type" in fault:
        response.content_type = fault["content_type"]
    return response


def _truncated(whole: Response) -> Response:
    """Return half of the bytes that Content-Length announces; then the connection closes."""
    body = whole.get_data()
    half = Response(body[: len(body) // 2], status=whole.status_code, content_type=whole.content_type)
    half.automatically_set_content_length = False
    half.headers["Content-Length"] = str(len(body))
    return half


def _reset(request: Request) -> None:
    """Reset the connection: closing it with a zero linger time makes the kernel send RST instead of FIN."""
    connection: socket.socket = request.environ["werkzeug.socket"]
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    # Not connection.close(): the server's file objects for this socket would keep it open.
    os.close(connection.detach())
    raise ConnectionResetError
