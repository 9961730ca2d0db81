"""A stored result set as it is read: of hundreds of results, a page shows ten, and only these are decoded."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, overload

import msgspec


class _Stored(msgspec.Struct):
    results: list[msgspec.Raw]


_stored = msgspec.json.Decoder(_Stored)
_rest = msgspec.json.Decoder(dict[str, msgspec.Raw])


class StoredResults(Sequence[Any]):
    """Results in JSON, each decoded when it is first read. Equal to a sequence of equal results."""

    def __init__(self, encoded: Sequence[msgspec.Raw]) -> None:
        self._encoded = encoded
        self._decoded: dict[int, Any] = {}

    def __len__(self) -> int:
        return len(self._encoded)

    @overload
    def __getitem__(self, place: int) -> Any: ...

    @overload
    def __getitem__(self, place: slice) -> list[Any]: ...

    def __getitem__(self, place: int | slice) -> Any:
        if isinstance(place, slice):
            return [self[number] for number in range(*place.indices(len(self)))]
        number = range(len(self))[place]  # raises IndexError, as a list does
        if number not in self._decoded:
            self._decoded[number] = self._read(number)
        return self._decoded[number]

    def _read(self, number: int) -> Any:
        return msgspec.json.decode(self._encoded[number])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]  # as a list's


def read_result_set(text: bytes) -> Any:
    """The result set (`AnyResultSet`) of a JSON text of our own. Raises ValueError on anything else."""
    fields = _rest.decode(text)
    decoded: Any = {name: msgspec.json.decode(value) for name, value in fields.items() if name != "results"}
    return {**decoded, "results": StoredResults(_stored.decode(text).results)}
