"""Answers to forty topics in every size: whole where it matters, and within their tokens, through HTTP and MCP."""

from __future__ import annotations

import json
from statistics import mean
from typing import Any

import pytest

from functions.mcp_server.answer_size import FIRST_WORDS_CHARS, MOST_TOKENS, in_agents_size, with_sizes
from infra.local.gateway import rest_event
from infra.local.machine import Machine
from shared.client.transport import Api
from shared.search.sizes.details import COMPACT_FIELDS, STANDARD_FIELDS
from shared.search.sizes.token_budget import tokens
from shared.tools import run_tool
from tests.integration.papers_calls import fetch

SEARCH = "/v1/literature-search"
TOPICS = (
    "TREM2 microglia", "amyloid plaques", "Alzheimer's disease risk variants", "microglia phagocytosis",
    "CRISPR gene editing", "Cas9 off-target effects", "base editing", "genome engineering", "human cells",
    "COVID-19 treatment", "COVID-19 mortality", "SARS-CoV-2 vaccine", "randomized trial", "hospitalized patients",
    "systematic reviews", "meta-analysis heterogeneity", "reporting guidelines", "publication bias",
    "evidence synthesis", "protein structure prediction", "protein folding deep learning", "protein language models",
    "drug discovery", "retrieval augmented generation", "dense passage retrieval", "information retrieval evaluation",
    "question answering", "knowledge graphs", "large language models", "language models", "transformers", "attention",
    "BERT language understanding", "neural machine translation", "chain of thought reasoning", "glacier mass balance",
    "sea level rise", "climate change", "reproducibility of science", "retraction",
)  # fmt: skip


def api_of(local: Machine) -> Api:
    def send(method: str, path: str, body: Any, headers: Any) -> tuple[int, Any]:
        response = local.invoke("dispatcher", rest_event(method, path, body=json.dumps(body), headers=headers))
        return response["statusCode"], json.loads(response["body"])

    return in_agents_size(send)


def by_mcp(local: Machine, tool: str, **arguments: Any) -> dict[str, Any]:
    return dict(run_tool(tool, with_sizes(tool, arguments), api_of(local)))


@pytest.fixture(
    scope="module",
    params=[pytest.param(5, id="every fifth topic"), pytest.param(1, id="every topic", marks=pytest.mark.slow)],
)
def answers(request: pytest.FixtureRequest, running: Machine) -> dict[str, dict[str, dict[str, Any]]]:
    """The topics' answers in full, standard and compact, and over MCP."""
    sizes = ("full", "standard", "compact")
    return {
        topic: {size: fetch(running, "POST", SEARCH, {"query": topic, "detail": size}) for size in sizes}
        | {"mcp": by_mcp(running, "literature_search", query=topic)}
        for topic in TOPICS[:: request.param]
    }


@pytest.mark.parametrize(("size", "most"), [("standard", 9_000), ("compact", 1_500), ("mcp", 3_000)])
def test_ten_papers_with_their_envelope_stay_within_their_tokens(answers: Any, size: str, most: int) -> None:
    sizes = {topic: tokens(answer[size]) for topic, answer in answers.items() if tokens(answer[size]) >= most}
    assert sizes == {}
    assert sum(answer[size]["returned"] == 10 for answer in answers.values()) > len(answers) * 5 / 8


@pytest.mark.parametrize(
    "fields",
    [
        {"query": '(TREM2[tiab] OR "triggering receptor"[tiab]) AND alzheimer[mesh]', "language": "en", "sort": "date"},
        {"query": "TREM2[tiab] AND microglia[mesh] AND 2015:2024[dp]"},
        {"query": "cancer immunotherapy review", "date_from": "2010", "min_citations": 5},
        {"query": "glacier hydrology model", "language": "en", "sort": "date"},
        {"query": "what helps against depression in adolescents?"},
    ],
)
def test_many_warnings_do_not_make_a_compact_answer_large(running: Machine, fields: dict[str, Any]) -> None:
    standard, compact = (fetch(running, "POST", SEARCH, {**fields, "detail": it}) for it in ("standard", "compact"))
    assert compact["returned"] == 10
    assert tokens(compact) < 1_500
    for name, report in standard["providers"].items():
        assert bool(report.get("warnings")) == bool(compact["providers"][name].get("warnings"))


def test_standard_papers_and_envelopes_are_small(answers: Any) -> None:
    standard = [answer["standard"] for answer in answers.values()]
    bare = [[tokens({**paper, "abstract": None}) for paper in answer["results"]] for answer in standard]
    assert mean(map(mean, filter(None, bare))) <= 260
    assert max(tokens({**answer, "results": []}) for answer in standard) <= 500


