"""Where a paper is printed: of an article, never what a source says of its preprint."""

from __future__ import annotations

import json
from typing import Any

import pytest

from infra.local.gateway import rest_event
from infra.local.machine import Machine
from tests.integration.mcp_calls import called
from tests.integration.papers_calls import fetch

pytestmark = pytest.mark.slow  # lookups and searches of several papers

# https://aclanthology.org/2022.emnlp-main.62: the proceedings of EMNLP, and arXiv:2210.03568.
EMNLP = "10.18653/v1/2022.emnlp-main.62"
# https://doi.org/10.1016/j.tics.2024.01.011: Trends in Cognitive Sciences 28, and arXiv:2301.06627.
TRENDS = "10.1016/j.tics.2024.01.011"
ARXIV_ALONE = "arXiv:2303.18223"


def paper_of(local: Machine, name: str) -> dict[str, Any]:
    (by_http,) = fetch(local, "POST", "/v1/papers", {"ids": [name]})["papers"]
    (by_mcp,) = called(local, "get_papers", ids=[name])["papers"]
    assert by_mcp["paper"]["journal"] == by_http["paper"]["journal"]
    return dict(by_http["paper"])


def test_a_server_of_preprints_is_no_journal_of_an_article(running: Machine) -> None:
    for paper in (paper_of(running, EMNLP), paper_of(running, "arXiv:2210.03568")):
        assert (paper["doi"], paper["external_ids"]["arxiv"]) == (EMNLP, "2210.03568")
        assert (paper["journal"], paper["volume"]) == (None, None)
        assert [(it["relation"], it["journal"]) for it in paper["versions"]] == [
            ("published", None),
            ("preprint", "arXiv"),
        ]


def test_the_number_of_a_preprint_is_no_volume(running: Machine) -> None:
    assert paper_of(running, TRENDS)["volume"] is None
    alone = paper_of(running, ARXIV_ALONE)
    assert (alone["journal"], alone["volume"]) == ("arXiv", None)
    request = json.dumps({"ids": [TRENDS, EMNLP, ARXIV_ALONE], "format": "bibtex"})
    file = running.invoke("dispatcher", rest_event("POST", "/v1/exports", body=request))["body"]
    assert "volume" not in file
    assert "journal = {arXiv}" not in file.partition("wahle")[2].partition("@")[0]


def test_no_volume_of_a_search_is_an_address_of_arxiv(running: Machine) -> None:
    asked = {"query": "large language models", "max_results": 30, "detail": "full", "cite_in_kg": False}
    results = fetch(running, "POST", "/v1/literature-search", asked)["results"]
    assert len(results) > 20
    assert not [it["title"] for it in results if (it["volume"] or "").startswith("abs/")]
    printed = [it for it in results if it["journal"] == "arXiv" and not it["doi"].startswith("10.48550/")]
    assert not [it["doi"] for it in printed if it["type"] != "preprint"]
