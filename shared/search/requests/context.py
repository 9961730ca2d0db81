"""The debate, analysis or report that cites papers or is shown them, as a request names it; in a URL as JSON text."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress

from pydantic import BaseModel, ConfigDict, Field, model_validator
from pydantic_core import PydanticCustomError

from shared.contexts import MAX_CONTEXT_CHARS, ContextType
from shared.unique_json import read_unique

MAX_JSON_CHARS = 2_000  # an id of 256 characters takes up to 1,536, escaped


class ContextName(BaseModel):
    """A debate, an analysis or a report that cites papers."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    type: ContextType = Field(description="What kind of context it is.")
    id: str = Field(min_length=1, max_length=MAX_CONTEXT_CHARS, description="Your identifier of the context.")

    @model_validator(mode="before")
    @classmethod
    def _is_object(cls, value: object) -> object:
        if isinstance(value, str) and len(value) <= MAX_JSON_CHARS:
            with suppress(ValueError, RecursionError):
                value = read_unique(value)
        if isinstance(value, Mapping | ContextName):
            return value
        raise PydanticCustomError("object_type", 'must be an object, as {"type": "debate", "id": "42"}')


class Context(ContextName):
    """What cites the papers: a debate, an analysis, a report."""

    shared: bool = Field(False, description="True, when it is created: other API keys may read it and write to it.")
