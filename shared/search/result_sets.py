"""Stored answers that are paged through: where they are stored, and how one is shown again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from shared.legs.reports import as_kept
from shared.search.hints import NOT_KEPT


class ResultSets(Protocol):
    """Where result sets are kept, by id and by the request that made them."""

    def get(self, result_set_id: str) -> dict[str, Any] | None:
        """A kept result set."""

    def of_request(self, request_key: str) -> dict[str, Any] | None:
        """The complete and fresh result set of an equal request."""

    def put(self, result_set: Mapping[str, Any], request_key: str | None, fresh_s: float) -> bool:
        """Keep one; under its request for `fresh_s` seconds. False when that failed."""


def reused(result_set: Mapping[str, Any], cache: str) -> dict[str, Any]:
    """A stored result set as it is shown again; `cache` is the state that the answer reports (`hit`, `coalesced`)."""
    summary = result_set["summary"]
    return {**result_set, "summary": {**summary, "providers": as_kept(summary["providers"]), "cache": cache}}


def stored(result_sets: ResultSets, result_set: dict[str, Any], request_key: str, fresh_s: float) -> dict[str, Any]:
    """The result set, once it is stored; where that failed, marked so that its answer offers no next page."""
    if result_sets.put(result_set, request_key, fresh_s):
        return result_set
    summary = result_set["summary"]
    return {**result_set, "kept": False, "summary": {**summary, "hints": [*summary["hints"], NOT_KEPT]}}
