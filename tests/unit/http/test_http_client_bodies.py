"""The body of an answer: read as what was promised, or a bad response."""

from __future__ import annotations

import gzip
from xml.etree.ElementTree import Element

import pytest
from pytest_httpserver import HTTPServer
from werkzeug import Response

from shared.errors import BadResponse
from shared.providers.http_client import Client
from tests.unit.http.timed_client import Clock, client


def get_xml(sender: Client) -> Element:
    return sender.decode_xml(sender.request("GET", "/x"))


BODIES = [
    pytest.param(b"", "application/json", "empty body", id="empty"),
    pytest.param(b"   ", "application/json", "empty body", id="blank"),
    pytest.param(b'{"a": ', "application/json", "cannot be read", id="half JSON"),
    pytest.param(b"\xff\xfe{", "application/json", "cannot be read", id="no text at all"),
    pytest.param(b"<html></html>", "text/html; charset=utf-8", "text/html", id="a page of HTML"),
    pytest.param(b'{"a": 1}', "text/plain", "text/plain", id="JSON that says it is text"),
]


@pytest.mark.parametrize(("body", "kind", "message"), BODIES)
def test_an_unreadable_or_mistyped_body_is_a_bad_response(
    httpserver: HTTPServer, body: bytes, kind: str, message: str
) -> None:
    httpserver.expect_request("/x").respond_with_data(body, content_type=kind)
    with pytest.raises(BadResponse, match=message):
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
