"""The template matches the repository and what the code relies on."""

from __future__ import annotations

import json
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from infra import functions as declared
from infra.app import LAYERS, main, synthesise
from infra.functions import PAGE_ASSETS, PUBLIC_PATHS, capabilities, provider_names, provider_spec, providers_for
from infra.tables import PAPERS, SEARCH_CACHE, TABLES, Table
from shared.aws.dynamodb.result_sets import RESULT_SET_S
from shared.legs.leg import RETENTION_S
from shared.providers.function_names import function_names
from shared.search.completion import COMPLETION_S
from tests.infra.conftest import CONTACT, DEV, KEY_OF_THE_DEVELOPER
from tests.infra.template import Template, references, text

pytestmark = pytest.mark.slow  # importing the CDK and synthesising take seconds
ROOT = Path(__file__).parents[2]
TABLE = "AWS::DynamoDB::Table"
every_provider = pytest.mark.parametrize("name", provider_names())


def test_every_function_of_the_repository_is_one_lambda(template: Template, production: Template) -> None:
    folders = {path.parent.name for path in (ROOT / "functions").glob("*/handler.py")} | {*provider_names()}
    for stage, expected in ((template, folders - {*declared.OPTIONAL}), (production, folders)):
        assert set(stage.functions) == expected
        assert len(stage.resources("AWS::Lambda::Function")) == len(expected)


def test_every_lambda_is_python_3_13_on_arm64_with_the_one_layer(template: Template) -> None:
    layer = template.only("AWS::Lambda::LayerVersion")
    for properties in template.functions.values():
        assert (properties["Runtime"], properties["Architectures"]) == ("python3.13", ["arm64"])
        assert properties["Layers"] == [{"Ref": layer}]


@every_provider
def test_a_provider_runs_as_it_declares(template: Template, name: str) -> None:
    spec, deployed = provider_spec(name), template.functions[name]
    assert deployed["MemorySize"] == spec.memory_mb
    assert "ReservedConcurrentExecutions" not in deployed  # a new account has too little to reserve any


def test_production_reserves_the_concurrency_that_each_providers_rate_allows(production: Template) -> None:
    reserved = {name: production.functions[name]["ReservedConcurrentExecutions"] for name in provider_names()}
    for name, count in reserved.items():
        spec = provider_spec(name)
        rate = max(spec.requests_per_second, spec.requests_per_second_with_key or 0)
        assert min(rate * spec.timeout_s, declared.MAX_CONCURRENCY) <= count <= declared.MAX_CONCURRENCY
    assert reserved["arxiv"] == 5
    assert sum(reserved.values()) <= 1000 - 100  # of AWS's usual 1,000 a hundred must be left
    others = set(production.functions) - set(reserved)
    assert not [name for name in others if "ReservedConcurrentExecutions" in production.functions[name]]


@every_provider
def test_a_late_leg_ends_by_its_own_deadline_before_lambda_ends_it(template: Template, name: str) -> None:
    assert provider_spec(name).timeout_s + 1 <= template.functions[name]["Timeout"] <= 20


def test_runs_and_completions_have_their_time_and_the_mcp_server_as_long_as_api_gateway_waits(
    template: Template,
) -> None:
    assert template.functions["saved_search_runner"]["Timeout"] == 90
    assert template.functions["dispatcher"]["Timeout"] == 60 > COMPLETION_S + 5
    assert template.functions["mcp_server"]["Timeout"] == 29
    for method in template.resources("AWS::ApiGateway::Method").values():
        assert method["Integration"].get("TimeoutInMillis", 29_000) == 29_000


def test_every_function_is_traced_and_its_own_log_is_retained_for_a_month(template: Template) -> None:
    logs = template.resources("AWS::Logs::LogGroup")
    own = [function["LoggingConfig"]["LogGroup"]["Ref"] for function in template.functions.values()]
    assert sorted(own) == sorted(logs)
    assert {log["RetentionInDays"] for log in logs.values()} == {30}
    assert {function["TracingConfig"]["Mode"] for function in template.functions.values()} == {"Active"}
    stages = template.resources("AWS::ApiGateway::Stage").values()
    assert [stage["TracingEnabled"] for stage in stages] == [True]


