"""The texts of errors about one field of a request, where pydantic's own names no value, or nothing that is valid."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from pydantic import BaseModel

from shared.canonical_json import ID_FORM

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

EMPTY = "must not be empty"
VALUE_CHARS = 40  # of a wrong value, in a message
# Messages of pydantic that use names of Python types; callers send JSON.
_IN_PYTHON = ("dict_type", "model_type", "model_attributes_type", "list_type", "tuple_type", "too_long", "too_short")
_JSON_NAMES = (
    (re.compile(r"\bdictionary( or instance of \w+| or object to extract fields from)?", re.IGNORECASE), "object"),
    (re.compile(r"\b(list|tuple)\b"), "array"),
    (re.compile(r"\b(List|Tuple)\b"), "Array"),
    (re.compile(r" after validation, not"), ", not"),
)
_OF_VALUE = ("literal_error", "enum", "bool_parsing", "bool_type", "int_parsing", "int_type", "string_type")
_OF_BOOLEAN = "must be true or false"
_IDS = '["10.7554/eLife.20391", "PMID:29618526"]'
_EXAMPLES = {
    "ids": _IDS, "seeds": _IDS, "references": '["Vaswani A. et al. (2017). Attention is all you need."]',
}  # fmt: skip
_OF_PATTERN = {
    f"^{ID_FORM}$": "must be an id as an earlier answer has it: 32 characters, digits and the letters a to f",
    "^[0-9]+$": "must be `next_cursor` of the page before, unchanged",
}


def error_text(item: ErrorDetails, model: type[BaseModel]) -> str:
    """The message of an error that pydantic found in a request for this model."""
    kind, place, message = item["type"], item["loc"], item["msg"]
    if kind == "too_short" and item.get("ctx", {}).get("actual_length") == 0:
        return EMPTY
    if kind in _IN_PYTHON:
        return f"{_in_json(message)}, not {_named(item['input'])}" if kind.endswith("_type") else _in_json(message)
    if kind == "string_too_long":
        return f"{message}, not {len(str(item['input'])):,}"
    if kind.endswith(_OF_VALUE):
        return f"{_OF_BOOLEAN if kind.startswith('bool_') else message}, not {_named(item['input'])}"
    if kind == "missing" and len(place) == 1 and place[0] in _EXAMPLES:
        return f"{message}, such as {_EXAMPLES[str(place[0])]}"
    if kind == "string_pattern_mismatch":
        return _OF_PATTERN.get(str(item.get("ctx", {}).get("pattern")), message)
    if kind in ("greater_than_equal", "less_than_equal", "int_parsing_size"):
        return f"{_range(item, model) or message}, not {str(item['input'])[:VALUE_CHARS]}"
    return message


def one_of(valid: Iterable[str], value: object) -> str:
    """The message about a value that is none of the valid ones."""
    return f"must be one of {', '.join(valid)}, not {_named(value)}"


def from_to(least: int, most: int, value: object) -> str:
    """The message about a value that is no number in a range."""
    return f"must be from {least} to {most}, not {_named(value)}"


def _named(value: object) -> str:
    """A wrong value, as JSON has it."""
    if isinstance(value, Mapping):
        return "an object"
    if isinstance(value, str):
        return repr(value[:VALUE_CHARS])
    return "a list" if isinstance(value, list | tuple) else json.dumps(value)[:VALUE_CHARS]


def _range(item: ErrorDetails, model: type[BaseModel]) -> str | None:
    """Both bounds of a field; None if it has not both, or is not one of the request's own."""
    field = model.model_fields.get(str(item["loc"][0])) if len(item["loc"]) == 1 else None
    bounds = {
        name: getattr(it, name)
        for it in (field.metadata if field else ())
        for name in ("ge", "le")
        if hasattr(it, name)
    }
    return f"must be from {bounds['ge']} to {bounds['le']}" if len(bounds) == 2 else None


def _in_json(message: str) -> str:
    for pattern, name in _JSON_NAMES:
        message = pattern.sub(name, message)
    return message
