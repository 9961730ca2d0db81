"""JSON, digests and chunks: the cases on which the former copies differed, and the bytes that are stored already."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from shared.answers.search import StoredPaper
from shared.bibliography.identifiers import Identifiers, paper_key
from shared.canonical_json import canonical, chunked, chunks_of, compact_json, digest, json_bytes
from shared.exports.citation_keys import citation_keys
from shared.graph.identity import state_digest
from shared.query.query import Query
from shared.query.question import Citation, Lookup, Match
from shared.saved_searches.feed import etag
from shared.saved_searches.schedule import spread_s
from shared.search.requests.search_request import read_request
from shared.search.search_terms import request_key, result_set_of

VALUE = {"b": "é“\x7f\n", "a": [1, None, 0.1, True], "": {}}


@pytest.mark.parametrize(
    ("form", "options"),
    [
        # New digests, and the graph's states.
        ({}, {"sort_keys": True, "ensure_ascii": False, "separators": (",", ":")}),
        # Cache keys and ids of result sets, keys of requests.
        ({"spaced": True}, {"sort_keys": True, "ensure_ascii": False}),
        # Idempotency keys of the tools, digests of saved searches, keys of lists of references.
        ({"spaced": True, "ensure_ascii": True}, {"sort_keys": True}),
    ],
)
def test_each_form_is_what_its_callers_have_stored(form: dict[str, bool], options: dict[str, Any]) -> None:
    assert canonical(VALUE, **form) == json.dumps(VALUE, **options)
    assert canonical(dict(reversed(VALUE.items())), **form) == canonical(VALUE, **form)


def test_the_forms_differ_so_that_no_caller_can_change_its_own() -> None:
    forms = {
        canonical(VALUE), canonical(VALUE, spaced=True), canonical(VALUE, spaced=True, ensure_ascii=True),
    }  # fmt: skip
    assert len({digest(form) for form in forms}) == 3


def test_an_answer_keeps_the_order_of_its_keys_and_its_characters() -> None:
    assert compact_json(VALUE) == '{"b":"é“\x7f\\n","a":[1,null,0.1,true],"":{}}'


@pytest.mark.parametrize(
    ("content", "data"),
    [
        ("é", "é".encode()),
        (b"\xff", b"\xff"),
        # Half of the former copies raised UnicodeEncodeError here; the others had this digest.
        ("half \ud800", b"half \xed\xa0\x80"),
    ],
)
def test_a_digest_is_sha_256_of_the_bytes(content: str | bytes, data: bytes) -> None:
    assert digest(content) == hashlib.sha256(data).hexdigest()
    assert digest(content, 16) == hashlib.sha256(data).hexdigest()[:16]


REQUEST = read_request({"query": "TREM2 “Alzheimer’s”", "providers": ["pubmed"]}, {"pubmed": ["x"]})
EMPTY: Any = {"providers": {}, "complete": True, "hints": []}
STORED: dict[str, tuple[Callable[[], str], str]] = {
    "a search's request": (
        lambda: request_key(REQUEST), "2ac27fbac2a3fa6df1007efc9ca6f73ab387c60497f1485a715b6e2a4a345b6a"
    ),
    "a result set": (lambda: result_set_of(REQUEST, [], EMPTY)["result_set_id"], "06e4cda66e8291b7a29fecd9bdfc59d2"),
    "a leg's query": (
        lambda: Query(text="TREM2 “é” & x").cache_key(),
        "6508d52e6ba59d8a75c86516ce6e30b87f9c928afa4e0d7adf029b21d1c72edf",
    ),
    "a leg's lookup": (
        lambda: Lookup(("doi:10.1/é",)).cache_key(), "d7a007f18e8a93dbf097792255e783828c9b6f1f2ca1921437ab9238aab7666b"
    ),
    "a leg's match": (
        lambda: Match((Citation(title="half \ud800"),)).cache_key(),
        "c8b2dfd69f732d5c654479dd192902cca98406fe521dbb051569951bc01c33eb",
    ),
    "a paper without an id": (lambda: paper_key(Identifiers(), "Étude", 2020), "title:ab54f8229e57a05dd73d"),
    "an ETag": (lambda: etag('{"é": "\ud800"}'), '"0d369240fee4fd9eab4a828e182e72da"'),
    "a state in the graph": (lambda: state_digest({"b": "é", "a": [1, None]}), "e03c3c1ebb5fccd7"),
    "a firing's place in its window": (
        lambda: spread_s("0" * 20, datetime(2026, 11, 22, 9, tzinfo=UTC), 60).hex(), "0x1.ecbf96514c000p+10"
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", STORED)
def test_keys_and_ids_are_those_of_earlier_versions(name: str) -> None:
    made, stored = STORED[name]
    assert made() == stored


def test_duplicates_in_an_export_remain_marked() -> None:
    twin: StoredPaper = {"key": "title:é \ud800", "title": "Same", "authors": ["Doe J"], "year": 2020}
    assert [key.endswith("697442") for key in citation_keys([twin, {**twin, "key": "other"}])] == [True, False]


@pytest.mark.parametrize(
    ("sizes", "limits", "chunks"),
    [
        ([], (3,), []),
        ([1, 1, 1, 1], (3,), [[1, 1, 1], [1]]),
        ([3], (3,), [[3]]),
        ([9, 1, 9, 9], (3,), [[9], [1], [9], [9]]),  # too large for any chunk: alone
        ([1, 2, 1], (3,), [[1, 2], [1]]),
    ],
)
def test_items_are_chunked_in_order_within_the_limit(
    sizes: list[int], limits: tuple[int, ...], chunks: list[list[int]]
) -> None:
    assert list(chunked(sizes, lambda size: (size,), limits)) == chunks


def test_the_limit_that_is_reached_first_ends_a_chunk() -> None:
    assert list(chunked([1, 1, 5, 1], lambda size: (1, size), (3, 6))) == [[1, 1], [5, 1]]


def test_the_last_of_chunks_of_one_length_may_be_shorter() -> None:
    assert list(chunks_of("abcde", 2)) == ["ab", "cd", "e"]
    assert list(chunks_of([], 2)) == []
    assert list(chunked([1, 1, 1, 1], lambda size: (1, size), (2, 6))) == [[1, 1], [1, 1]]


@pytest.mark.parametrize(
    ("value", "escaped", "unescaped"),
    # Of the former copies only one counted the two bytes between elements.
    [("a", 5, 5), ("é", 10, 6), ("\ud800", 10, 5), ([], 4, 4)],
)
def test_the_size_of_an_element_includes_its_separator(value: Any, escaped: int, unescaped: int) -> None:
    assert json_bytes(value) == escaped
    assert json_bytes(value, ensure_ascii=False) == unescaped
