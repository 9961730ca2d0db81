"""Requests as no well-behaved client sends them: every byte as it is written, over TLS."""

from __future__ import annotations

import socket
from collections.abc import Mapping
from http.client import HTTPResponse
from urllib.parse import urlsplit

from tests.e2e.deployment import ANSWER_S, Deployment


def send(
    deployed: Deployment, method: str, target: str, headers: Mapping[str, str], body: bytes = b""
) -> tuple[int, dict[str, str], str]:
    """Status, headers (names in lower case) and text; neither `target` nor a header is read."""
    with deployed.http() as nobody:
        host, at = nobody.headers["host"], urlsplit(deployed.aws.url)
    told = {"host": host, "content-length": str(len(body)), "connection": "close", **headers}
    head = "".join(
        [f"{method} {target} HTTP/1.1\r\n", *(f"{name}: {value}\r\n" for name, value in told.items()), "\r\n"]
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
