"""A context belongs to the tenant of the key that wrote to it first, unless it was created as shared."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import boto3
import pytest

from infra.local.gateway import rest_event
from infra.local.machine import Machine

pytestmark = pytest.mark.slow  # many callers, each test on a machine of its own

DEBATE = {"type": "debate", "id": "alices/1"}
DOI = "10.7554/elife.20391"
READ = "/v1/graph/contexts/debate/alices/1"


def call(local: Machine, key: str, method: str, path: str, body: Any = None, **query: str) -> tuple[int, Any]:
    text = None if body is None else json.dumps(body)
    asked = {name: [value] for name, value in query.items()}
    event = rest_event(method, path, body=text, query=asked, headers={"x-api-key": key})
    response = local.invoke("dispatcher", event)
    local.drain_queue()
    is_json = "json" in response["multiValueHeaders"]["Content-Type"][0]
    return response["statusCode"], json.loads(response["body"]) if is_json else response["body"]


def cite(local: Machine, key: str, context: Mapping[str, Any] = DEBATE, **fields: Any) -> tuple[int, Any]:
    return call(local, key, "POST", "/v1/citations", {"context": context, "papers": [DOI], **fields})


def found(local: Machine, key: str, **fields: Any) -> tuple[int, Any]:
    return call(local, key, "POST", "/v1/literature-search", {"query": "TREM2 microglia", **fields})


def contexts_of_paper(local: Machine, key: str) -> list[Any]:
    status, paper = call(local, key, "GET", f"/v1/graph/papers/{DOI}")
    assert status == 200
    status, listed = call(local, key, "GET", f"/v1/graph/papers/{DOI}", list="contexts")
    assert (status, listed["items"]) == (200, paper["contexts"]["items"])
    return [it["context"]["id"] for it in listed["items"]]


def owners() -> list[Any]:
    items = boto3.resource("dynamodb").Table("local-papers").scan()["Items"]
    return [(item["pk"], item["shared"]) for item in items if item["sk"] == "owner"]


@pytest.mark.slow
def test_other_keys_can_neither_read_nor_write_a_context(local: Machine) -> None:
    assert cite(local, "alice", by="agent-7")[0] == 200
    status, read = call(local, "alice", "GET", READ)
    assert (status, [it["key"] for it in read["items"]]) == (200, [f"doi:{DOI}"])

    unknown, missing = call(local, "bob", "GET", "/v1/graph/contexts/debate/never-written")
    status, refused = call(local, "bob", "GET", READ)
    assert (unknown, status) == (404, 404)
    assert {**refused, "request_id": ""} == {**missing, "request_id": ""}
    for attempt in ({}, {"context": {**DEBATE, "shared": True}}):
        status, refused = cite(local, "bob", **attempt)
        assert (status, refused["code"]) == (404, "not_found")
    assert call(local, "alice", "GET", READ)[1]["items"] == read["items"]


def test_the_contexts_of_a_paper_are_those_of_the_caller(local: Machine) -> None:
    found(local, "carol", max_results=20)
    assert cite(local, "alice")[0] == 200
    assert cite(local, "bob", {"type": "debate", "id": "bobs"})[0] == 200
    assert cite(local, "bob", {"type": "debate", "id": "of all", "shared": True})[0] == 200
    assert sorted(contexts_of_paper(local, "alice")) == ["alices/1", "of all"]
    assert sorted(contexts_of_paper(local, "bob")) == ["bobs", "of all"]
    assert contexts_of_paper(local, "carol") == ["of all"]


@pytest.mark.slow
@pytest.mark.parametrize("form", ["jsonld", "graphml", "csv"])
def test_exports_have_no_context_of_another_key(local: Machine, form: str) -> None:
    found(local, "carol", max_results=20)
    cite(local, "alice", by="agent-7")
    query = {"format": form, "kind": "edges", "limit": "100"}
    exported = {key: str(call(local, key, "GET", "/v1/graph/export", **query)[1]) for key in ("alice", "bob")}
    assert "agent-7" in exported["alice"]
    assert "alices" not in exported["bob"]
    assert "agent-7" not in exported["bob"]


@pytest.mark.slow
def test_every_page_of_a_papers_contexts_is_full_whatever_it_hides(local: Machine) -> None:
    found(local, "carol", max_results=20)
    for number in range(6):
        cite(local, "bob", {"type": "debate", "id": f"bobs {number}"})
        cite(local, "alice", {"type": "debate", "id": f"alices {number}"}, by=str(number))
    listed, cursor = [], None
    for _ in range(3):
        query = {"list": "contexts", "limit": "2", **({"cursor": cursor} if cursor else {})}
        _, page = call(local, "alice", "GET", f"/v1/graph/papers/{DOI}", **query)
        assert len(page["items"]) == 2
        listed += [it["context"]["id"] for it in page["items"]]
        cursor = page["next_cursor"]
    assert sorted(listed) == [f"alices {number}" for number in range(6)]


def test_a_shared_context_is_open_to_all_and_says_who_wrote(local: Machine) -> None:
    shared = {"type": "report", "id": "ours", "shared": True}
    assert cite(local, "alice", shared, by="agent-7")[0] == 200
    assert cite(local, "bob", {"type": "report", "id": "ours"}, by="agent-7")[0] == 200
    assert cite(local, "carol", shared)[0] == 200
    status, read = call(local, "dave", "GET", "/v1/graph/contexts/report/ours")
    assert status == 200
    authors = {it["by"] for it in read["items"]}
    assert len(authors) == 3
    assert sum(by.endswith("/agent-7") for by in authors) == 2


def test_a_context_is_shared_only_when_it_is_created(local: Machine) -> None:
    assert cite(local, "alice")[0] == 200
    status, refused = cite(local, "alice", {**DEBATE, "shared": True})
    assert (status, refused["code"]) == (409, "conflict")
    assert call(local, "bob", "GET", READ)[0] == 404


def test_a_search_claims_its_context_before_it_queries_a_provider(local: Machine) -> None:
    assert found(local, "alice", context=DEBATE)[0] == 200
    assert local.sandbox is not None
    local.sandbox.requests.clear()
    status, refused = found(local, "bob", query="another question", context=DEBATE)
    assert (status, refused["code"], local.sandbox.requests) == (404, "not_found", [])
    status, refused = call(local, "bob", "POST", "/v1/papers", {"ids": [DOI], "context": DEBATE})
    assert status == 404
    assert call(local, "alice", "GET", READ)[1]["items"]


def test_a_search_that_writes_nothing_claims_nothing(local: Machine) -> None:
    assert found(local, "bob", context=DEBATE, cite_in_kg=False)[0] == 200
    assert owners() == []
    assert cite(local, "alice")[0] == 200
    assert found(local, "bob", context=DEBATE, cite_in_kg=False)[0] == 200
    assert len(owners()) == 1


def test_a_context_without_an_owner_is_hidden_until_its_next_writer_owns_it(local: Machine) -> None:
    assert cite(local, "alice")[0] == 200
    table = boto3.resource("dynamodb").Table("local-papers")
    table.delete_item(Key={"pk": "context#debate#alices/1", "sk": "owner"})  # as contexts were before they had owners
    assert call(local, "alice", "GET", READ)[0] == 404
    assert cite(local, "alice", by="Ada")[0] == 200  # the first body again would be recorded once
    assert len(call(local, "alice", "GET", READ)[1]["items"]) >= 1
    assert call(local, "bob", "GET", READ)[0] == 404


def test_an_owner_is_no_mention(local: Machine) -> None:
    assert cite(local, "alice")[0] == 200
    status, stats = call(local, "alice", "GET", "/v1/graph/stats")
    assert (status, stats["contexts"], stats["cited_in"]) == (200, 1, 1)
