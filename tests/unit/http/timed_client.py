"""A client of a test server, on the real clock or on one that passes only by sleeping."""

from __future__ import annotations

import time
from datetime import UTC, datetime

from pytest_httpserver import HTTPServer

from shared.providers.connection_pool import new_http
from shared.providers.http_client import Client

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)


class Clock:
    """Time that passes only by sleeping."""

    def __init__(self, seconds: float) -> None:
        self.left = seconds
        self.slept: list[float] = []

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.left -= seconds


def client(server: HTTPServer | str, clock: Clock | None = None, *, seconds: float = 5.0) -> Client:
    http = new_http("dev@example.org")  # takes a while, which is not the request's
    started = time.monotonic()
    return Client(
        title="Testing",
        base_url=server if isinstance(server, str) else server.url_for("").rstrip("/"),
        http=http,
        time_left=(lambda: clock.left) if clock else (lambda: started + seconds - time.monotonic()),
        sleep=clock.sleep if clock else (lambda _: None),
        jitter=lambda: 0.0,
        now=lambda: NOW,
        key="very-secret",
    )
