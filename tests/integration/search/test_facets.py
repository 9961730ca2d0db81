"""A stored result set read again: counts by year, venue, type, source and open access, and pages that are filtered."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from infra.local.machine import Machine
from tests.integration.papers_calls import call, fetch, upstream

QUERY = {"query": "TREM2 microglia", "max_results": 5, "cite_in_kg": False}


@pytest.fixture(scope="module")
def found(running: Machine) -> Any:
    """The answer to a search."""
    return fetch(running, "POST", "/v1/literature-search", QUERY)


@pytest.fixture(scope="module")
def path(found: Any) -> str:
    return f"/v1/result-sets/{found['result_set_id']}"


def values(facets: Any) -> Iterator[tuple[str, str, int]]:
    """Each filter with each of its values, and its count."""
    for name in ("year", "venue", "type", "source"):
        for each in facets[name]["values"]:
            yield name, str(each["value"]), each["count"]
    yield "open_access", "true", facets["open_access"]["open"]
    yield "open_access", "false", facets["open_access"]["closed"]


@pytest.mark.slow
def test_each_count_is_what_its_filter_leaves(running: Machine, found: Any, path: str) -> None:
    answer = fetch(running, "GET", f"{path}/facets")
    assert (answer["query"], answer["result_set_id"]) == (found["query"], found["result_set_id"])
    assert answer["total_count"] == answer["matching"] == found["total_count"] > 10
    every = list(values(answer["facets"]))
    assert {name for name, _, _ in every} == {"year", "venue", "type", "source", "open_access"}
    for name, value, count in every:
        page = fetch(running, "GET", path, **{name: value, "fields": "key", "max_results": 100})
        assert (page["matching"], page["returned"]) == (count, min(count, 100)), (name, value)
    years = answer["facets"]["year"]
    assert sum(it["count"] for it in years["values"]) + years["unknown"] == answer["total_count"]


@pytest.mark.parametrize("providers", ["openalex", "all"])
def test_the_filter_of_a_search_and_that_of_its_result_set_admit_the_same_papers(
    running: Machine, providers: str
) -> None:
    """Sources call some papers open, or send them for the filter, without the address of a copy."""
    request = {
        "query": "protein structure",
        "open_access": True,
        "providers": providers,
        "detail": "full",
        "max_results": 100,
    }
    whole = fetch(running, "POST", "/v1/literature-search", {**request, "open_access": False})
    assert any(it["open_access"]["is_oa"] is None for it in whole["results"])
    answer = fetch(running, "POST", "/v1/literature-search", request)
    assert answer["results"]
    assert all(it["open_access"]["is_oa"] and it["open_access"]["url"] for it in answer["results"])
    same = f"/v1/result-sets/{answer['result_set_id']}"
    facet = fetch(running, "GET", f"{same}/facets")["facets"]["open_access"]
    assert facet == {"open": answer["total_count"], "closed": 0, "unknown": 0}
    assert fetch(running, "GET", same, open_access="true", fields="key")["matching"] == answer["total_count"]


def test_no_provider_is_queried(running: Machine, path: str) -> None:
    before = upstream(running)
    fetch(running, "GET", f"{path}/facets")
    fetch(running, "GET", path, year="2020", type="review")
    assert upstream(running) == before


def test_a_cursor_names_its_route_where_it_is_sent_to_another(running: Machine, path: str) -> None:
    cursor = fetch(running, "GET", path, type="journal-article", max_results=2)["next_cursor"]
    for asked in (
        ("POST", "/v1/literature-search", {"cursor": cursor}),
        ("POST", "/v1/literature-search", {**QUERY, "cursor": cursor}),
        ("GET", f"/v1/papers/10.1084/jem.20212479/references?cursor={cursor}", None),
    ):
        method, where, body = asked
        where, _, given = where.partition("?cursor=")
        status, problem = call(running, method, where, body, **({"cursor": given} if given else {}))
        assert (status, problem["errors"][0]["field"]) == (422, "cursor")
        assert "another route" in problem["detail"] + problem["errors"][0]["message"]
        assert f"GET {path}" in problem["hint"]
    assert fetch(running, "GET", path, type="journal-article", max_results=2, cursor=cursor)["returned"] == 2


def test_filters_leave_the_order_and_count_together(running: Machine, path: str) -> None:
    whole = fetch(running, "GET", path, max_results=100, fields="key,year,type")["results"]
    expected = [it["key"] for it in whole if it["year"] in (2016, 2017) and it["type"] == "journal-article"]
    page = fetch(running, "GET", path, year="2016,2017", type="journal article", max_results=100, fields="key")
    assert [it["key"] for it in page["results"]] == expected
    assert expected
    counted = fetch(running, "GET", f"{path}/facets", year="2016,2017", type="journal-article")
    assert counted["matching"] == len(expected)
    assert {it["value"] for it in counted["facets"]["year"]["values"]} <= {2016, 2017}


def test_pages_of_a_filter_are_all_its_papers_once(running: Machine, path: str) -> None:
    query: dict[str, Any] = {"type": "journal-article", "fields": "key", "max_results": 3}
    page = fetch(running, "GET", path, **query)
    keys = [it["key"] for it in page["results"]]
    while page["next_cursor"]:
        page = fetch(running, "GET", path, **query, cursor=page["next_cursor"])
        keys += [it["key"] for it in page["results"]]
    assert len(keys) == len(set(keys)) == page["matching"] > 3


def test_a_cursor_of_other_filters_is_refused(running: Machine, found: Any, path: str) -> None:
    cursor = fetch(running, "GET", path, type="journal-article", max_results=1)["next_cursor"]
    for other in (cursor, found["next_cursor"], "x"):
        status, problem = call(running, "GET", path, type="review", cursor=other)
        assert (status, problem["errors"][0]["field"]) == (422, "cursor")


def test_a_list_of_references_is_counted_too(running: Machine) -> None:
    links = fetch(running, "GET", "/v1/papers/10.7554%2FeLife.20391/references")
    answer = fetch(running, "GET", f"/v1/result-sets/{links['result_set_id']}/facets")
    assert answer["query"] is None
    assert 0 < answer["total_count"] <= links["total_count"]
    assert answer["facets"]["source"]["values"]


@pytest.mark.parametrize(("name", "value", "same"), [
    ("year", "2020,", "2020"), ("year", ",2020, 2021,,2020", "2020,2021"), ("year", ",", ""),
    ("venue", ",Nature", "Nature"), ("venue", ",", ""), ("source", "pubmed,", "pubmed"), ("source", ",", ""),
    ("type", ",review", "review"), ("type", ",", ""),
])  # fmt: skip
def test_commas_with_nothing_between_them_are_ignored(
    running: Machine, path: str, name: str, value: str, same: str
) -> None:
    for each in (path, f"{path}/facets"):
        assert (
            fetch(running, "GET", each, **{name: value})["matching"]
            == (fetch(running, "GET", each, **{name: same})["matching"])
        )


@pytest.mark.parametrize(("query", "status", "field"), [
    ({"yeer": "2020"}, 400, "yeer"), ({"year": "MMXX"}, 400, "year"), ({"year": "20"}, 422, "year"),
    ({"source": "scopus"}, 422, "source"), ({"type": "poem"}, 422, "type"),
    ({"open_access": "maybe"}, 400, "open_access"),
])  # fmt: skip
def test_wrong_filters_are_refused_by_name(running: Machine, path: str, query: Any, status: int, field: str) -> None:
    for each in (path, f"{path}/facets"):
        got, problem = call(running, "GET", each, **query)
        assert (got, problem["errors"][0]["field"]) == (status, field)


def test_an_unknown_result_set_has_expired_and_a_wrong_id_is_named(running: Machine) -> None:
    for end in ("", "/facets"):
        status, problem = call(running, "GET", f"/v1/result-sets/{'0' * 32}{end}")
        assert (status, problem["code"]) == (410, "expired")
        assert problem["detail"] == "the result set has expired or never existed"
        status, problem = call(running, "GET", f"/v1/result-sets/abc{end}")
        assert (status, problem["errors"][0]["field"]) == (422, "id")


def test_a_filter_without_papers_is_an_empty_page(running: Machine, path: str) -> None:
    page = fetch(running, "GET", path, year="1066")
    assert (page["matching"], page["results"], page["next_cursor"]) == (0, [], None)
    assert page["total_count"] > 0


def test_a_small_budget_leaves_papers_to_the_next_page(running: Machine, path: str) -> None:
    page = fetch(running, "GET", path, max_results=20, max_tokens=1_000)
    assert page["returned"] < 20
    assert page["truncated"]["results"] == 20 - page["returned"]
    following = fetch(running, "GET", path, max_results=20, max_tokens=1_000, cursor=page["next_cursor"])
    assert following["results"][0]["key"] not in {it["key"] for it in page["results"]}


@pytest.mark.parametrize("name", ["\U0004f21f", "a b", "a/b", "ABC"])
def test_any_other_id_is_a_problem(running: Machine, name: str) -> None:
    for end in ("", "/facets"):
        status, problem = call(running, "GET", f"/v1/result-sets/{name}{end}")
        assert (status, problem["code"]) in [(404, "not_found"), (422, "unprocessable")]
