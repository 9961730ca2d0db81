"""Next actions keep what the caller asked for, and are not requests that would be refused."""

from __future__ import annotations

from typing import Any

import pytest

from infra.local.machine import Machine
from tests.integration.papers_calls import fetch

SEARCH = "/v1/literature-search"


def search(running: Machine, **asked: Any) -> dict[str, Any]:
    return dict(fetch(running, "POST", SEARCH, {"cite_in_kg": False, **asked}))


@pytest.mark.parametrize("query", ["TREM2 since 2016", "TREM2 2015-2020"])
def test_dates_in_words_give_way_to_those_of_the_request(running: Machine, query: str) -> None:
    found = search(running, query=query, date_to="2010", max_results=2)
    for action in found["next_actions"]:
        if action["tool"] == "literature_search":
            fetch(running, "POST", SEARCH, action["arguments"])
    assert not any("date_from" in hint["message"] for hint in found["hints"])


@pytest.mark.parametrize("asked", [
    {"query": "TREM2", "author": "Nobody-of-that-Name"}, {"query": "quuxology zzyzx fnord plugh xyzy"},
])  # fmt: skip
def test_broader_searches_keep_the_form_and_write_no_more(running: Machine, asked: dict[str, Any]) -> None:
    found = search(running, **asked, providers="pubmed", detail="full")
    actions = [it["arguments"] for it in found["next_actions"] if it["tool"] == "literature_search"]
    assert actions
    assert all((it["cite_in_kg"], it["detail"]) == (False, "full") for it in actions)


def test_an_identifier_with_years_is_not_promised_to_come_first(running: Machine) -> None:
    found = search(running, query="10.1056/NEJMoa1211851 since 2020")
    said = next(it["message"] for it in found["hints"] if it["reason"] == "identifier")
    assert said.endswith("The paper comes first, unless dates or filters leave it out.")
    assert all(paper["doi"] != "10.1056/nejmoa1211851" for paper in found["results"])
