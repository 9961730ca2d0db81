"""Refuses query parameters that an operation does not declare, with the nearest name that it does."""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import cache

from shared.api.operation import Operation
from shared.api.operations import OPERATIONS
from shared.errors import BadRequest, FieldError
from shared.validation import refusal, suggestion


def refuse_unknown_parameters(method: str, path: str, names: Collection[str]) -> None:
    """Raises BadRequest for the names that the operation of this method and path does not have.

    Where a model reads the query string, the model refuses them itself, as it does in a body.
    """
    operation = operation_of(method, path)
    if operation is None or (operation.request and method == "GET"):
        return
    known = [it["name"] for it in operation.parameters if it["in"] == "query"]
    unknown = [name for name in names if name not in known]
    if unknown:
        raise refusal(BadRequest, [FieldError(name[:100], _message(name, known)) for name in unknown])


def _message(name: str, known: Collection[str]) -> str:
    return "unknown parameter" + (suggestion(name, known) if known else "; this operation has none in its URL")


def operation_of(method: str, path: str) -> Operation | None:
    """The operation of a request; the longest path that fits decides: an id may have slashes in it."""
    return next((it for it in _longest_first() if it.method == method and _pattern(it.path).fullmatch(path)), None)


@cache
def _longest_first() -> tuple[Operation, ...]:
    return tuple(sorted(OPERATIONS, key=lambda it: -len(it.path)))


@cache
def _pattern(template: str) -> re.Pattern[str]:
    """A path's expression: its last parameter may have slashes, in an id or in an encoded one that was decoded."""
    parts = re.split(r"\{\w+\}", template)
    return re.compile(
        r"[^/]+".join(map(re.escape, parts[:-1])) + (r"[\s\S]+" if parts[1:] else "") + re.escape(parts[-1])
    )
