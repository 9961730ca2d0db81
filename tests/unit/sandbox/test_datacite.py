"""DataCite's sandbox: lists, paging, cursors, lookups, refusals; and the provider's code over it."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from werkzeug import Request
from werkzeug.test import EnvironBuilder

from functions.providers import datacite as provider
from infra.local.sandbox.corpus import Corpus, default_corpus
from infra.local.sandbox.datacite.records import deposits
from infra.local.sandbox.facts import Fact, variant
from infra.local.sandbox.services import datacite as sandbox
from shared.outcomes import Outcome
from shared.providers.provider import ProviderReply
from shared.query.query import Query
from shared.query.question import Listing
from tests.replay import ask, named
from tests.unit.sandbox.bridge import over

ARXIV = Fact(
    title="Stripes of zebras",
    authors=(("Meinhardt", "Hans"), ("Klingler", "Martin")),
    year=2021,
    publication_date="2021-03-01",
    type="preprint",
    arxiv_id="2103.00001",
    abstract="Stripes deter biting flies.",
    keywords=("zebras", "camouflage"),
)
WITH_DATA = Fact(title="Stripes of perch", authors=(("Kondo", "Shigeru"),), year=2012, doi="10.9999/fish")
WITH_CODE = Fact(title="Stripes of ancient shells", authors=(("Fowler", "Deborah"),), year=1992, doi="10.9999/shells")
FACTS = (ARXIV, WITH_DATA, WITH_CODE)


def request(path: str = "/dois", **params: str) -> tuple[int, dict[str, Any]]:
    """Status and JSON of the sandbox's own answer."""
    sent = Request(
        EnvironBuilder(path, query_string={k.replace("__", "-"): v for k, v in params.items()}).get_environ()
    )
    answer = sandbox.answer(sent, Corpus(FACTS))
    return answer.status_code, json.loads(answer.get_data())


def dois(**params: str) -> list[str]:
    status, body = request(**params)
    assert status == 200
    return [record["id"] for record in body["data"]]


def leg(question: Any, corpus: Corpus | None = None) -> ProviderReply:
    return ask(provider, over(sandbox, corpus or Corpus(FACTS)), question)


def test_the_papers_of_these_tests_have_what_they_are_named_for() -> None:
    assert (variant(WITH_DATA, 3), variant(WITH_CODE, 7)) == (0, 1)


def test_only_datacite_holds_the_data_sets_and_the_software() -> None:
    held = {fact.doi for fact in default_corpus().facts}
    own = [deposit.doi for deposit in deposits(default_corpus()) if deposit.doi.startswith("10.5072/")]
    assert len(own) > 100
    assert not held & set(own)


def test_all_words_are_needed_each_in_any_field_but_words_without_an_operator_in_one() -> None:
    assert dois(query="(zebras AND Meinhardt)") == ["10.48550/arxiv.2103.00001"]
    assert dois(query="zebras Meinhardt") == []
    assert dois(query="zebra") == []  # no stemming


def test_a_slash_is_escaped_by_the_server_also_where_it_was_escaped() -> None:
    assert request(query='doi:"10.48550/arxiv.2103.00001"')[1]["meta"]["total"] == 1
    status, body = request(query="10.48550\\/arxiv")
    assert (status, list(body["errors"])) == (400, ["title"])


@pytest.mark.parametrize("query", ["(zebras", 'a "b', "a AND", "publicationYear:[20 TO x]", "a:"])
def test_a_query_that_lucene_cannot_parse_is_refused(query: str) -> None:
    assert request(query=query)[0] == 400


@pytest.mark.parametrize(
    ("query", "count"),
    [
        ("publicationYear:[2021 TO 2021]", 1), ("publicationYear:{2021 TO *]", 0), ("language:(en OR eng)", 1),
        ("titles.title:zebras", 1), ("titles.title:flies", 0), ("descriptions.description:(stripes AND flies)", 1),
        ("types.resourceTypeGeneral:Software", 2), ("types.resourceTypeGeneral:software", 0),
        ("nothing.here:zebras", 0), ('"Stripes zebras"', 1), ('"zebras Stripes"~0', 0), ("zebr*", 1), ("camouflage", 1),
    ],
)  # fmt: skip
def test_fields_are_texts_or_keywords(query: str, count: int) -> None:
    assert request(query=query)[1]["meta"]["total"] == count


