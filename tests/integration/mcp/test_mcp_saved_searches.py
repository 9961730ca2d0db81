"""A search is saved, changed, stopped and deleted over MCP, by its owner alone, with the effect that HTTP has."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from infra.local.machine import Machine
from tests.integration.mcp_calls import called, message, resource

MINE = "literature://saved-searches"
SEARCH: dict[str, Any] = {"query": "TREM2 microglia", "providers": ["crossref"], "date_from": "2020"}


def mine(running: Machine, key_id: str = "key-s") -> list[dict[str, Any]]:
    searches: list[dict[str, Any]] = resource(running, MINE, key_id)["saved_searches"]
    return searches


@pytest.fixture
def saved(running: Machine) -> Iterator[dict[str, Any]]:
    answer = called(running, "literature_search", "key-s", **SEARCH, schedule="rate(1 day)")
    yield answer
    message(running, "literature_search", {"schedule": "delete", "saved_search": answer["id"]}, "key-s")


def test_a_search_with_a_schedule_is_saved_and_not_run(running: Machine, saved: dict[str, Any]) -> None:
    assert (saved["complete"], saved["search"], saved["enabled"]) == (True, SEARCH, True)
    assert saved["schedule"]["expression"] == "rate(1 day)"
    assert [it["id"] for it in mine(running)] == [saved["id"]]
    assert mine(running, "key-other") == []


def test_an_id_is_no_path(running: Machine) -> None:
    for name in ("a/../b", "0123456789abcdef0123/new", "a?b=c", "#"):
        answer = message(running, "literature_search", {"saved_search": name, "schedule": "off"}, "key-s")
        problem = answer["structuredContent"]
        assert (problem["status"], problem["detail"]) == (404, "there is no such saved search")


def test_the_list_is_read_in_pages(running: Machine, saved: dict[str, Any]) -> None:
    called(running, "literature_search", "key-s", query="TREM2 tau", providers=["crossref"], schedule="rate(1 day)")
    whole, page = [it["id"] for it in mine(running)], resource(running, f"{MINE}?limit=1", "key-s")
    following = resource(running, f"{MINE}?cursor={page['next_cursor']}", "key-s")
    assert [page["saved_searches"][0]["id"], following["saved_searches"][0]["id"]] == whole
    other = next(it for it in whole if it != saved["id"])
    called(running, "literature_search", "key-s", saved_search=other, schedule="delete")


def test_a_feed_is_read_in_each_of_its_formats(running: Machine, saved: dict[str, Any]) -> None:
    assert resource(running, f"{MINE}/{saved['id']}/new", "key-s")["events"] == []
    assert resource(running, f"{MINE}/{saved['id']}/new?format=atom", "key-s").startswith("<?xml")


def test_the_same_call_saves_once(running: Machine, saved: dict[str, Any]) -> None:
    again = called(running, "literature_search", "key-s", **SEARCH, schedule="rate(1 day)")
    assert again["id"] == saved["id"]
    assert len(mine(running)) == 1


def test_a_saved_search_is_changed_stopped_and_resumed(running: Machine, saved: dict[str, Any]) -> None:
    def change(**arguments: Any) -> Any:
        return called(running, "literature_search", "key-s", saved_search=saved["id"], **arguments)

    assert change(schedule="off")["enabled"] is False
    assert change(schedule="on")["enabled"] is True
    cron = {"expression": "cron(0 7 * * ? *)", "timezone": "Europe/Berlin"}
    assert cron.items() <= change(schedule=cron)["schedule"].items()
    changed = change(query="TREM2 variants")
    assert changed["search"] == {"query": "TREM2 variants"}
    assert cron.items() <= changed["schedule"].items()


def test_a_saved_search_has_a_name_a_webhook_and_a_new_secret(running: Machine, saved: dict[str, Any]) -> None:
    def change(schedule: Any) -> Any:
        return called(running, "literature_search", "key-s", saved_search=saved["id"], schedule=schedule)

    hook = "https://93.184.215.14/papers"
    changed = change({"name": "Weekly TREM2", "delivery": {"webhook": {"url": hook}}})
    assert (changed["name"], changed["delivery"]["webhook"]["url"]) == ("Weekly TREM2", hook)
    assert changed["schedule"] == saved["schedule"]
    first, second = changed["delivery"]["webhook"]["secret"], change("new_secret")["secret"]
    assert first.startswith("whsec_")
    assert second.startswith("whsec_")
    assert first != second
    named = {"expression": "rate(7 days)", "name": "Variants", "delivery": {"baseline": True}}
    other = called(
        running, "literature_search", "key-s", query="TREM2 variants", providers=["crossref"], schedule=named
    )
    assert (other["name"], other["delivery"]["baseline"]) == ("Variants", True)
    assert other["schedule"]["expression"] == "rate(7 days)"
    called(running, "literature_search", "key-s", saved_search=other["id"], schedule="delete")


def test_a_saved_search_is_deleted(running: Machine, saved: dict[str, Any]) -> None:
    wanted = {"schedule": "delete", "saved_search": saved["id"]}
    foreign = message(running, "literature_search", wanted, "key-other")
    assert (foreign["isError"], foreign["structuredContent"]["status"]) == (True, 404)
    assert called(running, "literature_search", "key-s", **wanted)["deleted"] == saved["id"]
    assert mine(running) == []
    again = message(running, "literature_search", wanted, "key-s")
    assert (again["structuredContent"]["code"], again["structuredContent"]["hint"]) == (
        "not_found", "literature://saved-searches lists yours.",
    )  # fmt: skip


@pytest.mark.parametrize(("arguments", "field"), [
    ({"query": "TREM2", "schedule": "daily"}, "schedule.expression"),
    ({"query": "TREM2", "schedule": "delete"}, "saved_search"),
    ({"query": "TREM2", "schedule": {"name": "TREM2"}}, "schedule"),
    ({"query": "TREM2", "schedule": {"expression": "rate(1 day)", "delivery": {"mail": 1}}}, "schedule.delivery.mail"),
    ({"schedule": "rate(1 day)"}, "query"),
    ({"query": "TREM2", "schedule": "rate(1 day)", "sort": "x"}, "sort"),
    ({"query": "TREM2", "schedule": "rate(1 day)", "format": "ris"}, "format"),
    ({"context": {"type": "chat", "id": "1"}, "schedule": "rate(1 day)"}, "context.type"),
])  # fmt: skip
def test_an_invalid_saved_search_names_its_field(
    running: Machine, arguments: dict[str, Any], field: str
) -> None:  # fmt: skip
    refused = message(running, "literature_search", arguments, "key-s")
    assert refused["isError"] is True
    problem = refused["structuredContent"]
    assert problem["errors"][0]["field"] == field
    assert problem["detail"].startswith(f"{field}: ")
    assert not any(word in (problem["hint"] or "") for word in ('"search"', "/v1/"))
    assert mine(running) == []
