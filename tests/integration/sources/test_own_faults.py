"""Faults in our own parts: the search answers with what it has, and says what it could not do."""

from __future__ import annotations

import io
import json
import threading
from collections.abc import Callable
from concurrent.futures import Future
from datetime import UTC, datetime
from typing import Any, cast

import boto3
import pytest
from botocore.client import BaseClient
from botocore.exceptions import ClientError

from infra.local.gateway import rest_event
from infra.local.machine import Machine
from infra.local.resources import PREFIX
from shared.aws.lambda_functions.provider_fan_out import LegThreads
from shared.aws.runtime.observability import logger
from shared.aws.runtime.settings import required
from shared.outcomes import Outcome
from shared.providers.provider import ProviderReply

pytestmark = pytest.mark.slow  # each part of the service failing


def search(local: Machine, **fields: Any) -> dict[str, Any]:
    body = json.dumps({"query": "TREM2", "providers": "crossref,openalex", "detail": "full", **fields})
    response = local.invoke("dispatcher", rest_event("POST", "/v1/literature-search", body=body))
    assert response["statusCode"] == 200, response["body"]
    return dict(json.loads(response["body"]))


def fail_calls(monkeypatch: pytest.MonkeyPatch, service: str, code: str) -> None:
    """From now on this service refuses every call with this code."""
    call = vars(BaseClient)["_make_api_call"]

    def refused(client: Any, operation: str, arguments: Any) -> Any:
        if client.meta.service_model.service_name == service:
            raise ClientError({"Error": {"Code": code, "Message": "slow down"}}, operation)
        return call(client, operation, arguments)

    monkeypatch.setattr(BaseClient, "_make_api_call", refused)


def rows() -> list[dict[str, Any]]:
    found = boto3.resource("dynamodb").Table("local-search-cache").scan()["Items"]
    return sorted(found, key=lambda row: (str(row["pk"]), str(row["sk"])))


def test_without_its_cache_table_a_search_still_answers(local: Machine) -> None:
    boto3.client("dynamodb").delete_table(TableName="local-search-cache")
    answer = search(local)
    assert (answer["returned"], answer["complete"], answer["cache"]) == (10, True, "miss")


