"""How a provider is asked: real sockets, a fake clock where only waiting matters."""

from __future__ import annotations

import gzip
import logging
import socket
import threading
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from xml.etree.ElementTree import Element

import pytest
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from shared.errors import (
    BadResponse,
    KeyRefused,
    ProviderError,
    ProviderTimeout,
    RateLimited,
    RequestRejected,
    Unavailable,
)
from shared.http_client import Client, new_http, retry_after_s

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
    started = time.monotonic()
    return Client(
        title="Testing",
        base_url=server if isinstance(server, str) else server.url_for("").rstrip("/"),
        http=new_http("dev@example.org"),
        time_left=(lambda: clock.left) if clock else (lambda: started + seconds - time.monotonic()),
        sleep=clock.sleep if clock else (lambda _: None),
        jitter=lambda: 0.0,
        now=lambda: NOW,
        key="very-secret",
    )


def get_xml(asking: Client) -> Element:
    return asking.decode_xml(asking.request("GET", "/x"))


STATUSES: list[tuple[int, type[ProviderError], int]] = [
    (429, RateLimited, 3),
    (500, Unavailable, 3),
    (503, Unavailable, 3),
    (504, Unavailable, 3),
    (408, Unavailable, 3),
    (401, KeyRefused, 1),
    (403, KeyRefused, 1),
    (400, RequestRejected, 1),
    (404, RequestRejected, 1),
    (414, RequestRejected, 1),
    (301, BadResponse, 1),
]


@pytest.mark.parametrize(("status", "error", "attempts"), STATUSES, ids=[str(status) for status, _, _ in STATUSES])
def test_a_status_has_its_error_and_only_passing_faults_are_tried_again(
    httpserver: HTTPServer, status: int, error: type[ProviderError], attempts: int
) -> None:
    httpserver.expect_request("/x").respond_with_data("upstream words", status=status)
    with pytest.raises(error) as caught:
        client(httpserver, Clock(15)).get_json("/x")
    assert type(caught.value) is error
    assert len(httpserver.log) == attempts
    assert "upstream words" not in str(caught.value)


def test_a_passing_fault_is_cured_by_the_next_attempt(httpserver: HTTPServer) -> None:
    httpserver.expect_ordered_request("/x").respond_with_data("", status=503)
    httpserver.expect_ordered_request("/x").respond_with_json({"fine": True})
    clock = Clock(15)
    assert client(httpserver, clock).get_json("/x") == {"fine": True}
    assert clock.slept == [0.5]


def test_a_retry_after_that_fits_is_waited_for(httpserver: HTTPServer) -> None:
    httpserver.expect_ordered_request("/x").respond_with_data("", status=429, headers={"Retry-After": "3"})
    httpserver.expect_ordered_request("/x").respond_with_json([1])
    clock = Clock(15)
    assert client(httpserver, clock).get_json("/x") == [1]
    assert clock.slept == [3.0]


def test_a_retry_after_that_does_not_fit_is_told_and_not_slept(httpserver: HTTPServer) -> None:
    httpserver.expect_request("/x").respond_with_data("", status=429, headers={"Retry-After": "47052"})
    clock = Clock(15)
    with pytest.raises(RateLimited) as caught:
        client(httpserver, clock).get_json("/x")
    assert caught.value.retry_after_s == 47052
    assert clock.slept == []
    assert len(httpserver.log) == 1


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("120", 120.0), ("0", 0.0), ("Fri, 20 Nov 2026 12:01:00 GMT", 60.0), ("Fri, 20 Nov 2026 11:00:00 GMT", 0.0),
        ("soon", None), ("", None), (None, None), ("-5", None),
    ],
)  # fmt: skip
def test_retry_after_is_seconds_or_a_date(value: str | None, seconds: float | None) -> None:
    assert retry_after_s(value, NOW) == seconds


BODIES = [
    pytest.param(b"", "application/json", "empty body", id="empty"),
    pytest.param(b"   ", "application/json", "empty body", id="blank"),
    pytest.param(b'{"a": ', "application/json", "cannot be read", id="half JSON"),
    pytest.param(b"\xff\xfe{", "application/json", "cannot be read", id="no text at all"),
    pytest.param(b"<html></html>", "text/html; charset=utf-8", "text/html", id="a page of HTML"),
    pytest.param(b'{"a": 1}', "text/plain", "text/plain", id="JSON that says it is text"),
]


