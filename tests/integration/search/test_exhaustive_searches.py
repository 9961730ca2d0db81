"""Exhaustive searches end to end: totals, the record, bounds, callers, files, and refusals."""

from __future__ import annotations

import json
from typing import Any
from xml.etree import ElementTree

import pytest
import rispy

from infra.functions import searched_by_default
from infra.local.machine import Machine
from tests.integration.exhaustive_searches import BODY, PATH, begin, finished, state, turn
from tests.integration.reference_checks import request


@pytest.fixture(scope="module")
def done(running: Machine) -> dict[str, Any]:
    answer = begin(running)
    assert answer.status == 202
    search_id = answer.json()["search_id"]
    assert answer.headers["Location"][0].endswith(f"{PATH}/{search_id}")
    return finished(running, search_id)


def test_every_source_is_read_to_the_end_that_it_counts(done: dict[str, Any]) -> None:
    assert [source["provider"] for source in done["sources"]] == ["europe_pmc", "openalex", "pubmed"]
    for source in done["sources"]:
        assert source["records"] == source["total"] > 20
        assert (source["stopped"], source["outcome"], source["complete"]) == ("end", "ok", True)
    assert (done["state"], done["complete"], done["done"]) == ("done", True, done["of"])


def test_the_counts_are_those_of_a_flow_diagram(done: dict[str, Any]) -> None:
    flow = done["flow"]
    assert flow["identified"] == sum(flow["by_source"].values()) == sum(it["records"] for it in done["sources"])
    assert flow["duplicates_removed"] == flow["identified"] - flow["after_duplicates"] > 0
    left_out = sum(flow["excluded"].values()) + sum(flow["undecided"].values())
    assert flow["to_screen"] == flow["after_duplicates"] - left_out
    assert len({paper["key"] for paper in done["papers"]}) == done["returned"] == min(100, flow["to_screen"])


def test_no_source_knows_a_paper_that_is_missing(running: Machine, done: dict[str, Any]) -> None:
    """The papers are those that searches for them find: the first hundred of each source are all there."""
    body = {"query": BODY["query"], "providers": BODY["providers"], "max_results": 100, "detail": "compact"}
    searched = request(running, "POST", "/v1/literature-search", body).json()
    strict = {it["key"] for it in searched["results"] if not searched["providers"]["openalex"].get("relaxed")}
    assert strict <= {paper["key"] for paper in done["papers"]}


def test_the_record_has_each_request_as_it_was_sent(done: dict[str, Any]) -> None:
    by_name = {source["provider"]: source for source in done["sources"]}
    assert by_name["openalex"]["request"].startswith(
        "GET https://api.openalex.org/works?search.title_and_abstract=microglia"
    )
    assert "cursor=*" in by_name["openalex"]["request"]
    assert by_name["pubmed"]["request"].startswith("POST https://eutils.ncbi.nlm.nih.gov/entrez/eutils/esearch.fcgi?")
    assert "cursorMark=*" in by_name["europe_pmc"]["request"]
    text = json.dumps(done)
    assert "sandbox@example.org" not in text
    assert "sandbox-key" not in text
    assert done["searched"] == {"query": "microglia", "providers": BODY["providers"], "max_records": 1000}


def test_an_equal_request_is_the_same_search(running: Machine, done: dict[str, Any]) -> None:
    assert running.sandbox
    before = len(running.sandbox.requests)
    again = begin(running, {**BODY, "providers": list(reversed(BODY["providers"]))})
    assert (again.status, again.json()["search_id"]) == (200, done["search_id"])
    assert len(running.sandbox.requests) == before


def test_of_a_broad_search_the_bound_is_read_and_reported(running: Machine) -> None:
    answer = finished(running, begin(running, {**BODY, "max_records": 7}).json()["search_id"])
    assert {source["records"] for source in answer["sources"]} == {7}
    assert {source["stopped"] for source in answer["sources"]} == {"max_records"}
    assert answer["complete"] is False
    assert answer["flow"]["identified"] == 21
    assert {hint["reason"] for hint in answer["hints"]} == {"max_records"}


def test_all_sources_take_part_and_one_that_sends_one_page_says_so(running: Machine) -> None:
    answer = finished(running, begin(running, {"query": "TREM2 microglia"}).json()["search_id"])
    assert {source["provider"] for source in answer["sources"]} == set(searched_by_default())
    stopped = {source["provider"]: source["stopped"] for source in answer["sources"]}
    assert stopped.pop("paperclip") in ("not_paged", "end")
    assert set(stopped.values()) == {"end"}