@every_provider
def test_a_providers_environment_names_contact_secret_and_rate_limit_table(template: Template, name: str) -> None:
    cache = {
        "SEARCH_CACHE_TABLE": f"<{template.only(TABLE, 'searchcache')}>",
        "SEARCH_CACHE_BUCKET": f"<{template.only('AWS::S3::Bucket')}>",
    }
    assert template.environment(name) == {
        **(cache if name in providers_for("search") else {}),
        "CONTACT_EMAIL": CONTACT,
        "SECRETS_PREFIX": "literature-search/dev",
        "PROVIDER_BUDGETS_TABLE": f"<{template.only(TABLE, 'providerbudgets')}>",
        "POWERTOOLS_METRICS_NAMESPACE": "literature-search-dev",
    }


@pytest.mark.parametrize("invoker", ["dispatcher", "exhaustive_searcher", "saved_search_runner"])
def test_the_environment_of_what_queries_providers_names_their_functions(template: Template, invoker: str) -> None:
    named = template.environment(invoker)["PROVIDER_FUNCTIONS"]
    assert function_names(named, provider_names()) == {
        name: f"{template.functions[name]['FunctionName']}:live" for name in provider_names()
    }


def test_the_dispatchers_environment_says_what_each_provider_can_be_queried_for(template: Template) -> None:
    assert template.environment("dispatcher")["CAPABILITIES"] == capabilities()


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
def test_a_table_matches_its_definition(template: Template, table: Table) -> None:
    deployed = template.resources(TABLE)[template.only(TABLE, table.name.replace("-", ""))]
    keys = {key["KeyType"]: key["AttributeName"] for key in deployed["KeySchema"]}
    recovery = deployed["PointInTimeRecoverySpecification"]["PointInTimeRecoveryEnabled"]
    assert keys == {"HASH": "pk", "RANGE": "sk"}
    assert deployed["BillingMode"] == "PAY_PER_REQUEST"
    assert recovery is table.irreplaceable
    assert ("TimeToLiveSpecification" in deployed) is table.expires
    indexes = deployed.get("GlobalSecondaryIndexes", [])
    assert [(it["IndexName"], it["Projection"]["NonKeyAttributes"]) for it in indexes] == [
        (index.name, list(index.projected)) for index in table.indexes
    ]


def test_the_cache_expires_and_the_papers_can_be_recovered(template: Template) -> None:
    cache = template.resources(TABLE)[template.only(TABLE, "cache")]
    assert cache["TimeToLiveSpecification"] == {"AttributeName": "expires_at", "Enabled": True}
    assert (SEARCH_CACHE.irreplaceable, PAPERS.irreplaceable) == (False, True)


def test_the_public_paths_lead_to_their_own_function_and_all_others_require_a_credential(template: Template) -> None:
    methods = list(template.resources("AWS::ApiGateway::Method").values())
    keyless = [method for method in methods if not method["ApiKeyRequired"]]
    assert [method["HttpMethod"] for method in keyless] == ["GET", "HEAD"] * (
        len(PUBLIC_PATHS) + 1
    )  # and the page's assets
    assert all(template.live("public_pages") in text(method["Integration"]["Uri"]) for method in keyless)
    methods = [method for method in methods if method not in keyless]
    assert [method["HttpMethod"] for method in methods] == ["ANY"] * 3  # the root, all below it, /mcp
    authorizer = template.only("AWS::ApiGateway::Authorizer")
    assert {method["AuthorizationType"] for method in keyless} == {"NONE"}
    assert [method["AuthorizerId"] for method in methods] == [{"Ref": authorizer}] * 3
    functions = []
    for method in methods:
        assert method["Integration"]["Type"] == "AWS_PROXY"
        uri = text(method["Integration"]["Uri"])
        functions += [name for name in ("dispatcher", "mcp_server", "public_pages") if template.live(name) in uri]
    assert sorted(functions) == ["dispatcher", "mcp_server", "public_pages"]
    parts = {resource["PathPart"] for resource in template.resources("AWS::ApiGateway::Resource").values()}
    assert parts == {"{proxy+}", "mcp", PAGE_ASSETS, "{name}", *filter(None, PUBLIC_PATHS)}


