"""JSON of unknown content."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

# A JSON object whose fields have not been checked: mypy requires a check before a field is used.
JsonObject: TypeAlias = Mapping[str, object]
