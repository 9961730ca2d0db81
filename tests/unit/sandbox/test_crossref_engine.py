"""How Crossref's sandbox reads queries, filters and pages, against the documentation and the server's source."""

from __future__ import annotations

import json
from typing import Any

import pytest
from werkzeug import Request
from werkzeug.test import EnvironBuilder

from infra.local.sandbox.corpus import Corpus
from infra.local.sandbox.facts import Fact
from infra.local.sandbox.services import crossref as sandbox

FACTS = (
    Fact(
        title="Feynman diagrams & friends", authors=(("Feynman", "Richard"),), year=1949, publication_date="1949-05-04",
        journal="Physical Review", doi="10.9999/one", citation_count=5, issn="9000-0001", volume="76",
        abstract="A word that only the abstract has: zygomorphic.",
    ),
    Fact(
        title="There is room at the bottom", authors=(("D\u2019Arcy", "Richard"),), year=1960, journal="Engineering",
        publication_date="1960-02", doi="10.9999/two", citation_count=7, issn="9000-0002", is_open_access=True,
    ),
    Fact(title="Diagram of a room", year=1960, type="preprint", journal="bioRxiv", doi="10.9999/three"),
)  # fmt: skip
pytestmark = pytest.mark.usefixtures("every_doi_is_covered")


def respond(path: str, **params: str) -> tuple[int, Any]:
    """Status and JSON (or text) of the sandbox's own answer."""
    query = {name.replace("__", ".").replace("_", "-"): value for name, value in params.items()}
    answer = sandbox.answer(Request(EnvironBuilder(path, query_string=query).get_environ()), Corpus(FACTS))
    text = answer.get_data(as_text=True)
    return answer.status_code, json.loads(text) if answer.mimetype == "application/json" else text


def found(**params: str) -> list[str]:
    """What is after the prefix in the DOIs of a list, in order."""
    status, body = respond("/works", **params)
    assert status == 200, body
    return [item["DOI"].partition("/")[2] for item in body["message"]["items"]]


def refused(path: str, **params: str) -> tuple[int, str, str]:
    """Status, type of error and value of a refusal."""
    status, body = respond(path, **params)
    return status, body["message"][0]["type"], body["message"][0]["value"]


@pytest.mark.parametrize(
    ("params", "dois"),
    [
        pytest.param({"query": "richard feynman"}, ["one", "two"], id="any-word-and-the-best-first"),
        pytest.param({"query__author": "richard feynman"}, ["one", "two"], id="any-token-of-a-field"),
        pytest.param({"query__bibliographic": "room", "query__author": "richard"}, ["two"], id="fields-are-anded"),
        pytest.param({"query__bibliographic": "zygomorphic"}, [], id="abstracts-are-not-searched"),
        pytest.param({"query": "diagram"}, ["three"], id="words-are-not-stemmed"),
        pytest.param({"query": "the of is at"}, [], id="stop-words-find-nothing"),
        pytest.param({"query": "+room -bottom"}, ["two", "three"], id="operators-are-blanks"),
        pytest.param({"query__bibliographic": '"diagrams friends"'}, ["one"], id="quotes-are-blanks"),
        pytest.param({"query__bibliographic": "1949"}, ["one"], id="years-are-bibliographic"),
        pytest.param({"query__bibliographic": "9000-0002"}, ["two", "one"], id="issn-are-words-with-a-hyphen"),
        pytest.param({"query__container_title": "review of engineering"}, ["two", "one"], id="journal"),
        pytest.param({"query__container_title": "biorxiv"}, [], id="a-preprint-has-no-container"),
        pytest.param({"query__title": "room"}, ["three", "two"], id="title-as-recorded-in-2026"),
        pytest.param({"query__affiliation": "princeton"}, [], id="affiliation"),
        pytest.param({"query__author": "d'arcy"}, [], id="an-apostrophe-hides-the-name"),
        pytest.param({"query__author": "d arcy"}, ["two"], id="a-blank-does-not"),
    ],
)
def test_a_query_finds(params: dict[str, str], dois: list[str]) -> None:
    """rest_api.md, "Field Queries"; CrossRef/rest-api-doc issue 385 for the apostrophe."""
    assert sorted(found(**params)) == sorted(dois)
    if dois:
        assert found(**params)[0] == dois[0]


@pytest.mark.parametrize(
    ("filters", "dois"),
    [
        ("from-pub-date:1950", {"two", "three"}),
        ("until-pub-date:1949", {"one"}),
        ("from-pub-date:1960-02,until-pub-date:1960-02", {"two"}),
        ("type:posted-content", {"three"}),
        ("type:posted-content,type:journal-article", {"one", "two", "three"}),
        ("doi:10.9999/ONE,doi:10.9999/two", {"one", "two"}),
        ("prefix:10.9999,until-created-date:2002", {"one", "two", "three"}),
        ("has-orcid:true", set()),
        ("license.url:https://creativecommons.org/licenses/by/4.0/", {"two"}),
        ("container-title:Physical Review", {"one"}),
        ("relation.type:is-preprint-of", set()),
    ],
)
def test_a_filter_keeps(filters: str, dois: set[str]) -> None:
    """rest_api.md, "Filter Names" and "Multiple filters": names are joined by AND, values of one name by OR."""
    assert set(found(filter=filters)) == dois


