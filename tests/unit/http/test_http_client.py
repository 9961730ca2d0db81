"""Requests to a provider: the error of each failure, retries, and messages."""

from __future__ import annotations

import logging

import pytest
from pytest_httpserver import HTTPServer

from shared.errors import (
    BadResponse,
    Forbidden,
    KeyRefused,
    ProviderError,
    ProviderTimeout,
    RateLimited,
    RequestRejected,
    Unavailable,
)
from tests.unit.http.timed_client import Clock, client

STATUSES: list[tuple[int, type[ProviderError], int]] = [
    (429, RateLimited, 3),
    (500, Unavailable, 3),
    (503, Unavailable, 3),
    (504, Unavailable, 3),
    (408, Unavailable, 3),
    (401, KeyRefused, 1),
    (403, Forbidden, 1),
    (400, RequestRejected, 1),
    (404, RequestRejected, 1),
    (414, RequestRejected, 1),
    (422, RequestRejected, 1),
    (301, BadResponse, 1),
]


@pytest.mark.parametrize(("status", "error", "attempts"), STATUSES, ids=[str(status) for status, _, _ in STATUSES])
def test_a_status_has_its_error_and_only_temporary_errors_are_retried(
    httpserver: HTTPServer, status: int, error: type[ProviderError], attempts: int
) -> None:
    httpserver.expect_request("/x").respond_with_data("upstream words", status=status)
    with pytest.raises(error) as caught:
        client(httpserver, Clock(15)).get_json("/x")
    assert type(caught.value) is error
    assert len(httpserver.log) == attempts
    assert "upstream words" not in str(caught.value)


@pytest.mark.parametrize(
    ("body", "error"),
    [
        ('{"error": "Invalid api_key"}', KeyRefused),
        ('{"error": true, "message": "Your API key is not valid."}', KeyRefused),
        ('{"detail": "Authentication failed (API key invalid)"}', KeyRefused),
        ("The request is missing a valid API key.", KeyRefused),
        ("Access denied due to an expired subscription key.", KeyRefused),
        ('{"error": "very-secret is unknown"}', KeyRefused),  # the key itself
        ('{"message":"Forbidden"}', Forbidden),  # API Gateway, for a wrong key and for much else
        ('{"error": "Rate limit exceeded", "message": "Get an API key for a higher limit."}', Forbidden),
        ('{"error": "Pagination error.", "message": "Maximum results size of 10,000 records is exceeded."}', Forbidden),
        ("<html><title>403 Forbidden</title><h1>Request blocked</h1></html>", Forbidden),
        ("", Forbidden),
    ],
)
def test_a_403_is_about_the_key_only_if_its_body_says_so(
    httpserver: HTTPServer, body: str, error: type[ProviderError]
) -> None:
    httpserver.expect_request("/x").respond_with_data(body, status=403)
    with pytest.raises(ProviderError) as caught:
        client(httpserver, Clock(15)).get_json("/x")
    assert (type(caught.value), caught.value.status) == (error, 403)


def test_a_temporary_error_is_resolved_by_a_retry(httpserver: HTTPServer) -> None:
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


def test_a_retry_after_beyond_the_deadline_is_reported_without_sleeping(httpserver: HTTPServer) -> None:
    httpserver.expect_request("/x").respond_with_data("", status=429, headers={"Retry-After": "47052"})
    clock = Clock(15)
    with pytest.raises(RateLimited) as caught:
        client(httpserver, clock).get_json("/x")
    assert caught.value.retry_after_s == 47052
    assert clock.slept == []
    assert len(httpserver.log) == 1


def test_no_request_is_sent_when_no_time_is_left(httpserver: HTTPServer) -> None:
    with pytest.raises(ProviderTimeout, match="deadline has passed"):
        client(httpserver, Clock(0)).get_json("/x")
    assert len(httpserver.log) == 0


def test_the_contact_is_stated_and_the_key_stays_out_of_messages_and_logs(
    httpserver: HTTPServer, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    httpserver.expect_request("/x").respond_with_data('{"error": "very-secret is unknown"}', status=403)
    sender = client(httpserver, Clock(15))
    with pytest.raises(KeyRefused) as caught:
        sender.get_json("/x", {"q": "1"}, x_api_key=sender.key or "")
    request, _ = httpserver.log[0]
    assert request.headers["x-api-key"] == "very-secret"
    assert "mailto:dev@example.org" in request.headers["user-agent"]
    assert "very-secret" not in str(caught.value)
    assert "very-secret" not in caplog.text


@pytest.mark.parametrize("address", ["https://xn--0.com/x.pdf", "https://xn--a.example/x.pdf"])
def test_a_host_whose_name_cannot_be_decoded_is_an_error_of_the_provider(httpserver: HTTPServer, address: str) -> None:
    with pytest.raises(ProviderError):
        client(httpserver, Clock(2)).fetch(address)