def test_standard_papers_have_all_abstracts_scores_and_counts(answers: Any) -> None:
    for answer in answers.values():
        for whole, paper in zip(answer["full"]["results"], answer["standard"]["results"], strict=True):
            assert set(STANDARD_FIELDS) <= set(paper)
            assert (paper["abstract"] is None) == (whole["abstract"] is None)
            assert set(paper["provider_scores"]) == set(whole["provider_scores"])
            same = ("citation_counts", "tldr", "title", "journal", "key", "citation_uri", "best_provider")
            assert {name: paper[name] for name in same} == {name: whole[name] for name in same}
            assert None not in paper.get("external_ids", {}).values()


def test_compact_papers_have_the_fields_that_a_choice_needs(answers: Any) -> None:
    for answer in answers.values():
        for whole, paper in zip(answer["full"]["results"], answer["compact"]["results"], strict=True):
            assert set(COMPACT_FIELDS) <= set(paper) <= {*COMPACT_FIELDS, "retraction"}
            assert (paper["doi"], paper["is_oa"]) == (whole["doi"], whole["open_access"]["is_oa"])
            assert paper["authors"] == whole["authors"][:1]
            assert ("retraction" in paper) == (whole["retraction"]["status"] != "none")
            assert bool(paper["abstract"]) == bool(whole["abstract"])


def test_every_cut_value_is_counted_and_nothing_else(answers: Any) -> None:
    for answer in answers.values():
        for size in ("standard", "compact"):
            said = answer[size]["truncated"] or {"fields": {}, "results": 0}
            pairs = list(zip(answer["full"]["results"], answer[size]["results"], strict=True))
            cut = {
                name: sum(paper[name] != whole[name] for whole, paper in pairs)
                for name in ("abstract", "title", "journal", "tldr", *(["authors"] if size == "standard" else []))
                if name in STANDARD_FIELDS and all(name in paper for _, paper in pairs)
            }
            assert said["fields"] == {name: count for name, count in cut.items() if count}
            assert said["results"] == 0


def test_mcp_shows_the_first_words_of_abstracts(running: Machine) -> None:
    for tool in ("literature_search", "pubmed_search"):
        answer = by_mcp(running, tool, query="TREM2 microglia")
        whole = {it["key"]: it["abstract"] for it in by_mcp(running, "literature_search", query="TREM2 microglia",
                 detail="full", max_results=100)["results"]}  # fmt: skip
        for paper in answer["results"]:
            assert set(paper) <= {*COMPACT_FIELDS, "retraction"}
            assert (paper["abstract"] or "").rstrip("…") == (whole[paper["key"]] or "")[:FIRST_WORDS_CHARS]


def test_a_network_over_mcp_is_of_the_size_of_a_search_unless_its_size_is_named(running: Machine) -> None:
    seeds = ["10.1098/rsif.2017.0387"]
    small = by_mcp(running, "citation_network", seeds=seeds)
    assert tokens(small) <= MOST_TOKENS
    assert any("shows all" in it["message"] for it in small["hints"])
    for sizes in ({"max_nodes": 50}, {"max_tokens": 20_000}, {"detail": "compact"}):
        whole = by_mcp(running, "citation_network", seeds=seeds, **sizes)
        assert (whole["truncated"], len(whole["nodes"])) == (None, len(small["nodes"]) + small["truncated"]["nodes"])


def test_many_papers_by_id_over_mcp_are_of_the_size_of_a_search(running: Machine) -> None:
    found = by_mcp(running, "literature_search", query="TREM2", max_results=10, fields="key")["results"]
    ids = [paper["key"] for paper in found]
    many, whole = by_mcp(running, "get_papers", ids=ids), by_mcp(running, "get_papers", ids=ids, detail="full")
    assert tokens(many) <= MOST_TOKENS < tokens(whole) / 2
    for few, full in zip(many["papers"], whole["papers"], strict=True):
        assert few["paper"]["abstract"] == (full["paper"]["abstract"] or "")[:FIRST_WORDS_CHARS] or None
    for few in by_mcp(running, "get_papers", ids=ids[:2])["papers"]:
        assert "provenance" in few["paper"]


def test_a_named_size_is_the_size_over_mcp(running: Machine) -> None:
    (paper,) = by_mcp(running, "literature_search", query="TREM2", max_results=1, detail="standard")["results"]
    assert set(STANDARD_FIELDS) <= set(paper)
    (paper,) = by_mcp(running, "literature_search", query="TREM2", max_results=1, fields="doi,title")["results"]
    assert set(paper) == {"doi", "title"}


@pytest.mark.parametrize("named", [{"include_abstract": True}, {"abstract_chars": 10_000}], ids=str)
def test_a_compact_answer_has_abstracts_on_request(running: Machine, named: dict[str, Any]) -> None:
    asked = {"query": "TREM2 microglia", "max_results": 1}
    (whole,) = fetch(running, "POST", SEARCH, {**asked, "detail": "full"})["results"]
    compact = {**asked, "detail": "compact", **named}
    assert fetch(running, "POST", SEARCH, compact)["results"][0]["abstract"] == whole["abstract"]
    assert by_mcp(running, "literature_search", **compact)["results"][0]["abstract"] == whole["abstract"]
