"""Reads JSON of callers: each name of an object once, and a byte order mark before the text is not part of it.

RFC 8259 leaves open what a repeated name means (section 4), and lets readers ignore the mark (section 8.1).
"""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

from shared.bibliography.characters import BYTE_ORDER_MARK

REPEATED = "is given more than once"


class Repeated(list[str]):
    """The values of a parameter that a URL names more than once: an error, unless its field takes a list."""


class RepeatedName(ValueError):
    """An object has a name twice, and it is not clear which value is meant."""

    def __init__(self, name: str) -> None:
        super().__init__(f"the name {name[:100]!r} is given more than once")
        self.name = name[:100].encode("utf-8", "backslashreplace").decode()


def read_unique(text: str) -> Any:
    """The value of a JSON text. Raises ValueError, RepeatedName among them, and RecursionError if nested too deeply."""
    return json.loads(text.removeprefix(BYTE_ORDER_MARK), object_pairs_hook=_unique)


def why_no_json(error: ValueError | RecursionError) -> str:
    """What of a text cannot be read as JSON, and where, for its writer."""
    if isinstance(error, json.JSONDecodeError):
        return f"{error.msg} in line {error.lineno}, column {error.colno}"
    return "nested too deeply" if isinstance(error, RecursionError) else "a number has too many digits"


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise RepeatedName(Counter(name for name, _ in pairs).most_common(1)[0][0])
    return found