def test_the_authorizer_reads_both_headers_of_each_request_and_returns_the_key(template: Template) -> None:
    (authorizer,) = template.resources("AWS::ApiGateway::Authorizer").values()
    assert (authorizer["Type"], authorizer["AuthorizerResultTtlInSeconds"]) == ("REQUEST", 0)
    assert not authorizer.get("IdentitySource")
    assert template.live("authorizer") in text(authorizer["AuthorizerUri"])
    (api,) = template.resources("AWS::ApiGateway::RestApi").values()
    assert api["ApiKeySourceType"] == "AUTHORIZER"


def test_a_denied_request_is_a_401_that_names_the_scheme(template: Template) -> None:
    denied = [it for it in template.resources("AWS::ApiGateway::GatewayResponse").values()
              if it["ResponseType"] in ("ACCESS_DENIED", "UNAUTHORIZED")]  # fmt: skip
    assert [it["StatusCode"] for it in denied] == ["401", "401"]
    assert all("Bearer" in it["ResponseParameters"]["gatewayresponse.header.WWW-Authenticate"] for it in denied)


def test_a_key_comes_with_a_rate_and_a_quota(template: Template) -> None:
    (plan,) = template.resources("AWS::ApiGateway::UsagePlan").values()
    (bound,) = template.resources("AWS::ApiGateway::UsagePlanKey").values()
    assert plan["Throttle"]["RateLimit"] > 0
    (stage,) = template.resources("AWS::ApiGateway::Stage").values()
    (settings,) = (it for it in stage["MethodSettings"] if it["ResourcePath"] == "/*")
    assert settings["ThrottlingRateLimit"] > plan["Throttle"]["RateLimit"]  # of all together
    assert plan["Quota"]["Period"] == "DAY"
    assert [text(of["Stage"]) for of in plan["ApiStages"]] == [f"<{template.only('AWS::ApiGateway::Stage')}>"]
    assert text(bound["KeyId"]) == f"<{template.only('AWS::ApiGateway::ApiKey')}>"


def test_each_open_path_has_a_low_rate_of_its_own(template: Template, production: Template) -> None:
    """API Gateway counts each method by itself: with the stage's rate, strangers could spend 200 a second on each."""
    for deployed in (template, production):
        (stage,) = deployed.resources("AWS::ApiGateway::Stage").values()
        rates = {
            (it["ResourcePath"], it["HttpMethod"]): it["ThrottlingRateLimit"]
            for it in stage["MethodSettings"]
            if it["ResourcePath"] != "/*"
        }
        metadata = [".well-known/oauth-protected-resource", ".well-known/oauth-protected-resource/mcp"]
        paths = [*PUBLIC_PATHS, f"{PAGE_ASSETS}/{{name}}", *(metadata if deployed is production else [])]
        written = [f"/~1{path.replace('/', '~1')}" if path else "/" for path in paths]
        assert rates == {(path, method): 5 for path in written for method in ("GET", "HEAD")}


def test_resources_have_no_circular_dependency(template: Template) -> None:
    depends = {name: set(references(resource)) for name, resource in template.body["Resources"].items()}
    TopologicalSorter(depends).prepare()  # raises CycleError, as CloudFormation would only when deployed


def test_the_deployed_files_contain_no_secret(template: Template) -> None:
    files = [path for path in template.path.parent.rglob("*") if path.is_file()]
    assert template.path in files
    assert not [path for path in files if KEY_OF_THE_DEVELOPER.encode() in path.read_bytes()]
    assert "Value" not in template.resources("AWS::ApiGateway::ApiKey")[template.only("AWS::ApiGateway::ApiKey")]


