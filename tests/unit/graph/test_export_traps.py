"""Exports of hostile texts, missing values and repetitions, and of pages from the store."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from defusedxml import ElementTree

from shared.exports.spreadsheet_cells import safe_cell
from shared.graph.exports import csv, graph_ml, json_ld
from shared.graph.pages import GraphPage
from shared.graph.part import PAGES_PER_PAPER, Graph, joined, page_of
from shared.graph.received import read_message
from shared.graph.store import GraphStore
from shared.graph.writes import write_message
from tests.unit.exported import (
    CITO,
    GRAPH,
    OWN,
    SCHEMA,
    A,
    B,
    C,
    edge,
    expanded,
    mention,
    network,
    node,
    nodes_of,
    paper,
    rows,
    values,
)
from tests.unit.graph.examples import DEBATE, NOON, citations_body, papers_body, result
from tests.unit.graph.memory_table import MemoryTable

TITLES = {
    "quotes, pipes, commas": "On \"quoted\" | piped, 'single' \\ text",
    "newlines": "one\ntwo\r\nthree",
    "a formula": '=cmd()|"/C calc"!A1',
    "another formula": "@SUM(A1)",
    "a wide formula": "\uff1d1+1",
    "markup": "<b>a</b> & ]]> {b}",
    "right to left": "\u05de\u05d7\u05e7\u05e8 \u202eabc\u202c \u0639\u0631\u0628\u064a",
    "emoji": "\U0001f9e0 and \U0001f469\u200d\U0001f52c",
    "JSON-LD keyword": "@id",
}


@pytest.mark.parametrize("title", TITLES.values(), ids=TITLES.keys())
def test_every_format_preserves_a_title(title: str) -> None:
    graph = Graph([paper(A, title=title)])
    assert values(node(graph, "https://doi.org/10.1000/a"), SCHEMA + "name") == [title]
    # XML readers take every line end for \n.
    assert network(graph).nodes[A]["title"] == title.replace("\r\n", "\n")
    (row,) = rows(csv(graph))
    assert row["title"].removeprefix("'") == title


@pytest.mark.parametrize("title", [" =1+1", '"=1+1', "a;=cmd|' /C calc'!A0", "x\n=1+1", "\u00a0=1+1", "a\0=1"])
def test_cells_are_written_as_in_every_other_table(title: str) -> None:
    (row,) = rows(csv(Graph([paper(A, title=title)])))
    assert row["title"] == safe_cell(title)


@pytest.mark.parametrize("title", ["=1", "+1", "-1", "@a", "\t=1", "\r=1", "\n=1", "\uff0b1"])
def test_no_cell_is_a_formula_for_a_spreadsheet(title: str) -> None:
    (row,) = rows(csv(Graph([paper(A, title=title, journal=title, authors=[title])])))
    assert [row[name][0] for name in ("title", "journal", "authors")] == ["'", "'", "'"]


@pytest.mark.parametrize("bad", ["\x00", "\x0b", "\x1b", "\ud800", "\udfff", "\ufffe", "\uffff"], ids=ascii)
def test_characters_that_text_files_cannot_contain_are_left_out(bad: str) -> None:
    graph = Graph([paper(A, title=f"a{bad}b", authors=[f"A{bad}"])], [], [mention(A, by=f"c{bad}")])
    texts = [
        json.dumps(json_ld(graph), ensure_ascii=False),
        graph_ml(graph),
        csv(graph),
        csv(graph, "edges"),
    ]
    assert all(bad.encode(errors="surrogatepass") not in text.encode() for text in texts)
    assert len(ElementTree.fromstring(texts[1]))
    assert network(graph).nodes[A]["title"] == "ab"


def test_a_paper_without_year_and_doi_has_no_empty_values() -> None:
    unknown = dict.fromkeys(("year", "publication_date", "journal", "type", "citation_count", "citation_uri"))
    graph = Graph([paper(C, author_count=None, authors=[], **unknown)])
    (article,) = json_ld(graph)["@graph"]
    assert article == {
        "@id": "https://pubmed.ncbi.nlm.nih.gov/3",
        "@type": "ScholarlyArticle",
        "name": "Neurodegenerative disease mutations in TREM2",
        "identifier": [{"@type": "PropertyValue", "propertyID": "pmid", "value": "3"}],
        "firstSeen": NOON,
    }
    assert network(graph).nodes[C].keys() & {"year", "doi", "journal", "authors"} == set()
    (row,) = rows(csv(graph))
    assert {row[name] for name in ("year", "doi", "journal", "authors", "citation_count")} == {""}


def test_a_year_without_a_date_is_the_publication_date() -> None:
    graph = Graph([paper(A, publication_date=None, year=1998)])
    assert values(node(graph, "https://doi.org/10.1000/a"), SCHEMA + "datePublished") == ["1998"]


def test_a_self_citation_is_left_out() -> None:
    graph = Graph([paper(A)], [edge(A, A)])
    assert "cites" not in json_ld(graph)["@graph"][0]
    assert network(graph).number_of_edges() == 0
    assert rows(csv(graph, "edges")) == []


def test_repeated_entries_are_exported_once() -> None:
    twice = Graph([*GRAPH.papers] * 2, [*GRAPH.cites, edge(A, B, "pubmed")], [*GRAPH.mentions] * 2)
    assert len(expanded(twice)) == len(expanded(GRAPH))
    assert network(twice).number_of_edges() == network(GRAPH).number_of_edges()
    assert len(rows(csv(twice))) == 2
    assert rows(csv(twice, "edges"))[0]["providers"] == "crossref; openalex; pubmed"


def test_contexts_with_the_same_id_and_different_types_are_two() -> None:
    graph = Graph([paper(A)], [], [mention(A), mention(A, context={"type": "report", "id": "7"})])
    assert len(nodes_of(graph, SCHEMA + "CreativeWork")) == 2
    assert {"context:debate:7", "context:report:7"} < set(network(graph))
    assert [row["target_type"] for row in rows(csv(graph, "edges"))] == ["debate", "report"]


def _json(graph: Graph) -> str:
    return json.dumps(json_ld(graph))


@pytest.mark.parametrize("export", [_json, graph_ml, csv], ids=["json_ld", "graph_ml", "csv"])
def test_any_order_of_the_same_part_gives_the_same_text(export: Callable[[Graph], str]) -> None:
    other = Graph(GRAPH.papers[::-1], GRAPH.cites[::-1], GRAPH.mentions[::-1])
    assert export(other) == export(GRAPH)


def test_an_empty_graph_is_an_empty_document() -> None:
    assert json_ld(Graph())["@graph"] == []
    assert len(network(Graph())) == 0
    assert rows(csv(Graph())) == []


# From the store


def filled() -> GraphStore:
    """Five papers, each citing the one before; the first is cited in a debate, the second shown there."""
    table = MemoryTable()
    for number in range(5):
        cited = {"openalex": [f"doi:10.1000/{number - 1}"]} if number else {}
        write_message(read_message(papers_body(result(doi=f"10.1000/{number}", references=cited))), table)
    write_message(read_message(citations_body("doi:10.1000/0", start=4)), table)
    write_message(read_message(papers_body(result(doi="10.1000/1"), context=DEBATE)), table)
    return GraphStore(table)


def pages(store: GraphStore, limit: int) -> list[Graph]:
    found = []
    graph, cursor = page_of(store, None, limit)
    found.append(graph)
    while cursor:
        graph, cursor = page_of(store, cursor, limit)
        found.append(graph)
    return found


def test_joined_pages_are_the_graph_with_the_counts_of_the_store() -> None:
    store = filled()
    whole = joined(pages(store, 2))
    assert whole == joined(pages(store, 100))
    found, stats = network(whole), store.stats()
    edges = Counter(kind for *_, kind in found.edges(data="kind"))
    nodes = Counter(kind for _, kind in found.nodes(data="kind"))
    assert {"papers": nodes["paper"], "contexts": nodes["context"], **edges, "complete": True} == stats


def test_an_edge_to_a_paper_of_another_page_is_exported() -> None:
    graph = next(page for page in pages(filled(), 1) if page.papers[0]["key"] == "doi:10.1000/1")
    assert values(node(graph, "https://doi.org/10.1000/1"), CITO + "cites") == ["https://doi.org/10.1000/0"]
    assert "doi:10.1000/0" in network(graph)
    assert rows(csv(graph, "edges"))[0]["target"] == "doi:10.1000/0"


class Endless:
    """A store of one paper whose list of references never ends."""

    def __init__(self) -> None:
        self.requests = 0

    def papers(self, cursor: str | None, limit: int) -> Any:
        return GraphPage([paper(A)], None)

    def cites(self, name: str, cursor: str | None = None) -> Any:
        self.requests += 1
        return GraphPage([{"key": f"doi:10.1000/{self.requests}", "providers": ["openalex"]}], "more")

    def contexts_of(self, name: str, cursor: str | None = None) -> Any:
        return GraphPage([], None)


def test_a_paper_with_too_many_references_is_marked_as_incomplete() -> None:
    store = Endless()
    graph, _ = page_of(store, None, 10)
    assert store.requests == len(graph.cites) == PAGES_PER_PAPER
    assert graph.incomplete == [A]
    assert values(node(graph, "https://doi.org/10.1000/a"), OWN + "incomplete") == [True]
    assert network(graph).nodes[A]["incomplete"] == "yes"
    assert rows(csv(graph))[0]["incomplete"] == "yes"
