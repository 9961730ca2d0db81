"""A cached answer reads the first results with the item of its request, and the whole result set only for more."""

from __future__ import annotations

import json
import zlib
from importlib import import_module
from typing import Any

import boto3
import pytest
from botocore.client import BaseClient

from infra.local.gateway import rest_event
from infra.local.machine import Machine
from shared.aws.s3.files import Files
from shared.errors import StorageUnavailable
from shared.search.hints import weak_match
from shared.search.requests.search_request import SearchRequest
from shared.search.result_sets.store import shows
from shared.search.search_terms import request_key
from tests.integration.sources.test_own_faults import fail_calls

REQUEST = {"query": "TREM2 microglia", "providers": "crossref,openalex", "cite_in_kg": False}


def search(local: Machine, **more: Any) -> dict[str, Any]:
    event = rest_event("POST", "/v1/literature-search", body=json.dumps({**REQUEST, **more}))
    return dict(json.loads(local.invoke("dispatcher", event)["body"]))


def calls(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The operations of AWS that are called from now on."""
    call = vars(BaseClient)["_make_api_call"]
    made: list[str] = []

    def counted(client: Any, operation: str, arguments: Any) -> Any:
        made.append(operation)
        return call(client, operation, arguments)

    monkeypatch.setattr(BaseClient, "_make_api_call", counted)
    return made


def test_the_first_page_of_a_cached_answer_takes_one_request(local: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    first = search(local)
    made = calls(monkeypatch)
    again = search(local)
    assert (again["cache"], again["results"]) == ("hit", first["results"])
    assert made == ["BatchGetItem"]
    larger = search(local, max_results=12)
    assert (larger["cache"], larger["returned"], larger["results"][:10]) == ("hit", 12, first["results"])
    assert made == ["BatchGetItem", "BatchGetItem", "GetObject"]


def test_results_that_are_found_by_a_request_are_those_of_the_whole_result_set(local: Machine) -> None:
    answer = search(local)
    sets = import_module("functions.dispatcher.wiring.legs").result_sets()
    key = request_key(SearchRequest.model_validate(REQUEST))
    found, whole = sets.find_by_request(key), sets.get(answer["result_set_id"])
    assert len(found["results"]) == len(whole["results"]) == answer["total_count"] > 10
    assert found["results"][9:11] == whole["results"][9:11]
    assert found["results"][-1] == whole["results"][-1]
    assert {name: found[name] for name in ("result_set_id", "asked", "summary")} == {
        name: whole[name] for name in ("result_set_id", "asked", "summary")
    }


def test_without_the_bucket_the_first_page_is_answered_and_no_more_is_shown_of_it(
    local: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = search(local)
    fail_calls(monkeypatch, "s3", "SlowDown")
    assert search(local)["cache"] == "hit"
    found = (
        import_module("functions.dispatcher.wiring.legs")
        .result_sets()
        .find_by_request(request_key(SearchRequest.model_validate(REQUEST)))
    )
    assert [paper["key"] for paper in found["results"][:10]] == [paper["key"] for paper in first["results"]]
    assert shows(found, 10)
    assert not shows(found, 11)  # it is searched for anew
    with pytest.raises(StorageUnavailable):
        found["results"][10]


def test_without_the_bucket_a_weak_answer_is_a_hit_as_well(local: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(weak_match, "WEAK_SCORE", 2.0)
    first = search(local, cite_in_kg=True)
    fail_calls(monkeypatch, "s3", "SlowDown")
    again = search(local, cite_in_kg=True)
    assert (again["cache"], again["results"]) == ("hit", first["results"])
    assert again["kg"] == {"queued": 0, "skipped": 10}


def test_without_the_bucket_the_sources_of_stored_legs_are_queried_again(
    local: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = search(local)
    with monkeypatch.context() as fault:
        fail_calls(fault, "s3", "SlowDown")
        answer = search(local, sort="citations")  # another result set of the same legs
    assert {it["outcome"] for it in answer["providers"].values()} == {"ok"}
    assert {it["source"] for it in answer["providers"].values()} == {"live"}
    assert {paper["key"] for paper in first["results"]} <= {
        it["key"] for it in search(local, max_results=100)["results"]
    }


def damaged(local: Machine, **attributes: Any) -> None:
    """Give the request's item other attributes."""
    table = boto3.resource("dynamodb").Table("local-search-cache")
    (item,) = (it for it in table.scan()["Items"] if str(it["pk"]).startswith("request"))
    table.put_item(Item={**item, **attributes})


def packed(**changed: Any) -> bytes:
    """First results as they are stored, with other fields."""
    fields = {"result_set_id": "a", "asked": {}, "summary": {"providers": {}}, "results": [], "count": 0}
    return zlib.compress(json.dumps({**fields, **changed}).encode())


@pytest.mark.parametrize(
    "first",
    [
        b"garbage", packed()[:-9], zlib.compress(b"{}"), packed(summary={}), packed(count=3),
        packed(asked="text"), packed(count="3"), packed(results=[1], count=1),
    ],
)  # fmt: skip
def test_first_results_that_cannot_be_read_are_made_anew(local: Machine, first: bytes) -> None:
    search(local)
    damaged(local, first=first)
    answer = search(local)
    assert (answer["cache"], answer["complete"], answer["returned"]) == ("hit", True, 10)  # of the kept legs


def test_a_damaged_file_is_made_anew(local: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    search(local)
    monkeypatch.setattr(Files, "read", lambda _, names: dict.fromkeys(names, b"damaged"))
    assert search(local, max_results=12)["returned"] == 12