@pytest.mark.parametrize(("body", "kind", "told"), BODIES)
def test_a_body_that_is_not_what_was_promised_is_a_bad_response(
    httpserver: HTTPServer, body: bytes, kind: str, told: str
) -> None:
    httpserver.expect_request("/x").respond_with_data(body, content_type=kind)
    with pytest.raises(BadResponse, match=told):
        client(httpserver, Clock(15)).get_json("/x")
    assert len(httpserver.log) == 1


BOMB = b"""<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]><x>&b;</x>"""
FILE = b"""<?xml version="1.0"?><!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><x>&e;</x>"""
PARAMETER = b"""<?xml version="1.0"?><!DOCTYPE x [<!ENTITY % p SYSTEM "http://127.0.0.1:9/x.dtd"> %p;]><x>a</x>"""


@pytest.mark.parametrize("body", [BOMB, FILE, PARAMETER], ids=["bomb", "local file", "parameter entity"])
def test_xml_that_declares_entities_is_refused(httpserver: HTTPServer, body: bytes) -> None:
    httpserver.expect_request("/x").respond_with_data(body, content_type="text/xml")
    with pytest.raises(BadResponse, match="entities"):
        get_xml(client(httpserver, Clock(15)))


def test_xml_that_names_a_remote_dtd_is_read_without_loading_it(httpserver: HTTPServer) -> None:
    dtd = httpserver.url_for("/pubmed.dtd")
    body = f'<?xml version="1.0"?><!DOCTYPE Set PUBLIC "-//NLM//DTD" "{dtd}"><Set><A>é</A></Set>'
    httpserver.expect_request("/x").respond_with_data(body.encode(), content_type="text/xml")
    assert get_xml(client(httpserver, Clock(15))).findtext("A") == "é"
    assert [request.path for request, _ in httpserver.log] == ["/x"]


@pytest.mark.parametrize("body", [b"<a><b></a>", b"no xml", b"<a>"], ids=["crossed", "text", "open"])
def test_broken_xml_is_a_bad_response(httpserver: HTTPServer, body: bytes) -> None:
    httpserver.expect_request("/x").respond_with_data(body, content_type="application/xml")
    with pytest.raises(BadResponse, match="cannot be read"):
        get_xml(client(httpserver, Clock(15)))


def test_a_compressed_answer_is_read(httpserver: HTTPServer) -> None:
    packed = gzip.compress(b'{"a": 1}')
    headers = {"content-encoding": "gzip", "content-type": "application/json"}
    httpserver.expect_request("/x").respond_with_response(Response(packed, headers=headers))
    assert client(httpserver).get_json("/x") == {"a": 1}


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


def test_a_dripping_answer_cannot_outlast_the_deadline(raw_server: tuple[str, list[bytes]]) -> None:
    url, pieces = raw_server
    pieces += [HEAD, *[b" "] * 50]
    started = time.monotonic()
    with pytest.raises(ProviderTimeout):
        client(url, seconds=0.6).get_json("/x")
    assert time.monotonic() - started < 2.0


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


def test_nothing_is_asked_when_no_time_is_left(httpserver: HTTPServer) -> None:
    with pytest.raises(ProviderTimeout, match="not asked in time"):
        client(httpserver, Clock(0)).get_json("/x")
    assert len(httpserver.log) == 0


def test_the_contact_is_stated_and_the_key_stays_out_of_messages_and_logs(
    httpserver: HTTPServer, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    httpserver.expect_request("/x").respond_with_data('{"error": "very-secret is unknown"}', status=403)
    asking = client(httpserver, Clock(15))
    with pytest.raises(KeyRefused) as caught:
        asking.get_json("/x", {"q": "1"}, x_api_key=asking.key or "")
    request, _ = httpserver.log[0]
    assert request.headers["x-api-key"] == "very-secret"
    assert "mailto:dev@example.org" in request.headers["user-agent"]
    assert "very-secret" not in str(caught.value)
    assert "very-secret" not in caplog.text
