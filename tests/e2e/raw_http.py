"""Sends malformed HTTP requests over TLS, byte for byte."""

from __future__ import annotations

import socket
from collections.abc import Mapping
from http.client import HTTPResponse
from urllib.parse import urlsplit

from tests.e2e.deployment import ANSWER_S, Deployment


def send(
    deployed: Deployment, method: str, target: str, headers: Mapping[str, str], body: bytes = b""
) -> tuple[int, dict[str, str], str]:
    """Return status, headers (names in lower case) and text; `target` and headers are sent unchecked."""
    with deployed.http() as anonymous:
        host, at = anonymous.headers["host"], urlsplit(deployed.aws.url)
    all_headers = {"host": host, "content-length": str(len(body)), "connection": "close", **headers}
    head = "".join(
        [f"{method} {target} HTTP/1.1\r\n", *(f"{name}: {value}\r\n" for name, value in all_headers.items()), "\r\n"]
    )
    with (
        socket.create_connection((str(at.hostname), at.port or 443), ANSWER_S) as plain,
        deployed.aws.trust.wrap_socket(plain, server_hostname=at.hostname) as tls,
    ):
        tls.sendall(head.encode("latin-1") + body)
        with HTTPResponse(tls, method=method) as response:
            response.begin()
            names = {name.lower(): value for name, value in response.getheaders()}
            return response.status, names, response.read().decode("utf-8", "replace")