def test_filters_and_unknown_parameters() -> None:
    assert dois(published="2020,2022", prefix="10.48550", never_heard_of="x") == ["10.48550/arxiv.2103.00001"]
    assert len(dois(resource_type_id="software,dataset")) == 3
    assert request(published="soon")[0] == 400


def test_a_page_has_25_records_at_most_1000_and_links_to_the_next() -> None:
    _, body = request(**{"page[size]": "2", "page[number]": "2", "sort": "name"})
    assert [record["id"] for record in body["data"]] == dois(sort="name")[2:4]
    assert body["meta"] == {"total": 4, "totalPages": 2, "page": 2}
    assert "next" not in body["links"]


def test_a_cursor_lists_the_oldest_first_and_ends_behind_the_last_record() -> None:
    seen, cursor = [], "1"
    for _ in range(9):
        _, body = request(**{"page[cursor]": cursor, "page[size]": "2", "sort": "name"})
        seen += [record["id"] for record in body["data"]]
        if "next" not in body["links"]:
            break
        (cursor,) = parse_qs(urlsplit(body["links"]["next"]).query)["page[cursor]"]
    assert seen == dois(sort="created")


def test_fields_select_attributes() -> None:
    _, body = request(**{"fields[dois]": "doi,publicationYear", "query": "zebras"})
    (record,) = body["data"]
    assert record["attributes"] == {"doi": "10.48550/arxiv.2103.00001", "publicationYear": 2021}
    assert "relationships" not in record


def test_a_single_record_and_an_unknown_one() -> None:
    assert request("/dois/10.48550/ARXIV.2103.00001")[1]["data"]["id"] == "10.48550/arxiv.2103.00001"
    assert request("/dois/10.9999/fish") == (
        404, {"errors": [{"status": "404", "title": "The resource you are looking for doesn't exist."}]},
    )  # fmt: skip


def test_a_data_set_is_read_with_its_relations() -> None:
    (paper,) = leg(Query(text="stripes perch", publication_types=("dataset",))).papers
    assert (paper.title, paper.type, paper.year) == ("Data from: Stripes of perch", "dataset", 2012)
    assert paper.references == ("doi:10.9999/fish",)


def test_the_versions_of_software_are_linked() -> None:
    papers = leg(Query(text='"Analysis scripts"')).papers
    assert {paper.type for paper in papers} == {"other"}
    assert {version.doi for paper in papers for version in paper.versions} == {paper.ids.doi for paper in papers}


def test_a_lookup_finds_arxivs_dois_and_no_others() -> None:
    found = leg(named("10.48550/arxiv.2103.00001", "10.9999/fish"))
    assert [paper.asked for paper in found.papers] == [("doi:10.48550/arxiv.2103.00001",)]


def test_a_listing_of_many_pages_is_what_one_page_lists() -> None:
    corpus = default_corpus()
    whole = leg(Listing(Query(text="TREM2"), size=500), corpus)
    found, position = [], ""
    while True:
        page = leg(Listing(Query(text="TREM2"), position=position, size=7), corpus)
        found += [paper.ids.doi for paper in page.papers]
        if not page.next_position:
            break
        position = page.next_position
    assert found == [paper.ids.doi for paper in whole.papers]
    assert len(found) == whole.total_estimate


def test_the_server_can_parse_every_text() -> None:
    for text in ('TREM2 (R47H) & α<β; 50% "q" a:b [c] {d} ^ ~ * ? \\ / + - | ! #', "a\\", "x/y/z", "C++ AND c#", "/"):
        assert leg(Query(text=f"zebras, {text}")).outcome in (Outcome.OK, Outcome.EMPTY)
