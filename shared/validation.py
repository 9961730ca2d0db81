"""What is wrong with a caller's input, field by field, in words that help; shared by all requests."""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection, Mapping
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from shared.errors import BadRequest, FieldError, LiteratureError, Unprocessable

# What the input's form makes impossible to read is a 400; a readable value that cannot be is a 422.
_MALFORMED = {"extra_forbidden", "missing"}
# Callers write JSON: what the library calls by Python's names has others there.
_IN_PYTHON = ("dict_type", "model_type", "model_attributes_type", "list_type", "tuple_type", "too_long", "too_short")
_JSON_NAMES = (
    (re.compile(r"\bdictionary( or instance of \w+| or object to extract fields from)?", re.IGNORECASE), "object"),
    (re.compile(r"\b(list|tuple)\b"), "array"),
    (re.compile(r"\b(List|Tuple)\b"), "Array"),
)
Model = TypeVar("Model", bound=BaseModel)


def absent(value: Any) -> bool:
    """An empty string, null or an empty list says nothing."""
    return value is None or (isinstance(value, str) and not value.strip()) or value in ([], {})


def validated(model: type[Model], data: Any) -> Model:
    """A caller's input as what the model says; an empty value is an absent one.

    Raises BadRequest for input of the wrong form, Unprocessable for a value that cannot be; both name every field.
    """
    if not isinstance(data, Mapping):
        raise BadRequest("the request must be a JSON object", [FieldError("body", "must be a JSON object")])
    try:
        known = model.model_fields
        return model.model_validate({key: it for key, it in data.items() if key not in known or not absent(it)})
    except ValidationError as error:
        raise _named_faults(error, model.model_fields) from None


def _named_faults(error: ValidationError, fields: Collection[str]) -> LiteratureError:
    """The error to raise, with every wrong field; `fields` are those that there are."""
    faults = []
    malformed = False
    for item in error.errors(include_url=False, include_input=False):
        named = ".".join(_printable(part) for part in item["loc"])
        field = named if item["loc"] else str(item.get("ctx", {}).get("field", "body"))
        message = _in_json(item["msg"]) if item["type"] in _IN_PYTHON else item["msg"]
        if item["type"] == "extra_forbidden":
            message = "unknown field" + _suggestion(field, fields)
        malformed = malformed or item["type"] in _MALFORMED or item["type"].endswith(("_type", "_parsing"))
        faults.append(FieldError(field, message))
    told = "; ".join(f"{fault.field}: {fault.message}" for fault in faults)
    return (BadRequest if malformed else Unprocessable)(told, faults)


def _in_json(message: str) -> str:
    for pattern, name in _JSON_NAMES:
        message = pattern.sub(name, message)
    return message


def _printable(part: int | str) -> str:
    """A name as it may be told: without halves of characters, and not without end."""
    return str(part).encode("utf-8", "replace").decode()[:100]


def _suggestion(field: str, fields: Collection[str]) -> str:
    near = difflib.get_close_matches(field, fields, n=1)
    return f"; did you mean {near[0]}?" if near else f"; the fields are {', '.join(fields)}"
