"""What a paper cites and who cites it, over HTTP events: each once, by all who say so, page by page."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import quote

import pytest

from infra.local.machine import Machine, machine
from infra.local.sandbox.corpus import Corpus
from infra.local.sandbox.facts import Fact, read_facts
from infra.local.sandbox.server import Sandbox
from shared.papers.links.order import ORDERS
from tests.integration.papers_calls import call, fetch, upstream

DEEP, TREM2, ROBVIS = "10.1098/rsif.2017.0387", "10.7554/eLife.20391", "10.1002/jrsm.1411"
# Of a paper that cites nothing, with a DOI that looks like the path of a list.
ODD = Fact(title="A paper whose DOI ends as the path of a list does", doi="10.5555/odd/references", year=2001,
           openalex_id="W9900009997", s2_paper_id="0" * 16 + "7" * 24)  # fmt: skip
LINE = "Anon. A line of which no source knows the paper. 1911."
# It cites itself by mistake, a paper by its PMID, and something that has no id at all.
WRONG = Fact(title="A paper with a bibliography that holds many mistakes", doi="10.5555/wrong", year=2020,
             openalex_id="W9900009996", s2_paper_id="0" * 16 + "8" * 24,
             references=("10.5555/wrong", "PMID:29618526", LINE, "10.9999/nobody.holds"))  # fmt: skip
CORPUS = Corpus((*read_facts(), ODD, WRONG))
COUNTED = ("crossref", "openalex", "semantic_scholar", "opencitations")
CITING = ("openalex", "semantic_scholar", "opencitations", "europe_pmc", "pubmed")


@pytest.fixture(scope="module")
def running() -> Iterator[Machine]:
    with machine(sandbox=Sandbox(CORPUS, faults={})) as local:
        yield local


def cited_by(doi: str) -> list[Fact]:
    """The papers of a bibliography, each work once: of a preprint and its article the facts are two."""
    return [fact for name in CORPUS.by_name[doi.lower()].references if (fact := CORPUS.by_name.get(name.lower()))]


@pytest.mark.parametrize("doi", [DEEP, TREM2])
def test_every_reference_is_listed_once_with_the_providers_that_hold_it(running: Machine, doi: str) -> None:
    answer = fetch(running, "GET", f"/v1/papers/{doi}/references", max_results=100)
    head, titles = CORPUS.by_name[doi.lower()], [it["paper"]["title"] for it in answer["results"] if it["paper"]]
    assert set(titles) == {fact.title for fact in cited_by(doi)}
    assert len(titles) == len(set(titles)) == answer["total_count"] == answer["returned"]
    assert answer["complete"] is True
    for name in ("openalex", "opencitations"):  # who list no more than they hold
        held = {fact.title for fact in CORPUS.cited(name, head)}
        listed = {it["paper"]["title"] for it in answer["results"] if name in it["asserted_by"]}
        assert listed == held, name
    assert all(it["asserted_by"][0] == "crossref" for it in answer["results"])  # the publisher's list is whole
    assert all(it["external_ids"]["doi"] for it in answer["results"])


def test_entries_say_how_they_are_cited_in_the_text_where_a_source_has_it(running: Machine) -> None:
    path = f"/v1/papers/{TREM2}/references"
    compact = fetch(running, "GET", path, max_results=100)["results"]
    stated = [it["in_text"] for it in compact if it["in_text"]]
    assert stated and len(stated) < len(compact)
    assert all(it["stated_by"] == ["semantic_scholar"] for it in stated)
    assert {intent for it in stated for intent in it["intents"]} == {"background", "method", "result"}
    assert {it["influential"] for it in stated} == {True, False}
    assert max(len(it["sentences"]) for it in stated) == 1
    assert not any("&lt;" in text for it in stated for text in it["sentences"])
    whole = fetch(running, "GET", path, max_results=100, detail="full", include_abstract="false")["results"]
    known = [{name: it for name, it in entry["external_ids"].items() if it} for entry in whole]
    assert [it["external_ids"] for it in compact] == known != [it["external_ids"] for it in whole]
    assert max(len(it["in_text"]["sentences"]) for it in whole if it["in_text"]) > 1
    cited = next(it for it in compact if it["in_text"] and "paper_id" in it["external_ids"])
    back = fetch(running, "GET", f"/v1/papers/{quote(cited['key'], safe='')}/citations", max_results=100)["results"]
    (entry,) = [it for it in back if it["key"] == f"doi:{TREM2.lower()}"]
    assert entry["in_text"] == cited["in_text"]


def test_references_come_in_the_order_of_the_bibliography(running: Machine) -> None:
    answer = fetch(running, "GET", f"/v1/papers/{TREM2}/references", max_results=100)
    assert [it["external_ids"]["doi"] for it in answer["results"]] == [
        str(fact.doi).lower() for fact in cited_by(TREM2)
    ]


def test_a_list_costs_few_requests_and_reports_each_providers_outcome(running: Machine) -> None:
    before = upstream(running)
    answer = fetch(running, "GET", f"/v1/papers/{TREM2}/references", fresh="true")
    sent = upstream(running) - before
    assert answer["totals"]["crossref"] == len(CORPUS.by_name[TREM2.lower()].references)
    assert set(answer["providers"]) == set(COUNTED)
    assert set(sent) == {*COUNTED, "europe_pmc", "unpaywall"}
    assert max(sent.values()) <= 3
    assert sum(sent.values()) <= 10


@pytest.mark.parametrize("doi", [cited_by(TREM2)[17].doi, cited_by(DEEP)[0].doi])
def test_each_citing_paper_is_listed_once(running: Machine, doi: str) -> None:
    answer = fetch(running, "GET", f"/v1/papers/{quote(doi, safe='')}/citations", max_results=100)
    cited = CORPUS.by_name[doi.lower()]
    holding = [
        name for name in CITING if CORPUS.find(name, doi=doi)
    ]  # a source reports nothing on papers that it does not hold
    citing = {fact.title for name in holding for fact in CORPUS.citing(name, cited)}
    assert {it["paper"]["title"] for it in answer["results"]} == citing
    assert len(answer["results"]) == len(citing) > 0
    counts = [it["paper"]["citation_count"] or 0 for it in answer["results"]]
    assert counts == sorted(counts, reverse=True)


def test_unresolved_text_remains_text_and_a_paper_does_not_cite_itself(running: Machine) -> None:
    answer = fetch(running, "GET", "/v1/papers/10.5555/wrong/references")
    items = {it["key"] or it["text"]: it for it in answer["results"]}
    assert "doi:10.5555/wrong" not in items
    assert items[f"doi:{DEEP}"]["paper"]["title"] == CORPUS.by_name[DEEP].title
    assert (items["doi:10.9999/nobody.holds"]["paper"], items["doi:10.9999/nobody.holds"]["asserted_by"]) == (
        None, ["crossref"],
    )  # fmt: skip
    (line,) = [it for it in answer["results"] if it["key"] is None]
    assert LINE[:-1] in line["text"]
    assert (line["paper"], line["external_ids"]) == (None, {})
    assert answer["total_count"] == len(items) == 3


@pytest.mark.parametrize("size", [1, 7, 40])
def test_pages_show_each_item_once_in_order_without_a_request(running: Machine, size: int) -> None:
    path = f"/v1/papers/{TREM2}/references"
    whole = [it["key"] for it in fetch(running, "GET", path, max_results=100)["results"]]
    before = upstream(running)
    page = fetch(running, "GET", path, max_results=size)
    keys = [it["key"] for it in page["results"]]
    while page["next_cursor"]:
        page = fetch(running, "GET", path, max_results=size, cursor=page["next_cursor"])
        assert page["cache"] == "hit"
        keys += [it["key"] for it in page["results"]]
    assert keys == whole
    assert upstream(running) == before


def test_the_same_list_by_another_name_of_the_paper_is_the_same_list(running: Machine) -> None:
    names = [
        DEEP,
        quote(DEEP, safe=""),
        f"https://doi.org/{DEEP}",
        "PMID:29618526",
        "PMC5938574",
        "doi%3A" + DEEP.upper(),
    ]
    lists = [fetch(running, "GET", f"/v1/papers/{name}/references", max_results=100) for name in names]
    keys = [[it["key"] for it in listing["results"]] for listing in lists]
    assert all(it == keys[0] for it in keys)
    assert {listing["paper"]["key"] for listing in lists} == {f"doi:{DEEP}"}


@pytest.mark.parametrize("sort", sorted(ORDERS))
def test_each_order_has_the_same_items(running: Machine, sort: str) -> None:
    answer = fetch(running, "GET", f"/v1/papers/{TREM2}/references", max_results=100, sort=sort)
    papers = [it["paper"] for it in answer["results"]]
    assert len(papers) == len(cited_by(TREM2))
    if sort == "citations":
        counts = [it["citation_count"] for it in papers if it["citation_count"] is not None]
        assert counts == sorted(counts, reverse=True)
    if sort == "date":
        years = [it["year"] for it in papers]
        assert years == sorted(years, reverse=True)


def test_the_size_of_a_page_is_the_callers(running: Machine) -> None:
    path = f"/v1/papers/{TREM2}/references"
    small = fetch(running, "GET", path, max_results=10, max_tokens=800, detail="standard")
    assert 0 < small["returned"] < 10
    assert small["truncated"]["results"] == 10 - small["returned"]
    rest = fetch(running, "GET", path, cursor=small["next_cursor"], max_results=1, fields="key")
    whole = fetch(running, "GET", path, max_results=11)
    assert rest["results"][0]["key"] == whole["results"][small["returned"]]["key"]
    assert rest["results"][0]["paper"] == {"key": rest["results"][0]["key"]}
    assert whole["paper"].keys() == whole["results"][0]["paper"].keys()


def test_an_id_that_ends_like_a_list_path_is_requested_with_that_path_or_in_a_batch(running: Machine) -> None:
    answer = fetch(running, "GET", f"/v1/papers/{ODD.doi}/references")
    assert (answer["paper"]["key"], answer["total_count"]) == (f"doi:{ODD.doi}", 0)
    assert [hint["reason"] for hint in answer["hints"]] == ["no_match"]
    assert fetch(running, "POST", "/v1/papers", {"ids": [ODD.doi]})["papers"][0]["paper"]["doi"] == ODD.doi
    assert call(running, "GET", f"/v1/papers/{ODD.doi}")[0] == 404  # the list of 10.5555/odd, which no source holds


@pytest.mark.parametrize(("query", "status", "field"), [
    ({"cursor": "MDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDA6MTA"}, 410, None),
    ({"cursor": "no cursor of ours"}, 422, "cursor"),
    ({"max_results": "0"}, 400, "max_results"), ({"max_results": "101"}, 400, "max_results"),
    ({"sort": "relevance"}, 400, "sort"), ({"sorts": "date"}, 400, "sorts"), ({"fields": "titel"}, 422, "fields"),
    ({"timeout_ms": "10"}, 400, "timeout_ms"),
])  # fmt: skip
def test_invalid_input_is_a_problem_that_names_the_field(
    running: Machine, query: dict[str, str], status: int, field: str | None
) -> None:
    before = upstream(running)
    got, problem = call(running, "GET", f"/v1/papers/{TREM2}/references", **query)
    assert (got in (400, 422)) if status < 410 else got == status, problem
    assert problem["hint"] or problem["errors"]
    assert field is None or problem["errors"][0]["field"] == field
    assert upstream(running) == before


def test_a_cursor_serves_its_own_list_alone(running: Machine) -> None:
    cursor = fetch(running, "GET", f"/v1/papers/{TREM2}/references", max_results=1)["next_cursor"]
    of_a_search = fetch(running, "POST", "/v1/literature-search", {"query": "TREM2", "max_results": 1})["next_cursor"]
    for path, given in (
        (f"{DEEP}/references", cursor),
        (f"{TREM2}/citations", cursor),
        (f"{TREM2}/references", of_a_search),
    ):
        status, problem = call(running, "GET", f"/v1/papers/{path}", cursor=given)
        assert (status, problem["errors"][0]["field"]) == (422, "cursor"), path


@pytest.mark.slow
def test_the_graph_receives_the_citations_of_the_shown_papers(running: Machine) -> None:
    answer = fetch(running, "GET", f"/v1/papers/{ROBVIS}/references", max_results=5)
    assert answer["kg"] == {"queued": 6, "skipped": 0}
    running.drain_queue()
    edges = running.graph_store().cites(f"doi:{ROBVIS}").items
    assert {it["key"]: it["providers"] for it in edges} == {it["key"]: it["asserted_by"] for it in answer["results"]}


def test_a_paper_that_no_provider_has_is_not_found_and_the_queried_providers_are_named(running: Machine) -> None:
    status, problem = call(running, "GET", "/v1/papers/10.9999/nobody.knows/citations")
    assert (status, problem["code"], problem["retryable"]) == (404, "not_found", False)
    assert "openalex" in problem["detail"]
