"""The first results of a result set, kept beside its key: most answers show no more, and the rest is not read for them.

{result_set_id, asked, summary, results: the first FIRST, count: how many there are}
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

import msgspec

from shared.canonical_json import digest
from shared.errors import StorageUnavailable
from shared.search.result_sets.stored_results import StoredResults

if TYPE_CHECKING:
    from shared.search.result_sets.store import AnyResultSet, ResultSet

FIRST = 10  # as many as a page has by default


class _First(msgspec.Struct):
    result_set_id: str
    asked: dict[str, Any]
    summary: dict[str, Any]
    results: list[msgspec.Raw]
    count: int


_first = msgspec.json.Decoder(_First)


class FirstResults(StoredResults):
    """All results of a result set, of which the first are here; `load` reads all when another one is read.

    Raises what `load` raises.
    """

    def __init__(self, encoded: Sequence[msgspec.Raw], count: int, load: Callable[[], Sequence[Any]]) -> None:
        super().__init__(encoded)
        self._count, self._load = count, load

    def __len__(self) -> int:
        return self._count

    def _read(self, number: int) -> Any:
        return super()._read(number) if number < len(self._encoded) else self._all[number]

    @cached_property
    def _all(self) -> Sequence[Any]:
        results = self._load()
        if len(results) != self._count:
            raise unreadable()
        return results


def unreadable() -> StorageUnavailable:
    """The error of a result set that is stored and cannot be read."""
    return StorageUnavailable("the result set cannot be read now", retry_after_s=2.0)


def encode_first(result_set: ResultSet[Any, Any]) -> bytes:
    """The JSON of a search's result set with its first results alone."""
    results = result_set["results"]
    return msgspec.json.encode({**result_set, "results": results[:FIRST], "count": len(results)})


def read_first(text: bytes, load: Callable[[], AnyResultSet]) -> AnyResultSet:
    """The result set of `encode_first`; `load` reads the whole one. Raises ValueError for any other text."""
    first = _first.decode(text)
    are_objects = all(bytes(result).startswith(b"{") for result in first.results)
    if not are_objects or len(first.results) != min(FIRST, first.count) or "providers" not in first.summary:
        raise ValueError("no first results of a result set")
    result_set = {
        "result_set_id": first.result_set_id,
        "asked": first.asked,
        "summary": first.summary,
        "results": FirstResults(first.results, first.count, lambda: load()["results"]),
        "version": digest(text, 32),
    }
    return cast("AnyResultSet", result_set)
