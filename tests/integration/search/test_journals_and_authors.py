"""Journals and people as callers write them, from the request over HTTP to the papers that remain."""

from __future__ import annotations

import json
from typing import Any

import pytest

from infra.local.gateway import rest_event
from infra.local.machine import Machine
from shared.bibliography.journal_names import known_journal

pytestmark = pytest.mark.slow  # many searches, whose kinds tests/ways_of_asking samples


def papers_of(local: Machine, **fields: Any) -> list[dict[str, Any]]:
    body = json.dumps({"max_results": 100, "detail": "full", **fields})
    response = local.invoke("dispatcher", rest_event("POST", "/v1/literature-search", body=body))
    assert response["statusCode"] == 200, response["body"]
    return list(json.loads(response["body"])["results"])


@pytest.mark.parametrize("journal", ["Nature", "Science", "Cell"])
def test_a_journal_excludes_others_whose_names_hold_its_own(local: Machine, journal: str) -> None:
    found = papers_of(local, query="human", journal=journal)
    assert found
    assert {known_journal(paper["journal"]) for paper in found} == {known_journal(journal)}


NEJM = ("NEJM", "N Engl J Med", "New England Journal of Medicine", "The New England journal of medicine")


def test_a_journal_is_found_under_each_of_its_names(local: Machine) -> None:
    titles = [{paper["title"] for paper in papers_of(local, query="Alzheimer", journal=name)} for name in NEJM]
    assert len(titles[0]) >= 2
    assert all(found == titles[0] for found in titles)


@pytest.mark.parametrize(
    "author", ["Colonna M", "M. Colonna", "marco colonna", "Colonna, Marco", "COLONNA M", "colonna"]
)
def test_an_authors_papers_are_found_in_every_form_of_the_name(local: Machine, author: str) -> None:
    found = papers_of(local, query="TREM2", author=author)
    assert len(found) >= 2
    assert all("colonna" in json.dumps(paper["authors"]).lower() for paper in found)


@pytest.mark.slow
def test_a_wider_type_admits_its_kinds(local: Machine) -> None:
    query = "neural networks decision support cancer"
    wanted = {"systematic-review"}
    assert {paper["type"] for paper in papers_of(local, query=query, publication_types="Systematic Reviews")} == wanted
    assert wanted <= {paper["type"] for paper in papers_of(local, query=query, publication_types="Review")}
    assert not papers_of(local, query=query, publication_types=["RCT"])


def test_a_language_is_checked_on_the_record(local: Machine) -> None:
    found = papers_of(local, query="fetal and neonatal growth", language="Polish")
    assert found
    assert all(paper["language"] == "pl" for paper in found)
    assert not papers_of(local, query="fetal and neonatal growth", language="German")
