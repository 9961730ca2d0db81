"""Retracted and corrected papers of the corpus come out as such, with their notice; and silence is never "none"."""

from __future__ import annotations

from itertools import groupby
from typing import Any

import pytest

from infra.functions import provider_names, provider_spec, providers_for
from infra.local.machine import Machine
from infra.local.sandbox.corpus import default_corpus
from infra.local.sandbox.facts import Fact
from tests.integration.papers_calls import fetch

pytestmark = pytest.mark.slow  # each source failing, each on a machine of its own

CORPUS = default_corpus()
MARKED = [fact for fact in CORPUS.facts if fact.retraction]
TRACKING = [name for name in provider_names() if provider_spec(name).tracks_integrity]
# A paper that all of them hold, and one that Crossref cannot look up.
SOUND, WITHOUT_DOI = "10.1056/NEJMoa1211851", "11885531"
BATCH = 100
ways = pytest.mark.parametrize("way", ["search", "lookup"])
every_marked_paper = pytest.mark.parametrize("fact", MARKED, ids=lambda fact: fact.doi or fact.pmid)


def reporting(fact: Fact) -> tuple[str, ...]:
    """Who reports a paper's retraction or correction: Crossref by the notice's DOI, OpenAlex of retractions only."""
    standing = fact.retraction or {}
    holders = {name for name in TRACKING if CORPUS.find(name, doi=fact.doi, pmid=fact.pmid)}
    silent = {"crossref"} if not standing.get("notice_doi") else set()
    silent |= {"openalex"} if standing.get("status") != "retracted" else set()
    return tuple(sorted(holders - silent))


GROUPS = [(knowers, list(facts)) for knowers, facts in groupby(sorted(MARKED, key=reporting), key=reporting)]


def name_of(fact: Fact) -> str:
    return fact.doi or (f"PMID:{fact.pmid}" if fact.pmid else f"arXiv:{fact.arxiv_id}")


def returned_paper(local: Machine, way: str, fact: Fact) -> dict[str, Any] | None:
    """The paper as a search for its title or a lookup by its id returns it; None when no provider does."""
    if way == "lookup":
        (entry,) = fetch(local, "POST", "/v1/papers", {"ids": [name_of(fact)], "fresh": True})["papers"]
        return dict(entry["paper"]) if entry["paper"] else None
    question = {
        "query": fact.title,
        "max_results": 50,
        "providers": providers_for("search"),
        "fresh": True,
        "detail": "full",
    }
    results = fetch(local, "POST", "/v1/literature-search", question)["results"]
    same = [it for it in results if (it["doi"] or it["pmid"]) == (fact.doi.lower() if fact.doi else fact.pmid)]
    assert len(same) <= 1
    return dict(same[0]) if same else None


def fact_of(**ids: str) -> Fact:
    (fact,) = {CORPUS.find(name, **ids) for name in TRACKING} - {None}
    assert fact is not None
    return fact


def test_the_corpus_marks_papers_that_each_tracking_source_knows() -> None:
    assert {name for knowers, _ in GROUPS for name in knowers} == set(TRACKING)
    assert {str((fact.retraction or {})["status"]) for fact in MARKED} == {"retracted", "corrected"}


@ways
@every_marked_paper
def test_a_retracted_paper_is_returned_as_retracted_with_its_notice(running: Machine, fact: Fact, way: str) -> None:
    paper = returned_paper(running, way, fact)
    assert paper is not None and fact.retraction is not None
    reported_doi = fact.retraction.get("notice_doi")
    assert paper["retraction"]["status"] == fact.retraction["status"]
    assert paper["retraction"]["notice_doi"] == (reported_doi.lower() if reported_doi else None)
    assert paper["retraction"]["notice_pmid"] == fact.retraction.get("notice_pmid")


