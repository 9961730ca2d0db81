"""Where papers can be read for free: the providers' copies and Unpaywall's, each once, and the best one first."""

from __future__ import annotations

from typing import Any

import pytest

from infra.local.machine import Machine
from infra.local.sandbox.corpus import default_corpus
from shared.bibliography.paper import Location
from shared.merging.open_access import address_of, best_first
from tests.integration.empty_cache import remove_cached_legs
from tests.integration.mcp_calls import called
from tests.integration.papers_calls import fetch

GOLD = "10.1016/j.xgen.2025.100814"  # the publisher's under a licence, and a copy in PubMed Central
IN_CENTRAL = "10.1038/s42256-024-00832-8"  # copies in arXiv and in PubMed Central
CLOSED = "10.1074/jbc.m115.679043"
WITHOUT_ADDRESS = "10.1126/science.1072994"  # Unpaywall calls it open, and has no address of any copy
DISPUTED = "10.18653/v1/d19-1002"  # in arXiv as OpenAlex knows, and closed in Unpaywall's eyes
CENTRAL = "https://pmc.ncbi.nlm.nih.gov/articles/PMC11116106/"
NO_COPY: dict[str, Any] = {"url": None, "license": None, "locations": []}
SMALL = 5  # DOIs that Unpaywall accepts at once


def look_up(local: Machine, *dois: str) -> dict[str, Any]:
    return dict(fetch(local, "POST", "/v1/papers", {"ids": list(dois), "fresh": True, "detail": "full"}))


def paper(local: Machine, doi: str) -> dict[str, Any]:
    (entry,) = look_up(local, doi)["papers"]
    assert entry["status"] == "found"
    return dict(entry["paper"])


def by_unpaywall(local: Machine, doi: str) -> Any:
    """What Unpaywall alone says of a paper's open access."""
    event = {"operation": "lookup", "names": [f"doi:{doi}"], "timeout_ms": 8000}
    (found,) = local.invoke("unpaywall", event)["papers"]
    return found["open_access"]


def test_the_publishers_copy_comes_before_the_repositorys_and_each_once(running: Machine) -> None:
    found = paper(running, GOLD)
    publishers, repositorys = found["open_access"]["locations"]
    assert publishers == {
        "url": f"https://doi.org/{GOLD}", "version": "publishedVersion", "license": "cc-by-4.0", "host": "publisher",
    }  # fmt: skip
    assert (repositorys["url"], repositorys["host"]) == (
        "https://pmc.ncbi.nlm.nih.gov/articles/PMC12008803/",
        "repository",
    )
    assert (found["open_access"]["is_oa"], found["open_access"]["url"]) == (True, publishers["url"])
    assert found["open_access"]["license"] == "cc-by-4.0"
    assert {"crossref", "openalex", "pubmed", "unpaywall"} <= set(found["provenance"]["open_access"])


def test_a_copys_missing_fields_are_filled_from_another_provider(running: Machine) -> None:
    """PubMed knows the page and its host; only Unpaywall reports which version it holds."""
    (copy,) = [it for it in paper(running, IN_CENTRAL)["open_access"]["locations"] if it["url"] == CENTRAL]
    assert copy == {"url": CENTRAL, "version": "submittedVersion", "license": None, "host": "repository"}


def test_a_search_returns_the_copies_that_its_providers_know(running: Machine) -> None:
    (fact,) = [it for it in default_corpus().facts if it.doi == GOLD]
    request = {
        "query": fact.title,
        "providers": ["openalex", "crossref", "pubmed"],
        "max_results": 50,
        "detail": "full",
    }
    results = fetch(running, "POST", "/v1/literature-search", request)["results"]
    (found,) = [it["open_access"] for it in results if it["doi"] == GOLD]
    assert (found["is_oa"], found["url"], len(found["locations"])) == (True, f"https://doi.org/{GOLD}", 2)


def test_a_paper_that_is_closed_everywhere_has_no_address_and_no_place(running: Machine) -> None:
    found = paper(running, CLOSED)
    assert found["open_access"] == {"is_oa": False, **NO_COPY}
    assert "unpaywall" in found["provenance"]["open_access"]


def test_an_open_flag_without_an_address_is_not_open_access(running: Machine) -> None:
    assert by_unpaywall(running, WITHOUT_ADDRESS)["locations"] == []
    assert paper(running, WITHOUT_ADDRESS)["open_access"] == {"is_oa": None, **NO_COPY}