@pytest.mark.parametrize(
    ("path", "params", "refusal"),
    [
        ("/works", {"filter": "has-orchid:true"}, ("filter-not-available", "has-orchid")),
        ("/works", {"filter": "has-orcid:yes"}, ("boolean-not-valid", "yes")),
        ("/works", {"filter": "from-pub-date:May 1949"}, ("date-not-valid", "May 1949")),
        ("/works", {"filter": "doi:10.9999/a,b"}, ("pair-list-form-invalid", "doi:10.9999/a,b")),
        ("/works", {"filter": "type:article"}, ("type-not-valid", "article")),
        ("/works", {"sort": "citations"}, ("sort-field-not-valid", "citations")),
        ("/works", {"order": "up"}, ("sort-order-not-valid", "up")),
        ("/works", {"rows": "1001"}, ("integer-not-valid", "1001")),
        ("/works", {"offset": "10001"}, ("integer-not-valid", "10001")),
        ("/works", {"select": "doi"}, ("select-not-available", "doi")),
        ("/works", {"facet": "colour:3"}, ("facet-not-available", "colour")),
        ("/works", {"page": "2"}, ("unknown-parameter", "page")),
        ("/works", {"query__journal": "x"}, ("field-query-not-available", "journal")),
        ("/works", {"sample": "3", "rows": "2"}, ("sample-with-rows-or-offset", "sample")),
        ("/works", {"cursor": "*", "offset": "2"}, ("cursor-with-offset-or-sample", "cursor")),
        ("/works/10.9999/one", {"query__author": "x"}, ("parameter-not-allowed", "query.*")),
        ("/works/10.9999/one", {"rows": "1"}, ("parameter-not-allowed", "rows")),
        ("/journals", {"sort": "score"}, ("parameter-not-allowed", "sort")),
        ("/members", {"filter": "has-full-text:true"}, ("filter-not-available", "has-full-text")),
        ("/funders", {"sample": "2"}, ("parameter-not-allowed", "sample")),
    ],
)
def test_an_unknown_parameter_or_value_is_refused(path: str, params: dict[str, str], refusal: tuple[str, str]) -> None:
    """CrossRef/cayenne `api/v1/validate.clj`; the refusals of registries are recorded."""
    assert refused(path, **params) == (400, *refusal)


def test_a_cursor_pages_through_everything_and_a_wrong_one_is_not_found() -> None:
    """rest_api.md, "Deep Paging With Cursors", and the recorded refusal of `cursor=thing`."""
    cursor, dois = "*", []
    while items := (message := respond("/works", query="room diagrams", rows="1", cursor=cursor)[1]["message"])[
        "items"
    ]:
        cursor = message["next-cursor"]
        dois += [item["DOI"] for item in items]
    assert (len(dois), len(set(dois)), message["next-cursor"] is not None) == (3, 3, True)
    status, body = respond("/works", query="room", cursor="thing")
    assert (status, body["message-type"], body["message"][0]["type"]) == (404, "resource-failure", "cursor-invalid")
    assert respond("/works", query="another query", cursor=cursor)[0] == 404


def test_a_list_can_be_sorted_by_every_documented_element() -> None:
    """rest_api.md, "Sorting", and the sorts of habanero 2.9 (`created`)."""
    assert found(sort="is-referenced-by-count") == ["two", "one", "three"]
    assert found(sort="published", order="asc")[0] == "one"
    for sort in ("created", "deposited", "indexed", "updated", "issued", "published-print", "references-count"):
        assert len(found(sort=sort)) == 3


def test_a_sample_states_its_own_size() -> None:
    """Recorded: `sample=10` has the total 10, 20 items a page, and scores of 0."""
    message = respond("/works", sample="2")[1]["message"]
    assert (message["total-results"], message["items-per-page"], len(message["items"])) == (2, 20, 2)
    assert {item["score"] for item in message["items"]} == {0}


def test_a_selection_has_no_score_and_facets_count_all_hits() -> None:
    message = respond("/works", query="room", select="DOI", rows="0", facet="type-name:*,published:1")[1]["message"]
    assert message["items"] == []
    assert message["facets"] == {
        "type-name": {"value-count": 2, "values": {"Journal Article": 1, "Posted Content": 1}},
        "published": {"value-count": 1, "values": {"1960": 2}},
    }
    assert respond("/works", query="feynman", select="DOI")[1]["message"]["items"] == [{"DOI": "10.9999/one"}]
