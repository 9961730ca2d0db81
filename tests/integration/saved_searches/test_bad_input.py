"""Saved searches that cannot be: each is refused by the name of its field, and nothing is made of it."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from typing import Any

import pytest

from infra.local.machine import Machine
from tests.integration.saved_searches.requests import DAILY, HOOK, PATH, SEARCH, one, rows, save, schedules, send

ADDRESSES: dict[str, list[str]] = {
    "inward.example.org": ["10.0.0.7"],
    "mixed.example.org": ["93.184.215.14", "127.0.0.1"],
    "six.example.org": ["fd00::1"],
    "mapped.example.org": ["::ffff:10.0.0.1"],
    "cloud.example.org": ["169.254.169.254"],
    "empty.example.org": [],
}


def resolve(host: str, port: int) -> list[str]:
    if host == "nowhere.example.org":
        raise socket.gaierror(-2, "unknown")
    return ADDRESSES.get(host, ["93.184.215.14"])


@pytest.fixture
def quiet(running: Machine, monkeypatch: pytest.MonkeyPatch) -> Iterator[Machine]:
    """Nothing may be stored, and no request sent."""
    monkeypatch.setattr("functions.dispatcher.wiring.saved_searches.resolve", resolve)
    assert running.sandbox is not None
    before = rows(), schedules()
    yield running
    assert (rows(), schedules()) == before
    assert running.sandbox.requests == []


def assert_problem(quiet: Machine, body: Any, status: int, field: str, words: str, **how: Any) -> None:
    answer = send(quiet, "POST", body=body, **how)
    assert (answer.status, answer.fields) == (status, [field]), answer.text
    problem = answer.json
    assert words in problem["errors"][0]["message"], problem["errors"]
    assert (problem["code"], problem["retryable"]) == ({400: "bad_request", 422: "unprocessable"}[status], False)
    assert problem["hint"] and field in problem["detail"] + "body"


def cron(fields: str, words: str, status: int = 422) -> Any:
    return pytest.param({"schedule": f"cron({fields})"}, status, "schedule.expression", words, id=f"cron {fields}")


def schedule(given: Any, status: int, field: str, words: str) -> Any:
    return pytest.param({"schedule": given}, status, field, words, id=f"schedule {json.dumps(given)[:50]}")


def window(minutes: Any, status: int, words: str) -> Any:
    given = {"expression": "rate(1 day)", "flexible_minutes": minutes}
    return schedule(given, status, "schedule.flexible_minutes", words)


def search(given: Any, status: int, field: str, words: str) -> Any:
    return pytest.param({"search": given}, status, field, words, id=f"search {json.dumps(given)[:50]}")


def fields_case(fields: Any, status: int, field: str, words: str) -> Any:
    return pytest.param(fields, status, field, words, id=json.dumps(fields)[:60])


EXPRESSION = "schedule.expression"
FIELDS = [
    cron("0 7 * * *", "cron has 6 fields"),
    cron("0 7 * * ? * *", "cron has 6 fields"),
    cron("0 7 30 2 ? *", "never fires"),
    cron("0 7 * * ? 2020", "never fires"),
    cron("60 7 * * ? *", "minutes cannot be"),
    cron("0 24 * * ? *", "hours cannot be"),
    cron("0 7 1 * MON *", "must be ?"),
    cron("0 7 ? * FRI-MON *", "day-of-week cannot be"),
    schedule("rate(30 seconds)", 422, EXPRESSION, "under a minute"),
    schedule("rate(0 minutes)", 422, EXPRESSION, "from 1 on"),
    schedule("rate(0.5 minutes)", 422, EXPRESSION, "whole number"),
    schedule("rate(1 week)", 422, EXPRESSION, "minutes, hours or days"),
    schedule("rate(999999999 days)", 422, EXPRESSION, "never fires"),
    schedule("at(2027-01-01T00:00:00)", 422, EXPRESSION, "fires once"),
    schedule("every day", 422, EXPRESSION, "must be rate(value unit)"),
    schedule("rate(1 day)" + " " * 300, 422, EXPRESSION, "256 characters"),
    schedule({"expression": 5}, 400, EXPRESSION, "valid string"),
    schedule({"timezone": "UTC"}, 400, EXPRESSION, "required"),
    schedule({"expression": "rate(1 day)", "timezone": "Europe/Berln"}, 422, "schedule.timezone", "Europe/Berlin?"),
    schedule({"expression": "rate(1 day)", "timezone": "../etc/passwd"}, 422, "schedule.timezone", "is unknown"),
    schedule({"expression": "rate(1 day)", "timezone": "x" * 51}, 422, "schedule.timezone", "50 characters"),
    schedule({"expresion": "a", "expression": "rate(1 day)"}, 400, "schedule.expresion", "did you mean expression?"),
    schedule(["rate(1 day)"], 400, "schedule", "must be a text such as `rate(1 day)`"),
    schedule(7, 400, "schedule", "or an object with `expression`, not 7"),
    window(1441, 422, "1440"),
    window(-1, 422, "from 0 to 1440, not -1"),
    window(1e300, 422, "from 0 to 1440, not 1e+300"),
    window("-1", 422, "from 0 to 1440, not -1"),
    window("an hour", 400, "integer"),
    window(1.5, 400, "whole number"),
    window(True, 400, "whole number"),
    search({"query": "(a OR b AND c"}, 422, "search.query", "parenthesis"),
    search({"query": "x" * 2001}, 422, "search.query", "2000 characters"),
    search({"max_results": 5}, 422, "search.query", "required"),
    search({**SEARCH, "quary": "x"}, 400, "search.quary", "did you mean query?"),
    search({**SEARCH, "format": "ris"}, 400, "search.format", "unknown field"),
    search({**SEARCH, "providers": "scopus"}, 422, "search.providers", "is unknown"),
    search({**SEARCH, "fields": "titel"}, 422, "search.fields", "is unknown"),
    search({**SEARCH, "date_from": "2023-02-29"}, 422, "search.date_from", "a day that exists"),
    search({**SEARCH, "date_from": "2021", "date_to": "2020"}, 422, "search.date_from", "after date_to"),
    search({"cursor": f"{'0' * 32}.10", **SEARCH}, 422, "search.cursor", "starts from the beginning"),
    search({**SEARCH, "context": {"type": "debate"}}, 400, "search.context.id", "required"),
    search("TREM2", 400, "search", "valid object"),
    search([SEARCH], 400, "search", "valid object"),
    fields_case({"search": None}, 400, "search", "required"),
    fields_case({"search": {}}, 400, "search", "required"),
    fields_case({"schedule": " "}, 400, "schedule", "required"),
    fields_case({"shedule": "rate(1 day)"}, 400, "shedule", "did you mean schedule?"),
    fields_case({"owner": "somebody"}, 400, "owner", "unknown field"),
    fields_case({"id": "0" * 20}, 400, "id", "unknown field"),
    fields_case({"name": "x" * 201}, 422, "name", "200 characters"),
    fields_case({"name": 5}, 400, "name", "valid string"),
    fields_case({"name": "\ud800"}, 422, "name", "Unicode"),
    fields_case({"name": "a\u202eb"}, 422, "name", "bidirectional"),
    search({"queries": ["a"] * 6}, 422, "search.queries", "Array should have at most 5"),
    search({**SEARCH, "fields": 5}, 400, "search.fields", "valid array, not 5"),
    search({**SEARCH, "context": "debate:42"}, 400, "search.context", "must be an object"),
    fields_case({"enabled": "perhaps"}, 400, "enabled", "true or false"),
    fields_case({"delivery": "webhook"}, 400, "delivery", "valid object"),
    fields_case({"delivery": {"sns": "perhaps"}}, 400, "delivery.sns", "true or false"),
    fields_case({"delivery": {"webhok": {}}}, 400, "delivery.webhok", "did you mean webhook?"),
    fields_case({"delivery": {"webhook": "https://hooks.example.org"}}, 400, "delivery.webhook", "valid object"),
    fields_case({"delivery": {"webhook": {"secret": "whsec_x", **HOOK["webhook"]}}}, 400, "delivery.webhook.secret",
          "unknown field"),
]  # fmt: skip
URLS = {
    "http://hooks.example.org/": "begin with https://",
    "ftp://hooks.example.org/": "begin with https://",
    "hooks.example.org": "begin with https://",
    "https://localhost/": "whole DNS name",
    "https://a.localhost/": "public internet",
    "https://printer.local/": "public internet",
    "https://127.0.0.1/": "not a public address",
    "https://[::1]/": "not a public address",
    "https://[::ffff:127.0.0.1]/": "not a public address",
    "https://10.1.2.3:8443/": "not a public address",
    "https://169.254.169.254/latest/meta-data": "not a public address",
    "https://2130706433/": "usual form",
    "https://0177.0.0.1/": "usual form",
    "https://0x7f.1/": "usual form",
    "https://127.1/": "usual form",
    "https://user:password@hooks.example.org/": "no user name or password",
    "https://hooks.example.org/#here": "no fragment",
    "https://hooks.example.org:0/": "between 1 and 65535",
    "https://hooks.example.org/a b": "plain ASCII",
    "https://hooks.example.org/\nX: y": "plain ASCII",
    "https://hööks.example.org/": "plain ASCII",
    "https://inward.example.org/": "an address that is not public",
    "https://mixed.example.org/": "an address that is not public",
    "https://six.example.org/": "an address that is not public",
    "https://mapped.example.org/": "an address that is not public",
    "https://cloud.example.org/": "an address that is not public",
    "https://empty.example.org/": "no address",
    "https://nowhere.example.org/": "leads to no address",
    f"https://hooks.example.org/{'x' * 2000}": "2000 characters",
}


@pytest.mark.parametrize(("fields", "status", "field", "words"), FIELDS)
def test_an_impossible_field_is_named(
    quiet: Machine, fields: dict[str, Any], status: int, field: str, words: str
) -> None:
    assert_problem(quiet, {**DAILY, **fields}, status, field, words)


def test_a_search_outside_of_its_field_is_named_beside_what_is_missing(quiet: Machine) -> None:
    answer = send(quiet, "POST", body={"query": "TREM2", "schedule": "rate(1 day)"})
    assert (answer.status, answer.fields) == (400, ["search", "query"])


@pytest.mark.parametrize(("url", "words"), URLS.items(), ids=[url[:60] for url in URLS])
def test_a_webhook_that_does_not_lead_to_the_public_internet_is_refused(quiet: Machine, url: str, words: str) -> None:
    assert_problem(quiet, {**DAILY, "delivery": {"webhook": {"url": url}}}, 422, "delivery.webhook.url", words)


@pytest.mark.parametrize(("raw", "words"), {
    "": "is empty", "{": "in line 1, column 2", '{"search": NULL}': "in line 1, column 12",
    "null": "must be a JSON object", "[]": "must be a JSON object", '"rate(1 day)"': "must be a JSON object",
    "[" * 30_000: "nested too deeply", f'{{"name": {"9" * 5_000}}}': "too many digits",
}.items(), ids=lambda it: it[:20])  # fmt: skip
@pytest.mark.parametrize("method", ["POST", "PATCH"])
def test_a_body_that_is_not_an_object_is_refused_with_an_example(
    running: Machine, method: str, raw: str, words: str
) -> None:
    path = PATH if method == "POST" else f"{PATH}/{save(running, key='bodies')['id']}"
    before = rows(), schedules()
    answer = send(running, method, path, raw=raw, key="bodies")
    assert (answer.status, answer.fields) == (400, ["body"])
    assert words in answer.json["detail"]
    assert "rate(1 day)" in answer.json["hint"]
    assert (rows(), schedules()) == before
    if method == "PATCH":
        send(running, "DELETE", path, key="bodies")


@pytest.mark.parametrize("method", ["POST", "PATCH"])
def test_a_body_that_is_too_large_is_refused_as_such(running: Machine, method: str) -> None:
    path = PATH if method == "POST" else f"{PATH}/{save(running, key='large')['id']}"
    answer = send(running, method, path, raw='{"name": "' + "x" * 64_000 + '"}', key="large")
    assert (answer.status, answer.json["code"], answer.fields) == (413, "too_large", ["body"])
    assert "must have at most 64000 bytes" in answer.json["detail"]
    if method == "PATCH":
        send(running, "DELETE", path, key="large")


@pytest.mark.parametrize("watch", [{}, {"type": "debate"}, {"id": "d1"}], ids=["empty", "no id", "no type"])
def test_a_watch_without_its_context_says_what_it_needs(quiet: Machine, watch: dict[str, Any]) -> None:
    answer = send(quiet, "POST", body={"watch": watch, "schedule": {"expression": "rate(1 day)"}})
    assert answer.status in (400, 422)
    assert all(field.startswith("watch") for field in answer.fields), answer.json


def test_every_error_of_every_part_is_reported_at_once(quiet: Machine) -> None:
    webhook = {"webhook": {"url": "http://a.example.org"}}
    body = {"search": {"query": "a AND", "max_results": 0}, "schedule": "rate(1 week)", "delivery": webhook}
    answer = send(quiet, "POST", body=body)
    assert (answer.status, answer.fields) == (
        422, ["search.query", "search.max_results", "schedule.expression", "delivery.webhook.url"],
    )  # fmt: skip
    answer = send(quiet, "POST", body={**body, "search": {"quary": "a"}})
    assert (answer.status, answer.fields[0]) == (400, "search.quary")
    assert send(quiet, "POST", body={}).fields == ["search", "schedule"]


@pytest.mark.parametrize("key", ["", "x" * 256, "é", "a\tb"])
def test_an_invalid_idempotency_key_is_refused(quiet: Machine, key: str) -> None:
    assert_problem(quiet, DAILY, 400, "Idempotency-Key", "1 to 255", headers={"Idempotency-Key": key})


@pytest.mark.parametrize("change", [
    {"schedule": "rate(1 week)"}, {"search": {"query": ""}}, {"delivery": {"webhook": {"url": "https://127.0.0.1"}}},
    {"delivery": {"webhook": {"url": "https://inward.example.org"}}}, {"name": "x" * 201}, {"owner": "me"},
], ids=json.dumps)  # fmt: skip
def test_an_invalid_change_changes_nothing(
    running: Machine, monkeypatch: pytest.MonkeyPatch, change: dict[str, Any]
) -> None:
    monkeypatch.setattr("functions.dispatcher.wiring.saved_searches.resolve", resolve)
    saved = save(running, delivery=HOOK)
    before = one(running, saved), rows(), schedules()
    assert send(running, "PATCH", f"{PATH}/{saved['id']}", {"name": "good", **change}).status in (400, 422)
    after = one(running, saved), rows(), schedules()
    assert ({**after[0], "request_id": ""}, *after[1:]) == ({**before[0], "request_id": ""}, *before[1:])
