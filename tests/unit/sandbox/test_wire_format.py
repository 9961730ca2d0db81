"""The sandboxes' responses match their snapshots byte for byte, and independent parsers can read them."""

from __future__ import annotations

import json
from collections.abc import Mapping

import feedparser
import pytest
from defusedxml.ElementTree import fromstring

from tests.unit.sandbox.snapshots import FOLDER, Exchange, exchanges, respond

EXCHANGES = list(exchanges())
IDS = [f"{provider}: {exchange['case']}" for provider, exchange in EXCHANGES]


@pytest.mark.parametrize(("provider", "exchange"), EXCHANGES, ids=IDS)
def test_a_sandbox_answers_as_in_its_snapshot(provider: str, exchange: Exchange) -> None:
    given, expected = respond(provider, exchange), exchange["response"]
    assert (given["status"], given["content_type"]) == (expected["status"], expected["content_type"])
    assert given["body"] == expected["body"]


@pytest.mark.parametrize(("provider", "exchange"), EXCHANGES, ids=IDS)
def test_a_response_is_valid_for_its_content_type(provider: str, exchange: Exchange) -> None:
    response = exchange["response"]
    kind = (response["content_type"] or "").partition(";")[0]
    if kind == "application/json":
        assert isinstance(json.loads(response["body"]), Mapping | list)
    elif kind == "application/atom+xml":
        feed = feedparser.parse(response["body"])
        assert not feed.bozo
        assert feed.version == "atom10"
        assert len(feed.entries) == response["body"].count("<entry>")
    elif kind.endswith("xml"):
        assert fromstring(response["body"], forbid_dtd=False).tag
    elif response["body"]:  # CORE's 429 has none
        assert kind == "text/plain" or response["body"].lstrip().lower().startswith(("<!doctype html", "<html"))


def test_every_folder_of_snapshots_has_exchanges() -> None:
    assert {provider for provider, _ in EXCHANGES} == {folder.name for folder in FOLDER.iterdir()}
