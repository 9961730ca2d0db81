"""`make graph-edges`: who cites a paper is written again from the lists of references, whatever was lost of it."""

from __future__ import annotations

import json
from collections.abc import Collection
from typing import Any

import boto3
import pytest

from infra.graph_edges import main
from infra.local.gateway import rest_event
from infra.local.machine import Machine
from shared.graph.items import CITED, CITING

TABLE, SEEDS = "local-papers", ["10.7554/eLife.20391", "10.1084/jem.20212479"]


def keys(*prefixes: str) -> list[dict[str, Any]]:
    items: Any = boto3.resource("dynamodb").Table(TABLE).scan(ConsistentRead=True)["Items"]
    return [{"pk": item["pk"], "sk": item["sk"]} for item in items if item["pk"].startswith(prefixes)]


def who_cites(local: Machine, papers: Collection[str]) -> dict[str, list[str]]:
    store = local.graph_store()
    return {key: sorted(str(edge["key"]) for edge in store.cited_by(key).items) for key in papers}


def filled(local: Machine) -> list[str]:
    """The papers of a graph in which some cite others."""
    network = rest_event("POST", "/v1/citation-network", body=json.dumps({"seeds": SEEDS, "depth": 1}))
    assert local.request(network)["statusCode"] == 200
    local.drain_queue()
    return [it["pk"].removeprefix("paper#") for it in keys("paper#") if it["sk"] == "paper"]


@pytest.mark.slow
@pytest.mark.parametrize("lost", ["all of it", "nothing"])
def test_the_papers_that_cite_a_paper_are_listed_again(
    local: Machine, capsys: pytest.CaptureFixture[str], lost: str
) -> None:
    papers = filled(local)
    before = who_cites(local, papers)
    assert sum(map(len, before.values())) > 5
    table = boto3.resource("dynamodb").Table(TABLE)
    if lost == "all of it":
        for key in keys(CITING, CITED):
            table.delete_item(Key=key)
        assert not any(who_cites(local, papers).values())
    assert main([TABLE]) == 0
    assert who_cites(local, papers) == before
    printed = capsys.readouterr()
    assert "are in the tree of cited papers" in printed.out
    assert "lists of references read" in printed.err


@pytest.mark.usefixtures("local")
def test_a_table_that_is_not_there_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["no-such-table"]) == 1
    assert capsys.readouterr().err.startswith("error: ")
