"""The references and citations of a paper in a range of dates, over HTTP and MCP."""

from __future__ import annotations

import pytest

from infra.local.machine import Machine
from shared.bibliography.identifiers import Identifiers
from shared.papers.links.dates import of_dates
from shared.papers.links.hints import link_hints
from shared.papers.links.merging import LinkedItem
from shared.papers.request import LinksRequest
from tests.integration.mcp_calls import called
from tests.integration.papers_calls import call, fetch

ELIFE = "10.7554/eLife.20391"
PATH = f"/v1/papers/{ELIFE}/references"


def test_a_list_since_a_year_and_before_it(running: Machine) -> None:
    whole = fetch(running, "GET", PATH, max_results=100)
    years = {it["key"]: it["paper"]["year"] for it in whole["results"] if it["paper"]}
    middle = sorted(year for year in years.values() if year)[len(years) // 2]
    since = fetch(running, "GET", PATH, max_results=100, date_from=middle)
    before = fetch(running, "GET", PATH, max_results=100, date_to=middle - 1)
    found = [{it["key"] for it in part["results"]} for part in (since, before)]
    expected = [{key for key, year in years.items() if year and (year >= middle) is later} for later in (True, False)]
    assert found == expected
    assert all(found)
    assert (since["total_count"], before["total_count"]) == (len(found[0]), len(found[1]))
    by_mcp = called(running, "citation_network", seeds=[ELIFE], relation="references", date_from=str(middle))
    assert by_mcp["results"] == since["results"][:20]


def test_the_pages_of_a_range_are_of_that_range(running: Machine) -> None:
    first = fetch(running, "GET", PATH, max_results=1, date_from="2014")
    second = fetch(running, "GET", PATH, max_results=1, date_from="2014", cursor=first["next_cursor"])
    assert second["total_count"] == first["total_count"]
    assert second["results"][0]["paper"]["year"] >= 2014
    assert second["results"][0]["key"] != first["results"][0]["key"]


@pytest.mark.parametrize("query", [{"date_from": "2020-13"}, {"date_from": "2021", "date_to": "2020"}])
def test_a_date_that_is_none_and_a_reversed_range_are_refused(running: Machine, query: dict[str, str]) -> None:
    status, problem = call(running, "GET", PATH, **query)
    assert (status, problem["errors"][0]["field"]) == (422, "date_from")


def test_citations_have_the_same_range(running: Machine) -> None:
    path = "/v1/papers/10.1038/nature04533/citations"
    totals = {year: fetch(running, "GET", path, date_from=year)["total_count"] for year in ("2020", "2026")}
    assert totals == {"2020": 1, "2026": 0}


@pytest.mark.parametrize(
    ("relation", "paper"), [("references", ELIFE), ("citations", "10.1038/nature04533"), ("similar", ELIFE)]
)
def test_a_range_that_leaves_nothing_is_blamed_and_not_the_providers(
    running: Machine, relation: str, paper: str
) -> None:
    answer = called(running, "citation_network", seeds=[paper], relation=relation, date_from="2200")
    reasons = {hint["reason"] for hint in answer["hints"]}
    assert answer["total_count"] == 0
    assert "filters_too_narrow" in reasons
    assert not reasons & {"no_match", "no_similar"}


def test_items_without_a_date_are_counted_and_not_dropped_in_silence() -> None:
    item = LinkedItem(key=None, paper=None, ids=Identifiers(), text="A. Writer, a book.", assertions=())
    request = LinksRequest.model_validate({"id": ELIFE, "date_from": "2020"})
    assert of_dates([item], request) == ([], 1, 0)
    (hint,) = link_hints({}, {}, 0, undated=1)
    assert hint["message"].startswith("Left out: 1 paper of unknown date")
    (hint,) = link_hints({}, {}, 0, outside=1)
    assert hint["message"].startswith("Listed: 1 paper, none with a known date in the range")
