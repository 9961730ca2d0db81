"""A watch over HTTP and MCP: who may save one, how it is changed, listed and read, and what deletion leaves."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree

import pytest

from tests.integration.mcp_calls import called, message
from tests.integration.saved_searches.faults import RUNNER
from tests.integration.saved_searches.requests import rows, send
from tests.integration.saved_searches.test_watch import AT_START
from tests.integration.saved_searches.watching import CITED, DEBATE, EARLIER, PATH, SOUND, Watching, watching

BODY: dict[str, Any] = {"watch": DEBATE, "schedule": "rate(1 day)"}
REPORT = {"type": "report", "id": "7"}


@pytest.fixture(scope="module")
def debates() -> Iterator[Watching]:
    """One machine for all tests of this module."""
    with watching() as made:
        yield made


@pytest.fixture
def saved(debates: Watching) -> Iterator[dict[str, Any]]:
    made = debates.watch()
    yield made
    debates.call("DELETE", f"{PATH}/{made['id']}")


def fields(problem: Any) -> list[tuple[str, str]]:
    return [(it["field"], it["message"]) for it in problem["errors"]]


def test_a_watch_is_listed_and_read_by_its_owner_alone(debates: Watching, saved: dict[str, Any]) -> None:
    debates.run(saved)
    _, mine = debates.call("GET", PATH)
    assert [(it["watch"], it["search"]) for it in mine["saved_searches"]] == [(DEBATE, None)]
    assert mine["saved_searches"][0]["last_run"]["events"]["retracted"] == 1
    assert debates.reported(saved) == [AT_START]
    assert debates.call("GET", PATH, key="two")[1]["saved_searches"] == []
    for method, path in (("GET", ""), ("GET", "/new"), ("PATCH", ""), ("DELETE", "")):
        body = {"name": "mine"} if method == "PATCH" else None
        assert debates.call(method, f"{PATH}/{saved['id']}{path}", body, key="two")[0] == 404


def test_a_context_of_another_key_cannot_be_watched_and_looks_as_if_it_did_not_exist(debates: Watching) -> None:
    foreign = debates.call("POST", PATH, BODY, key="two")
    missing = debates.call("POST", PATH, {**BODY, "watch": {**DEBATE, "id": "none"}}, key="two")
    assert (foreign[0], missing[0]) == (404, 404)
    assert {**foreign[1], "request_id": None} == {**missing[1], "request_id": None}
    assert debates.call("GET", PATH, key="two")[1]["saved_searches"] == []


def test_a_shared_context_can_be_watched_by_every_key(debates: Watching) -> None:
    context = {"type": "debate", "id": "open"}
    assert debates.cite(EARLIER, context={**context, "shared": True}) == 200
    saved = debates.watch(key="two", watch=context)
    assert debates.run(saved)["events"]["retracted"] == 1
    assert len(debates.call("GET", f"{PATH}/{saved['id']}/new", key="two")[1]["events"]) == 1


@pytest.mark.parametrize(("body", "status", "field"), [
    ({"schedule": "rate(1 day)"}, 400, "search"),
    ({**BODY, "search": {"query": "TREM2"}}, 422, "watch"),
    ({**BODY, "watch": {"type": "book", "id": "1"}}, 422, "watch.type"),
    ({**BODY, "watch": {"type": "debate"}}, 400, "watch.id"),
    ({**BODY, "watch": {**DEBATE, "shared": True}}, 400, "watch.shared"),
    ({**BODY, "watch": {**DEBATE, "id": "x" * 257}}, 422, "watch.id"),
    ({**BODY, "watch": "debate/42"}, 400, "watch"),
])  # fmt: skip
def test_an_invalid_watch_names_its_field(debates: Watching, body: Any, status: int, field: str) -> None:
    answer, problem = debates.call("POST", PATH, body)
    assert (answer, [name for name, _ in fields(problem)]) == (status, [field])


def test_the_answer_of_a_get_can_be_sent_back_unchanged(debates: Watching, saved: dict[str, Any]) -> None:
    debates.run(saved)
    _, shown = debates.call("GET", f"{PATH}/{saved['id']}")
    status, after = debates.call("PATCH", f"{PATH}/{saved['id']}", shown)
    assert status == 200
    assert (after["watch"], after["last_run"]) == (DEBATE, shown["last_run"])


def test_a_watch_does_not_become_a_search_nor_a_search_a_watch(debates: Watching, saved: dict[str, Any]) -> None:
    status, problem = debates.call("PATCH", f"{PATH}/{saved['id']}", {"search": {"query": "TREM2"}})
    assert (status, fields(problem)) == (422, [("search", "must be left out: this one has a `watch`; save another")])
    search = {"search": {"query": "TREM2"}, "schedule": "rate(1 day)"}
    _, plain = debates.call("POST", PATH, search)
    assert debates.call("PATCH", f"{PATH}/{plain['id']}", {"watch": DEBATE})[0] == 422
    debates.call("DELETE", f"{PATH}/{plain['id']}")


def test_another_context_begins_anew_and_known_states_are_not_repeated(
    debates: Watching, saved: dict[str, Any]
) -> None:
    debates.run(saved, "2026-11-22T06:00:00Z")
    assert debates.cite(EARLIER, SOUND, context=REPORT) == 200
    assert debates.call("PATCH", f"{PATH}/{saved['id']}", {"watch": REPORT}, key="two")[0] == 404
    status, changed = debates.call("PATCH", f"{PATH}/{saved['id']}", {"watch": REPORT})
    assert (status, changed["watch"], changed["last_run"]) == (200, REPORT, None)
    report = debates.run(saved, "2026-11-23T06:00:00Z")
    assert (report["first_run"], report["papers"]["cited"], report["events"]["retracted"]) == (True, 2, 0)
    assert debates.reported(saved) == [AT_START]


def test_a_paused_watch_does_not_run(debates: Watching, saved: dict[str, Any]) -> None:
    assert debates.call("PATCH", f"{PATH}/{saved['id']}", {"enabled": False})[0] == 200
    assert debates.run(saved)["skipped"] == "disabled"
    _, resumed = debates.call("PATCH", f"{PATH}/{saved['id']}", {"enabled": True})
    assert resumed["next_run_at"] < "2026-11-22T06:30"  # its first run is still due


def test_a_repeated_request_saves_one_watch(debates: Watching) -> None:
    headers = {"Idempotency-Key": "once"}
    first, again = (send(debates.running, "POST", body=BODY, headers=headers) for _ in range(2))
    assert (first.status, again.status, again.json["id"]) == (201, 200, first.json["id"])
    other = {**BODY, "watch": REPORT}
    assert send(debates.running, "POST", body=other, headers=headers).status in (409, 422)
    debates.call("DELETE", f"{PATH}/{first.json['id']}")


def test_deletion_leaves_nothing(debates: Watching, saved: dict[str, Any]) -> None:
    debates.run(saved)
    assert len([row for row in rows() if saved["id"] in f"{row['pk']}{row['sk']}"]) == 2 + len(CITED)
    assert debates.call("DELETE", f"{PATH}/{saved['id']}")[0] == 204
    assert not [row for row in rows() if saved["id"] in f"{row['pk']}{row['sk']}"]
    detail = {"owner": "any", "search_id": saved["id"]}
    assert debates.running.invoke(RUNNER, {"detail": detail})["skipped"] == "gone"


def test_the_atom_feed_says_what_became_of_the_paper_and_that_it_was_so_before(
    debates: Watching, saved: dict[str, Any]
) -> None:
    debates.run(saved)
    feed = ElementTree.fromstring(send(debates.running, "GET", f"{PATH}/{saved['id']}/new", format="atom").text)
    (entry,) = feed.findall("{*}entry")
    assert feed.findtext("{*}title") == "debate 42"
    assert entry.findtext("{*}title") == f"Retracted: {EARLIER.title}"
    assert "It was so already when the paper was first looked up" in str(entry.findtext("{*}summary"))


def test_a_context_alone_is_watched_over_mcp(debates: Watching) -> None:
    cited = called(debates.running, "cite_in_context", "key-w", context=REPORT | {"id": "m"}, papers=[EARLIER.doi])
    assert cited["recorded"] == 1
    saved = called(debates.running, "literature_search", "key-w", context=REPORT | {"id": "m"}, schedule="rate(1 day)")
    assert (saved["watch"], saved["search"]) == (REPORT | {"id": "m"}, None)
    off = called(debates.running, "literature_search", "key-w", saved_search=saved["id"], schedule="off")
    assert off["enabled"] is False
    foreign = message(debates.running, "literature_search", {"context": DEBATE, "schedule": "rate(1 day)"}, "key-w")
    assert (foreign["isError"], foreign["structuredContent"]["status"]) == (True, 404)
