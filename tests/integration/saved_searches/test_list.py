"""The list of a caller's saved searches: pages that later changes do not disturb, within a budget."""

from __future__ import annotations

from typing import Any

import pytest

from infra.local.machine import Machine
from shared.search.sizes.token_budget import tokens
from tests.integration.saved_searches.requests import PATH, Answer, save, send

COUNT = 7


def listed(local: Machine, **parameters: Any) -> Answer:
    answer = send(local, "GET", **parameters)
    assert answer.status == 200, answer.text
    return answer


def names(local: Machine, **parameters: Any) -> list[list[str]]:
    """The names on each page."""
    pages, cursor = [], ""
    while True:
        page = listed(local, **parameters, cursor=cursor).json
        pages.append([it["name"] for it in page["saved_searches"]])
        cursor = page["next_cursor"]
        if cursor is None:
            return pages


@pytest.fixture
def some(local: Machine) -> list[dict[str, Any]]:
    return [save(local, name=f"{number}") for number in range(COUNT)]


def test_every_search_is_on_one_page_in_the_order_of_the_whole_list(local: Machine, some: list[dict[str, Any]]) -> None:
    (whole,) = names(local)
    assert sorted(whole) == [it["name"] for it in some]
    assert names(local, limit=3) == [whole[:3], whole[3:6], whole[6:]]
    assert names(local, limit=COUNT) == [whole]


def test_a_cursor_goes_on_where_its_search_was_deleted(local: Machine, some: list[dict[str, Any]]) -> None:
    (whole,) = names(local)
    first = listed(local, limit=3).json
    send(local, "DELETE", f"{PATH}/{first['saved_searches'][-1]['id']}")
    left = listed(local, cursor=first["next_cursor"]).json["saved_searches"]
    assert [it["name"] for it in left] == whole[3:]


def test_a_page_keeps_within_its_budget(local: Machine, some: list[dict[str, Any]]) -> None:
    page = listed(local, max_tokens=700).json
    assert tokens(page) <= 700
    assert 0 < len(page["saved_searches"]) < COUNT
    assert page["truncated"]["results"] == COUNT - len(page["saved_searches"])
    assert "max_tokens=700" in page["truncated"]["reason"]
    assert [name for shown in names(local, max_tokens=700) for name in shown] == names(local)[0]
    assert "truncated" not in listed(local).json


@pytest.mark.parametrize(
    ("parameters", "said"),
    [
        ({"limit": 101}, "must be from 1 to 100, not '101'"),
        ({"limit": "x"}, "must be from 1 to 100, not 'x'"),
        ({"max_tokens": 199}, "must be from 200 to 1000000, not '199'"),
        ({"cursor": "Y2l0ZXMgZG9pOjEwLjEvYQ"}, "pass the `next_cursor` of a page of this list unchanged"),
    ],
)
def test_a_wrong_parameter_is_named(running: Machine, parameters: dict[str, Any], said: str) -> None:
    answer = send(running, "GET", **parameters)
    assert (answer.status, answer.fields) == (422, list(parameters))
    assert answer.json["errors"][0]["message"] == said


def test_a_budget_without_room_for_one_search_names_one_that_has(running: Machine) -> None:
    made = save(running, name="n" * 200)
    try:
        refused = send(running, "GET", max_tokens=200)
        assert refused.status == 422, refused.text
        assert refused.fields == ["max_tokens"]
        enough = int(refused.json["errors"][0]["message"].rpartition(" ")[2])
        assert len(listed(running, max_tokens=enough).json["saved_searches"]) == 1
    finally:
        send(running, "DELETE", f"{PATH}/{made['id']}")
