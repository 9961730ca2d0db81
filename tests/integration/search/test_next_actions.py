"""Every next action is a call that can be made unchanged, and does what it says."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from infra.local.machine import Machine
from tests.integration.actions import routes
from tests.integration.papers_calls import fetch
from tests.integration.search.test_sizes import by_mcp


def follow(local: Machine, action: Mapping[str, Any]) -> dict[str, Any]:
    return dict(fetch(local, *routes()[action["tool"]], action["arguments"]))


def actions(local: Machine, **search_fields: Any) -> dict[str, dict[str, Any]]:
    found = fetch(local, "POST", "/v1/literature-search", search_fields)
    return {action["why"]: action for action in found["next_actions"]}


def test_the_next_page_and_the_best_papers_are_one_call_away(local: Machine) -> None:
    offered = actions(local, query="TREM2 microglia", max_results=5)
    page = follow(local, offered["the next page"])
    assert page["returned"] == 5
    opened = follow(local, offered["all fields of the first results"])
    assert [entry["status"] for entry in opened["papers"]] == ["found", "found"]


def test_the_papers_that_are_one_call_away_are_those_of_the_page(local: Machine) -> None:
    asked = {"query": "TREM2 microglia", "max_results": 2}
    first = fetch(local, "POST", "/v1/literature-search", asked)
    second = fetch(local, "POST", "/v1/literature-search", {**asked, "cursor": first["next_cursor"]})
    for page in (first, second):
        (opened,) = (it["arguments"]["ids"] for it in page["next_actions"] if it["tool"] == "get_papers")
        assert opened == [it["key"] for it in page["results"]]


def test_a_failed_provider_is_queried_again(local: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shared.aws.dynamodb.leg_cache.FAILURE_S", 0.0)  # for how long a failure is shared
    assert local.sandbox is not None
    local.sandbox.faults["crossref"] = {"status": 503}
    offered = actions(local, query="TREM2 microglia")
    local.sandbox.faults.clear()
    assert follow(local, offered["queries again the providers that did not answer"])["providers_searched"] == [
        "crossref"
    ]


@pytest.mark.parametrize(("search_fields", "why", "query"), [
    ({"query": "TREM2 AND zzyzx"}, "searches the words alone", "TREM2 zzyzx"),
    ({"query": "TREM2", "author": "Nobody-of-that-Name"}, "searches without filters", "TREM2"),
    ({"query": "quuxology zzyzx fnord plugh xyzy"}, "searches for fewer words, which is broader",
     "quuxology zzyzx fnord"),
    ({"query": "зззиззкс"}, "searches for the query in Latin letters", "zzzizzks"),
])  # fmt: skip
def test_zero_results_say_why_and_what_to_try(
    local: Machine, search_fields: dict[str, Any], why: str, query: str
) -> None:
    answer = fetch(local, "POST", "/v1/literature-search", {**search_fields, "providers": "pubmed"})
    assert answer["total_count"] == 0
    assert answer["hints"]
    offered = {action["why"]: action for action in answer["next_actions"]}
    assert offered[why]["arguments"]["query"] == query
    follow(local, offered[why])


@pytest.mark.parametrize("search_fields", [
    {"query": "TREM2", "publication_types": ["randomized-controlled-trial", "letter"], "journal": "Nobody's Journal"},
    {"query": "quuxology zzyzx fnord plugh xyzy"},
])  # fmt: skip
def test_a_broader_search_has_an_answer_of_the_same_form(local: Machine, search_fields: dict[str, Any]) -> None:
    form = {"detail": "full", "fields": ["title", "key"], "max_tokens": 1_000, "max_results": 3, "cite_in_kg": False}
    answer = fetch(local, "POST", "/v1/literature-search", {**search_fields, **form, "providers": "pubmed"})
    assert answer["total_count"] == 0
    broader = [it["arguments"] for it in answer["next_actions"] if it["tool"] == "literature_search"]
    assert broader
    for arguments in broader:
        assert {name: arguments.get(name) for name in form} == form


@pytest.mark.parametrize("query", ["深度学习蛋白质折叠", "意味的類似度の測定法", "ディープラーニング", "딥러닝 단백질"])
def test_no_transliteration_is_offered_that_indexes_do_not_have(running: Machine, query: str) -> None:
    asked = {"query": query, "providers": "pubmed", "cite_in_kg": False}
    for answer in (
        fetch(running, "POST", "/v1/literature-search", asked),
        by_mcp(running, "literature_search", **asked),
    ):
        assert answer["total_count"] == 0
        assert "non_latin_script" in [hint["reason"] for hint in answer["hints"]]
        assert "searches for the query in Latin letters" not in [it["why"] for it in answer["next_actions"]]


def test_the_sentences_that_answer_a_question_are_one_call_away(running: Machine) -> None:
    question = "What does TREM2 do in microglia?"
    offered = actions(running, query=question, cite_in_kg=False, max_results=3)
    action = offered["the sentences of the first results that bear on the question"]
    read = follow(running, action)
    assert {it["key"] for it in read["passages"]} <= set(action["arguments"]["ids"])
    assert read["question"] == question
    assert read["passages"]


def test_papers_like_one_that_was_named_are_one_call_away(running: Machine) -> None:
    offered = actions(running, query="10.1056/NEJMoa1211851", cite_in_kg=False)
    action = offered["papers similar to the first result"]
    assert action["arguments"] == {"seeds": ["doi:10.1056/nejmoa1211851"]}
    assert follow(running, action)["results"]


@pytest.mark.parametrize("query", ["TREM2 microglia", "find me recent reviews on TREM2"])
def test_neither_is_offered_for_keywords_and_requests(running: Machine, query: str) -> None:
    offered = fetch(running, "POST", "/v1/literature-search", {"query": query})["next_actions"]
    assert not {"find_passages", "similar"} & {action["tool"] for action in offered}
