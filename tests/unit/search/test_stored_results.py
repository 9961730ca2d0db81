"""Stored results, each decoded when it is first read."""

from __future__ import annotations

import json

import pytest

from shared.search.hints.weak_match import is_weak
from shared.search.result_sets.stored_results import read_result_set

SET = {
    "result_set_id": "r",
    "asked": {"wordings": ["a"]},
    "results": [{"key": "doi:10.1/1", "score": 0.9}, {"key": "b"}],
}
TEXT = json.dumps(SET).encode()


def test_a_result_set_is_read_as_it_was_stored() -> None:
    read = read_result_set(TEXT)
    assert read == SET
    assert list(read["results"]) == SET["results"]
    assert read["results"][-1] == {"key": "b"}
    assert read["results"][:1] == SET["results"][:1]
    assert read["results"] != [{"key": "b"}]
    with pytest.raises(IndexError):
        read["results"][2]


def test_a_result_that_is_not_read_is_not_decoded() -> None:
    odd = TEXT.replace(b'"b"', b'"\xff"')  # msgspec decodes a text when it is read, not when it is passed over
    results = read_result_set(odd)["results"]
    assert results[0]["score"] == 0.9
    assert not is_weak(result["score"] for result in results)
    with pytest.raises(ValueError, match=r"(?i)utf-8"):
        results[1]


@pytest.mark.parametrize(
    ("scores", "weak"), [([], False), ([None], False), ([0.1, None], True), ([0.1, 0.3], False), ([0.29], True)]
)
def test_an_answer_is_weak_when_every_score_is_below_the_bound(scores: list[float | None], weak: bool) -> None:
    assert is_weak(scores) is weak


@pytest.mark.parametrize("text", [b"", b"[]", b"{}", b'{"results": 3}'])
def test_another_text_is_refused(text: bytes) -> None:
    with pytest.raises(ValueError):
        read_result_set(text)
