"""A result set belongs to its request: what another request is answered changes nothing of it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest

from infra.local.machine import Machine
from tests.integration.papers_calls import fetch

pytestmark = pytest.mark.slow  # pairs of requests, each on a machine of its own

PATH = "/v1/literature-search"
# arXiv has nothing on this biomedical question, so that its failure changes no result.
BIOMEDICAL = "TREM2 microglia amyloid"
REFERENCES = "/v1/papers/10.7554/eLife.20391/references"


def search(local: Machine, **fields: Any) -> dict[str, Any]:
    return dict(fetch(local, "POST", PATH, {"query": BIOMEDICAL, "cite_in_kg": False, "detail": "full", **fields}))


def faults(local: Machine, **given: Any) -> None:
    assert local.sandbox is not None
    local.sandbox.faults.clear()
    local.sandbox.faults.update(given)


def reported(answer: Mapping[str, Any]) -> dict[str, Any]:
    """What an answer says, but for times and where the answer comes from."""
    volatile = {"elapsed_ms", "source", "retrieved_at"}
    said = {name: value for name, value in answer.items() if name not in {"cache", "request_id", "search_time_ms"}}
    reports = answer["providers"].items()
    return {**said, "providers": {name: {k: v for k, v in it.items() if k not in volatile} for name, it in reports}}


def test_an_incomplete_answer_does_not_replace_a_complete_one_with_the_same_results(local: Machine) -> None:
    first = search(local, max_results=2)
    faults(local, arxiv={"status": 418})
    second = search(local, max_results=2, fresh=True)
    assert (second["complete"], second["results"]) == (False, first["results"])
    assert second["result_set_id"] != first["result_set_id"]
    again = search(local, max_results=2)
    assert (again["cache"], again["complete"]) == ("hit", True)
    assert reported(again) == reported(first)
    page = fetch(local, "POST", PATH, {"cursor": first["next_cursor"]})
    assert page["complete"] is True


def test_the_same_request_again_completes_an_incomplete_answer(local: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shared.aws.dynamodb.leg_cache.FAILURE_S", 0.0)
    faults(local, arxiv={"status": 418})
    assert search(local)["complete"] is False
    faults(local)
    assert search(local)["complete"] is True
    assert search(local)["complete"] is True


def test_fewer_providers_with_the_same_results_do_not_change_the_answer_for_all(local: Machine) -> None:
    first = search(local, max_results=2)
    others = [name for name in first["providers"] if name != "arxiv"]
    second = search(local, max_results=2, providers=others)
    assert second["results"] == first["results"]
    again = search(local, max_results=2)
    assert "arxiv" in again["providers_searched"]
    assert reported(again) == reported(first)
    page = search(local, max_results=2, cursor=first["next_cursor"])
    assert page["result_set_id"] == first["result_set_id"]


def test_filters_that_change_no_result_are_not_shown_to_others(local: Machine) -> None:
    first = search(local)
    second = search(local, date_from="1900")
    assert (second["results"], "1900" in json.dumps(second["providers"])) == (first["results"], True)
    assert "1900" not in json.dumps(search(local))


def test_the_filters_of_a_search_without_results_are_not_shown_to_others(local: Machine) -> None:
    nothing = "zzqqxxvv"
    first = search(local, query=nothing)
    secret = {"author": "Secret Person", "journal": "Journal of Bob's Secret Project", "providers": "pubmed"}
    assert "secret" in json.dumps(search(local, query=nothing, **secret)).casefold()
    again = search(local, query=nothing)
    assert "secret" not in json.dumps(again).casefold()
    assert reported(again) == reported(first)


def test_the_query_is_echoed_in_the_spelling_of_the_caller(local: Machine) -> None:
    for spelling in ("TREM2 microglia", " trem2   MICROGLIA", "ＴＲＥＭ２ microglia", "TREM2 microglia"):
        assert search(local, query=spelling)["query"] == spelling
        assert search(local, query=spelling, max_results=3)["query"] == spelling


def test_the_legs_of_one_question_are_shared_without_the_spelling_of_the_first_caller(local: Machine) -> None:
    first = search(local, query="TREM2  “Microglia Activation”", date_from="2015", author="DOE")
    second = search(local, query='trem2 "microglia activation"', date_from="2015-01-01", author="doe")
    assert second["cache"] == "hit"
    for name, report in second["providers"].items():
        assert report["effective_query"] == first["providers"][name]["effective_query"]
        assert "Activation" not in (report["effective_query"] or "")


def test_next_actions_have_the_form_that_the_caller_chose(local: Machine) -> None:
    nothing = {"query": "zzqqxxvv", "providers": "pubmed"}
    search(local, **nothing, max_results=3)
    reported = search(local, **nothing)
    (action,) = (it for it in reported["next_actions"] if it["why"] == "queries all providers")
    own = {"query": "zzqqxxvv", "max_results": 10, "detail": "full", "cite_in_kg": False}
    assert (reported["cache"], action["arguments"]) == ("hit", own)


def test_a_page_by_cursor_alone_has_the_query_of_its_result_set(local: Machine) -> None:
    first = search(local, query="TREM2  Microglia", max_results=2, providers=["pubmed", "crossref"])
    page = fetch(local, "POST", PATH, {"cursor": first["next_cursor"], "max_results": 2})
    assert page["query"] == first["query"]
    (following,) = (it for it in page["next_actions"] if it["why"] == "the next page")
    assert following["arguments"]["query"] == first["query"]


def test_an_incomplete_list_of_references_does_not_replace_the_complete_one(local: Machine) -> None:
    first = fetch(local, "GET", REFERENCES)
    assert "europe_pmc" not in first["providers"]  # it is asked for the paper alone, and does not have it
    for name in ("europe_pmc", "unpaywall", "crossref"):
        faults(local, **{name: {"status": 418}})
        fetch(local, "GET", REFERENCES, fresh="true")
        again = fetch(local, "GET", REFERENCES)
        assert (again["complete"], again["hints"]) == (first["complete"], first["hints"])
        assert reported(again) == reported(first)
