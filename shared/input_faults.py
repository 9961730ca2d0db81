"""What is wrong with a caller's input, field by field, in words that help; shared by all requests."""

from __future__ import annotations

import difflib
from collections.abc import Collection
from typing import Any

from pydantic import ValidationError

from shared.errors import BadRequest, FieldError, LiteratureError, Unprocessable

# What the input's form makes impossible to read is a 400; a readable value that cannot be is a 422.
_MALFORMED = {"extra_forbidden", "missing"}


def absent(value: Any) -> bool:
    """An empty string, null or an empty list says nothing."""
    return value is None or (isinstance(value, str) and not value.strip()) or value in ([], {})


def named_faults(error: ValidationError, fields: Collection[str]) -> LiteratureError:
    """The error to raise: BadRequest or Unprocessable, with every wrong field; `fields` are those that there are."""
    faults = []
    malformed = False
    for item in error.errors(include_url=False, include_input=False):
        field = ".".join(str(part) for part in item["loc"]) or str(item["ctx"]["field"])
        message = item["msg"]
        if item["type"] == "extra_forbidden":
            message = "unknown field" + _suggestion(field, fields)
        malformed = malformed or item["type"] in _MALFORMED or item["type"].endswith(("_type", "_parsing"))
        faults.append(FieldError(field, message))
    told = "; ".join(f"{fault.field}: {fault.message}" for fault in faults)
    return (BadRequest if malformed else Unprocessable)(told, faults)


def _suggestion(field: str, fields: Collection[str]) -> str:
    near = difflib.get_close_matches(field, fields, n=1)
    return f"; did you mean {near[0]}?" if near else f"; the fields are {', '.join(fields)}"
