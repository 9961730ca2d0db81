"""Validates a caller's input with a pydantic model; errors name every wrong field and say what is valid."""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection, Mapping
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from shared.errors import BadRequest, FieldError, LiteratureError, Unprocessable

# Malformed input is a 400; a well-formed but invalid value is a 422.
_MALFORMED = {"extra_forbidden", "missing"}
# Messages of pydantic that use names of Python types; callers send JSON.
_IN_PYTHON = ("dict_type", "model_type", "model_attributes_type", "list_type", "tuple_type", "too_long", "too_short")
_JSON_NAMES = (
    (re.compile(r"\bdictionary( or instance of \w+| or object to extract fields from)?", re.IGNORECASE), "object"),
    (re.compile(r"\b(list|tuple)\b"), "array"),
    (re.compile(r"\b(List|Tuple)\b"), "Array"),
)
Model = TypeVar("Model", bound=BaseModel)


def is_blank(value: object) -> bool:
    """Whether a value counts as absent: null, an empty or blank string, an empty list or object."""
    return value is None or (isinstance(value, str) and not value.strip()) or value in ([], {})


def validated(model: type[Model], data: object) -> Model:
    """A caller's input as the model; a blank value counts as absent.

    Raises BadRequest for malformed input and Unprocessable for an invalid value; both name every wrong field.
    """
    if not isinstance(data, Mapping):
        raise BadRequest("the request must be a JSON object", [FieldError("body", "must be a JSON object")])
    try:
        known = model.model_fields
        return model.model_validate({key: it for key, it in data.items() if key not in known or not is_blank(it)})
    except ValidationError as error:
        raise _to_bad_request(error, model.model_fields) from None


def _to_bad_request(error: ValidationError, fields: Collection[str]) -> LiteratureError:
    """The error to raise, with every wrong field; `fields` are the valid names."""
    errors = []
    malformed = False
    for item in error.errors(include_url=False, include_input=False):
        path = ".".join(_printable(part) for part in item["loc"])
        field = path if item["loc"] else str(item.get("ctx", {}).get("field", "body"))
        message = _in_json(item["msg"]) if item["type"] in _IN_PYTHON else item["msg"]
        if item["type"] == "extra_forbidden":
            message = "unknown field" + _suggestion(field, fields)
        malformed = malformed or item["type"] in _MALFORMED or item["type"].endswith(("_type", "_parsing"))
        errors.append(FieldError(field, message))
    message = "; ".join(f"{error.field}: {error.message}" for error in errors)
    return (BadRequest if malformed else Unprocessable)(message, errors)


def _in_json(message: str) -> str:
    for pattern, name in _JSON_NAMES:
        message = pattern.sub(name, message)
    return message


def _printable(part: int | str) -> str:
    """A field's name for a message: without lone surrogates, at most 100 characters."""
    return str(part).encode("utf-8", "replace").decode()[:100]


def _suggestion(field: str, fields: Collection[str]) -> str:
    matches = difflib.get_close_matches(field, fields, n=1)
    return f"; did you mean {matches[0]}?" if matches else f"; the fields are {', '.join(fields)}"
