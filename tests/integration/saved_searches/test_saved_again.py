"""A request to save that is sent again, over HTTP and over MCP: one search while it says the same, else another."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

import pytest

from infra.local.machine import Machine
from tests.integration.mcp_calls import called, message, resource
from tests.integration.saved_searches.requests import DAILY, PATH, one, save, schedules, send

KEY = {"Idempotency-Key": "mine"}
TREM2: dict[str, Any] = {"query": "TREM2", "schedule": "rate(1 day)"}
OTHER: dict[str, dict[str, Any]] = {
    "another search": {"search": {"query": "APOE"}}, "another schedule": {"schedule": "rate(2 days)"},
    "paused": {"enabled": False}, "all": {"search": {"query": "APOE"}, "schedule": "rate(2 days)", "enabled": False},
}  # fmt: skip
SAME: dict[str, dict[str, Any]] = {
    "another name": {"name": "Glia"}, "another delivery": {"delivery": {"sns": True}}, "what it has": DAILY,
    "paused and resumed": {"enabled": True},
}  # fmt: skip


def again(local: Machine) -> tuple[int, dict[str, Any]]:
    """The same request as before."""
    answer = send(local, "POST", body=DAILY, headers=KEY)
    return answer.status, answer.json


def changed(local: Machine, search_id: str, change: dict[str, Any]) -> None:
    assert send(local, "PATCH", f"{PATH}/{search_id}", change).status == 200


def ids(local: Machine) -> list[str]:
    return [it["id"] for it in send(local, "GET").json["saved_searches"]]


def before_create(monkeypatch: pytest.MonkeyPatch, meanwhile: Callable[[], Any]) -> list[Any]:
    """What happens once between the search for an earlier one and the creation of a new one; its result."""
    searches = type(import_module("functions.dispatcher.wiring.saved_searches").SEARCHES)
    create, results = searches.create, list[Any]()

    def create_later(self: Any, *given: Any) -> None:
        if not results:
            results.append(None)
            results[0] = meanwhile()
        create(self, *given)

    monkeypatch.setattr(searches, "create", create_later)
    return results


@pytest.mark.parametrize("case", OTHER)
def test_a_search_that_says_something_else_by_now_is_saved_anew(local: Machine, case: str) -> None:
    _, first = again(local)
    changed(local, first["id"], OTHER[case])
    before = one(local, first)["updated_at"], one(local, first)["search"]
    status, second = again(local)
    assert (status, second["search"], second["enabled"]) == (201, DAILY["search"], True)
    assert second["schedule"]["expression"] == DAILY["schedule"]
    status, repeated = again(local)
    assert (status, repeated["id"]) == (200, second["id"])
    assert sorted(ids(local)) == sorted([first["id"], second["id"]])
    assert schedules()[second["id"]]["State"] == "ENABLED"
    assert (one(local, first)["updated_at"], one(local, first)["search"]) == before


@pytest.mark.parametrize("case", SAME)
def test_a_search_that_still_says_the_same_is_saved_once(local: Machine, case: str) -> None:
    _, first = again(local)
    if case.startswith("paused"):
        changed(local, first["id"], {"enabled": False})
    changed(local, first["id"], SAME[case])
    status, second = again(local)
    assert (status, second["id"], ids(local)) == (200, first["id"], [first["id"]])


def test_the_newest_of_several_is_found_after_an_earlier_one_was_deleted(local: Machine) -> None:
    _, first = again(local)
    changed(local, first["id"], {"enabled": False})
    _, second = again(local)
    send(local, "DELETE", f"{PATH}/{first['id']}")
    assert again(local)[0] == 200
    assert ids(local) == [second["id"]]
    changed(local, second["id"], {"search": {"query": "APOE"}})
    status, third = again(local)
    assert (status, len(ids(local)), third["id"] != second["id"]) == (201, 2, True)


def test_a_changed_search_still_holds_its_key_against_another_request(local: Machine) -> None:
    _, first = again(local)
    changed(local, first["id"], {"search": {"query": "APOE"}})
    refused = send(local, "POST", body={**DAILY, "search": {"query": "APOE"}}, headers=KEY)
    assert (refused.status, refused.json["code"], ids(local)) == (409, "conflict", [first["id"]])


@pytest.mark.parametrize("was_changed", [False, True])
def test_two_equal_requests_at_once_save_one_search(
    local: Machine, monkeypatch: pytest.MonkeyPatch, was_changed: bool
) -> None:
    if was_changed:
        changed(local, again(local)[1]["id"], {"enabled": False})
    between = before_create(monkeypatch, lambda: again(local))
    status, late = again(local)
    ((winner_status, winner),) = between
    assert (winner_status, status, late["code"], late["retryable"]) == (201, 409, "still_under_way", True)
    assert len(ids(local)) == 1 + was_changed
    assert again(local)[1]["id"] == winner["id"]


def test_without_a_key_every_request_saves_another_one(local: Machine) -> None:
    assert len({save(local)["id"] for _ in range(2)}) == 2


def tool(local: Machine, **arguments: Any) -> dict[str, Any]:
    return dict(called(local, "literature_search", "key-a", **arguments))


def mine(local: Machine) -> list[dict[str, Any]]:
    return list(resource(local, "literature://saved-searches", "key-a")["saved_searches"])


def test_over_mcp_a_changed_search_can_be_saved_again_with_the_same_arguments(local: Machine) -> None:
    first = tool(local, **TREM2)
    tool(local, saved_search=first["id"], query="APOE", schedule="off")
    second = tool(local, **TREM2)
    assert (second["search"], second["enabled"]) == ({"query": "TREM2"}, True)
    assert tool(local, **TREM2)["id"] == second["id"] != first["id"]
    assert sorted((it["search"]["query"], it["enabled"]) for it in mine(local)) == [("APOE", False), ("TREM2", True)]


def test_over_mcp_the_same_call_saves_once_also_with_two_at_once(
    local: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    between = before_create(monkeypatch, lambda: tool(local, **TREM2))
    late = message(local, "literature_search", TREM2, "key-a")
    assert (late["isError"], late["structuredContent"]["code"]) == (True, "still_under_way")
    assert tool(local, **TREM2)["id"] == between[0]["id"]
    assert len(mine(local)) == 1
