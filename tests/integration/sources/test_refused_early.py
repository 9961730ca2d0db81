"""A source whose queue is longer than a leg's time: said at once, without starting a function that could only wait."""

from __future__ import annotations

import json
import os
import time

import boto3

from infra.local.gateway import rest_event
from infra.local.machine import machine
from infra.local.sandbox.server import Sandbox
from shared.rate_limits.budget import Budget
from shared.rate_limits.state import ProviderState
from shared.rate_limits.stored_state import state_to_json


def test_no_function_is_started_for_a_source_whose_queue_is_too_long() -> None:
    with machine(sandbox=Sandbox(faults={})) as local:
        waiting = ProviderState(Budget(permits=(time.time() + 30,)))
        boto3.resource("dynamodb").Table(os.environ["PROVIDER_BUDGETS_TABLE"]).put_item(
            Item={"pk": "provider#arxiv", "sk": "state", "version": 1, "state": json.dumps(state_to_json(waiting))}
        )
        answer = local.invoke("dispatcher", rest_event("GET", "/v1/literature-search", query={"query": ["TREM2"]}))
        leg = json.loads(answer["body"])["providers"]["arxiv"]
        assert local.sandbox
        assert not [request for request in local.sandbox.requests if request.provider == "arxiv"]
    assert leg["outcome"] == "skipped_budget"
    assert "elapsed_ms" not in leg  # its function was not invoked
    assert 25 < leg["retry_after_s"] <= 30