@pytest.mark.usefixtures("declared_limits")
def test_with_dynamodb_throttled_a_search_still_answers_and_reports_that_nothing_was_stored(
    local: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    fail_calls(monkeypatch, "dynamodb", "ProvisionedThroughputExceededException")
    answer = search(local)
    assert (answer["returned"], answer["cache"]) == (10, "miss")
    assert answer["next_cursor"] is None
    # The rate limiter fails closed: a process that has never seen its table uses no limited connections.
    outcomes = {name: report["outcome"] for name, report in answer["providers"].items()}
    assert outcomes.pop("crossref") == "skipped_budget"
    assert set(outcomes.values()) == {"ok"}
    assert {"cache_unavailable"} <= {hint["reason"] for hint in answer["hints"]}


def test_with_all_provider_functions_throttled_the_service_says_that_it_is_overloaded(
    local: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    fail_calls(monkeypatch, "lambda", "TooManyRequestsException")
    body = json.dumps({"query": "TREM2", "providers": "crossref,openalex"})
    response = local.invoke("dispatcher", rest_event("POST", "/v1/literature-search", body=body))
    problem = json.loads(response["body"])
    assert (response["statusCode"], problem["code"], problem["retryable"]) == (503, "overloaded", True)
    assert (problem["title"], problem["retry_after_s"]) == ("The service is overloaded", 1.0)
    assert response["multiValueHeaders"]["Retry-After"] == ["1"]


def test_a_throttled_function_among_others_is_no_budget_of_its_source(
    local: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    call = vars(BaseClient)["_make_api_call"]

    def refused(client: Any, operation: str, arguments: Any) -> Any:
        if operation == "Invoke" and arguments["FunctionName"].endswith("crossref"):
            raise ClientError({"Error": {"Code": "TooManyRequestsException", "Message": "slow down"}}, operation)
        return call(client, operation, arguments)

    monkeypatch.setattr(BaseClient, "_make_api_call", refused)
    answer = search(local)
    report = answer["providers"]["crossref"]
    assert (report["outcome"], report["retry_after_s"], answer["complete"]) == ("skipped_overload", 1.0, False)
    assert report["warnings"] == ["this service is too busy at the moment; crossref was not queried"]
    assert answer["providers_searched"] == ["openalex"]


@pytest.mark.parametrize("timeout_ms", [3000, 6000])
def test_the_answer_comes_at_its_deadline_for_every_behaviour_of_a_function(
    local: Machine, monkeypatch: pytest.MonkeyPatch, timeout_ms: int
) -> None:
    let_go = threading.Event()
    ended: list[bool] = []
    monkeypatch.setitem(local.functions, "local-crossref", lambda event, context: ended.append(let_go.wait(60)))
    search(local, providers="openalex")
    answer = search(local, timeout_ms=timeout_ms)
    assert ended == []  # the function is still at it
    let_go.set()
    assert answer["providers"]["crossref"]["outcome"] == "timeout"
    assert (answer["returned"], answer["complete"]) == (10, False)


def test_a_leg_that_ends_after_the_answer_is_not_cached(local: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    let_go = threading.Event()
    crossref, submit = local.functions["local-crossref"], LegThreads.submit
    begun: list[Future[ProviderReply | None]] = []

    def late(event: dict[str, Any], context: Any) -> Any:
        let_go.wait(20)
        return crossref(event, context)

    def remembered(threads: LegThreads, work: Callable[[], ProviderReply | None]) -> Future[ProviderReply | None]:
        begun.append(submit(threads, work))
        return begun[-1]

    monkeypatch.setitem(local.functions, "local-crossref", late)
    monkeypatch.setattr(LegThreads, "submit", remembered)
    search(local, timeout_ms=1000)
    assert begun[-1].result(20) is None  # the lease of the late one is given back
    before = rows()
    let_go.set()
    replies = [work.result(20) for work in begun]
    assert [reply.outcome for reply in replies if reply] == [Outcome.OK] * 2
    assert rows() == before


def test_without_its_queue_a_search_still_answers_and_says_what_was_not_queued(local: Machine) -> None:
    sqs = boto3.client("sqs")
    sqs.delete_queue(QueueUrl=sqs.get_queue_url(QueueName="local-citations")["QueueUrl"])
    answer = search(local)
    assert (answer["returned"], answer["kg"]) == (10, {"queued": 0, "skipped": 10})


def test_a_stale_leg_is_used_when_its_provider_fails(local: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    from functions.dispatcher.wiring import legs as wiring

    assert local.sandbox is not None
    fresh = search(local)
    later = datetime.now(UTC).timestamp() + 3 * 24 * 3600
    monkeypatch.setattr(wiring, "now", lambda: datetime.fromtimestamp(later, UTC))
    local.sandbox.faults["crossref"] = {"status": 403}
    answer = search(local)
    report = answer["providers"]["crossref"]
    assert (report["source"], report["outcome"], answer["cache"]) == ("stale", "ok", "stale")
    assert report["retrieved_at"] == fresh["providers"]["crossref"]["retrieved_at"]
    assert "unavailable" in report["warnings"][0]
    assert answer["complete"] is False
    assert answer["total_count"] == fresh["total_count"]


def test_an_empty_leg_is_requested_again_after_an_hour(local: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    from functions.dispatcher.wiring import legs as wiring

    assert local.sandbox is not None
    search(local, query="zzyzx", providers="openalex")
    sent = len(local.sandbox.requests)
    local.sandbox.requests.clear()
    assert search(local, query="zzyzx", providers="openalex")["cache"] == "hit"
    later = datetime.now(UTC).timestamp() + 3601
    monkeypatch.setattr(wiring, "now", lambda: datetime.fromtimestamp(later, UTC))
    assert search(local, query="zzyzx", providers="openalex")["cache"] == "miss"
    assert len(local.sandbox.requests) == sent


def test_a_failure_is_never_cached(local: Machine) -> None:
    assert local.sandbox is not None
    local.sandbox.faults["crossref"] = {"status": 403}
    search(local)
    legs = [str(row["pk"]) for row in rows() if str(row["pk"]).startswith("leg") and "stored_at" in row]
    assert {key.split("#")[1] for key in legs} == {"openalex"}


def test_log_lines_of_a_legs_thread_have_the_searchs_ids(local: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    written = io.StringIO()
    for handler in logger.handlers:
        monkeypatch.setattr(handler, "stream", written)
    monkeypatch.delitem(cast("dict[str, Any]", local.functions), f"{PREFIX}-crossref")
    event = rest_event("POST", "/v1/literature-search", headers={"X-Correlation-Id": "MY-TRACE-1"},
                       body=json.dumps({"query": "TREM2", "providers": ["crossref", "openalex"]}))  # fmt: skip
    answer = json.loads(local.invoke("dispatcher", event)["body"])
    assert answer["providers"]["crossref"]["outcome"] == "unavailable"
    lines = [json.loads(line) for line in written.getvalue().splitlines()]
    (refused,) = [line for line in lines if line["message"] == "a provider's function cannot be invoked"]
    assert (refused["correlation_id"], refused["request_id"]) == ("MY-TRACE-1", answer["request_id"])


def test_a_setting_that_is_missing_is_named() -> None:
    with pytest.raises(RuntimeError, match="NO_SUCH_SETTING"):
        required("NO_SUCH_SETTING")
