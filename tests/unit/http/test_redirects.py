"""Redirects lead to the provider's own host, or nowhere."""

from __future__ import annotations

import pytest

from shared.errors import BadResponse
from shared.providers.redirects import next_url

BASE = "https://api.example.org/v1"
AT = "https://api.example.org/v1/works/W1?select=id"

OWN = {
    "relative": ("W2?select=id", "https://api.example.org/v1/works/W2?select=id"),
    "path": ("/v2/works/W2", "https://api.example.org/v2/works/W2"),
    "whole": ("https://api.example.org/works/W2", "https://api.example.org/works/W2"),
    "its usual port": ("https://api.example.org:443/works/W2", "https://api.example.org/works/W2"),
    "other case": ("HTTPS://API.EXAMPLE.ORG/works/W2", "https://api.example.org/works/W2"),
    "fragment": ("/works/W2#part", "https://api.example.org/works/W2"),
}


@pytest.mark.parametrize(("location", "expected"), OWN.values(), ids=OWN)
def test_a_redirect_on_the_same_host_is_followed(location: str, expected: str) -> None:
    assert next_url("Testing", BASE, AT, location) == expected


OTHERS = {
    "without TLS": "http://api.example.org/works/W2",
    "another port": "https://api.example.org:8443/works/W2",
    "another host": "https://evil.example/works/W2",
    "a host that begins like it": "https://api.example.org.evil.example/",
    "the host as a user": "https://api.example.org@evil.example/",
    "without a scheme": "//evil.example/works/W2",
    "with backslashes": "https:\\\\evil.example\\works",
    "loopback": "http://127.0.0.1:8080/inner",
    "metadata": "http://169.254.169.254/latest/meta-data",
    "a file": "file:///etc/passwd",
    "data": "data:application/json,{}",
    "not an address": "https://[evil",
    "a port that is none": "https://api.example.org:99999999999/",
}


@pytest.mark.parametrize("location", OTHERS.values(), ids=OTHERS)
def test_a_redirect_elsewhere_is_refused(location: str) -> None:
    try:
        found = next_url("Testing", BASE, AT, location)
    except BadResponse as error:
        assert "/works" not in error.message
        assert "passwd" not in error.message
        assert len(error.message) < 200
    else:  # it was read as a path on the same host
        assert found.startswith("https://api.example.org/")
        assert location.startswith("https:\\")


def test_the_message_names_the_host_and_nothing_that_follows_it() -> None:
    with pytest.raises(BadResponse) as caught:
        next_url("Testing", BASE, AT, "https://user:hidden@" + "a" * 300 + ".example/?token=hidden")
    assert "hidden" not in caught.value.message
    assert len(caught.value.message) < 200
