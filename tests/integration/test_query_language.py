"""What an answer says about its query, and that several authors, numbers and large lookups are answered whole."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from infra.local.sandbox.corpus import default_corpus
from tests.ways_of_asking.capture import Service, service


@pytest.fixture(scope="module")
def running() -> Iterator[Service]:
    with service() as started:
        yield started


def _answer(running: Service, **fields: Any) -> Any:
    response, _ = running.post({"max_results": 100, "detail": "full", **fields})
    assert response.status_code == 200, response.text
    return response.json()


def _hint(answer: Any, reason: str) -> str:
    (message,) = [hint["message"] for hint in answer["hints"] if hint["reason"] == reason]
    return str(message)


@pytest.mark.parametrize(
    "author", ["Colonna M; Wang Y", "Colonna M, Wang Y", "Colonna M and Wang Y", "Wang Y & Colonna"]
)
def test_papers_are_by_all_of_the_authors(running: Service, author: str) -> None:
    answer = _answer(running, query="TREM2", author=author, providers=["europe_pmc", "crossref", "semantic_scholar"])
    names = [" ".join(result["authors"]) for result in answer["results"]]
    assert len(names) > 1
    assert all("Colonna" in it and "Wang" in it for it in names)


def test_a_comma_that_may_divide_two_names_is_named(running: Service) -> None:
    answer = _answer(running, query="TREM2", author="Marco Colonna, Yaming Wang", providers=["europe_pmc"])
    assert "`;`" in _hint(answer, "author")


def test_more_people_than_can_be_searched_for_are_refused(running: Service) -> None:
    response, requests = running.post({"author": ";".join(f"Person{letter} A" for letter in "abcdefghijk")})
    assert (response.status_code, requests) == (422, [])
    assert "10 people" in response.text


def test_semantic_scholar_reports_an_author_that_is_checked_afterwards(running: Service) -> None:
    fields = {"author": "Colonna M", "providers": ["semantic_scholar"]}
    searched = _answer(running, query="TREM2 AND microglia", **fields)["providers"]["semantic_scholar"]
    assert searched["unsupported_filters"] == ["author"]
    by_name = _answer(running, query="TREM2", **fields)["providers"]["semantic_scholar"]
    assert by_name["unsupported_filters"] == []


def test_a_number_beside_an_author_is_searched_for(running: Service) -> None:
    answer = _answer(running, query="2016", author="Colonna M", providers=["europe_pmc", "crossref"])
    assert set(answer["providers"]) == {"europe_pmc", "crossref"}
    assert "searched for as a word" in _hint(answer, "number")


def test_an_answer_for_which_nothing_was_queried_is_not_complete(running: Service) -> None:
    answer = _answer(running, query="2020")
    assert (answer["providers"], answer["complete"]) == ({}, False)


def test_a_provider_that_takes_fewer_ids_is_in_the_report_of_a_large_lookup(running: Service) -> None:
    dois = [fact.doi for fact in default_corpus().covered("crossref") if fact.doi and "," not in fact.doi][:8]
    report = _answer(running, query=" ".join(dois))["providers"]["unpaywall"]
    assert report["outcome"] == "skipped_unsupported_filter"
    assert report["warnings"] == ["it takes at most 5 ids at once"]


def test_the_spelling_that_pubmed_suggests_is_a_hint(running: Service) -> None:
    answer = _answer(running, query="microglai TREM2", providers=["pubmed"])
    assert _hint(answer, "spelling") == "Did you mean: microglia trem2"
    right = _answer(running, query="microglia TREM2", providers=["pubmed"])
    assert not any(hint["reason"] == "spelling" for hint in right["hints"])


def test_a_tag_that_no_source_has_is_named_with_those_that_exist(running: Service) -> None:
    message = _hint(_answer(running, query="TREM2[foo]", providers=["pubmed"]), "syntax")
    assert "[foo]" in message
    assert "[tiab]" in message


@pytest.mark.parametrize(
    ("query", "better"),
    [
        ("TNF -alpha microglia", "TNF microglia NOT alpha"),
        ("attention is all you need | NeurIPS", "(attention is all you need) OR NeurIPS"),
    ],
)
def test_the_hint_on_a_sign_has_the_query_in_capitals(running: Service, query: str, better: str) -> None:
    assert _hint(_answer(running, query=query, providers=["crossref"]), "operators").endswith(f"write: {better}")


def test_a_paper_of_another_identifier_is_left_out(running: Service) -> None:
    found = _answer(running, query="10.1038/nrn.2016.7 AND microglia")["results"]
    assert [result["doi"] for result in found] == ["10.1038/nrn.2016.7"]
    assert _answer(running, query="microglia NOT 10.1038/nrn.2016.7", providers=["pubmed", "europe_pmc"])["results"]
    excluded = _answer(running, query="microglia NOT 10.1038/nrn.2016.7")["results"]
    assert "10.1038/nrn.2016.7" not in [result["doi"] for result in excluded]


def test_a_phrase_with_a_wildcard_is_checked_where_a_source_has_none(running: Service) -> None:
    answer = _answer(running, query='"amyloid plaq*"', providers=["openalex", "semantic_scholar", "pubmed"])
    reports = {name: report["unsupported_filters"] for name, report in answer["providers"].items()}
    assert reports == {"openalex": ["operators"], "semantic_scholar": ["operators"], "pubmed": []}
    assert len(answer["results"]) > 2
