"""How the sandbox's OpenAlex reads a query.

Expectations: the server's source (ourresearch/openalex-elastic-api, August 2026: core/search.py, core/validate.py,
core/vector_index.py), its manual (developers.openalex.org/guides/searching) and Lucene's classic query syntax.
"""

from __future__ import annotations

import json
from typing import Any

import pytest
from werkzeug import Request, Response
from werkzeug.test import EnvironBuilder

from infra.local.sandbox.corpus import Corpus
from infra.local.sandbox.facts import Fact
from infra.local.sandbox.services import openalex

WORKS = (
    Fact(
        title="Possums of the night",
        abstract="Their ligand binds a receptor in Thailand.",
        openalex_id="W9900000001",
        citation_count=1,
    ),
    Fact(
        title="Deep learning",
        abstract="Transformers change off-target prediction of IL-6.",
        openalex_id="W9900000002",
        citation_count=90,
        is_open_access=True,
        oa_url="https://example.org/deep.pdf",
        references=("PMID:900004",),
    ),
    Fact(
        title="Learning to walk",
        abstract="A deep sea robot, and how it studies the sea floor.",
        openalex_id="W9900000003",
    ),
    Fact(title="The lunar knot", pmid="900004", openalex_id="W9900000004", year=2019, language="en"),
)
POSSUM, DEEP, ROBOT, KNOT = (fact.openalex_id for fact in WORKS)
CORPUS = Corpus(WORKS)
pytestmark = pytest.mark.usefixtures("everything_is_covered")


def request(path: str = "/works", /, **parameters: str) -> Response:
    builder = EnvironBuilder(path, query_string={name.replace("__", "."): text for name, text in parameters.items()})
    return openalex.answer(Request(builder.get_environ()), CORPUS)


def body(path: str = "/works", /, **parameters: str) -> Any:
    response = request(path, **parameters)
    assert response.status_code == 200, response.get_data(as_text=True)
    return json.loads(response.get_data())


def found(**parameters: str) -> set[str]:
    return {work["id"].rpartition("/")[2] for work in body(**parameters)["results"]}


@pytest.mark.parametrize(
    ("text", "works"),
    [
        ("possum", {POSSUM}),  # possums and possum are one term
        ("the possums", {POSSUM}),  # a stop word is not a term
        ("lun", set()),  # whole words only
        ("deep learning", {DEEP, ROBOT}),  # every word, in any of the fields
        ("deep learning robots", {ROBOT}),
        ("how does deep learning", set()),  # question words are not stop words
        ("off target", {DEEP}),
        ("off-target", {DEEP}),
        ("IL 6", {DEEP}),
        ("studying", {ROBOT}),
    ],
)
def test_every_term_of_plain_text_must_occur(text: str, works: set[str]) -> None:
    assert found(search__title_and_abstract=text) == works


@pytest.mark.parametrize(
    ("parameter", "text", "works"),
    [
        ("search", "lunar", {KNOT, DEEP}),  # a full text holds its list of references
        ("search.title_and_abstract", "lunar", {KNOT}),
        ("search.title", "deep", {DEEP}),
        ("search.exact", "possums", {POSSUM}),
        ("search.exact", "possum", set()),
        ("search.title.exact", "the", {KNOT, POSSUM}),
    ],
)
def test_each_parameter_has_its_own_fields(parameter: str, text: str, works: set[str]) -> None:
    assert found(**{parameter.replace(".", "__"): text}) == works


@pytest.mark.parametrize(
    ("text", "works"),
    [
        ("possum OR robot", {POSSUM, ROBOT}),
        ("learning NOT robot", {DEEP}),
        ('"deep learning"', {DEEP}),
        ('"learning deep"', set()),
        ("deep AND learning", {DEEP, ROBOT}),
        ("(deep learning) OR possum", {DEEP, POSSUM}),  # a run of words is looked for in one field
        ("possum OR deep AND learning", {DEEP, ROBOT}),  # AND and OR have no precedence
        ("possum OR (deep AND learning)", {POSSUM, DEEP, ROBOT}),
        ("deep and learning", {DEEP, ROBOT}),  # in small letters it is a word, and a stop word
        ('"receptor" AND ligand', set()),  # cut to lig
        ('("receptor" AND ligand)', {POSSUM}),
        ("receptor AND Thailand", set()),
        ("lunar AND knot", set()),
        ("(learning -robot) OR possum", {DEEP, POSSUM}),
        ("robot^2 AND learning", {ROBOT}),
        ("possum OR lerning~1", {POSSUM, DEEP, ROBOT}),
    ],
)
def test_operators_make_a_lucene_expression(text: str, works: set[str]) -> None:
    assert found(search__title_and_abstract=text) == works


