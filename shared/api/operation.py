"""The description of one route: its request, its responses and its errors."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from pydantic import BaseModel

from shared.api.openapi_types import Parameter
from shared.field_schema import JsonSchema
from shared.idempotency import MAX_KEY_CHARS
from shared.search.requests.search_request import LEAST_BUDGET, MOST_BUDGET

JSON = "application/json"
XML: JsonSchema = {"type": "string"}
TEXT: JsonSchema = {"type": "string"}
# Types of `shared.answers`, any of which the response may be, or a plain schema.
AnswerType: TypeAlias = type | tuple[type, ...] | JsonSchema


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """One method of one path.

    `request` is the model of the body (published under the name `body` if that is given), or for GET of the query
    parameters, except those in `without`. `answers` maps the media types of a response with `status` to types of
    `shared.answers`, or to plain schemas. `others` are further successful statuses with their meaning and type, or None
    where there is no content. `refusals` are the error statuses beyond those that every operation has.
    """

    method: str
    path: str
    name: str
    tag: str
    summary: str
    description: str = ""
    request: type[BaseModel] | None = None
    body: str | None = None
    without: tuple[str, ...] = ()
    parameters: tuple[Parameter, ...] = ()
    status: int = 200
    answers: Mapping[str, AnswerType]
    others: Mapping[int, tuple[str, type | None]] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    refusals: tuple[int, ...] = ()
    open_to_all: bool = False

    @property
    def models(self) -> list[type]:
        """Every type of its responses."""
        kinds = [it for answer in self.answers.values() for it in (answer if isinstance(answer, tuple) else (answer,))]
        return [it for it in (*kinds, *(kind for _, kind in self.others.values())) if isinstance(it, type)]


def limit_of(default: int) -> Parameter:
    """The parameter `limit` of a list, up to 100."""
    schema: JsonSchema = {"type": "integer", "minimum": 1, "maximum": 100, "default": default}
    return {"name": "limit", "in": "query", "description": "Entries per page.", "schema": schema}


CURSOR: Parameter = {
    "name": "cursor", "in": "query", "description": "`next_cursor` of the previous page of the same list, unchanged.",
    "schema": {"type": "string", "format": "list-cursor", "maxLength": 2_000},
}  # fmt: skip
MAX_TOKENS: Parameter = {
    "name": "max_tokens", "in": "query",
    "description": "A budget in tokens: entries beyond it are left to the next page.",
    "schema": {"type": "integer", "minimum": LEAST_BUDGET, "maximum": MOST_BUDGET},
}  # fmt: skip
NOT_FOUND = {"Not-Found": "For files: how many of the papers were not found."}
NEXT_CURSOR = {"Next-Cursor": "Of files: the cursor of the next page; absent on the last page."}
LEFT_OUT = {"Left-Out": "Of files: entries beyond `max_tokens`."}
OF_FILES = {
    "Complete": "For files: false when a provider that was asked did not answer.",
    **NOT_FOUND,
    "Not-Found-Ids": "Ids that no provider has, percent-encoded, with commas between.",
    "Unanswered-Ids": "Those of which no provider that may have them answered.",
    "Malformed-Ids": "Those that are not ids of papers.",
    "Repeated-Ids": "Those of papers that the file has by an id before.",
    **LEFT_OUT,
}
IDEMPOTENCY_KEY: Parameter = {
    "name": "Idempotency-Key", "in": "header",
    "description": "A unique name for this request: repeating it has no further effect.",
    "schema": {"type": "string", "maxLength": MAX_KEY_CHARS, "pattern": "^[!-~]([ -~]*[!-~])?$"},
}  # fmt: skip
