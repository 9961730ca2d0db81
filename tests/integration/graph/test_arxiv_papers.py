"""Papers that are on arXiv alone: one key, the DOI that arXiv registers, by which they enter the graph."""

from __future__ import annotations

from typing import Any

import pytest

from infra.local.machine import Machine
from tests.integration.papers_calls import fetch

pytestmark = pytest.mark.slow  # preprints under every name, each test on a machine of its own

DEBATE = {"type": "debate", "id": "arx"}
KEY = "doi:10.48550/arxiv.2007.01282"
TITLE = "Leveraging Passage Retrieval with Generative Models for Open Domain Question Answering"
WRITTEN = ("arXiv:2007.01282", "10.48550/arXiv.2007.01282", "https://arxiv.org/abs/2007.01282v3", "arxiv:2007.01282")


@pytest.mark.slow
@pytest.mark.parametrize("written", WRITTEN)
def test_an_arxiv_paper_has_one_key_however_it_is_written(local: Machine, written: str) -> None:
    answer = fetch(local, "POST", "/v1/papers", {"ids": [written, KEY]})
    papers = [entry["paper"] for entry in answer["papers"]]
    assert {paper["key"] for paper in papers} == {KEY}
    assert {paper["citation_uri"] for paper in papers} == {"https://doi.org/10.48550/arxiv.2007.01282"}
    assert {paper["external_ids"]["arxiv"] for paper in papers} == {"2007.01282"}


@pytest.mark.slow
@pytest.mark.parametrize("providers", ["arxiv", "semantic_scholar", "arxiv,openalex,semantic_scholar"])
def test_the_key_does_not_depend_on_the_providers(local: Machine, providers: str) -> None:
    answer = fetch(local, "POST", "/v1/literature-search", {"query": TITLE, "providers": providers, "detail": "full"})
    (paper,) = [it for it in answer["results"] if it["title"] == TITLE]
    assert (paper["key"], paper["doi"]) == (KEY, KEY.removeprefix("doi:"))
    assert answer["kg"]["skipped"] == 0


@pytest.mark.parametrize("written", WRITTEN)
def test_a_debate_that_cites_an_arxiv_paper_reads_back_whole(local: Machine, written: str) -> None:
    recorded = fetch(local, "POST", "/v1/citations", {"context": DEBATE, "text": f"as in {written}"})
    assert [(it["key"], it["status"]) for it in recorded["mentions"]] == [(KEY, "resolved")]
    local.drain_queue()
    (item,) = fetch(local, "GET", "/v1/graph/contexts/debate/arx")["items"]
    assert (item["key"], item["paper"] and item["paper"]["title"]) == (KEY, TITLE)


def test_old_keys_still_lead_to_the_paper_in_the_graph(local: Machine) -> None:
    fetch(local, "POST", "/v1/literature-search", {"query": TITLE})
    local.drain_queue()
    read: list[Any] = [fetch(local, "GET", f"/v1/graph/papers/{name}") for name in ("arxiv:2007.01282", KEY)]
    assert [(it["key"], it["paper"]["title"]) for it in read] == [(KEY, TITLE)] * 2


def test_an_arxiv_paper_that_no_source_knows_is_cited_under_its_doi(local: Machine) -> None:
    fetch(local, "POST", "/v1/citations", {"context": DEBATE, "text": "arXiv:2102.99999 and 10.48550/arXiv.2102.99999"})
    local.drain_queue()
    items = fetch(local, "GET", "/v1/graph/contexts/debate/arx")["items"]
    assert {item["key"] for item in items} == {"doi:10.48550/arxiv.2102.99999"}
