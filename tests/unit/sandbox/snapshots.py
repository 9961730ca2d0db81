"""Recorded exchanges with the sandboxes: `snapshots/<provider>/<what is shown>.json`.

`python -m tests.unit.sandbox.snapshots` repeats every request and rewrites its response; review the diff.
"""

from __future__ import annotations

import importlib
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NotRequired, TypedDict
from unittest.mock import patch

from werkzeug import Request
from werkzeug.test import EnvironBuilder

from infra.local.sandbox.corpus import Corpus

FOLDER = Path(__file__).with_name("snapshots")
COVERS = "infra.local.sandbox.corpus._covers"


class Response(TypedDict):
    """A response as it goes over the wire."""

    status: int
    content_type: str | None
    body: str


class Exchange(TypedDict):
    """One request and its response. The corpus is `<test module>.<constant>`; the provider lacks what is `not_held`."""

    case: str
    corpus: str
    not_held: Sequence[str]
    method: str
    path: str
    query: str
    sent: NotRequired[str]
    content_type: NotRequired[str]
    headers: NotRequired[dict[str, str]]
    response: Response


def files() -> list[Path]:
    """Every snapshot file."""
    return sorted(FOLDER.glob("*/*.json"))


def exchanges() -> Iterator[tuple[str, Exchange]]:
    """The provider and the exchange, for every exchange of every file."""
    for path in files():
        yield from ((path.parent.name, exchange) for exchange in json.loads(path.read_text(encoding="utf-8")))


def respond(provider: str, exchange: Exchange) -> Response:
    """Return the sandbox's current response to the exchange's request."""
    module, _, constant = exchange["corpus"].partition(".")
    facts = getattr(importlib.import_module(f"tests.unit.sandbox.{module}"), constant)
    builder = EnvironBuilder(
        exchange["path"],
        method=exchange["method"],
        query_string=exchange["query"],
        data=exchange.get("sent"),
        content_type=exchange.get("content_type"),
        headers=list(exchange.get("headers", {}).items()),
    )
    with patch(COVERS, lambda _, fact: fact.title not in exchange["not_held"]):
        sandbox = importlib.import_module(f"infra.local.sandbox.services.{provider}")
        given = sandbox.answer(Request(builder.get_environ()), facts if isinstance(facts, Corpus) else Corpus(facts))
    return {
        "status": given.status_code,
        "content_type": given.headers.get("Content-Type"),
        "body": given.get_data(as_text=True),
    }


def record(path: Path) -> None:
    """Repeat every request of the file and store the responses."""
    content: list[Exchange] = json.loads(path.read_text(encoding="utf-8"))
    for exchange in content:
        exchange["response"] = respond(path.parent.name, exchange)
    path.write_text(json.dumps(content, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    for file in files():
        record(file)