def test_only_production_retains_tables_and_only_those_that_cannot_be_recreated(
    template: Template, production: Template
) -> None:
    for stage, name in ((template, "dev"), (production, "prod")):
        for table in TABLES:
            resource = stage.body["Resources"][stage.only(TABLE, table.name.replace("-", ""))]
            retained = name == "prod" and table.name in ("papers", "saved-searches")
            assert resource["Properties"]["DeletionProtectionEnabled"] is retained
            # A first deployment that fails must not leave empty tables that are protected against deletion.
            policies = (resource["DeletionPolicy"], resource["UpdateReplacePolicy"])
            assert policies == (("RetainExceptOnCreate", "Retain") if retained else ("Delete", "Delete"))


def test_production_cannot_be_deleted_by_one_command(template: Template, production: Template) -> None:
    for stage, name, protected in ((template, "dev", False), (production, "prod", True)):
        manifest = json.loads((stage.path.parent / "manifest.json").read_text(encoding="utf-8"))
        stack = manifest["artifacts"][f"literature-search-{name}"]
        assert stack["properties"]["terminationProtection"] is protected


def test_costs_are_assigned_to_the_stage_by_tags(template: Template) -> None:
    wanted = {"project": "literature-search", "stage": "dev"}
    for kind in (TABLE, "AWS::Lambda::Function", "AWS::SQS::Queue", "AWS::ApiGateway::Stage", "AWS::Logs::LogGroup"):
        for resource in template.resources(kind).values():
            assert {tag["Key"]: tag["Value"] for tag in resource["Tags"]} == wanted


def test_files_are_private_and_deleted_after_their_items(template: Template) -> None:
    (bucket,) = template.resources("AWS::S3::Bucket").values()
    assert set(bucket["PublicAccessBlockConfiguration"].values()) == {True}
    rules = bucket["LifecycleConfiguration"]["Rules"]
    days = {rule["Prefix"]: rule["ExpirationInDays"] for rule in rules if rule["Status"] == "Enabled"}
    assert days == {"leg": RETENTION_S / 86_400 + 1, "result": RESULT_SET_S / 86_400 + 1}


def test_the_same_repository_gives_the_same_template(layer: Path, tmp_path: Path, template: Template) -> None:
    again = synthesise(layer, tmp_path, DEV)
    assert again.read_text(encoding="utf-8") == template.path.read_text(encoding="utf-8")


def test_nothing_is_synthesised_for_deployment_without_the_built_layer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main([]) == 2
    assert "make build" in capsys.readouterr().err
    monkeypatch.setenv("CDK_CONTEXT_JSON", '{"target": "moon"}')
    assert main([]) == 2
    assert "'moon'; it must be one of lambda, local" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "context", ["stage=production", "contact=a b", "CROSSREF_CONCURRENCY=none"], ids=["stage", "contact", "limit"]
)
def test_an_invalid_setting_on_the_command_line_is_reported_in_one_line(
    layer: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], context: str
) -> None:
    monkeypatch.setitem(LAYERS, "lambda", layer)
    assert main(["-c", context]) == 2
    (*_, line) = capsys.readouterr().err.splitlines()
    assert line.startswith("error: ") and context.partition("=")[2] in line


def test_api_gateways_own_errors_are_problem_objects(template: Template) -> None:
    responses = {it["ResponseType"]: it for it in template.resources("AWS::ApiGateway::GatewayResponse").values()}
    expected = {"THROTTLED", "QUOTA_EXCEEDED", "INVALID_API_KEY", "REQUEST_TOO_LARGE", "INTEGRATION_TIMEOUT"}
    assert expected | {"WAF_FILTERED", "DEFAULT_4XX", "DEFAULT_5XX"} <= set(responses)
    for refusal in responses.values():
        body = refusal["ResponseTemplates"]["application/json"]
        body = body.replace("$context.error.messageString", '"m"').replace("$context.requestId", "r")
        problem = json.loads(body)
        keeps_status = refusal["ResponseType"].startswith("DEFAULT_")  # has a status of its own
        assert (problem["status"], "StatusCode" in refusal) == (
            (None, False) if keeps_status else (int(refusal["StatusCode"]), True)
        )
        assert problem["hint"]
        waits = refusal["ResponseParameters"].get("gatewayresponse.header.Retry-After")
        assert waits == (f"'{problem['retry_after_s']}'" if problem["retryable"] else None)
        if problem["code"] == "rate_limited":
            assert "Retry-After" in problem["hint"]
