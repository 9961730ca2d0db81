"""Calls of the routes of saved searches, as callers with keys make them, and what they leave in the cloud."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import boto3
import pytest
from botocore.client import BaseClient
from botocore.exceptions import ClientError

from infra.local.gateway import rest_event
from infra.local.machine import Machine
from shared.aws.dynamodb.saved_searches.keys import event_item
from tests.integration.saved_searches.faults import RUNNER

PATH = "/v1/saved-searches"
SEARCH = {"query": "TREM2 microglia", "providers": ["crossref"]}
DAILY = {"search": SEARCH, "schedule": "rate(1 day)"}
HOOK = {"webhook": {"url": "https://hooks.example.org/new-papers"}}
AT = "2026-11-22T06:00:03Z"


@dataclass(frozen=True, slots=True)
class Answer:
    """An HTTP answer."""

    status: int
    headers: Mapping[str, str]
    text: str

    @property
    def json(self) -> Any:
        """Its body, read."""
        return json.loads(self.text)

    @property
    def fields(self) -> list[str]:
        """The fields that a problem names."""
        return [fault["field"] for fault in self.json["errors"]]


def send(
    local: Machine,
    method: str,
    path: str = PATH,
    body: Any = None,
    *,
    key: str = "one",
    raw: str | None = None,
    headers: Mapping[str, str] | None = None,
    **query: Any,
) -> Answer:
    """A request of the caller with this key; `raw` is a body as it stands."""
    text = raw if body is None else json.dumps(body)
    parameters = {name: [str(value)] for name, value in query.items()}
    given = {"x-api-key": key, "Host": "api.example.org", "X-Forwarded-Proto": "https", **(headers or {})}
    response = local.invoke("dispatcher", rest_event(method, path, body=text, headers=given, query=parameters))
    headers_sent = {name: values[0] for name, values in response["multiValueHeaders"].items()}
    return Answer(response["statusCode"], headers_sent, response["body"])


def save(local: Machine, *, key: str = "one", **fields: Any) -> dict[str, Any]:
    """A new saved search."""
    answer = send(local, "POST", body={**DAILY, **fields}, key=key)
    assert answer.status == 201, answer.text
    return dict(answer.json)


def one(local: Machine, saved: Mapping[str, Any]) -> dict[str, Any]:
    """The saved search as it is now."""
    answer = send(local, "GET", f"{PATH}/{saved['id']}")
    assert answer.status == 200, answer.text
    return dict(answer.json)


def run(local: Machine, saved: Mapping[str, Any], owner: str) -> dict[str, Any]:
    """What a firing of its schedule does."""
    return dict(local.invoke(RUNNER, {"detail": {"owner": owner, "search_id": saved["id"]}}))


def rows() -> list[dict[str, Any]]:
    """Everything in the table of saved searches."""
    return list(boto3.resource("dynamodb").Table(os.environ["SAVED_SEARCHES_TABLE"]).scan()["Items"])


def schedules() -> dict[str, Any]:
    """Every schedule of the group, by name, as EventBridge Scheduler returns it."""
    client, group = boto3.client("scheduler"), os.environ["SCHEDULE_GROUP"]
    names = [it["Name"] for it in client.list_schedules(GroupName=group)["Schedules"]]
    found: dict[str, Any] = {name: client.get_schedule(GroupName=group, Name=name) for name in names}
    return {name: {key: value for key, value in it.items() if key != "ResponseMetadata"} for name, it in found.items()}


def add_events(saved: Mapping[str, Any], numbers: range, kind: str = "new_paper", title: str = "A paper") -> None:
    """Events as runs write them."""
    table = boto3.resource("dynamodb").Table(os.environ["SAVED_SEARCHES_TABLE"])
    with table.batch_writer() as batch:
        for number in numbers:
            paper = {"key": f"doi:10.1000/{number}", "title": f"{title} {number}"}
            event: Any = {
                "type": kind, "at": AT, "run_id": "r", "key": paper["key"], "preprint_key": None, "message": None,
                "paper": paper,
            }  # fmt: skip
            batch.put_item(Item={**event_item(saved["id"], event, number)})


def refuse(monkeypatch: pytest.MonkeyPatch, *refused: str, error: Exception | None = None) -> list[str]:
    """These operations of AWS fail from now on; what was called."""
    monkeypatch.setattr("shared.aws.dynamodb.throttling.sleep", lambda _: None)
    call, called = vars(BaseClient)["_make_api_call"], []

    def answered(client: Any, operation: str, arguments: Any) -> Any:
        named = arguments.get("Name", "")
        called.append(f"{operation}{'-soon' if named.endswith('-soon') else ''}")
        if called[-1] in refused:
            raise error or ClientError({"Error": {"Code": "ThrottlingException", "Message": "no"}}, operation)
        return call(client, operation, arguments)

    monkeypatch.setattr(BaseClient, "_make_api_call", answered)
    return called
