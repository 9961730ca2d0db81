"""What is deployed is what the code relies on: the template against the repository."""

from __future__ import annotations

import json
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from infra.app import main, synthesise
from infra.constructs.front_door import OPEN_TO_ALL
from infra.functions import provider_entry, provider_names, provider_spec
from infra.tables import CITATIONS, PAPERS, SEARCH_CACHE, TABLES, Table
from tests.infra.conftest import CONTACT, KEY_OF_THE_DEVELOPER
from tests.infra.template import Template, references, text

ROOT = Path(__file__).parents[2]
QUEUE, TABLE = "AWS::SQS::Queue", "AWS::DynamoDB::Table"
every_provider = pytest.mark.parametrize("name", provider_names())


def test_every_function_of_the_repository_is_one_lambda(template: Template) -> None:
    folders = [path.parent.name for path in (ROOT / "functions").glob("*/handler.py")]
    assert sorted(template.functions) == sorted([*folders, *provider_names()])
    assert len(template.resources("AWS::Lambda::Function")) == len(template.functions)


def test_every_lambda_is_python_3_13_on_arm64_with_the_one_layer(template: Template) -> None:
    layer = template.only("AWS::Lambda::LayerVersion")
    for properties in template.functions.values():
        assert (properties["Runtime"], properties["Architectures"]) == ("python3.13", ["arm64"])
        assert properties["Layers"] == [{"Ref": layer}]


@every_provider
def test_a_provider_runs_as_it_declares(template: Template, name: str) -> None:
    spec, deployed = provider_spec(name), template.functions[name]
    assert deployed["MemorySize"] == spec.memory_mb
    # The shared budget keeps its connections; reserved concurrency would turn those who wait their turn away.
    assert "ReservedConcurrentExecutions" not in deployed


@every_provider
def test_a_late_leg_ends_by_its_own_deadline_before_lambda_ends_it(template: Template, name: str) -> None:
    assert provider_spec(name).timeout_s + 1 <= template.functions[name]["Timeout"] <= 20


def test_the_dispatcher_lives_as_long_as_api_gateway_waits(template: Template) -> None:
    assert template.functions["dispatcher"]["Timeout"] == 29


@every_provider
def test_a_provider_is_told_the_contact_and_where_its_secret_and_its_budget_are(template: Template, name: str) -> None:
    assert template.environment(name) == {
        "CONTACT_EMAIL": CONTACT,
        "SECRETS_PREFIX": "literature-search/dev",
        "PROVIDER_BUDGETS_TABLE": f"<{template.only(TABLE, 'providerbudgets')}>",
    }


def test_the_dispatcher_knows_each_provider_of_the_folder_by_its_real_function(template: Template) -> None:
    assert json.loads(template.environment("dispatcher")["PROVIDERS"]) == {
        name: provider_entry(name, f"<{template.logical_id(name)}>") for name in provider_names()
    }


def test_the_dispatcher_and_the_writer_share_the_queue_and_each_has_its_table(template: Template) -> None:
    cache, papers, queue = template.only(TABLE, "cache"), template.only(TABLE, "papers"), live_queue(template)
    asked = template.environment("dispatcher")
    assert (asked["SEARCH_CACHE_TABLE"], asked["CITATIONS_QUEUE_URL"]) == (f"<{cache}>", f"<{queue}>")
    assert asked["PROVIDER_BUDGETS_TABLE"] == f"<{template.only(TABLE, 'providerbudgets')}>"
    assert template.environment("citation_writer") == {"PAPERS_TABLE": f"<{papers}>"}


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
def test_a_table_is_as_it_is_defined(template: Template, table: Table) -> None:
    deployed = template.resources(TABLE)[template.only(TABLE, table.name.replace("-", ""))]
    keys = {key["KeyType"]: key["AttributeName"] for key in deployed["KeySchema"]}
    recovery = deployed["PointInTimeRecoverySpecification"]["PointInTimeRecoveryEnabled"]
    assert keys == {"HASH": "pk", "RANGE": "sk"}
    assert deployed["BillingMode"] == "PAY_PER_REQUEST"
    assert recovery is table.point_in_time_recovery
    assert ("TimeToLiveSpecification" in deployed) is table.expires


def test_the_cache_forgets_by_expires_at_and_the_papers_can_be_recovered(template: Template) -> None:
    cache = template.resources(TABLE)[template.only(TABLE, "cache")]
    assert cache["TimeToLiveSpecification"] == {"AttributeName": "expires_at", "Enabled": True}
    assert (SEARCH_CACHE.point_in_time_recovery, PAPERS.point_in_time_recovery) == (False, True)


def live_queue(template: Template) -> str:
    """The queue that others feed, as opposed to the one of dead letters."""
    (name,) = (name for name, queue in template.resources(QUEUE).items() if "RedrivePolicy" in queue)
    return name


def test_a_message_that_keeps_failing_ends_in_the_dead_letter_queue(template: Template) -> None:
    redrive = template.resources(QUEUE)[live_queue(template)]["RedrivePolicy"]
    assert redrive["maxReceiveCount"] == CITATIONS.max_receive_count
    assert text(redrive["deadLetterTargetArn"]) == f"<{template.only(QUEUE, 'dead')}.Arn>"


def test_a_message_stays_hidden_six_times_as_long_as_the_writer_may_take(template: Template) -> None:
    queue = template.resources(QUEUE)[live_queue(template)]
    assert queue["VisibilityTimeout"] >= 6 * template.functions["citation_writer"]["Timeout"]


