"""What is told of one route: what it takes, what it answers, and how it may refuse."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pydantic import BaseModel

from shared.idempotency import MAX_KEY_CHARS

JSON = "application/json"
XML, TEXT = {"type": "string"}, {"type": "string"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """One method of one path.

    `request` is its body (under another name where `body` gives one), or for GET its parameters, without those in
    `without`; `answers` maps media types to models, or to schemas where there is no model, of an answer with `status`;
    `others` are further good statuses, with what they mean and their model, or None where there is no content;
    `refusals` are the statuses of problems beyond those that all have.
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
    parameters: tuple[Mapping[str, Any], ...] = ()
    status: int = 200
    answers: Mapping[str, Any]
    others: Mapping[int, tuple[str, type | None]] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    refusals: tuple[int, ...] = ()
    open_to_all: bool = False

    @property
    def models(self) -> list[type]:
        """Every model of its answers."""
        told = [it for answer in self.answers.values() for it in (answer if isinstance(answer, tuple) else (answer,))]
        return [it for it in (*told, *(model for _, model in self.others.values())) if isinstance(it, type)]


def limit_of(default: int) -> dict[str, Any]:
    """The parameter `limit` of a list, up to 100."""
    schema = {"type": "integer", "minimum": 1, "maximum": 100, "default": default}
    return {"name": "limit", "in": "query", "description": "Entries a page.", "schema": schema}


IDEMPOTENCY_KEY: dict[str, Any] = {
    "name": "Idempotency-Key", "in": "header", "description": "Your name for this request.",
    "schema": {"type": "string", "maxLength": MAX_KEY_CHARS, "pattern": "^[!-~]([ -~]*[!-~])?$"},
}  # fmt: skip
