"""How many searches a caller may save."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import pytest

from infra.local.machine import Machine
from shared.saved_searches.request import MAX_A_CALLER
from tests.integration.saved_searches.requests import DAILY, PATH, rows, save, schedules, send


def test_a_caller_may_save_a_limited_number_of_searches(local: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    assert MAX_A_CALLER == 100
    monkeypatch.setattr("functions.dispatcher.routes.saved_searches.MAX_A_CALLER", 5)
    for number in range(5):
        save(local, name=f"{number}")
    before = rows(), schedules()
    refused = send(local, "POST", body=DAILY)
    assert (refused.status, refused.json["code"], refused.fields) == (422, "unprocessable", [])
    assert "there are 5 saved searches already" in refused.json["detail"]
    assert "DELETE one" in refused.json["hint"]
    assert (rows(), schedules()) == before
    assert send(local, "POST", body=DAILY, key="another").status == 201
    first = send(local, "GET").json["saved_searches"][0]["id"]
    send(local, "DELETE", f"{PATH}/{first}")
    assert send(local, "POST", body=DAILY).status == 201


def test_of_two_saved_at_once_for_the_last_place_one_is_refused(
    local: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("functions.dispatcher.routes.saved_searches.MAX_A_CALLER", 3)
    for number in range(2):
        save(local, name=f"{number}")
    searches = type(import_module("functions.dispatcher.wiring.saved_searches").SEARCHES)
    create = searches.create
    between: list[int] = []

    def create_after_another(self: Any, *given: Any) -> None:
        if not between:
            between.append(0)
            between[0] = send(local, "POST", body={**DAILY, "name": "another"}).status
        create(self, *given)

    monkeypatch.setattr(searches, "create", create_after_another)
    assert send(local, "POST", body=DAILY).status == 422
    assert between == [201]
    kept = send(local, "GET").json["saved_searches"]
    assert [it["name"] for it in kept if it["name"] not in ("0", "1")] == ["another"]
    assert len(kept) == 3
