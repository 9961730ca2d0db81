"""Stored result sets: shown again by searches and lists of references in one form."""

from __future__ import annotations

from typing import Any

import pytest

from shared.search.hints.result_hints import NOT_STORED
from shared.search.result_sets.store import reused, stored

LIVE = {"outcome": "ok", "source": "live", "elapsed_ms": 900}
STALE = {"outcome": "ok", "source": "stale", "elapsed_ms": 900}
RESULT_SET: Any = {
    "result_set_id": "0" * 32,
    "summary": {"providers": {"pubmed": LIVE, "arxiv": STALE}, "cache": "miss", "hints": [{"reason": "a"}]},
    "results": [1, 2],
}


@pytest.mark.parametrize("cache", ["hit", "coalesced"])
def test_a_reused_result_set_reports_cached_legs(cache: Any) -> None:
    shown = reused(RESULT_SET, cache)
    assert shown["summary"]["cache"] == cache
    assert shown["summary"]["providers"] == {
        "pubmed": {**LIVE, "source": "cache", "elapsed_ms": 0},
        "arxiv": {**STALE, "elapsed_ms": 0},
    }
    assert {**shown, "summary": None} == {**RESULT_SET, "summary": None}
    assert RESULT_SET["summary"]["cache"] == "miss"


class Storage:
    """Result sets that are stored, or not."""

    def __init__(self, *, works: bool) -> None:
        self.works = works
        self.calls: list[tuple[Any, ...]] = []

    def get(self, result_set_id: str) -> None:
        raise NotImplementedError

    def find_by_request(self, request_key: str) -> None:
        raise NotImplementedError

    def put(self, result_set: Any, request_key: str | None, fresh_s: float) -> bool:
        self.calls.append((result_set, request_key, fresh_s))
        return self.works


def test_a_stored_result_set_is_returned_unchanged() -> None:
    storage = Storage(works=True)
    assert stored(storage, RESULT_SET, "key", 60.0) is RESULT_SET
    assert storage.calls == [(RESULT_SET, "key", 60.0)]


def test_a_result_set_that_could_not_be_stored_offers_no_next_page_and_a_hint() -> None:
    shown = stored(Storage(works=False), RESULT_SET, "key", 60.0)
    assert shown["kept"] is False
    assert shown["summary"]["hints"] == [{"reason": "a"}, NOT_STORED]
    assert RESULT_SET["summary"]["hints"] == [{"reason": "a"}]
