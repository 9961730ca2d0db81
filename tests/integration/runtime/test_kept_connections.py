"""The HTTP server of one machine answers several requests over one connection, whatever their bodies."""

from __future__ import annotations

import http.client
import json
import re
import socket
import threading
import urllib.error
import urllib.request
from collections.abc import Iterable, Iterator
from wsgiref.types import StartResponse, WSGIEnvironment

import pytest
from werkzeug.serving import make_server

from infra.local.gateway import AccessLog
from infra.local.http_handler import MAX_BODY_BYTES


def echo(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
    """The path and the body; it reads no body at /unread, and fails at /broken."""
    path = environ["PATH_INFO"]
    if path == "/broken":
        raise RuntimeError("broken")
    body = b"" if path == "/unread" else environ["wsgi.input"].read()
    start_response("204 No Content" if path == "/empty" else "200 OK", [("X-Path", path)])
    return [] if path == "/empty" else [path.encode(), b" ", body]


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    server = make_server("127.0.0.1", 0, echo, threaded=True, request_handler=AccessLog)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield server.server_port
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def connection(port: int) -> Iterator[http.client.HTTPConnection]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    yield connection
    connection.close()


def asked(connection: http.client.HTTPConnection, method: str, path: str, **more: object) -> tuple[int, bytes]:
    connection.request(method, path, **more)  # type: ignore[arg-type]
    answer = connection.getresponse()
    return answer.status, answer.read()


def received_from(port: int, sent: bytes) -> bytes:
    """All that the server sends until it closes the connection."""
    received = b""
    with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
        connection.sendall(sent)
        while part := connection.recv(65_536):
            received += part
    return received


def test_one_connection_serves_several_requests(connection: http.client.HTTPConnection) -> None:
    connection.connect()
    used = connection.sock
    assert asked(connection, "GET", "/a") == (200, b"/a ")
    assert asked(connection, "POST", "/b", body=b"words") == (200, b"/b words")
    assert asked(connection, "HEAD", "/c") == (200, b"")
    assert asked(connection, "GET", "/empty") == (204, b"")
    assert asked(connection, "POST", "/d", body=iter([b"in ", b"chunks"]), encode_chunked=True,
                 headers={"Transfer-Encoding": "chunked"}) == (200, b"/d in chunks")  # fmt: skip
    assert connection.sock is used


def test_an_unread_body_does_not_become_the_next_request(connection: http.client.HTTPConnection) -> None:
    assert asked(connection, "POST", "/unread", body=b"GET /evil HTTP/1.1\r\n\r\n") == (200, b"/unread ")
    assert asked(connection, "GET", "/next") == (200, b"/next ")


@pytest.mark.parametrize(
    ("head", "status"),
    [
        ("POST /a HTTP/1.1\r\nContent-Length: -1", 400),
        ("POST /a HTTP/1.1\r\nContent-Length: ten", 400),
        ("POST /a HTTP/1.1\r\nContent-Length: 1_0x", 400),
        ("POST /a HTTP/1.1\r\nContent-Length: 5\r\nContent-Length: 2", 400),
        (f"POST /a HTTP/1.1\r\nContent-Length: {MAX_BODY_BYTES + 1}", 413),
        (f"POST /a HTTP/1.1\r\nContent-Length: 1{'0' * 30}", 413),
        (f"POST /a HTTP/1.1\r\nContent-Length: 1{'0' * 5000}", 413),
        ("POST /a HTTP/1.1\r\nTransfer-Encoding: chunked", 400),
        ("POST /a HTTP/1.1\r\nTransfer-Encoding: identity", 400),
        ("POST /a HTTP/1.1\r\nTransfer-Encoding: gzip, chunked", 400),
        ("POST /a HTTP/1.1\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: identity", 400),
        ("POST /a HTTP/1.1\r\nTransfer-Encoding: chunked\r\nContent-Length: 7", 400),
        ("POST /a HTTP/1.1\r\nContent-Length : 7", 400),
        ("POST /a HTTP/1.1\r\nX-Other\r\nContent-Length: 7", 400),
        ("POST /a HTTP/1.1\r\n Content-Length: 7", 400),
        ("POST /a HTTP/1.1\r\n: 7", 400),
        ("no request", 400),
        ("GET /a HTTP/9.9", 505),
        (f"GET /{'a' * 70_000} HTTP/1.1", 414),
    ],
)
def test_an_unreadable_request_gets_a_problem_and_ends_the_connection(port: int, head: str, status: int) -> None:
    received = received_from(port, f"{head}\r\nHost: a\r\n\r\nwords\r\n".encode())
    answer, _, body = received.partition(b"\r\n\r\n")
    assert answer.startswith(f"HTTP/1.1 {status} ".encode())
    assert b"\r\nContent-Type: application/problem+json" in answer
    problem = json.loads(body)
    assert (problem["status"], problem["retryable"]) == (status, False)
    assert problem["code"] != "internal_error"
    assert received.count(b"HTTP/1.1 ") == 1 + body.count(b"HTTP/1.1 ")


CHUNKED = b"POST /a HTTP/1.1\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n"


@pytest.mark.parametrize(
    ("chunks", "status"),
    [
        (b"3;name=value\r\nabc\r\n0\r\n\r\n", 200),
        (b"3\r\nabc\r\n0;last\r\nX-Digest: a\r\nX-Other: b\r\n\r\n", 200),
        (b"0003 \r\nabc\r\n00\r\n\r\n", 200),
        (b"0x3\r\nabc\r\n0\r\n\r\n", 400),
        (b"3\nabc\n0\n\n", 400),
        (b"2\r\nabc\r\n0\r\n\r\n", 400),
        (b"-3\r\nabc\r\n0\r\n\r\n", 400),
        (b"0\r\n" + b"X-More: a\r\n" * 1_000 + b"\r\n", 400),
        (b"fffffffffffffff\r\nabc", 413),
    ],
)
def test_chunks_are_read_as_the_standard_says(port: int, chunks: bytes, status: int) -> None:
    answer, _, body = received_from(port, CHUNKED + chunks).partition(b"\r\n\r\n")
    assert answer.startswith(b"HTTP/1.1 %d " % status)
    assert status != 200 or body == b"/a abc"


@pytest.mark.parametrize(("length", "statuses"), [(5, [b"100", b"200"]), (MAX_BODY_BYTES + 1, [b"413"])])
def test_a_waiting_client_gets_one_answer_about_its_body(port: int, length: int, statuses: list[bytes]) -> None:
    head = f"POST /a HTTP/1.1\r\nConnection: close\r\nExpect: 100-continue\r\nContent-Length: {length}\r\n\r\n"
    received = received_from(port, head.encode() + b"words" * (length == 5))
    assert re.findall(rb"HTTP/1\.1 (\d+) ", received) == statuses


def test_a_client_that_sends_its_whole_body_first_reads_that_it_is_too_large(port: int) -> None:
    with pytest.raises(urllib.error.HTTPError, match="413") as refused:
        urllib.request.urlopen(f"http://127.0.0.1:{port}/a", bytes(2 * MAX_BODY_BYTES), timeout=10)
    assert json.load(refused.value)["code"] == "too_large"


def test_a_failure_is_answered_and_ends_the_connection(connection: http.client.HTTPConnection) -> None:
    status, body = asked(connection, "GET", "/broken")
    assert status == 500
    assert b"RuntimeError" not in body
    assert asked(connection, "GET", "/a") == (200, b"/a ")  # over a new connection