def test_a_paper_is_open_where_one_names_a_copy_and_the_others_are_named_as_well(running: Machine) -> None:
    assert by_unpaywall(running, DISPUTED)["is_oa"] is False
    found = paper(running, DISPUTED)
    assert found["open_access"]["is_oa"] is True
    assert "arxiv.org" in found["open_access"]["url"]
    assert "openalex" in found["provenance"]["open_access"]
    assert found["provenance"]["open_access.closed"] == ["unpaywall"]


@pytest.mark.slow
def test_every_paper_names_each_place_once_with_the_best_one_first(running: Machine) -> None:
    dois = [it.doi for it in default_corpus().facts if it.doi and (it.oa_url or it.pmcid or it.arxiv_id)]
    found = []
    for start in range(0, len(dois), SMALL):
        entries = look_up(running, *dois[start : start + SMALL])["papers"]
        found += [entry["paper"]["open_access"] for entry in entries if entry["paper"]]
    assert sum(len(it["locations"]) > 1 for it in found) >= SMALL
    for it in found:
        places = [Location(**place) for place in it["locations"]]
        assert it["is_oa"] is bool(places) or not (it["is_oa"] or places)
        assert places == sorted(places, key=best_first)
        assert len({address_of(place.url) for place in places}) == len(places)
        best = places[0] if places else None
        assert (it["url"], it["license"]) == ((best.url, best.license) if best else (None, None))


def test_of_many_papers_unpaywall_is_queried_for_the_first_and_the_others_are_named(running: Machine) -> None:
    ids = [GOLD, IN_CENTRAL, CLOSED, DISPUTED, WITHOUT_ADDRESS, "10.7554/elife.20391", "10.1056/NEJMoa1211851"]
    for answer in (look_up(running, *ids), called(running, "get_papers", ids=ids, detail="full")):
        report = answer["providers"]["unpaywall"]
        assert (report["outcome"], report["returned"]) == ("ok", SMALL)
        assert ["unpaywall" in it["answered_by"] for it in answer["papers"]] == [True] * SMALL + [False] * 2
        assert answer["complete"]
        (message,) = (hint["message"] for hint in answer["hints"] if hint["reason"] == "too_many_ids")
        assert message == (
            "unpaywall takes 5 ids at once and was not queried for 10.7554/elife.20391, 10.1056/NEJMoa1211851: "
            "send these by 5."
        )
    whole = look_up(running, *ids)["providers"]["unpaywall"]
    assert whole["warnings"] == ["it takes at most 5 ids at once: it was not queried for the other 2"]
    rest = look_up(running, *ids[SMALL:])
    assert not rest["hints"]
    assert all("unpaywall" in it["answered_by"] for it in rest["papers"])


@pytest.mark.parametrize("running", [("unpaywall",)], indirect=True)
def test_without_unpaywall_its_copies_are_missing_and_this_is_reported(running: Machine) -> None:
    answer = look_up(running, IN_CENTRAL, CLOSED)
    assert (answer["complete"], answer["providers"]["unpaywall"]["outcome"]) == (False, "unavailable")
    in_central, closed = answer["papers"]
    assert in_central["unanswered"] == closed["unanswered"] == {"unpaywall": "unavailable"}
    (copy,) = [it for it in in_central["paper"]["open_access"]["locations"] if it["url"] == CENTRAL]
    assert copy["version"] is None
    assert closed["paper"]["open_access"] == {"is_oa": None, **NO_COPY}
    assert in_central["paper"]["retraction"]["status"] == closed["paper"]["retraction"]["status"] == "none"


@pytest.mark.parametrize("running", [()], indirect=True)
def test_unpaywall_down_changes_nothing_but_open_access(running: Machine) -> None:
    assert running.sandbox is not None
    before = look_up(running, GOLD, IN_CENTRAL, CLOSED)["papers"]
    remove_cached_legs()
    running.sandbox.faults["unpaywall"] = {"status": 503, "retry_after": 0}
    after = look_up(running, GOLD, IN_CENTRAL, CLOSED)["papers"]
    for with_it, without_it in [(one["paper"], other["paper"]) for one, other in zip(before, after, strict=True)]:
        aside = ("open_access", "provenance")
        assert {name: with_it[name] for name in with_it if name not in aside} == {
            name: without_it[name] for name in without_it if name not in aside
        }
        for name, who in with_it["provenance"].items():
            others = [it for it in who if it != "unpaywall"]
            assert name.startswith("open_access") or without_it["provenance"].get(name, []) == others
