"""An operator switches a source off and on without a deployment, over the whole local service."""

from __future__ import annotations

import json
from importlib import import_module
from typing import Any

import boto3
import pytest
from botocore.exceptions import EndpointConnectionError

from infra.local.gateway import rest_event
from infra.local.machine import Machine
from infra.source_switch import main
from shared.aws.dynamodb.source_switches import switched_off

TABLE = ["--table", "local-provider-budgets"]


def search(local: Machine, **fields: Any) -> dict[str, Any]:
    body = json.dumps({"query": "TREM2", "providers": ["crossref", "pubmed"], "cite_in_kg": False, **fields})
    return dict(json.loads(local.invoke("dispatcher", rest_event("POST", "/v1/literature-search", body=body))["body"]))


def requests_to(local: Machine, provider: str) -> int:
    assert local.sandbox
    return sum(request.provider == provider for request in local.sandbox.requests)


def available(local: Machine) -> dict[str, bool]:
    shown = json.loads(local.invoke("dispatcher", rest_event("GET", "/v1/providers"))["body"])["providers"]
    return {name: it["available"] for name, it in shown.items()}


def test_a_source_that_is_off_gets_no_request_and_its_report_has_the_reason(
    local: Machine, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["off", "crossref", "--reason", "maintenance until Friday", *TABLE]) == 0
    assert capsys.readouterr().out == "crossref is off: maintenance until Friday\n"
    answer = search(local)
    report = answer["providers"]["crossref"]
    assert report["outcome"] == "skipped_disabled"
    assert report["warnings"] == ["crossref is switched off by the operator: maintenance until Friday"]
    assert (answer["providers"]["pubmed"]["outcome"], answer["complete"]) == ("ok", False)
    assert requests_to(local, "crossref") == 0
    assert available(local)["crossref"] is False and available(local)["pubmed"] is True


def test_a_source_that_is_on_again_gets_requests_from_the_next_search_on(
    local: Machine, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["off", "crossref", "--reason", "wrong answers", *TABLE])
    main(["off", "pubmed", "--reason", "wrong answers", *TABLE])
    search(local, query="amyloid")
    main(["on", "crossref", *TABLE])
    assert search(local)["providers"]["crossref"]["outcome"] == "ok"
    assert search(local)["providers"]["pubmed"]["outcome"] == "skipped_disabled"
    capsys.readouterr()
    main(["on", "pubmed", *TABLE])
    assert capsys.readouterr().out == "every source is on\n"
    assert search(local, fresh=True)["complete"] is True


def test_while_the_table_fails_a_source_stays_off(local: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    main(["off", "crossref", "--reason", "wrong answers", *TABLE])
    search(local, query="amyloid")
    legs = import_module("functions.dispatcher.wiring.legs").LEGS

    def fails(**_: Any) -> None:
        raise EndpointConnectionError(endpoint_url="https://dynamodb.example")

    monkeypatch.setattr(legs.dynamodb, "batch_get_item", fails)
    assert search(local)["providers"]["crossref"]["outcome"] == "skipped_disabled"


def test_stored_answers_of_a_source_that_is_off_are_still_shown(local: Machine) -> None:
    found = search(local)
    main(["off", "crossref", "--reason", "maintenance", *TABLE])
    again = search(local, max_results=5)
    assert again["providers"]["crossref"]["outcome"] == found["providers"]["crossref"]["outcome"] == "ok"
    assert requests_to(local, "crossref") == 1


@pytest.mark.parametrize("arguments", [["off", "crossref"], ["off"], ["off", "nobody", "--reason", "x"], ["on"],
                                       ["off", "crossref", "--reason", "x" * 201]])  # fmt: skip
def test_a_wrong_command_is_refused(arguments: list[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main([*arguments, *TABLE])


def test_a_table_that_is_not_there_is_an_error(local: Machine, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list", "--table", "no-table"]) == 1
    assert "error: " in capsys.readouterr().err


def test_odd_attributes_of_the_item_are_no_switches() -> None:
    item: Any = {"pk": {"S": "switches"}, "sk": {"S": "off"}, "pubmed": {"N": "1"}, "arxiv": {"S": "x" * 500}}
    assert switched_off(item) == {"arxiv": "x" * 200}
    assert switched_off(None) == {}


@pytest.mark.slow
def test_the_switch_needs_a_deployed_stage(local: Machine, capsys: pytest.CaptureFixture[str]) -> None:
    assert boto3.client("cloudformation").list_stacks()["StackSummaries"] == []
    assert main(["list", "--stage", "prod"]) in (1, 2)
    assert "error: " in capsys.readouterr().err
