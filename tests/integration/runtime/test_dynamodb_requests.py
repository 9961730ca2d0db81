"""What a search costs in DynamoDB: counted by operation, in botocore."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from botocore.client import BaseClient

from infra.functions import provider_names
from infra.local.gateway import rest_event
from infra.local.machine import Machine

# A miss: one look for the result set, one for the legs, one for the circuits, two writes for the result set;
OF_A_MISS = 5
# the lease and the answer of each leg;
A_LEG = 2
# for each second that it takes, the lease again;
A_LEG_AND_SECOND = 1
# and for each request upstream at most a read of the budget, the permit, and the limits of the answer.
AN_UPSTREAM_REQUEST = 3


@contextmanager
def counted(monkeypatch: pytest.MonkeyPatch) -> Iterator[Counter[str]]:
    """The requests to DynamoDB while inside, by operation."""
    seen: Counter[str] = Counter()
    call = vars(BaseClient)["_make_api_call"]

    def recorded(client: Any, operation: str, arguments: Any) -> Any:
        if client.meta.service_model.service_name == "dynamodb":
            seen[operation] += 1
        return call(client, operation, arguments)

    with monkeypatch.context() as patch:
        patch.setattr(BaseClient, "_make_api_call", recorded)
        yield seen


def post(local: Machine, **fields: Any) -> dict[str, Any]:
    body = json.dumps({"query": "TREM2 microglia", "cite_in_kg": False, **fields})
    response = local.invoke("dispatcher", rest_event("POST", "/v1/literature-search", body=body))
    assert response["statusCode"] == 200, response["body"]
    return dict(json.loads(response["body"]))


def test_a_full_hit_costs_one_request_of_the_table(local: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    post(local)
    with counted(monkeypatch) as seen:
        assert post(local)["cache"] == "hit"
    assert seen == {"BatchGetItem": 1}  # and the result set's file


def test_a_page_costs_two_requests(local: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    cursor = post(local)["next_cursor"]
    with counted(monkeypatch) as seen:
        assert post(local, query=None, cursor=cursor)["returned"] > 0
    assert seen.total() <= 2


def test_a_hit_of_every_leg_costs_two_reads_and_the_new_result_set(
    local: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    post(local)
    with counted(monkeypatch) as seen:
        assert post(local, ranking="relevance")["cache"] == "hit"
    assert seen["BatchGetItem"] == 2
    assert seen.total() <= 4


def test_a_miss_costs_what_is_stated(local: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    assert local.sandbox is not None
    with counted(monkeypatch) as seen:
        answer = post(local)
    assert answer["cache"] == "miss"
    legs = len(provider_names())
    renewals = A_LEG_AND_SECOND * legs * (answer["search_time_ms"] // 1000)
    bound = OF_A_MISS + A_LEG * legs + renewals + AN_UPSTREAM_REQUEST * len(local.sandbox.requests)
    assert seen.total() <= bound, seen


def test_each_leg_more_costs_no_more_than_its_share(local: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    with counted(monkeypatch) as few:
        post(local, providers="openalex")
    with counted(monkeypatch) as many:
        answer = post(local, query="alpha-synuclein", providers="openalex,europe_pmc,semantic_scholar")
    renewals = 3 * A_LEG_AND_SECOND * (answer["search_time_ms"] // 1000)
    assert many.total() - few.total() <= 2 * (A_LEG + AN_UPSTREAM_REQUEST) + 3 * AN_UPSTREAM_REQUEST + renewals
