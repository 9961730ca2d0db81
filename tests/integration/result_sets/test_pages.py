"""Pages and exports of one result set: each result once, in order, whatever else happens meanwhile."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

import boto3
import pytest

from infra.local.gateway import rest_event
from infra.local.machine import Machine, machine
from infra.local.sandbox.corpus import Corpus
from infra.local.sandbox.facts import Fact
from infra.local.sandbox.server import Sandbox
from tests.integration.papers_calls import call, fetch, upstream

VERBS = ("melts", "moves", "darkens", "cracks", "sinks")
MANY = tuple(
    Fact(
        title=f"Glacier number {number} and how its surface {verb} in the warm years",
        doi=f"10.1000/{verb}.{number}", year=1990 + number % 30, openalex_id=f"W98{number:04}{place:04}",
        authors=((f"Author{number}", "A"),), s2_paper_id=f"{number:036x}{place:04x}", citation_count=number,
        topics=("climate-glacier",),
    )
    for place, verb in enumerate(VERBS)
    for number in range(110)
)  # fmt: skip


@pytest.mark.slow
def test_paging_gives_each_of_300_results_once_in_order_while_others_search() -> None:
    with machine(sandbox=Sandbox(Corpus(MANY), faults={})) as local:
        request_body = {
            "queries": [f"glacier {verb}" for verb in VERBS],
            "max_results": 17,
            "detail": "compact",
            "fields": "key",
        }
        page = first = fetch(local, "POST", "/v1/literature-search", request_body)
        keys: list[str] = []
        pages = 0
        while True:
            keys += [result["key"] for result in page["results"]]
            pages += 1
            if page["next_cursor"] is None:
                break
            others = {
                "query": f"glacier {('melts', 'moves', 'sinks')[pages % 3]}",
                "max_results": 1,
                "fresh": pages % 4 == 0,
            }
            fetch(local, "POST", "/v1/literature-search", others)
            before = sum(upstream(local).values())
            page = fetch(local, "POST", "/v1/literature-search", {**request_body, "cursor": page["next_cursor"]})
            assert sum(upstream(local).values()) == before
            assert page["result_set_id"] == first["result_set_id"]
        assert len(keys) == len(set(keys)) == first["total_count"] >= 300
        exported = export(local, "GET", query={"result_set_id": [first["result_set_id"]], "format": ["csv"]})
        rows = list(csv.DictReader(io.StringIO(exported.removeprefix("\ufeff"))))
        assert [row["key"] for row in rows] == keys


def export(local: Machine, method: str, **event: Any) -> str:
    response = local.invoke("dispatcher", rest_event(method, "/v1/exports", **event))
    assert response["statusCode"] == 200, response["body"]
    return str(response["body"])


@pytest.mark.parametrize(("name", "media_type", "begins"), [
    ("bibtex", "application/x-bibtex", "@article{"), ("ris", "application/x-research-info-systems", "TY  - "),
    ("csl-json", "application/vnd.citationstyles.csl+json", "["), ("csv", "text/csv", "\ufeffcitation_key,"),
    ("markdown", "text/markdown", "| # | Authors | Title | Year | Venue | Cites | DOI | OA |"),
])  # fmt: skip
def test_a_search_is_exported_whole_by_name_and_by_accept(
    local: Machine, name: str, media_type: str, begins: str
) -> None:
    query = {"query": ["TREM2"], "max_results": ["2"]}
    named = local.invoke("dispatcher", rest_event("GET", "/v1/literature-search", query={**query, "format": [name]}))
    accepted = local.invoke(
        "dispatcher", rest_event("GET", "/v1/literature-search", query=query, headers={"Accept": media_type})
    )
    assert named["body"] == accepted["body"]
    assert named["body"].startswith(begins)
    (content_type,) = named["multiValueHeaders"]["Content-Type"]
    assert content_type.startswith(media_type)
    assert named["multiValueHeaders"]["Complete"] == ["true"]


def test_papers_are_exported_by_their_ids_and_missing_ones_counted(local: Machine) -> None:
    body = json.dumps({"ids": ["10.7554/eLife.20391", "PMID:29618526", "PMID:1"], "format": "csl-json"})
    response = local.invoke("dispatcher", rest_event("POST", "/v1/exports", body=body))
    assert {item["DOI"] for item in json.loads(response["body"])} == {"10.7554/elife.20391", "10.1098/rsif.2017.0387"}
    assert response["multiValueHeaders"]["Not-Found"] == ["1"]


def test_a_list_of_references_is_exported_by_its_result_set(local: Machine) -> None:
    references = fetch(local, "GET", "/v1/papers/10.7554/eLife.20391/references")
    rows = export(
        local, "GET", query={"result_set_id": [references["result_set_id"]], "format": ["markdown"]}
    ).splitlines()
    assert len(rows) - 2 <= references["total_count"]
    assert len(rows) > 10


@pytest.mark.parametrize(("method", "given", "status", "field"), [
    ("GET", {}, 422, "result_set_id"), ("GET", {"result_set_id": "x"}, 422, "result_set_id"),
    ("GET", {"ids": "10.1000/x", "format": "docx"}, 422, "format"),
    ("GET", {"ids": "10.1000/x", "kind": "csv"}, 400, "kind"),
    ("POST", {"ids": ["10.1000/x"], "result_set_id": "0" * 32}, 422, "ids"),
])  # fmt: skip
def test_bad_input_names_its_field(local: Machine, method: str, given: dict[str, Any], status: int, field: str) -> None:
    got, problem = (
        call(local, "POST", "/v1/exports", given) if method == "POST" else call(local, "GET", "/v1/exports", **given)
    )
    assert (got, problem["errors"][0]["field"]) == (status, field)


def test_a_result_set_or_cursor_that_is_gone_is_a_410_that_says_what_to_do(local: Machine) -> None:
    found = fetch(local, "POST", "/v1/literature-search", {"query": "TREM2", "max_results": 1})
    table = boto3.resource("dynamodb").Table("local-search-cache")
    for item in table.scan()["Items"]:
        table.delete_item(Key={"pk": item["pk"], "sk": item["sk"]})
    again = {"query": "TREM2", "cursor": found["next_cursor"]}
    for status, problem in (
        call(local, "POST", "/v1/literature-search", again),
        call(local, "GET", "/v1/exports", result_set_id=found["result_set_id"]),
    ):
        assert (status, problem["code"]) == (410, "expired")
        assert "search" in problem["hint"]


def test_unknown_ids_alone_are_a_404(local: Machine) -> None:
    status, problem = call(local, "POST", "/v1/exports", {"ids": ["10.9999/nobody"]})
    assert (status, problem["code"]) == (404, "not_found")


def test_each_result_of_several_wordings_names_those_that_found_it(local: Machine) -> None:
    wordings = ["TREM2 microglia", "glacier hydrology"]
    answer = fetch(local, "POST", "/v1/literature-search", {"queries": wordings, "max_results": 50, "detail": "full"})
    found = [tuple(result["found_by"]) for result in answer["results"]]
    assert {("TREM2 microglia",), ("glacier hydrology",)} <= set(found)
    assert all(set(it) <= set(wordings) and it for it in found)
    alone = fetch(local, "POST", "/v1/literature-search", {"query": "TREM2 microglia", "detail": "full"})
    assert {result["found_by"] for result in alone["results"]} == {None}