@ways
@every_marked_paper
def test_agreeing_and_disagreeing_sources_are_named(running: Machine, fact: Fact, way: str) -> None:
    paper = returned_paper(running, way, fact)
    assert paper is not None
    holders = {name for name in TRACKING if CORPUS.find(name, doi=fact.doi, pmid=fact.pmid)}
    assert paper["provenance"]["retraction"] == list(reporting(fact))
    assert paper["provenance"].get("retraction.none", []) == sorted(holders - set(reporting(fact)))


@pytest.mark.slow
def test_no_other_paper_of_the_corpus_is_returned_as_retracted(running: Machine) -> None:
    others = [fact for fact in CORPUS.facts if not fact.retraction and (fact.doi or fact.pmid or fact.arxiv_id)]
    standings = []
    for start in range(0, len(others), BATCH):
        ids = [name_of(fact) for fact in others[start : start + BATCH]]
        entries = fetch(running, "POST", "/v1/papers", {"ids": ids, "fresh": True, "timeout_ms": 25_000})["papers"]
        standings += [entry["paper"]["retraction"]["status"] for entry in entries if entry["paper"]]
    assert len(standings) > 0.9 * len(others)
    assert set(standings) == {"none", "unknown"}
    assert standings.count("none") > standings.count("unknown")


@ways
@pytest.mark.parametrize(
    ("running", "facts"), GROUPS, ids=["+".join(knowers) for knowers, _ in GROUPS], indirect=["running"]
)
def test_with_integrity_sources_down_the_status_of_a_marked_paper_is_unknown(
    running: Machine, facts: list[Fact], way: str
) -> None:
    found = [paper["retraction"] for fact in facts if (paper := returned_paper(running, way, fact))]
    assert found or len(facts) == 1
    unknown = {"status": "unknown", "notice_doi": None, "date": None, "notice_pmid": None}
    assert all(retraction == unknown for retraction in found)


@ways
@pytest.mark.parametrize("running", [(name,) for name in TRACKING], ids=TRACKING, indirect=True)
def test_the_retraction_status_is_unknown_while_an_integrity_source_is_down(running: Machine, way: str) -> None:
    assert running.sandbox is not None
    (missing,) = running.sandbox.faults
    paper = returned_paper(running, way, fact_of(doi=SOUND))
    assert paper is not None
    assert paper["retraction"]["status"] == "unknown"
    assert "retraction" not in paper["provenance"]
    assert paper["provenance"]["retraction.none"] == sorted(set(TRACKING) - {missing})


@ways
def test_a_paper_without_a_retraction_has_status_none_when_all_answer(running: Machine, way: str) -> None:
    paper = returned_paper(running, way, fact_of(doi=SOUND))
    assert paper is not None
    assert paper["retraction"]["status"] == "none"
    assert paper["provenance"]["retraction"] == TRACKING


@pytest.mark.parametrize("running", [("semantic_scholar", "unpaywall")], indirect=True)
@ways
def test_an_outage_of_a_provider_without_retraction_data_changes_nothing(running: Machine, way: str) -> None:
    paper = returned_paper(running, way, fact_of(doi=SOUND))
    assert paper is not None
    assert paper["retraction"]["status"] == "none"


@pytest.mark.parametrize("running", [("crossref",)], indirect=True)
def test_a_source_that_cannot_look_up_a_paper_does_not_make_its_status_unknown(running: Machine) -> None:
    paper = returned_paper(running, "lookup", fact_of(pmid=WITHOUT_DOI))
    assert paper is not None
    assert paper["retraction"]["status"] == "none"


@pytest.mark.parametrize(
    ("running", "left"), [(("pubmed",), "europe_pmc"), (("europe_pmc",), "pubmed")], indirect=["running"]
)
@ways
def test_a_retraction_and_its_notice_are_reported_by_any_remaining_provider(
    running: Machine, way: str, left: str
) -> None:
    (fact,) = [it for it in MARKED if it.pmid == "11543891"]
    paper = returned_paper(running, way, fact)
    assert paper is not None
    assert (paper["retraction"]["status"], paper["retraction"]["notice_pmid"]) == ("retracted", "11600210")
    assert paper["provenance"]["retraction"] == sorted([left, "openalex"])