def test_the_writer_gets_the_queue_and_gives_back_single_messages(template: Template) -> None:
    (source,) = template.resources("AWS::Lambda::EventSourceMapping").values()
    assert text(source["EventSourceArn"]) == f"<{live_queue(template)}.Arn>"
    assert text(source["FunctionName"]) == f"<{template.logical_id('citation_writer')}>"
    assert source["FunctionResponseTypes"] == ["ReportBatchItemFailures"]


def test_every_path_leads_to_the_dispatcher_but_mcp_and_all_need_a_key(template: Template) -> None:
    methods = list(template.resources("AWS::ApiGateway::Method").values())
    keyless = [method for method in methods if not method["ApiKeyRequired"]]
    assert [method["HttpMethod"] for method in keyless] == ["GET"] * len(OPEN_TO_ALL)
    methods = [method for method in methods if method not in keyless]
    assert [method["HttpMethod"] for method in methods] == ["ANY"] * 3  # the root, all below it, /mcp
    functions = []
    for method in methods:
        assert method["Integration"]["Type"] == "AWS_PROXY"
        uri = text(method["Integration"]["Uri"])
        functions += [name for name in ("dispatcher", "mcp_server") if f"<{template.logical_id(name)}.Arn>" in uri]
    assert sorted(functions) == ["dispatcher", "dispatcher", "mcp_server"]
    parts = {resource["PathPart"] for resource in template.resources("AWS::ApiGateway::Resource").values()}
    assert parts == {"{proxy+}", "mcp", *OPEN_TO_ALL}


def test_a_key_comes_with_a_rate_and_a_quota(template: Template) -> None:
    (plan,) = template.resources("AWS::ApiGateway::UsagePlan").values()
    (bound,) = template.resources("AWS::ApiGateway::UsagePlanKey").values()
    assert plan["Throttle"]["RateLimit"] > 0
    assert plan["Quota"]["Period"] == "DAY"
    assert [text(of["Stage"]) for of in plan["ApiStages"]] == [f"<{template.only('AWS::ApiGateway::Stage')}>"]
    assert text(bound["KeyId"]) == f"<{template.only('AWS::ApiGateway::ApiKey')}>"


def test_no_resource_waits_for_itself(template: Template) -> None:
    depends = {name: set(references(resource)) for name, resource in template.body["Resources"].items()}
    TopologicalSorter(depends).prepare()  # raises CycleError, as CloudFormation would only when deployed


def test_the_outputs_say_where_the_service_is_and_which_key_to_get(template: Template) -> None:
    outputs = template.body["Outputs"]
    assert text(outputs["Url"]["Value"]).startswith("https://")
    assert text(outputs["ApiKeyId"]["Value"]) == f"<{template.only('AWS::ApiGateway::ApiKey')}>"


def test_no_secret_gets_into_what_is_deployed(template: Template) -> None:
    files = [path for path in template.path.parent.rglob("*") if path.is_file()]
    assert template.path in files
    assert not [path for path in files if KEY_OF_THE_DEVELOPER.encode() in path.read_bytes()]
    assert "Value" not in template.resources("AWS::ApiGateway::ApiKey")[template.only("AWS::ApiGateway::ApiKey")]


@pytest.mark.parametrize(("stage", "kept"), [("dev", False), ("prod", True)])
def test_only_production_keeps_its_tables(layer: Path, tmp_path: Path, stage: str, kept: bool) -> None:
    path = synthesise(layer, tmp_path, {"stage": stage})
    body = json.loads(path.read_text(encoding="utf-8"))
    tables = [resource for resource in body["Resources"].values() if resource["Type"] == TABLE]
    assert {table["Properties"]["DeletionProtectionEnabled"] for table in tables} == {kept}
    assert {table["DeletionPolicy"] for table in tables} == {"Retain" if kept else "Delete"}


def test_the_same_repository_gives_the_same_template(layer: Path, tmp_path: Path, template: Template) -> None:
    again = synthesise(layer, tmp_path, {"contact": CONTACT})
    assert again.read_text(encoding="utf-8") == template.path.read_text(encoding="utf-8")


def test_an_unknown_stage_is_refused(layer: Path, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="must be one of dev, prod"):
        synthesise(layer, tmp_path, {"stage": "production"})


def test_nothing_is_synthesised_for_deployment_without_the_built_layer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main() == 2
    assert "make build" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_what_api_gateway_refuses_is_a_problem_object_that_says_whether_to_try_again(template: Template) -> None:
    told = {it["ResponseType"]: it for it in template.resources("AWS::ApiGateway::GatewayResponse").values()}
    assert {"THROTTLED", "QUOTA_EXCEEDED", "INVALID_API_KEY", "REQUEST_TOO_LARGE", "INTEGRATION_TIMEOUT"} <= set(told)
    for refusal in told.values():
        body = refusal["ResponseTemplates"]["application/json"]
        body = body.replace("$context.error.messageString", '"m"').replace("$context.requestId", "r")
        problem = json.loads(body)
        assert problem["status"] == int(refusal["StatusCode"])
        assert problem["hint"]
        waits = refusal["ResponseParameters"].get("gatewayresponse.header.Retry-After")
        assert waits == (f"'{problem['retry_after_s']}'" if problem["retryable"] else None)
