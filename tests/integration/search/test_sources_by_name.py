"""Sources that a search queries only by name, and lookups of what no other source has, through the whole service."""

from __future__ import annotations

from typing import Any

import pytest

from infra.local.machine import Machine
from infra.local.sandbox.corpus import default_corpus
from infra.local.sandbox.datacite.records import deposits
from tests.integration.papers_calls import call, fetch, upstream

OPTIONAL = ("datacite", "dblp")
DATA_SET = next(it.doi for it in deposits(default_corpus()) if it.doi.startswith("10.5072/data."))
ARTICLE = "10.7554/elife.20391"
HELD_BY_DATACITE = ("crossref", "europe_pmc", "openalex", "semantic_scholar")
FAULTS: dict[str, tuple[dict[str, Any], str]] = {
    "server error": ({"status": 503, "retry_after": 0}, "unavailable"),
    "page instead of JSON": ({"body": "html"}, "bad_response"),
    "empty body": ({"body": "empty"}, "bad_response"),
    "cut off": ({"body": "truncated"}, "bad_response"),
    "refusal": ({"status": 400}, "bad_response"),
}


@pytest.fixture(autouse=True)
def _without_faults(running: Machine) -> None:
    assert running.sandbox is not None
    running.sandbox.faults.clear()


def search(local: Machine, **fields: Any) -> dict[str, Any]:
    return dict(fetch(local, "POST", "/v1/literature-search", {"query": "attention", "fresh": True, **fields}))


@pytest.mark.parametrize("fields", [{}, {"providers": ["auto"]}, {"providers": ["all"]}], ids=str)
def test_a_search_that_does_not_name_them_does_not_query_them(running: Machine, fields: dict[str, Any]) -> None:
    before = upstream(running)
    answer = search(running, **fields)
    assert not set(OPTIONAL) & set(answer["providers"])
    assert all(upstream(running)[name] == before[name] for name in OPTIONAL)


@pytest.mark.parametrize("name", OPTIONAL)
def test_a_search_queries_one_that_it_names(running: Machine, name: str) -> None:
    answer = search(running, providers=[name], max_results=3)
    assert set(answer["providers"]) == {name}
    assert answer["providers"][name]["outcome"] == "ok"
    assert len(answer["results"]) == 3


def test_data_sets_are_found_by_their_type(running: Machine) -> None:
    answer = search(running, query="TREM2", providers=["DataCite"], publication_types=["data set"], detail="full")
    assert answer["results"]
    assert {paper["type"] for paper in answer["results"]} == {"dataset"}


def test_years_that_dblp_cannot_filter_are_checked_on_its_records(running: Machine) -> None:
    answer = search(running, providers=["dblp"], date_from="2019", date_to="2019", detail="full")
    assert answer["results"]
    assert answer["providers"]["dblp"]["unsupported_filters"] == ["date"]
    assert {paper["year"] for paper in answer["results"]} == {2019}


def test_a_data_set_is_looked_up_at_datacite_and_an_article_is_not(running: Machine) -> None:
    before = upstream(running)["datacite"]
    answer = fetch(running, "POST", "/v1/papers", {"ids": [DATA_SET, ARTICLE], "fresh": True})
    assert [entry["status"] for entry in answer["papers"]] == ["found", "found"]
    assert answer["papers"][0]["paper"]["type"] == "dataset"
    assert answer["papers"][1]["paper"]["key"] == f"doi:{ARTICLE}"
    assert running.sandbox is not None
    sent = [seen.query for seen in running.sandbox.requests if seen.provider == "datacite"][before:]
    assert len(sent) == 1
    assert ARTICLE not in sent[0]


def test_an_outage_of_the_indexes_is_no_paper_that_is_not_found(running: Machine) -> None:
    assert running.sandbox is not None
    running.sandbox.faults.update({name: {"status": 500} for name in (*HELD_BY_DATACITE, "unpaywall")})
    before = upstream(running)["datacite"]
    status, problem = call(running, "GET", "/v1/papers/10.9999%2Fnobody-knows", fresh=True)
    assert (status, problem["code"]) == (502, "all_providers_failed")
    assert upstream(running)["datacite"] == before


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("name", OPTIONAL)
def test_a_failure_is_never_an_empty_result(running: Machine, name: str, fault: str) -> None:
    assert running.sandbox is not None
    running.sandbox.faults[name], outcome = FAULTS[fault]
    event = {"operation": "search", "query": {"text": f"attention {fault}"}, "timeout_ms": 8000}
    reply = running.invoke(name, event)
    assert (reply["outcome"], reply["papers"]) == (outcome, [])


def test_a_data_set_is_unanswered_while_datacite_fails(running: Machine) -> None:
    assert running.sandbox is not None
    running.sandbox.faults.clear()
    running.sandbox.faults["datacite"] = {"status": 503}
    (entry,) = fetch(running, "POST", "/v1/papers", {"ids": ["10.5072/data.none"], "fresh": True})["papers"]
    assert (entry["status"], entry["unanswered"]) == ("unanswered", {"datacite": "unavailable"})
