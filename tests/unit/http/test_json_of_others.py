"""JSON of others: numbers that JSON does not have, numbers without an end, and depth."""

from __future__ import annotations

import json
from typing import Any

import pytest

from functions.providers import crossref
from shared.errors import BadResponse
from shared.json_types import NestedTooDeeply, read_count, read_json
from shared.providers.answer_bodies import Answer
from tests.replay import client_for


def decode(body: bytes, kind: str = "json") -> Any:
    """The body, decoded by the client of a source."""

    def never(request: object) -> Any:
        raise AssertionError("nothing is requested")

    client = client_for(crossref, never)
    answer = Answer(200, {"content-type": f"application/{kind}"}, body)
    return client.decode_json(answer) if kind == "json" else client.decode_xml(answer)


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "9" * 401, "9" * 5_000, f"-{'9' * 5_000}"])
def test_numbers_that_nothing_counts_are_null(number: str) -> None:
    assert read_json(f'[1, {number}, {{"count": {number}}}]') == [1, None, {"count": None}]
    assert decode(f'{{"kept": 7, "count": {number}}}'.encode()) == {"kept": 7, "count": None}


@pytest.mark.parametrize("text", ['{"a": [1, -5, 1.5, "x", true, null]}', "[]", "12345678901234567890"])
def test_everything_else_is_read_as_it_is(text: str) -> None:
    assert read_json(text) == json.loads(text)


@pytest.mark.parametrize("opening", ["[", '{"a":'])
def test_json_nested_too_deeply_is_a_bad_response_that_says_so(opening: str) -> None:
    with pytest.raises(NestedTooDeeply):
        read_json(opening * 100_000)
    with pytest.raises(BadResponse, match="nested too deeply"):
        decode(opening.encode() * 100_000)


def test_xml_in_an_unknown_encoding_is_a_bad_response_that_says_so() -> None:
    with pytest.raises(BadResponse, match="unknown encoding"):
        decode(b'<?xml version="1.0" encoding="x-none"?><feed/>', "xml")


@pytest.mark.parametrize(
    ("stated", "count"),
    [(0, 0), (12, 12), ("12", 12), ("0", 0), (True, None), (-1, None), (1.5, None), ("", None), ("-1", None),
     ("\u00b2", None), ("\u0661", None), ("9" * 5_000, None), (None, None), ([], None)],
)  # fmt: skip
def test_a_count_is_a_number_or_a_text_of_digits(stated: object, count: int | None) -> None:
    assert read_count(stated) == count