@pytest.mark.parametrize("text", ["a|b", "!important rule", "css !important", "p AND a|b"])
def test_two_signs_are_refused_in_any_search(text: str) -> None:
    for name in ("search", "search__title_and_abstract", "search__semantic"):
        response = request(**{name: text})
        assert response.status_code == 400
        assert json.loads(response.get_data())["error"] == "Invalid query parameters error."


@pytest.mark.parametrize(
    "text",
    [
        '{r175h} AND "gain of function"', "x^n AND y", r"\upsilon AND y", "a AND b\\", "a AND portal!",
        "(a AND portal!)", 'a AND "b" "c', "(a AND b", "a AND b)", "a AND ()", "a AND b OR", "a AND OR b", "a AND ~ b",
        "a AND b -", "a } AND b",
    ],
)  # fmt: skip
def test_an_expression_that_lucene_cannot_parse_is_a_server_error(text: str) -> None:
    response = request(search__title_and_abstract=text)
    assert (response.status_code, response.content_type) == (500, "text/html; charset=utf-8")


@pytest.mark.parametrize("text", ["{r175h} gain", "x^n y", "a b\\", "portal!", "c++ (and more", "a } b", "50% - 60%"])
def test_plain_text_has_no_syntax(text: str) -> None:
    assert request(search__title_and_abstract=text).status_code == 200


@pytest.mark.parametrize(
    ("text", "exact", "status"),
    [
        ("learn*", False, 400),  # the stems lack what stands before the wildcard
        ("what is it?", False, 400),
        ("learn*", True, 200),
        ("l?arning", True, 200),
        ("*earning", True, 400),
        ("le*", True, 400),
        ('"deep lea*" OR possum', True, 400),
        ('"deep lea*"', True, 200),
    ],
)
def test_wildcards_need_an_exact_search(text: str, exact: bool, status: int) -> None:
    name = "search__title_and_abstract" + "__exact" * exact
    assert request(**{name: text}).status_code == status
    if status == 200:
        assert DEEP in found(**{name: text})


def test_more_than_three_long_phrases_are_refused() -> None:
    phrases = [f'"{letter * 81}"' for letter in "abcd"]
    assert request(search=" OR ".join(phrases[:3])).status_code == 200
    assert request(search=" OR ".join(phrases)).status_code == 400


def test_citations_raise_a_score() -> None:
    works = body(search="learning")["results"]
    assert [work["id"].rpartition("/")[2] for work in works] == [DEEP, ROBOT]
    assert works[0]["relevance_score"] > works[1]["relevance_score"] > 0


@pytest.mark.parametrize(
    ("filters", "status"),
    [("publication_year:2019", 200), ("language:en", 200), ("cited_by_count:>1", 400), ("title.search:a", 400)],
)
def test_a_search_by_meaning_needs_no_common_words_of_all_and_takes_few_filters(filters: str, status: int) -> None:
    assert found(search__semantic="How do possums differ from a robot?", per_page="50") == {POSSUM, ROBOT}
    assert request(search__semantic="a knot", filter=filters).status_code == status


def test_a_search_by_meaning_has_fifty_results_and_no_company() -> None:
    assert request(search__semantic="robot", per_page="51").status_code == 400
    assert request(search__semantic="robot", search="robot").status_code == 400


@pytest.mark.parametrize(
    ("filters", "works"),
    [
        ("title.search:deep", {DEEP}),
        ("title_and_abstract.search:deep", {DEEP, ROBOT}),
        ("default.search:lunar", {DEEP, KNOT}),
        ("title.search:possum|deep", {POSSUM, DEEP}),
        ("publication_year:2018-2020", {KNOT}),
        ("publication-year:<2018", set()),
        ("has_abstract:false", {KNOT}),
        ("openalex_id:W9900000001|https://openalex.org/W9900000002", {POSSUM, DEEP}),
        ("language:!en", {POSSUM, DEEP, ROBOT}),
        ("language:null", {POSSUM, DEEP, ROBOT}),
    ],
)
def test_works_by_a_filter(filters: str, works: set[str]) -> None:
    assert found(filter=filters) == works


def test_the_request_line_is_limited_by_its_escaped_bytes() -> None:
    assert request(search="名" * 890).status_code == 200
    assert request(search="名" * 910).status_code == 400


def test_the_headers_state_the_costs() -> None:
    def credits(path: str, **parameters: str) -> str | None:
        return request(path, **parameters).headers.get("x-ratelimit-credits-used")

    assert [credits("/works", search="a"), credits("/works", search__semantic="a")] == ["10", "10"]
    assert [credits("/works", filter="title.search:a"), credits("/works")] == ["10", "1"]
    assert [credits(f"/works/{DEEP}"), credits("/autocomplete/sources", q="a")] == ["0", "0"]
    free = {"search": "a", "per_page": "10", "select": "id,display_name,works_count"}
    assert [credits("/sources", **free), credits("/sources", search="a")] == ["0", "10"]