def test_filters_that_a_source_lacks_are_counted_as_reasons(running: Machine) -> None:
    body = {"query": "microglia", "providers": ["crossref", "openalex"], "language": "en", "min_citations": 50}
    answer = finished(running, begin(running, body).json()["search_id"])
    flow = answer["flow"]
    assert flow["excluded"].get("min_citations", 0) > 0
    assert flow["to_screen"] < flow["after_duplicates"]
    assert "min_citations" in next(it for it in answer["sources"] if it["provider"] == "openalex")["applied_filters"]


def test_several_wordings_are_sources_of_their_own(running: Machine) -> None:
    body = {"queries": ["microglia", "astrocytes"], "providers": ["pubmed"]}
    answer = finished(running, begin(running, body).json()["search_id"])
    assert [source["wording"] for source in answer["sources"]] == ["microglia", "astrocytes"]
    assert answer["flow"]["by_source"] == {"pubmed": sum(it["records"] for it in answer["sources"])}


def test_pages_of_papers_follow_one_another(running: Machine, done: dict[str, Any]) -> None:
    keys: list[str] = []
    cursor: str | None = "0"
    while cursor is not None:
        page = state(running, done["search_id"], cursor=cursor, max_results="7", detail="compact")
        keys += [paper["key"] for paper in page["papers"]]
        cursor = page["next_cursor"]
    assert keys[:100] == [paper["key"] for paper in done["papers"]]
    assert len(keys) == done["flow"]["to_screen"]


def test_the_papers_are_files_in_pages(running: Machine, done: dict[str, Any]) -> None:
    path = f"{PATH}/{done['search_id']}/papers"
    first = request(running, "GET", path, max_results="10")
    rest = request(running, "GET", path, cursor=first.headers["Next-Cursor"][0], max_results="1000")
    assert "Next-Cursor" not in rest.headers
    entries = [*rispy.loads(first.body), *rispy.loads(rest.body)]
    assert len(entries) == done["flow"]["to_screen"]
    table = request(running, "GET", path, format="markdown").body
    assert table.startswith("| # | Authors |")


def test_the_report_has_the_requests_the_dates_and_the_counts(running: Machine, done: dict[str, Any]) -> None:
    report = request(running, "GET", f"{PATH}/{done['search_id']}/report")
    assert report.headers["Content-Type"][0].startswith("text/markdown")
    for source in done["sources"]:
        assert source["request"] in report.body
        assert source["searched_from"] in report.body
    assert f"duplicates removed: {done['flow']['duplicates_removed']}" in report.body
    assert "Not all sources" not in report.body


def test_the_picture_has_the_boxes_of_the_flow(running: Machine, done: dict[str, Any]) -> None:
    answer = request(running, "GET", f"{PATH}/{done['search_id']}/report", format="svg")
    assert answer.headers["Content-Type"] == ["image/svg+xml"]
    texts = " ".join(ElementTree.fromstring(answer.body).itertext())
    for count in (done["flow"]["identified"], done["flow"]["duplicates_removed"], done["flow"]["to_screen"]):
        assert f"(n = {count})" in texts
    again = request(running, "GET", f"{PATH}/{done['search_id']}/report", format="svg")
    assert again.body == answer.body


def test_a_running_search_has_no_report_and_no_files(running: Machine) -> None:
    search_id = begin(running, {**BODY, "query": "astrocytes"}).json()["search_id"]
    for part in ("report", "papers"):
        early = request(running, "GET", f"{PATH}/{search_id}/{part}")
        assert (early.status, early.json()["retryable"]) == (409, True)
    assert state(running, search_id)["papers"] == []
    turn(running, search_id)
    merging = state(running, search_id)
    assert (merging["state"], merging["flow"], merging["done"]) == ("merging", None, merging["of"])


def test_a_search_is_its_callers_own(running: Machine, done: dict[str, Any]) -> None:
    other = request(running, "GET", f"{PATH}/{done['search_id']}", caller="another-key")
    assert other.status == 404
    theirs = begin(running, caller="another-key")
    assert (theirs.status, theirs.json()["search_id"] == done["search_id"]) == (202, False)
    assert request(running, "GET", f"{PATH}/not-an-id").status == 404


def test_fields_that_do_not_apply_and_invalid_values_are_refused(running: Machine) -> None:
    for body, field in (
        ({"query": "microglia", "max_results": 10}, "max_results"),
        ({"query": "microglia", "cursor": "x"}, "cursor"),
        ({"query": "microglia", "max_records": 5001}, "max_records"),
        ({"query": "10.7554/eLife.20391"}, "query"),
        ({"query": "microglia", "providers": ["nosuch"]}, "providers"),
        ({}, "query"),
    ):
        answer = begin(running, body or {"language": "en"})
        assert answer.status in (400, 422), body
        assert any(field in fault["field"] for fault in answer.json()["errors"]), answer.body
