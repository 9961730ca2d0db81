"""Saved searches as tests of faults want them: one source with given results, and a clock that the tests set."""

from __future__ import annotations

import importlib
import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any

import boto3
import pytest
from botocore.client import BaseClient

from infra.local.gateway import rest_event
from infra.local.machine import Machine, machine
from shared.bibliography.paper import Paper
from shared.legs.leg import Leg, LegAnswer
from shared.outcomes import Outcome
from shared.providers.provider import ProviderReply, reply_from_json, reply_to_json
from shared.query.query import Query
from tests.unit.records import record

PATH = "/v1/saved-searches"
RUNNER = "saved_search_runner"  # the function that runs them
TABLE = "local-saved-searches"
START = datetime(2026, 11, 22, 6, tzinfo=UTC)
DAY = timedelta(days=1)


def paper(number: int, **other: Any) -> Paper:
    """One of many papers that nothing but their field has in common."""
    fields = {"doi": f"10.1000/{number}", "provider": "crossref", **other}
    return record(f"Microglia and factor {number}", f"Author{number}, A", 2026, **fields)


class Saved:
    """A machine without sandbox, whose only source shows `papers` or, in their place, has `outcome`."""

    def __init__(self, running: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
        self.running, self.papers, self.outcome = running, list[Paper](), Outcome.OK
        self.now = START
        self.asked: list[Query] = []
        self.meanwhile: Callable[[], Any] = lambda: None  # what happens while the source is queried
        self.wiring: Any = importlib.import_module("functions.dispatcher.wiring.saved_searches")
        self._due = count(1)
        monkeypatch.setattr("shared.saved_searches.run.answer_legs", self._answers)
        monkeypatch.setattr(self.wiring, "now", lambda: self.now)
        monkeypatch.setattr("functions.saved_search_runner.wiring.now", lambda: self.now)
        monkeypatch.setattr(self.wiring, "resolve", lambda host, port: ["93.184.215.14"])

    def _answers(self, legs: Sequence[Leg], dependencies: Any, *, until: float, fresh: bool) -> list[LegAnswer]:
        self.meanwhile()
        # No function reads a reply but as JSON, which checks it.
        return [LegAnswer(reply_from_json(json.loads(json.dumps(reply_to_json(self.reply(leg)))))) for leg in legs]

    def reply(self, leg: Leg) -> ProviderReply:
        """What a source answers; tests put others in its place."""
        assert isinstance(leg.question, Query)
        self.asked.append(leg.question)
        if not self.outcome.answered:
            return ProviderReply(provider=leg.provider, family=leg.provider, outcome=self.outcome)
        outcome = Outcome.OK if self.papers else Outcome.EMPTY
        found = tuple(self.papers)
        return ProviderReply(
            provider=leg.provider, family=leg.provider, outcome=outcome, papers=found, total_estimate=len(found)
        )

    def call(self, method: str, path: str = "", body: Any = None, **query: str) -> dict[str, Any]:
        """An HTTP request under `/v1/saved-searches` that goes well."""
        parameters = {name: [value] for name, value in query.items()}
        event = rest_event(method, f"{PATH}{path}", body=json.dumps(body) if body else None, query=parameters)
        answer = self.running.invoke("dispatcher", event)
        assert answer["statusCode"] < 300, answer["body"]
        return dict(json.loads(answer["body"] or "{}"))

    def create(self, **fields: Any) -> dict[str, Any]:
        """A new saved search, as returned to its owner."""
        search = {"query": "microglia", "providers": "crossref", **fields.pop("search", {})}
        return self.call("POST", body={"search": search, "schedule": "rate(1 day)", **fields})

    def save(self, **fields: Any) -> str:
        """A new saved search; its id."""
        return str(self.create(**fields)["id"])

    def event(self, search_id: str, due: datetime | None = None) -> dict[str, Any]:
        """What EventBridge brings; each a minute after the one before, unless `due` is given."""
        time = due or START + timedelta(minutes=next(self._due))
        detail = {"owner": "local", "search_id": search_id}
        event = {"source": "literature-search.schedules", "detail-type": "Scheduled Search", "detail": detail}
        return {"id": "e", "time": time.strftime("%Y-%m-%dT%H:%M:%SZ"), **event}

    def run(self, search_id: str, due: datetime | None = None) -> dict[str, Any]:
        """A whole run; its report."""
        return dict(self.running.invoke(RUNNER, self.event(search_id, due)))

    def item(self, search_id: str) -> dict[str, Any]:
        """The search with its state."""
        found: dict[str, Any] = self.wiring.SEARCHES.get("local", search_id)
        return found

    def feed(self, search_id: str) -> list[dict[str, Any]]:
        """Every reported event, the oldest first."""
        return list(reversed(self.wiring.SEARCHES.events(search_id, limit=5_000).events))

    def reported(self, search_id: str) -> list[tuple[int, str, str]]:
        """Every event's number, type and DOI."""
        return [(it["number"], it["type"], (it["key"] or "").removeprefix("doi:")) for it in self.feed(search_id)]

    def rows(self, search_id: str) -> list[dict[str, Any]]:
        """Everything in the table that has to do with the search, but for the search itself."""
        items: list[dict[str, Any]] = boto3.resource("dynamodb").Table(TABLE).scan()["Items"]
        return [it for it in items if it["pk"] == f"search#{search_id}"]


@contextmanager
def saved_searches(monkeypatch: pytest.MonkeyPatch) -> Iterator[Saved]:
    """A machine of saved searches, fresh."""
    with machine(sandbox=None) as running:
        yield Saved(running, monkeypatch)


def around_calls(
    monkeypatch: pytest.MonkeyPatch, intercept: Callable[[str, dict[str, Any], Callable[[], Any]], Any]
) -> None:
    """From now on each call of AWS is `intercept(operation, arguments, call)`, which may make it, or not."""
    real = vars(BaseClient)["_make_api_call"]

    def made(client: Any, operation: str, arguments: Any) -> Any:
        return intercept(operation, arguments, lambda: real(client, operation, arguments))

    monkeypatch.setattr(BaseClient, "_make_api_call", made)


def writes_a_search(operation: str, arguments: dict[str, Any]) -> bool:
    """Whether this call writes into the table of saved searches."""
    if operation == "TransactWriteItems":
        return any(it["TableName"] == TABLE for item in arguments["TransactItems"] for it in item.values())
    return operation in ("UpdateItem", "PutItem") and bool(arguments["TableName"] == TABLE)
