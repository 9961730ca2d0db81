"""What an answer says about its query, and that several authors, numbers and large lookups are answered whole."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from infra.local.sandbox.corpus import default_corpus
from tests.ways_of_asking.capture import Service, service

pytestmark = pytest.mark.slow  # many searches, whose kinds tests/ways_of_asking samples


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
    assert (report["outcome"], report["returned"]) == ("ok", 5)
    assert report["warnings"] == ["it takes at most 5 ids at once: it was not queried for the other 3"]


def test_the_spelling_that_pubmed_suggests_is_a_hint(running: Service) -> None:
    answer = _answer(running, query="microglai TREM2", providers=["pubmed"])
    assert _hint(answer, "spelling") == "Did you mean: microglia TREM2"
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


@pytest.mark.parametrize(
    ("citation", "title"),
    [
        ("Vaswani 2017", "Attention is All you Need"),
        ("vaswani 2017", "Attention is All you Need"),
        ("vaswani and shazeer 2017", "Attention is All you Need"),
        ("Vaswani & Shazeer, 2017", "Attention is All you Need"),
        ("Jumper 2021 Nature", "Highly accurate protein structure prediction with AlphaFold"),
    ],
)
def test_a_paper_named_by_author_and_year_is_one_call_away(running: Service, citation: str, title: str) -> None:
    answer = _answer(running, query=citation)
    assert "`author`" in _hint(answer, "reference")
    (arguments,) = [it["arguments"] for it in answer["next_actions"] if "author" in it["arguments"]]
    assert _answer(running, **arguments)["results"][0]["title"] == title


def test_a_paper_cited_with_et_al_comes_at_once(running: Service) -> None:
    answer = _answer(running, query="Vaswani et al. (2017)")
    assert '`author: "Vaswani"`' in _hint(answer, "author")
    assert answer["results"][0]["title"] == "Attention is All you Need"


@pytest.mark.parametrize(
    "query",
    ["CRISPR 2012", "COVID 2020", "TREM2 2016", "How 2019", "Tau proteins 2019 mouse", "tau 2016", "mouse 2004"],
)
def test_keywords_with_a_year_are_no_citation(running: Service, query: str) -> None:
    answer = _answer(running, query=query, providers=["crossref"])
    assert "reference" not in [hint["reason"] for hint in answer["hints"]]


@pytest.mark.parametrize(
    ("query", "arguments"),
    [
        ("find me recent reviews on TREM2", {"query": "TREM2", "sort": "date", "publication_types": ["review"]}),
        ("most cited papers about TREM2", {"query": "TREM2", "sort": "citations"}),
        ("TREM2 after 2018", {"query": "TREM2", "date_from": "2019"}),
        ("TREM2 microglia before 2018", {"query": "TREM2 microglia", "date_to": "2017"}),
        ("TREM2 from 2020 to 2015", {"query": "TREM2", "date_from": "2015", "date_to": "2020"}),
        ("TREM2 2015-2020", {"query": "TREM2", "date_from": "2015", "date_to": "2020"}),
        ("TREM2 in 2015 – 2020", {"query": "TREM2", "date_from": "2015", "date_to": "2020"}),
    ],
)
def test_words_that_mean_filters_are_a_call_away_from_them(
    running: Service, query: str, arguments: dict[str, Any]
) -> None:
    answer = _answer(running, query=query, providers=["europe_pmc"])
    assert all(name in _hint(answer, "filters") for name in arguments if name != "query")
    calls = [it["arguments"] for it in answer["next_actions"]]
    assert any(arguments.items() <= call.items() for call in calls)
    filtered = _answer(running, query="TREM2 since 2015", date_from="2015", providers=["europe_pmc"])
    assert "filters" not in [hint["reason"] for hint in filtered["hints"]]


def test_a_number_that_pubmed_does_not_know_is_not_misspelt(running: Service) -> None:
    answer = _answer(running, query="alzheimer 20135", providers=["pubmed"])
    assert "spelling" not in [hint["reason"] for hint in answer["hints"]]
    answer = _answer(running, query="alzhiemer 20135", providers=["pubmed"])
    assert _hint(answer, "spelling") == "Did you mean: alzheimer 20135"


@pytest.mark.slow
def test_a_request_for_reviews_finds_its_subject_first(running: Service) -> None:
    for query in ("find me recent reviews on TREM2", "recent TREM2 reviews"):
        titles = [result["title"] for result in _answer(running, query=query)["results"][:5]]
        assert all("TREM2" in title or "Triggering receptor" in title for title in titles), titles


@pytest.mark.parametrize(
    ("query", "better"),
    [
        ("TREM2 or CD33", "TREM2 OR CD33"),
        ("tau or amyloid plaques not mouse", "tau OR (amyloid plaques) NOT mouse"),
    ],
)
def test_the_hint_on_small_operators_has_them_in_capitals(running: Service, query: str, better: str) -> None:
    assert _hint(_answer(running, query=query, providers=["crossref"]), "operators").endswith(f"write: {better}")


@pytest.mark.parametrize("query", ["to be or not to be", "is tau or amyloid toxic?", "the role of tau or amyloid"])
def test_small_operators_of_a_sentence_are_no_operators(running: Service, query: str) -> None:
    answer = _answer(running, query=query, providers=["crossref"])
    assert "operators" not in [hint["reason"] for hint in answer["hints"]]


@pytest.mark.slow
def test_a_title_with_a_quotation_is_found_with_a_typo_in_it_and_without_one_of_its_marks(running: Service) -> None:
    (title,) = [it.title for it in default_corpus().facts if "MageC2 protein" in it.title]
    for typed in (title.replace("causes", "cuases"), title.replace('"', "", 1)):
        answer = _answer(running, query=typed)
        assert answer["results"][0]["title"].strip(".") == title.strip(".")
        assert "quotation" in _hint(answer, "syntax")
