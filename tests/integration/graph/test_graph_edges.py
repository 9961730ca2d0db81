"""`make graph-edges`: who cites a paper is written again from the lists of references, whatever was lost of it."""

from __future__ import annotations

import json
import shlex
from collections.abc import Collection
from functools import partial
from typing import Any

import boto3
import pytest

from infra.graph_edges import PAUSES_S, _pages_of_lists, main
from infra.local.gateway import rest_event
from infra.local.machine import Machine
from shared.aws.dynamodb import batches
from shared.aws.dynamodb.batches import write_batch
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


@pytest.mark.slow
def test_a_list_that_cannot_be_read_is_named_and_the_others_are_written(
    local: Machine, capsys: pytest.CaptureFixture[str]
) -> None:
    papers = filled(local)
    before, table = who_cites(local, papers), boto3.resource("dynamodb").Table(TABLE)
    table.put_item(Item={"pk": "paper#pmid:1", "sk": "references#crossref 0", "cited": b"no zlib"})
    for key in keys(CITING, CITED):
        table.delete_item(Key=key)
    assert main([TABLE]) == 1
    assert who_cites(local, papers) == before
    printed = capsys.readouterr()
    assert "cannot read the list paper#pmid:1 references#crossref 0" in printed.err
    assert "are in the tree of cited papers" in printed.out


@pytest.mark.slow
def test_a_busy_table_is_waited_for_and_then_the_rest_is_named(
    local: Machine, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    papers = filled(local)
    before, table, refused = who_cites(local, papers), boto3.resource("dynamodb").Table(TABLE), [9]
    for key in keys(CITING, CITED):
        table.delete_item(Key=key)

    def throttled(table: Any, requests: Any) -> list[Any]:
        refused[0] -= 1
        return list(requests) if refused[0] >= 0 else write_batch(table, requests)

    monkeypatch.setattr(batches, "write_batch", throttled)
    monkeypatch.setattr("infra.graph_edges._pages_of_lists", partial(_pages_of_lists, items_a_page=3))
    pauses: list[float] = []
    assert main([TABLE], pauses.append) == 0
    assert pauses == [1.0]
    assert who_cites(local, papers) == before

    for key in keys(CITING, CITED):
        table.delete_item(Key=key)
    capsys.readouterr()
    pages = 0

    def throttled_later(table: Any, requests: Any) -> list[Any]:
        nonlocal pages
        pages += 1
        return write_batch(table, requests) if pages == 1 else list(requests)

    monkeypatch.setattr(batches, "write_batch", throttled_later)
    assert main([TABLE], pauses.append) == 1
    assert pauses == [1.0, *PAUSES_S]
    command = shlex.split(capsys.readouterr().err.partition("To write the rest: ")[2])
    assert command[:5] == ["python", "-m", "infra.graph_edges", TABLE, "--after"]
    monkeypatch.setattr(batches, "write_batch", write_batch)
    assert main(command[3:]) == 0
    assert who_cites(local, papers) == before


@pytest.mark.usefixtures("local")
def test_another_table_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["local-search-cache"]) == 1
    assert "Is it the papers table?" in capsys.readouterr().err


@pytest.mark.parametrize("key", ["", "pmid:1", "[]", '{"pk": "paper#pmid:1"}', '{"pk": 1, "sk": "a"}'])
def test_a_key_to_go_on_behind_is_checked(key: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main([TABLE, "--after", key])
    assert "argument --after: invalid" in capsys.readouterr().err


@pytest.mark.usefixtures("local")
def test_a_table_that_is_not_there_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["no-such-table"]) == 1
    assert capsys.readouterr().err.startswith("error: ")
