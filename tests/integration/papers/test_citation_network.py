"""The citation network end to end: the papers, citations and roles of the sandbox's facts, computed anew here."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

import networkx
import pytest

from infra.local.machine import Machine
from infra.local.sandbox.corpus import Corpus, default_corpus
from tests.integration.papers_calls import fetch, upstream

# They share two references; the second cites five papers, of which one is in a line without a known title.
KOBER, CHAPTER = "doi:10.7554/elife.20391", "doi:10.1007/978-981-16-7606-2_7"
SHARED = ["doi:10.1074/jbc.m115.677286", "doi:10.1074/jbc.m115.679043"]
ONLY_TEXT = (CHAPTER, "doi:10.1056/nejmc1306509")
LARGE = pytest.mark.slow  # each sends fifty to eighty requests and merges hundreds of papers
CITATION_PROVIDERS = ("europe_pmc", "openalex", "opencitations", "pubmed", "semantic_scholar")


def network(local: Machine, *seeds: str, **fields: Any) -> Any:
    body = {"seeds": list(seeds), "max_nodes": 200, "cite_in_kg": False, **fields}
    return fetch(local, "POST", "/v1/citation-network", body)


def facts_graph(corpus: Corpus) -> networkx.DiGraph:
    """Who cites whom, as the facts have it, of the papers with a DOI; `both_ways` if a list of citations shows it."""
    graph = networkx.DiGraph()
    for fact in corpus.facts:
        for name in fact.references:
            cited = corpus.by_name.get(name.lower())
            if cited and fact.doi and cited.doi:
                known = any(
                    corpus.find(it, doi=fact.doi) and corpus.find(it, doi=cited.doi) for it in CITATION_PROVIDERS
                )
                graph.add_edge(f"doi:{fact.doi.lower()}", f"doi:{cited.doi.lower()}", both_ways=known)
    graph.remove_edge(*ONLY_TEXT)
    return graph


def reachable(graph: networkx.DiGraph, seeds: Iterable[str], direction: str, depth: int) -> dict[str, int]:
    """The papers that so many citations lead to, each with how many it is away."""
    ways = networkx.DiGraph()
    ways.add_nodes_from(graph)
    ways.add_edges_from(graph.edges if direction != "citations" else ())
    ways.add_edges_from((it[1], it[0]) for it in graph.edges(data="both_ways") if it[2] and direction != "references")
    lengths = networkx.multi_source_dijkstra_path_length(ways, set(seeds), cutoff=depth)
    return {str(key): int(length) for key, length in lengths.items()}


def pairs(answer: Any) -> set[tuple[str, str]]:
    return {(edge["source"], edge["target"]) for edge in answer["edges"]}


def test_edges_say_in_full_size_how_one_paper_cites_the_other(local: Machine) -> None:
    """As the lists of references and citations of the seed do, which have more sentences."""
    seed = "doi:10.1098/rsif.2017.0387"
    answer = network(local, seed, direction="references", detail="full")
    stated = {it["target"]: it["in_text"] for it in answer["edges"] if it["source"] == seed and "in_text" in it}
    listed = fetch(local, "GET", f"/v1/papers/{seed.removeprefix('doi:')}/references", max_results=100)
    of_list = {it["key"]: it["in_text"] for it in listed["results"] if it["in_text"]}
    assert stated
    assert stated.keys() == of_list.keys() & {it["key"] for it in answer["nodes"]}
    for key, in_text in stated.items():
        assert len(in_text["sentences"]) <= 1
        assert {**in_text, "sentences": []} == {**of_list[key], "sentences": []}
    assert not [it for it in network(local, seed, direction="references")["edges"] if "in_text" in it]


def keys(answer: Any) -> list[str]:
    return [node["key"] for node in answer["nodes"]]


@pytest.mark.parametrize(
    ("seeds", "direction", "depth"),
    [
        ([KOBER, CHAPTER], "both", 1),
        ([KOBER, CHAPTER], "references", 1),
        ([KOBER, CHAPTER], "citations", 1),
        (SHARED, "both", 1),
        pytest.param(SHARED, "citations", 2, marks=LARGE),
        pytest.param([CHAPTER], "references", 2, marks=LARGE),
        pytest.param([CHAPTER], "both", 2, marks=LARGE),
        (SHARED[:1], "both", 2),
    ],
)
def test_papers_citations_and_depths_are_those_of_the_facts(
    local: Machine, seeds: list[str], direction: str, depth: int
) -> None:
    graph = facts_graph(default_corpus())
    expected = reachable(graph, seeds, direction, depth)
    answer = network(local, *seeds, direction=direction, depth=depth)
    assert {node["key"]: node["depth"] for node in answer["nodes"]} == expected
    assert pairs(answer) == set(graph.subgraph(expected).edges)
    assert sorted(node["key"] for node in answer["nodes"] if node["seed"]) == sorted(seeds)
    assert answer["counts"] == {"nodes": len(expected), "edges": len(answer["edges"])}
    assert answer["complete"]
    lines = answer["truncated"]["only_text"] if answer["truncated"] else 0
    assert lines == (CHAPTER in expected and direction != "citations")
    assert all(edge["asserted_by"] for edge in answer["edges"])


@pytest.mark.slow
@pytest.mark.parametrize("seeds", [[KOBER, CHAPTER], SHARED, [KOBER]])
def test_roles_are_those_of_the_facts_and_no_seed_is_key_or_bridge(local: Machine, seeds: list[str]) -> None:
    whole = facts_graph(default_corpus())
    graph = whole.subgraph(reachable(whole, seeds, "both", 1))
    others = set(graph) - set(seeds)
    answer = network(local, *seeds)
    between = networkx.betweenness_centrality(graph.to_undirected())
    cited = {key: degree for key, degree in graph.in_degree(others) if degree >= 2}
    bridges = {key: between[key] for key in others if between[key] > 0}
    assert answer["roles"] == {"key": _first(cited), "bridge": _first(bridges), "rising": _rising(answer)}
    assert {node["key"]: node["betweenness"] for node in answer["nodes"]} == pytest.approx(between, abs=1e-6)
    assert bool(answer["roles"]["bridge"]) == (len(seeds) > 1)


def _first(values: dict[str, float]) -> list[str]:
    return sorted(sorted(values, key=lambda key: (-values[key], key))[:5])


def _rising(answer: Any) -> list[str]:
    now = datetime.now(UTC).year
    counts = {node["key"]: (node["paper"]["citation_count"], node["paper"]["year"]) for node in answer["nodes"]}
    rates = {
        key: count / (now - year + 1) for key, (count, year) in counts.items() if count and year and year > now - 5
    }
    return _first({key: rate for key, rate in rates.items() if rate >= 1})


@pytest.mark.slow
def test_papers_beyond_the_limit_are_counted_and_the_best_linked_remain(local: Machine) -> None:
    answer = network(local, KOBER, CHAPTER, max_nodes=20)
    assert len(answer["nodes"]) == 20
    assert {KOBER, CHAPTER, *SHARED} <= set(keys(answer))
    assert answer["truncated"] == {"nodes": 24, "not_expanded": 0, "only_text": 1}
    assert pairs(answer) == set(facts_graph(default_corpus()).subgraph(keys(answer)).edges)


@LARGE
def test_papers_of_depth_1_with_unrequested_lists_are_counted(local: Machine) -> None:
    answer = network(local, KOBER, depth=2)
    assert answer["truncated"]["not_expanded"] == 40 - 10


def test_two_names_of_one_paper_are_one_seed(local: Machine) -> None:
    answer = network(local, "10.1074/jbc.M115.677286", "PMID:26374897")
    assert [node["key"] for node in answer["nodes"] if node["seed"]] == SHARED[:1]


@pytest.mark.slow
def test_the_same_question_twice_sends_no_request(local: Machine) -> None:
    first = network(local, CHAPTER, depth=2)
    before = upstream(local)
    second = network(local, CHAPTER, depth=2)
    assert upstream(local) == before
    assert (first["nodes"], first["edges"]) == (second["nodes"], second["edges"])
    assert second["cache"] == "hit"


@pytest.mark.slow
def test_fresh_queries_every_provider_again(local: Machine) -> None:
    network(local, SHARED[0])
    before = upstream(local)
    assert network(local, SHARED[0], fresh=True)["cache"] == "miss"
    # A source whose limit leaves no time for a second look at a paper answers with what it has.
    assert all(upstream(local)[name] > count for name, count in before.items())


@LARGE
def test_a_network_of_depth_2_costs_so_many_requests_at_most(local: Machine) -> None:
    """A list costs three at most (two pages; or why there is none); the seeds and the records two questions each."""
    lists = 2 * 3
    network(local, KOBER, depth=2)
    requests = upstream(local)
    quick = {"crossref", "europe_pmc", "openalex"}
    assert set(requests) - quick <= {"arxiv", "opencitations", "pubmed", "semantic_scholar", "unpaywall"}
    assert all(count <= lists * (1 + 10) + 2 * 2 for name, count in requests.items() if name in quick)
    assert all(count <= lists + 2 * 2 for name, count in requests.items() if name not in quick)
    assert sum(requests.values()) <= 80


def test_more_tokens_never_show_fewer_papers(local: Machine) -> None:
    body = {"max_nodes": 30, "detail": "full"}
    seed = "10.1098/rsif.2017.0387"
    sizes = [len(network(local, seed, max_tokens=most, **body)["nodes"]) for most in range(600, 4_200, 400)]
    assert sizes == sorted(sizes)
    assert sizes[0] < sizes[-1]


def test_a_budget_names_the_one_that_shows_all_and_keeps_what_counts(local: Machine) -> None:
    seed = "10.1098/rsif.2017.0387"
    whole, cut = network(local, seed), network(local, seed, max_tokens=2_000)
    (hint,) = [it["message"] for it in cut["hints"] if it["reason"] == "small_budget"]
    assert hint.startswith(f"max_tokens=2000: {len(whole['nodes']) - len(cut['nodes'])} left out; ")
    enough = int(re.findall(r"max_tokens=(\d+) shows all", hint)[0])
    assert network(local, seed, max_tokens=enough)["nodes"] == whole["nodes"]
    counts = [node["paper"]["citation_count"] or 0 for node in whole["nodes"] if not node["seed"]]
    assert counts == sorted(counts, reverse=True)  # nothing else tells them apart


@pytest.mark.slow
def test_papers_have_the_requested_detail_and_the_roles_do_not_depend_on_it(local: Machine) -> None:
    whole = network(local, KOBER, CHAPTER, detail="full")
    small = network(local, KOBER, CHAPTER, fields=["title"])
    assert all(set(node["paper"]) == {"title"} for node in small["nodes"])
    assert (small["roles"], pairs(small)) == (whole["roles"], pairs(whole))
    cut = network(local, KOBER, CHAPTER, max_tokens=2_000)
    left = [node["key"] for node in cut["nodes"]]
    assert {KOBER, CHAPTER} <= set(left)
    assert cut["truncated"]["papers"] > 0
