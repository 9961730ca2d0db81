"""Registrations of trials: found by number, searched on request, never merged with the paper about the trial."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

import pytest

from infra.local.machine import Machine
from infra.local.sandbox.corpus import default_corpus
from tests.integration.papers_calls import call, fetch, upstream

HELD = default_corpus().covered("clinicaltrials")
# A registration with the title and first author of its paper.
TRIAL = next(fact for fact in HELD if fact.title.startswith("TREM2 sustains"))
NUMBER = str(TRIAL.nct)
URL = f"https://clinicaltrials.gov/study/{NUMBER}"


def search(local: Machine, **fields: Any) -> dict[str, Any]:
    return dict(fetch(local, "POST", "/v1/literature-search", {"cite_in_kg": False, "detail": "full", **fields}))


@pytest.mark.parametrize("name", [NUMBER, f"nct:{NUMBER}", NUMBER.lower()])
def test_a_registration_is_found_by_its_number(running: Machine, name: str) -> None:
    paper = fetch(running, "GET", f"/v1/papers/{name}")["paper"]
    assert (paper["key"], paper["citation_uri"], paper["type"]) == (f"nct:{NUMBER}", URL, "clinical-trial-registration")
    assert paper["external_ids"]["nct"] == NUMBER
    assert paper["doi"] is None


@pytest.mark.parametrize("query", [NUMBER, URL, f"ClinicalTrials.gov identifier: {NUMBER}"])
def test_a_number_as_query_is_looked_up(running: Machine, query: str) -> None:
    (result,) = search(running, query=query)["results"]
    assert (result["key"], result["citation_uri"]) == (f"nct:{NUMBER}", URL)


def test_a_number_among_words_is_looked_up_and_searched_for(running: Machine) -> None:
    """Papers about a trial have its number in their records and texts."""
    answer = search(running, query=f"{NUMBER} microglia", providers=["clinicaltrials", "europe_pmc"])
    assert answer["results"][0]["key"] == f"nct:{NUMBER}"
    assert NUMBER in answer["providers"]["europe_pmc"]["effective_query"]


def test_an_unknown_number_is_not_found(running: Machine) -> None:
    assert call(running, "GET", "/v1/papers/NCT99999999")[0] == 404


def test_a_search_without_names_of_sources_leaves_the_registry_alone(running: Machine) -> None:
    before = upstream(running)["clinicaltrials"]
    answer = search(running, query=f"{TRIAL.title} registries", fresh=True)
    assert "clinicaltrials" not in answer["providers"]
    assert upstream(running)["clinicaltrials"] == before


def test_a_registration_stands_beside_the_paper_about_the_trial_and_each_names_the_other(running: Machine) -> None:
    answer = search(running, query=TRIAL.title, providers=["clinicaltrials", "pubmed"], max_results=50)
    by_key = {result["key"]: result for result in answer["results"]}
    registration = by_key[f"nct:{NUMBER}"]
    assert list(registration["provider_scores"]) == ["clinicaltrials"]
    (paper,) = (it for it in answer["results"] if it["pmid"] == TRIAL.pmid)
    assert paper["key"] != registration["key"]
    assert paper["external_ids"]["nct"] is None
    reason = "one is the registration of a trial"
    assert {"key": paper["key"], "reason": reason} in registration["possible_duplicates"]
    assert {"key": registration["key"], "reason": reason} in paper["possible_duplicates"]


def test_registrations_are_a_type_that_a_search_can_be_limited_to(running: Machine) -> None:
    chosen = {"providers": ["clinicaltrials", "pubmed"], "publication_types": ["trial registration"]}
    results = search(running, query="TREM2", **chosen)["results"]
    assert results
    assert {result["type"] for result in results} == {"clinical-trial-registration"}


def test_the_references_of_a_registration_lead_to_the_paper(running: Machine) -> None:
    answer = fetch(running, "GET", f"/v1/papers/{NUMBER}/references")
    assert answer["providers"]["clinicaltrials"]["outcome"] == "ok"
    assert TRIAL.pmid in [item["external_ids"].get("pmid") for item in answer["results"]]


@pytest.mark.parametrize("detail", ["standard", "full"])
def test_a_paper_names_the_registration_of_its_trial_which_its_key_leads_to(running: Machine, detail: str) -> None:
    answer = search(running, query=TRIAL.title, providers=["pubmed"], detail=detail)
    (paper,) = (it for it in answer["results"] if it["pmid"] == TRIAL.pmid)
    assert paper["registrations"] == [f"nct:{NUMBER}"]
    registration = fetch(running, "GET", f"/v1/papers/{paper['registrations'][0]}")["paper"]
    assert (registration["key"], registration["type"]) == (f"nct:{NUMBER}", "clinical-trial-registration")
    assert registration.get("registrations", []) == []


def test_it_says_which_sources_state_the_registration(running: Machine) -> None:
    paper = fetch(running, "GET", f"/v1/papers/{quote(str(TRIAL.doi), safe='')}", detail="full")["paper"]
    assert paper["registrations"] == [f"nct:{NUMBER}"]
    assert paper["provenance"]["registrations"] == ["crossref", "pubmed"]


def test_a_standard_paper_without_a_trial_has_no_field_for_it(running: Machine) -> None:
    answer = search(running, query="attention", providers=["arxiv"], detail="standard")
    assert answer["results"]
    assert not [it for it in answer["results"] if "registrations" in it]
