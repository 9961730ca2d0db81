"""JSON of unknown content, and dataclasses as JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from operator import attrgetter
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

# A JSON object whose fields have not been checked: mypy requires a check before a field is used.
JsonObject: TypeAlias = Mapping[str, object]


_DIGITS = 400  # a longer number is none that a record contains, and takes long to read (Python refuses 4,300)
_COUNT = re.compile(r"[0-9]{1,15}")


class NestedTooDeeply(ValueError):
    """The JSON is nested more deeply than Python reads it."""


def read_json(text: str | bytes) -> Any:
    """The value of a JSON text of others. Numbers that JSON does not have (NaN, Infinity) or nobody uses are null.

    Raises ValueError, of which NestedTooDeeply is one.
    """
    try:
        return json.loads(text, parse_constant=_null, parse_int=_whole_number)
    except RecursionError as error:
        raise NestedTooDeeply("nested too deeply") from error


def _null(constant: str) -> None:
    del constant


def _whole_number(digits: str) -> int | None:
    return int(digits) if len(digits) <= _DIGITS else None


def read_count(value: object) -> int | None:
    """A number of hits as APIs state it: a whole number, or a text of at most 15 digits; None for anything else."""
    if isinstance(value, str) and _COUNT.fullmatch(value):
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def to_json(value: object) -> Any:
    """A dataclass as JSON-ready data, with everything in it: an object, lists and plain values.

    `dataclasses.asdict` copies every text, which takes three times as long.
    """
    names = _field_names(type(value))  # type: ignore[arg-type]  # a class is hashable
    if names is not None:
        return {name: to_json(getattr(value, name)) for name in names}
    return [to_json(item) for item in value] if isinstance(value, (tuple, list)) else value


def flat_json(record: DataclassInstance) -> Any:
    """A dataclass of plain values, two or more, as the TypedDict with the same fields."""
    names, read = _reader(type(record))
    return dict(zip(names, read(record), strict=True))


@cache
def _reader(kind: type) -> tuple[tuple[str, ...], Callable[[object], tuple[object, ...]]]:
    """The names of a dataclass's fields, and a function that reads all of them at once."""
    names = _field_names(kind) or ()
    return names, attrgetter(*names)


@cache  # `fields` makes its list anew for each value
def _field_names(kind: type) -> tuple[str, ...] | None:
    """The names of a dataclass's fields; None for another type."""
    return tuple(field.name for field in fields(kind)) if is_dataclass(kind) else None
