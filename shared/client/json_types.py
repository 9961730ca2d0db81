"""JSON as the client sends and receives it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

# A JSON object whose fields have not been checked; `shared.json_types` has it for the service.
JsonObject: TypeAlias = Mapping[str, object]
# An answer as callers get it: a plain dict, whose fields the API's OpenAPI document describes.
ToolAnswer: TypeAlias = dict[str, Any]
