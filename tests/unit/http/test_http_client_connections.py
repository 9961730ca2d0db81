"""Connections that fail, over real sockets: cut off, closed, dripping, silent."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator

import pytest
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from shared.errors import BadResponse, ProviderTimeout, Unavailable
from tests.unit.http.timed_client import Clock, client


@pytest.fixture
def raw_server() -> Iterator[tuple[str, list[bytes]]]:
    """A socket that answers every connection with the bytes put into the list, one by one, then closes."""
    pieces: list[bytes] = []
    listener = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            with connection:
                connection.recv(65536)
                for piece in pieces:
                    try:
                        connection.sendall(piece)
                    except OSError:
                        break
                    time.sleep(0.1)

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{listener.getsockname()[1]}", pieces
    listener.close()


HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n"


def test_an_answer_cut_off_in_the_middle_is_a_bad_response(raw_server: tuple[str, list[bytes]]) -> None:
    url, pieces = raw_server
    pieces += [HEAD, b'{"a": ']
    with pytest.raises(BadResponse, match="cut off"):
        client(url, Clock(15)).get_json("/x")


def test_a_connection_closed_without_an_answer_is_unavailable(raw_server: tuple[str, list[bytes]]) -> None:
    url, _ = raw_server
    with pytest.raises(Unavailable, match="could not be reached"):
        client(url, Clock(15)).get_json("/x")


def test_a_slow_answer_ends_at_the_deadline(raw_server: tuple[str, list[bytes]]) -> None:
    url, pieces = raw_server
    pieces += [HEAD, *[b" "] * 90]  # of a hundred that are promised: only its deadline ends this
    with pytest.raises(ProviderTimeout):
        client(url, seconds=0.6).get_json("/x")


def test_a_silent_server_ends_as_a_timeout(httpserver: HTTPServer) -> None:
    released = threading.Event()

    def silent(_: Request) -> Response:
        released.wait(3)
        return Response("late")

    httpserver.expect_request("/x").respond_with_handler(silent)
    try:
        with pytest.raises(ProviderTimeout, match="did not answer in time"):
            client(httpserver, seconds=0.4).get_json("/x")
    finally:
        released.set()


def test_a_closed_port_is_unavailable() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    with pytest.raises(Unavailable, match="could not be reached"):
        client(f"http://127.0.0.1:{port}", Clock(15)).get_json("/x")
