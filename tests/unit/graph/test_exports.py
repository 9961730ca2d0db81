"""Exports of the graph: what readers of JSON-LD, GraphML and CSV find in them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from shared.graph.exports import csv, json_ld
from shared.graph.part import Graph
from tests.unit.exported import (
    CITO,
    GRAPH,
    IN_TEXT,
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
from tests.unit.graph.examples import NOON

# JSON-LD


def keys_of(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        yield from value
        value = list(value.values())
    if isinstance(value, list):
        for part in value:
            yield from keys_of(part)


def test_every_key_and_type_of_the_json_ld_resolves_in_the_shipped_context() -> None:
    everything = Graph(
        [paper(A, retraction={"status": "retracted", "notice_doi": None, "date": None}), *GRAPH.papers[1:]],
        [*GRAPH.cites, edge(B, A, in_text=IN_TEXT)],
        [*GRAPH.mentions, mention(A, "shown_in", where=3)],
        incomplete=[A],
    )
    written = Counter(keys_of(json_ld(everything)["@graph"]))
    resolved = Counter(keys_of(expanded(everything)))
    context: Any = json_ld(everything)["@context"]
    for name, times in written.items():
        if not name.startswith("@"):
            term = context[name]["@id"] if isinstance(context[name], dict) else context[name]
            prefix, _, rest = term.partition(":")
            assert resolved[context[prefix] + rest] == times, name
    types = {kind for it in expanded(everything) for kind in it["@type"]}
    assert types == {SCHEMA + "ScholarlyArticle", SCHEMA + "CreativeWork", CITO + "Citation", OWN + "Showing"}
    assert set(context) - written.keys() - {"ScholarlyArticle", "CreativeWork", "Citation", "Showing"} == {
        "@version", "cito", "prov", "schema", "xsd", "own", "Periodical", "Person", "PropertyValue"
    }  # fmt: skip


def test_a_paper_is_a_scholarly_article() -> None:
    found = node(GRAPH, "https://doi.org/10.1000/b")
    assert found["@type"] == [SCHEMA + "ScholarlyArticle"]
    assert values(found, SCHEMA + "name") == ["Second"]
    assert values(found, SCHEMA + "sameAs") == ["https://doi.org/10.1000/b"]
    assert values(found, SCHEMA + "datePublished") == ["2016-12-20"]
    assert values(found[SCHEMA + "isPartOf"][0], SCHEMA + "name") == ["eLife"]
    assert [values(it, SCHEMA + "name")[0] for it in found[SCHEMA + "author"]] == [f"Author {n}" for n in range(9)]
    (identifier,) = found[SCHEMA + "identifier"]
    assert (values(identifier, SCHEMA + "propertyID"), values(identifier, SCHEMA + "value")) == (["doi"], ["10.1000/b"])


def test_edges_are_cito_citations_with_their_providers() -> None:
    assert values(node(GRAPH, "https://doi.org/10.1000/a"), CITO + "cites") == ["https://doi.org/10.1000/b"]
    citations = {
        (values(it, CITO + "hasCitingEntity")[0], values(it, CITO + "hasCitedEntity")[0]): it
        for it in nodes_of(GRAPH, CITO + "Citation")
    }
    providers = citations["https://doi.org/10.1000/a", "https://doi.org/10.1000/b"][
        "http://www.w3.org/ns/prov#wasAttributedTo"
    ]
    assert [it["@id"].rpartition(":")[2] for it in providers] == ["crossref", "openalex"]
    assert ("https://doi.org/10.1000/b", "https://pubmed.ncbi.nlm.nih.gov/3") in citations


def test_a_debate_cites_the_papers_cited_in_it_but_not_those_shown_in_it() -> None:
    debate = "urn:x-literature-search:context:debate:7"
    assert node(GRAPH, debate)["@type"] == [SCHEMA + "CreativeWork"]
    cited, shown = (node(GRAPH, f"https://doi.org/10.1000/{it}") for it in "ab")
    assert (values(cited, CITO + "isCitedBy"), values(cited, OWN + "shownIn")) == ([debate], [])
    assert (values(shown, CITO + "isCitedBy"), values(shown, OWN + "shownIn")) == ([], [debate])
    (showing,) = nodes_of(GRAPH, OWN + "Showing")
    assert not [name for name in showing if name.startswith(CITO)]
    (citation,) = [it for it in nodes_of(GRAPH, CITO + "Citation") if values(it, CITO + "hasCitingEntity") == [debate]]
    assert values(citation, OWN + "textPosition") == [12]
    assert values(citation, SCHEMA + "dateCreated") == [NOON]


def test_addresses_are_valid_iris_for_any_doi_and_context() -> None:
    doi = '10.1002/(sici)1<301::aid-x>3.0.co;2-y"{ü}'
    graph = Graph([paper(f"doi:{doi}")], [], [mention(f"doi:{doi}", context={"type": "report", "id": "a b/ü:<c>"})])
    addresses = [it["@id"] for it in expanded(graph)]
    assert addresses[:2] == [
        "https://doi.org/10.1002/(sici)1%3C301::aid-x%3E3.0.co;2-y%22%7B%C3%BC%7D",
        "urn:x-literature-search:context:report:a%20b%2F%C3%BC%3A%3Cc%3E",
    ]


@pytest.mark.parametrize(
    ("key", "address"),
    [
        ("pmid:3", "https://pubmed.ncbi.nlm.nih.gov/3"),
        ("arxiv:1706.03762", "https://doi.org/10.48550/arxiv.1706.03762"),
        ("s2:0a1b", "https://www.semanticscholar.org/paper/0a1b"),
        ("openalex:W3", "https://openalex.org/W3"),
        ("pmcid:PMC3", "urn:x-literature-search:paper:pmcid:PMC3"),
        ("title:abc", "urn:x-literature-search:paper:title:abc"),
    ],
)
def test_a_paper_of_which_only_the_key_is_known_has_an_address(key: str, address: str) -> None:
    assert values(node(Graph([paper(A)], [edge(A, key)]), "https://doi.org/10.1000/a"), CITO + "cites") == [address]


def test_a_group_author_is_not_a_person() -> None:
    found = node(Graph([paper(A, authors=["Jane Doe", "UK Biobank Consortium"])]), "https://doi.org/10.1000/a")
    person, group = found[SCHEMA + "author"]
    assert person["@type"] == [SCHEMA + "Person"]
    assert "@type" not in group


# GraphML


def test_graph_ml_has_every_paper_context_edge_and_mention() -> None:
    found = network(GRAPH)
    kinds = Counter(found.nodes[name]["kind"] for name in found)
    assert kinds == {"paper": 3, "context": 1}
    assert Counter(kind for *_, kind in found.edges(data="kind")) == {"cites": 2, "cited_in": 1, "shown_in": 1}
    assert found.nodes[A]["title"] == "First"
    assert found.nodes[A]["year"] == 2016
    assert "title" not in found.nodes[C]
    ((_, _, attributes),) = [it for it in found.edges(data=True) if it[:2] == (A, B)]
    assert attributes == {"kind": "cites", "providers": "crossref; openalex"}


def test_a_paper_cited_twice_in_a_debate_has_two_edges() -> None:
    graph = Graph([paper(A)], [], [mention(A, where=1), mention(A, where=2)])
    assert sorted(it[2] for it in network(graph).edges(data="where")) == [1, 2]


# CSV


def test_csv_of_papers_has_a_header_and_one_line_per_paper() -> None:
    first, second = rows(csv(GRAPH))
    assert list(first)[:6] == ["key", "title", "authors", "author_count", "year", "publication_date"]
    assert (first["key"], first["title"], first["year"]) == (A, "First", "2016")
    assert (second["key"], second["doi"], second["incomplete"]) == (B, "10.1000/b", "no")


def test_csv_of_edges_distinguishes_papers_from_contexts() -> None:
    edges = [tuple(row.values()) for row in rows(csv(GRAPH, "edges"))]
    assert edges == [
        (A, "cites", B, "paper", "crossref; openalex", "", "", "", "", "", ""),
        (B, "cites", C, "paper", "openalex", "", "", "", "", "", ""),
        (A, "cited_in", "7", "debate", "", NOON, "Ann", "12", "", "", ""),
        (B, "shown_in", "7", "debate", "", NOON, "", "", "", "", ""),
    ]
