"""A cached answer reads the first results with the item of its request, and the whole result set only for more."""

from __future__ import annotations

import json
from importlib import import_module
from typing import Any

import pytest
from botocore.client import BaseClient

from infra.local.gateway import rest_event
from infra.local.machine import Machine
from shared.errors import StorageUnavailable
from shared.search.page import request_key
from shared.search.request import SearchRequest
from shared.search.result_sets import shows
from tests.integration.test_own_faults import fail_calls

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
    sets = import_module("functions.dispatcher.wiring.search").result_sets()
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
        import_module("functions.dispatcher.wiring.search")
        .result_sets()
        .find_by_request(request_key(SearchRequest.model_validate(REQUEST)))
    )
    assert [paper["key"] for paper in found["results"][:10]] == [paper["key"] for paper in first["results"]]
    assert shows(found, 10)
    assert not shows(found, 11)  # it is searched for anew
    with pytest.raises(StorageUnavailable):
        found["results"][10]
