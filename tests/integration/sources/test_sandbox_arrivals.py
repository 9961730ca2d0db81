"""The sandbox counts a request when it reaches the machine, however busy the sandbox is."""

from __future__ import annotations

import socket
import sys
import time
from collections.abc import Iterable
from itertools import chain
from wsgiref.types import StartResponse, WSGIEnvironment

import httpx
import pytest
from werkzeug import Response
from werkzeug.serving import BaseWSGIServer, make_server

from infra.local.sandbox.arrivals import ARRIVED, StampedRequestHandler, stamp_arrivals
from infra.local.sandbox.server import Sandbox

TRIES = 200  # the kernel sets the first time stamps some milliseconds after it was asked for them


class _Quiet(StampedRequestHandler):
    def log(self, type: str, message: str, *args: object) -> None:
        """Log nothing."""


@pytest.mark.skipif(sys.platform != "linux", reason="no other kernel says when bytes arrived")
def test_a_request_counts_from_its_arrival_not_from_its_reading() -> None:
    seen: list[float] = []

    def application(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        seen.append(environ[ARRIVED])
        return Response()(environ, start_response)

    with make_server("127.0.0.1", 0, application, request_handler=_Quiet) as server:
        stamp_arrivals(server.socket)
        assert any(_request(server) > seen[-1] for _ in range(TRIES))


def _request(server: BaseWSGIServer) -> float:
    """The moment at which the server, which was busy, begins to read a request that was sent before."""
    with socket.create_connection(("127.0.0.1", server.server_port)) as client:
        client.sendall(b"GET / HTTP/1.1\r\nConnection: close\r\n\r\n")
        begins = time.monotonic()
        server.handle_request()
    return begins


def test_requests_of_one_connection_arrive_at_different_moments() -> None:
    with Sandbox(faults={}) as sandbox, httpx.Client() as client:
        moments = []
        for _ in range(3):
            moments.append(time.monotonic())
            client.get(f"{sandbox.base_urls['CROSSREF_BASE_URL']}/works", params={"query": "TREM2"})
        moments.append(time.monotonic())
        arrived = [request.started for request in sandbox.requests]
    assert sorted([*moments, *arrived]) == [*chain(*zip(moments[:3], arrived, strict=True)), moments[3]]
