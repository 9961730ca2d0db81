"""What agents send out of habit: the names and forms of other services, over HTTP and over MCP."""

from __future__ import annotations

from typing import Any

import pytest

from infra.local.gateway import rest_event
from infra.local.machine import Machine
from tests.integration.mcp_calls import called, message, rpc
from tests.integration.papers_calls import call, fetch

pytestmark = pytest.mark.slow  # searches of several forms each

SEARCH = "/v1/literature-search"


def found(local: Machine, **fields: Any) -> list[list[str]]:
    """The keys of the results over HTTP and over MCP."""
    asked = {"cite_in_kg": False, "max_results": 20, **fields}
    answers = fetch(local, "POST", SEARCH, asked), called(local, "literature_search", **asked)
    return [[it["key"] for it in answer["results"]] for answer in answers]


def refused(local: Machine, **fields: Any) -> str:
    """The message of the one error, which both interfaces have."""
    status, problem = call(local, "POST", SEARCH, fields)
    assert status in (400, 422)
    by_mcp = message(local, "literature_search", fields)["structuredContent"]
    assert by_mcp["errors"] == problem["errors"]
    assert "openapi" not in str(by_mcp) and "/v1/" not in str(by_mcp)  # a tool's caller has no routes
    (error,) = problem["errors"]
    return str(error["message"])


def test_several_authors_may_be_a_list(running: Machine) -> None:
    by_text, by_list = (
        found(running, query="TREM2", author=it) for it in ("Colonna M; Cella M", ["Colonna M", "Cella M"])
    )
    assert by_text == by_list
    assert by_text[0] and by_text[0] == by_text[1]
    assert found(running, query="TREM2", author=["Colonna M"]) == found(running, query="TREM2", author="Colonna M")


def test_one_text_in_a_list_is_that_text_and_several_are_sent_elsewhere(running: Machine) -> None:
    assert found(running, query=["TREM2"], journal=["Nature"]) == found(running, query="TREM2", journal="Nature")
    assert "`queries` takes other wordings" in refused(running, query=["TREM2", "APOE"])
    assert refused(running, query="TREM2", journal=["Nature", "Cell"]) == "must be one name, not a list"
    assert refused(running, query="TREM2", author=["Colonna M", 7]) == "Input should be a valid string, not a list"


@pytest.mark.parametrize(("habit", "ours"), [
    ({"providers": ["PubMed", "Europe PMC", "s2"]}, {"providers": ["pubmed", "europe_pmc", "semantic_scholar"]}),
    ({"providers": "europepmc"}, {"providers": ["europe_pmc"]}),
    ({"publication_types": ["Review"]}, {"publication_types": ["review"]}),
    ({"publication_types": "Journal Article"}, {"publication_types": ["journal-article"]}),
    ({"language": "English"}, {"language": "en"}), ({"field_of_study": "Biology"}, {"field_of_study": "biology"}),
    ({"max_results": "5", "open_access": "true"}, {"max_results": 5, "open_access": True}),
])  # fmt: skip
def test_names_are_read_as_people_write_them(running: Machine, habit: dict[str, Any], ours: dict[str, Any]) -> None:
    assert found(running, query="TREM2", **habit) == found(running, query="TREM2", **ours)


@pytest.mark.parametrize(("fields", "said"), [
    ({"limit": 3}, "unknown field; did you mean max_results?"),
    ({"year": 2015}, "unknown field; did you mean date_from?"),
    ({"providers": ["Scopus"]}, "valid: all, arxiv, auto"),
    ({"sort": "newest"}, "'relevance', 'citations' or 'date'"),
])  # fmt: skip
def test_an_unreadable_value_is_refused_with_the_readable_ones(
    running: Machine, fields: dict[str, Any], said: str
) -> None:
    assert said in refused(running, query="TREM2", **fields)


def test_the_guide_names_every_tool_and_is_short(running: Machine) -> None:
    response = running.request(rest_event("GET", "/llms.txt", headers={"Host": "127.0.0.1"}))
    tools = [tool["name"] for tool in rpc(running, "tools/list", {})["result"]["tools"]]
    assert len(tools) == 8
    assert all(name in response["body"] for name in tools)
    assert len(response["body"]) < 8_000


def test_papers_that_hardly_fit_do_not_enter_the_graph(running: Machine) -> None:
    asked = {"query": "blockchain governance of fisheries in TREM2"}
    for answer in (fetch(running, "POST", SEARCH, asked), called(running, "literature_search", **asked)):
        assert answer["results"]
        assert "weak_match" in [hint["reason"] for hint in answer["hints"]]
        assert answer["kg"]["queued"] == 0


def test_a_paper_of_arxiv_is_the_same_whichever_words_find_it(running: Machine) -> None:
    papers = []
    for query in ("attention is all you need", "Vaswani attention"):
        results = fetch(running, "POST", SEARCH, {"query": query, "detail": "full", "max_results": 50})["results"]
        papers += [it for it in results if it["external_ids"]["arxiv"] == "1706.03762"]
    assert len(papers) == 2
    assert {(it["key"], it["doi"], it["citation_uri"]) for it in papers} == {
        ("doi:10.48550/arxiv.1706.03762", "10.48550/arxiv.1706.03762", "https://doi.org/10.48550/arxiv.1706.03762")
    }


def test_the_impact_ranking_stays_with_the_subject(running: Machine) -> None:
    asked = {"query": "protein structure prediction deep learning", "ranking": "impact", "detail": "full"}
    results = fetch(running, "POST", SEARCH, asked)["results"]
    assert all("protein" in f"{it['title']} {it['abstract']}".casefold() for it in results[:5])


def test_a_year_may_be_a_number(running: Machine) -> None:
    by_number = found(running, query="TREM2", date_from=2016, date_to=2018)
    assert by_number == found(running, query="TREM2", date_from="2016", date_to="2018")
    assert by_number[0] and by_number[0] == by_number[1]
    for wrong in (16, 20160101, True, 2016.5):
        assert "date_from" in str(call(running, "POST", SEARCH, {"query": "TREM2", "date_from": wrong}))
    assert refused(running, query="TREM2", date_from=16) == "Input should be a valid string, not 16"
