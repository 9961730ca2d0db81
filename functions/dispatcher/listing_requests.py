"""Requests for papers and lists as JSON: where a file of citations is wanted, the error says where to get it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from pydantic import BaseModel

from shared.errors import BadRequest
from shared.validation import NOTHING, validated

AS_FILE = (
    "For a file of citations: /v1/exports?ids=…&format=bibtex (ris, csl-json, csv, markdown), or with `result_set_id` "
    "of a list in place of `ids`."
)
Request = TypeVar("Request", bound=BaseModel)


def read_listing(model: type[Request], data: object, in_path: Mapping[str, object] = NOTHING) -> Request:
    """The request, as `validated`; where a file of citations is wanted, the error names the route that writes it."""
    try:
        return validated(model, data, in_path)
    except BadRequest as error:
        if any(it.field == "format" for it in error.errors):
            error.hint = AS_FILE
        raise
