"""Faults in our own parts: the search answers with what it has, and says what it could not do."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import boto3
import pytest
from aws_lambda_powertools.utilities import parameters

from infra.local.gateway import rest_event
from infra.local.machine import Machine
from shared.aws.settings import provider_key, required


def search(local: Machine, **fields: Any) -> dict[str, Any]:
    body = json.dumps({"query": "TREM2", "providers": "crossref,openalex", **fields})
    response = local.invoke("dispatcher", rest_event("POST", "/v1/literature-search", body=body))
    assert response["statusCode"] == 200, response["body"]
    return dict(json.loads(response["body"]))


def test_without_its_cache_table_a_search_still_answers(local: Machine) -> None:
    boto3.client("dynamodb").delete_table(TableName="local-search-cache")
    answer = search(local)
    assert (answer["returned"], answer["complete"], answer["cache"]) == (10, True, "miss")


def test_without_its_queue_a_search_still_answers_and_says_what_was_not_queued(local: Machine) -> None:
    sqs = boto3.client("sqs")
    sqs.delete_queue(QueueUrl=sqs.get_queue_url(QueueName="local-citations")["QueueUrl"])
    answer = search(local)
    assert (answer["returned"], answer["kg"]) == (10, {"queued": 0, "skipped": 10})


def test_a_stale_leg_stands_in_when_its_provider_fails(local: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    from functions.dispatcher import world

    assert local.sandbox is not None
    fresh = search(local)
    later = datetime.now(UTC).timestamp() + 3 * 24 * 3600
    monkeypatch.setattr(world._CACHE, "_now", lambda: datetime.fromtimestamp(later, UTC))
    local.sandbox.faults["crossref"] = {"status": 403}
    answer = search(local)
    report = answer["providers"]["crossref"]
    assert (report["source"], report["outcome"], answer["cache"]) == ("stale", "ok", "stale")
    assert report["retrieved_at"] == fresh["providers"]["crossref"]["retrieved_at"]
    assert "unavailable" in report["warnings"][0]
    assert answer["complete"] is False
    assert answer["total_count"] == fresh["total_count"]


def test_an_empty_leg_is_asked_again_after_an_hour(local: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    from functions.dispatcher import world

    assert local.sandbox is not None
    search(local, query="zzyzx", providers="openalex")
    local.sandbox.seen.clear()
    assert search(local, query="zzyzx", providers="openalex")["cache"] == "hit"
    later = datetime.now(UTC).timestamp() + 3601
    monkeypatch.setattr(world._CACHE, "_now", lambda: datetime.fromtimestamp(later, UTC))
    assert search(local, query="zzyzx", providers="openalex")["cache"] == "miss"
    assert len(local.sandbox.seen) == 1


def test_a_failure_is_never_kept(local: Machine) -> None:
    assert local.sandbox is not None
    local.sandbox.faults["crossref"] = {"status": 403}
    search(local)
    rows = boto3.resource("dynamodb").Table("local-search-cache").scan()["Items"]
    legs = [str(row["pk"]) for row in rows if str(row["pk"]).startswith("leg")]
    assert {key.split("#")[1] for key in legs} == {"openalex"}


def test_a_key_comes_from_its_secret_and_an_absent_secret_is_no_key(
    local: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PAPERCLIP_API_KEY")
    monkeypatch.setenv("SECRETS_PREFIX", "literature/test")
    parameters.clear_caches()
    assert provider_key("paperclip") is None
    boto3.client("secretsmanager").create_secret(Name="literature/test/paperclip", SecretString="from-secret\n")
    assert provider_key("paperclip") == "from-secret"
    monkeypatch.setenv("PAPERCLIP_API_KEY", "from-environment")
    assert provider_key("paperclip") == "from-environment"
    parameters.clear_caches()


def test_a_setting_that_is_missing_is_named() -> None:
    with pytest.raises(RuntimeError, match="NO_SUCH_SETTING"):
        required("NO_SUCH_SETTING")
