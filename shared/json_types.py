"""JSON of unknown content, and dataclasses as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any, TypeAlias

# A JSON object whose fields have not been checked: mypy requires a check before a field is used.
JsonObject: TypeAlias = Mapping[str, object]


def to_json(value: object) -> Any:
    """A dataclass as JSON-ready data, with everything in it: an object, lists and plain values.

    `dataclasses.asdict` copies every text, which takes three times as long.
    """
    if is_dataclass(value):
        return {field.name: to_json(getattr(value, field.name)) for field in fields(value)}
    return [to_json(item) for item in value] if isinstance(value, (tuple, list)) else value
