"""Least privilege: what each function may do is what its code does, on the one resource it does it to."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import boto3
import pytest
from botocore.client import BaseClient

from infra.functions import provider_names
from infra.local.gateway import rest_event
from infra.local.machine import Machine
from tests.infra.template import Template, listed

EVENTS = Path(__file__).parents[2] / "events"
SECRET = "arn:<AWS::Partition>:secretsmanager:<AWS::Region>:<AWS::AccountId>:secret:literature-search/dev"
# What Lambda itself does in the writer's name to bring it its messages.
CONSUMING = {"ChangeMessageVisibility", "DeleteMessage", "GetQueueAttributes", "GetQueueUrl", "ReceiveMessage"}
KEEPING_BUDGETS = {"dynamodb:GetItem", "dynamodb:PutItem"}
# IAM's names, where they differ from the API's.
IAM_NAMES = {"lambda:Invoke": "lambda:InvokeFunction", "sqs:SendMessageBatch": "sqs:SendMessage"}


@contextmanager
def calls_to_aws(monkeypatch: pytest.MonkeyPatch) -> Iterator[set[str]]:
    """The actions called while inside, by IAM's names."""
    called: set[str] = set()
    call = vars(BaseClient)["_make_api_call"]

    def recorded(client: Any, operation: str, arguments: Any) -> Any:
        action = f"{client.meta.service_model.service_name}:{operation}"
        called.add(IAM_NAMES.get(action, action))
        return call(client, operation, arguments)

    with monkeypatch.context() as patch:
        patch.setattr(BaseClient, "_make_api_call", recorded)
        yield called


def graph_events(key: str) -> list[dict[str, Any]]:
    """Everything that the graph's routes do, a refused batch under an Idempotency-Key included."""
    cited = {"context": {"type": "debate", "id": "42"}, "papers": [key]}
    post = rest_event("POST", "/v1/citations", body=json.dumps(cited), headers={"Idempotency-Key": "k"})
    paths = (f"papers/{key}", "contexts/debate/42", "stats", "export")
    return [post, *(rest_event("GET", f"/v1/graph/{path}") for path in paths)]


def test_the_dispatcher_may_do_what_searches_and_the_graph_do_and_no_more(
    template: Template, local: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    search = rest_event("POST", "/v1/literature-search", body=json.dumps({"query": "TREM2 microglia"}))
    with calls_to_aws(monkeypatch) as searching:
        answer = json.loads(local.invoke("dispatcher", search)["body"])
    local.drain_queue()
    events = graph_events(answer["results"][0]["key"])
    with calls_to_aws(monkeypatch) as reading:
        for event in events:
            assert local.invoke("dispatcher", event)["statusCode"] == 200
    sqs = boto3.client("sqs")
    sqs.delete_queue(QueueUrl=sqs.get_queue_url(QueueName="local-citations")["QueueUrl"])
    refused = {**events[0], "headers": {"Idempotency-Key": "another"}, "multiValueHeaders": None}
    with calls_to_aws(monkeypatch) as refusing:
        assert local.invoke("dispatcher", refused)["statusCode"] == 503
    # In one process the providers' calls are seen as well: keeping the budgets is theirs.
    called = (searching - KEEPING_BUDGETS) | reading | refusing
    assert {action for action, _ in template.permissions("dispatcher")} == called


def test_the_writer_may_do_what_a_batch_does_and_receive_its_messages(
    template: Template, local: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    event = json.loads((EVENTS / "sqs_citations.json").read_text(encoding="utf-8"))
    with calls_to_aws(monkeypatch) as called:
        assert local.invoke("citation_writer", event) == {"batchItemFailures": []}
    receiving = {f"sqs:{action}" for action in CONSUMING}
    assert {action for action, _ in template.permissions("citation_writer")} == called | receiving


@pytest.mark.parametrize("name", provider_names())
def test_a_provider_may_read_its_own_secret_and_keep_the_budgets_and_nothing_else(
    template: Template, name: str
) -> None:
    budgets = template.only("AWS::DynamoDB::Table", "providerbudgets")
    assert template.permissions(name) == {
        ("dynamodb:GetItem", f"<{budgets}.Arn>"),
        ("dynamodb:PutItem", f"<{budgets}.Arn>"),
        ("secretsmanager:GetSecretValue", f"{SECRET}/{name}"),
        ("secretsmanager:GetSecretValue", f"{SECRET}/{name}-??????"),
    }


def test_the_dispatcher_reaches_its_tables_its_queue_and_the_providers_alone(template: Template) -> None:
    table = "AWS::DynamoDB::Table"
    kinds = (
        (table, "cache"), (table, "providerbudgets"), (table, "papers"), (table, "idempotency"),
        ("AWS::SQS::Queue", "citationsB"),
    )  # fmt: skip
    expected = {template.only(*kind) for kind in kinds} | {template.logical_id(name) for name in provider_names()}
    index = f"<{template.only(table, 'papers')}.Arn>/index/by_target"
    resources = {f"<{name}.Arn>" for name in expected} | {index}
    assert {resource for _, resource in template.permissions("dispatcher")} == resources


def test_no_function_may_do_anything_on_everything(template: Template) -> None:
    for function in template.functions:
        assert not [pair for pair in template.permissions(function) if "*" in "".join(pair)]


def test_beyond_its_policy_a_function_may_only_write_its_log(template: Template) -> None:
    for role in template.resources("AWS::IAM::Role").values():
        (managed,) = listed(role["ManagedPolicyArns"])
        assert managed["Fn::Join"][1][-1] == ":iam::aws:policy/service-role/AWSLambdaBasicExecutionRole"


def test_the_mcp_server_may_ask_the_dispatcher_and_nothing_else(template: Template) -> None:
    assert template.permissions("mcp_server") == {
        ("lambda:InvokeFunction", f"<{template.logical_id('dispatcher')}.Arn>")
    }


def test_only_api_gateway_is_let_in_and_only_to_its_two_functions(template: Template) -> None:
    doors = [{"Fn::GetAtt": [template.logical_id(name), "Arn"]} for name in ("dispatcher", "mcp_server")]
    for permission in template.resources("AWS::Lambda::Permission").values():
        assert permission["Principal"] == "apigateway.amazonaws.com"
        assert permission["FunctionName"] in doors
        assert "SourceArn" in permission
