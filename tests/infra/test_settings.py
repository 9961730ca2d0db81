"""The settings and the outputs of a deployment."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from infra.app import synthesise
from infra.settings import Settings, read_settings
from tests.infra.conftest import ALL_SETTINGS
from tests.infra.template import ALIAS, Template, text

PROD = {"stage": "prod", "alarm_email": "alarms@example.org"}


def choose(context: Mapping[str, Any]) -> Settings:
    return read_settings(lambda name: context.get(name))


def test_production_has_a_firewall_an_access_log_alarms_and_a_canary() -> None:
    chosen = choose(PROD)
    assert chosen.waf and chosen.access_log and chosen.alarms and chosen.canary


@pytest.mark.parametrize(("context", "named"), [
    ({"stage": "prod"}, "prod needs -c alarm_email=you@example.org"), ({**PROD, "waf": "false"}, "-c waf=true"),
    ({**PROD, "access_log": "false"}, "-c access_log=true"), ({**PROD, "alarms": "false"}, "-c alarms=true"),
    ({"canary": "true"}, "alarms=true"), ({"alarm_email": "a@b.org", "alarms": "false"}, "alarms=true"),
    ({"monthly_budget": "50"}, "needs an alarm_email"), ({"monthly_budget": "1.5", "alarm_email": "a@b.org"}, "whole"),
])  # fmt: skip
def test_production_is_refused_without_what_guards_it(context: dict[str, Any], named: str) -> None:
    with pytest.raises(ValueError, match=named):
        choose(context)


def test_the_default_is_a_development_stage_without_optional_features() -> None:
    assert choose({}) == Settings(stage="dev")


def test_production_reserves_concurrency_unless_the_account_is_too_new() -> None:
    assert choose(PROD).reserve_concurrency
    assert not choose({**PROD, "reserve_concurrency": "false"}).reserve_concurrency
    assert choose({"reserve_concurrency": True}).reserve_concurrency


@pytest.mark.parametrize(("context", "named"), [
    ({"stage": "production"}, "one of dev, prod"), ({"waf": "maybe"}, "waf is 'maybe'"),
    ({"contact": "a b"}, "contact is 'a b'; it must be a mail address"), ({"contact": "a@b.org\r\nX: y"}, "contact is"),
    ({"alarm_email": "nobody"}, "alarm_email is 'nobody'"),
    ({"CROSSREF_CONCURRENCY": "0"}, "must be a whole number above zero"), ({"CROSSREF_CONCURRENCY": "1.5"}, "whole"),
    ({"FRESH_REQUESTS_PER_HOUR": "1.5"}, "FRESH_REQUESTS_PER_HOUR is '1.5'; it must be a whole"),
    ({"ARXIV_REQUESTS_PER_SECOND": "0.0"}, "must be a number above zero"), ({"ARXIV_REQUESTS_PER_DAY": "-1"}, "whole"),
])  # fmt: skip
def test_an_invalid_setting_is_rejected(context: dict[str, Any], named: str) -> None:
    with pytest.raises(ValueError, match=named):
        choose(context)


def test_only_a_providers_own_function_gets_its_limits(production: Template) -> None:
    assert ALL_SETTINGS["CROSSREF_CONCURRENCY"] == production.environment("crossref")["CROSSREF_CONCURRENCY"]
    variables = [name for function in production.functions for name in production.environment(function)]
    assert variables.count("CROSSREF_CONCURRENCY") == 1


def test_the_budget_for_fresh_requests_is_the_dispatchers(production: Template) -> None:
    assert (
        production.environment("dispatcher")["FRESH_REQUESTS_PER_MINUTE"] == ALL_SETTINGS["FRESH_REQUESTS_PER_MINUTE"]
    )


def test_an_unknown_stage_is_rejected_before_anything_is_written(layer: Path, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="must be one of dev, prod"):
        synthesise(layer, tmp_path, {"stage": "production"})
    assert not list(tmp_path.iterdir())


def test_without_a_contact_no_provider_states_one(production: Template) -> None:
    assert not [name for name in production.functions if "CONTACT_EMAIL" in production.environment(name)]


def test_the_firewall_is_attached_to_the_stage_and_inspects_no_bodies(template: Template, production: Template) -> None:
    assert not template.resources("AWS::WAFv2::WebACL")
    (wall,) = production.resources("AWS::WAFv2::WebACL").values()
    assert [rule["Name"] for rule in wall["Rules"]] == ["reputation", "flood", "huge"]
    assert '"Body"' not in json.dumps(wall)
    (at,) = production.resources("AWS::WAFv2::WebACLAssociation").values()
    assert f"/stages/<{production.only('AWS::ApiGateway::Stage')}>" in text(at["ResourceArn"])


def test_the_access_log_has_the_key_id_and_the_status_but_no_query(template: Template, production: Template) -> None:
    (without,) = template.resources("AWS::ApiGateway::Stage").values()
    (stage,) = production.resources("AWS::ApiGateway::Stage").values()
    assert "AccessLogSetting" not in without
    line = json.loads(stage["AccessLogSetting"]["Format"])
    assert line.keys() >= {"requestId", "apiKeyId", "resourcePath", "status", "refusal"}
    private = ("$context.path", "$context.identity.sourceIp", "$context.identity.apiKey", "querystring")
    assert not [value for value in line.values() if value in private or "querystring" in value]


@pytest.mark.parametrize(("model", "keys"), [
    ("s3://my-models/MiniLM-L6-v2", ("MiniLM-L6-v2/model.onnx", "MiniLM-L6-v2/tokenizer.json")),
    ("s3://a.b/c/d_1", ("c/d_1/model.onnx", "c/d_1/tokenizer.json")),
])  # fmt: skip
def test_the_model_of_the_reranker_is_a_folder_of_a_bucket(model: str, keys: tuple[str, ...]) -> None:
    chosen = choose({"reranker_model": model}).reranker_model
    assert chosen is not None
    assert (chosen.address, chosen.keys) == (model, keys)


@pytest.mark.parametrize("model", [
    "s3://bucket", "s3://bucket/", "s3://bucket/model/", "s3://Bucket/model", "https://bucket/model", "s3://b*/model",
    "s3://bucket/*", "s3://bucket/a b", "s3://bucket/../model", "s3://bucket/a//b", "s3://bucket/${x}", "/models/one",
])  # fmt: skip
def test_a_model_that_is_no_such_folder_is_refused(model: str) -> None:
    with pytest.raises(ValueError, match="reranker_model is"):
        choose({"reranker_model": model})


def test_the_outputs_name_the_resources_that_operators_need(template: Template) -> None:
    outputs = {name: text(it["Value"]) for name, it in template.body["Outputs"].items()}
    key = f"<{template.only('AWS::ApiGateway::ApiKey')}>"
    queue, topic = "AWS::SQS::Queue", "AWS::SNS::Topic"
    assert outputs.pop("Url").startswith("https://")
    assert outputs.pop("Dashboard").endswith("#dashboards/dashboard/literature-search-dev")
    assert outputs == {
        "ApiKeyId": key,
        "ApiKeyCommand": f"aws apigateway get-api-key --include-value --query value --output text --api-key {key}",
        "UsagePlanId": f"<{template.only('AWS::ApiGateway::UsagePlan', 'callers')}>",
        "AlarmsTopicArn": f"<{template.only(topic, 'alarms')}>",
        "NewsTopicArn": f"<{template.only(topic, 'news')}>",
        "CitationsQueueUrl": f"<{template.only(queue, 'citationsB')}>",
        "ChecksQueueUrl": f"<{template.only(queue, 'checksC')}>",
        "ExhaustiveQueueUrl": f"<{template.only(queue, 'exhaustive2')}>",
        "DeliveriesQueueUrl": f"<{template.only(queue, 'deliveriesD')}>",
        "BudgetsTable": f"<{template.only('AWS::DynamoDB::Table', 'budgets')}>",
        "SecretsPrefix": "literature-search/dev",
    }


def test_two_stages_share_no_name(template: Template, production: Template) -> None:
    def names(stage: Template) -> set[str]:
        kinds = {"Name", "AlarmName", "DashboardName", "RestApiName"}
        own = [it for it in stage.body["Resources"].values() if it["Type"] != ALIAS]  # whose name belongs to a function
        bodies = [it.get("Properties", {}) for it in own]
        found = {str(body[kind]) for body in bodies for kind in kinds & body.keys()}
        found |= {it["MetricNamespace"] for body in bodies for it in body.get("MetricTransformations", [])}
        return found | {stage.environment("dispatcher")["POWERTOOLS_METRICS_NAMESPACE"]}

    assert names(template)
    assert not names(template) & names(production)


def test_preflight_requests_of_named_origins_need_no_credential(template: Template, production: Template) -> None:
    assert not [it for it in template.resources("AWS::ApiGateway::Method").values() if it["HttpMethod"] == "OPTIONS"]
    asked = [it for it in production.resources("AWS::ApiGateway::Method").values() if it["HttpMethod"] == "OPTIONS"]
    resources = production.resources("AWS::ApiGateway::Resource")
    assert len(asked) == len(resources) + 1  # every path, and the root
    assert {(it["AuthorizationType"], it["ApiKeyRequired"]) for it in asked} == {("NONE", False)}
    for name in ("dispatcher", "mcp_server", "public_pages"):
        assert production.environment(name)["CORS_ORIGINS"] == "https://one.example,https://two.example"
        assert "CORS_ORIGINS" not in template.environment(name)


def test_pages_of_named_origins_can_read_why_api_gateway_refused(template: Template, production: Template) -> None:
    allow = "gatewayresponse.header.Access-Control-Allow-Origin"
    answers = [it["ResponseParameters"] for it in production.resources("AWS::ApiGateway::GatewayResponse").values()]
    assert {it[allow] for it in answers} == {"method.request.header.Origin"}
    assert {it["gatewayresponse.header.Vary"] for it in answers} == {"'Origin'"}
    assert all("WWW-Authenticate" in it["gatewayresponse.header.Access-Control-Expose-Headers"] for it in answers)
    for it in template.resources("AWS::ApiGateway::GatewayResponse").values():
        assert not [name for name in it["ResponseParameters"] if "Access-Control" in name]


@pytest.mark.parametrize("origins", ["*", "a.example", "http://a.example", "https://a.example/path", "null"])
def test_an_origin_that_is_none_is_refused(origins: str) -> None:
    with pytest.raises(ValueError, match="cors_origins"):
        choose({"cors_origins": origins})


def test_tokens_of_the_stacks_user_pool_are_accepted_and_count_for_a_key_of_their_own(
    template: Template, production: Template
) -> None:
    pool = production.only("AWS::Cognito::UserPool")
    assert production.resources("AWS::Cognito::UserPoolDomain")  # without one there is nowhere to sign in
    (stage,) = production.resources("AWS::ApiGateway::Stage").values()
    for variables in (production.environment("authorizer"), stage["Variables"]):
        assert pool in text(variables["OAUTH_ISSUER"])
        assert variables["OAUTH_SCOPE"] == "literature/search"
    (stage,) = template.resources("AWS::ApiGateway::Stage").values()
    assert "Variables" not in stage
    assert "OAUTH_ISSUER" not in template.environment("authorizer")
    assert len(production.resources("AWS::ApiGateway::UsagePlanKey")) == 2
    audiences = text(production.environment("authorizer")["OAUTH_AUDIENCE"]).split()
    assert re.fullmatch(r"https://.+/prod", audiences[0])
    assert audiences[1:] == ["an-audience"]
    values = [it.get("Value") for it in production.resources("AWS::ApiGateway::ApiKey").values()]
    assert sorted(values, key=str) == [None, production.environment("authorizer")["OAUTH_API_KEY"]]
    denied = [it for it in production.resources("AWS::ApiGateway::GatewayResponse").values()
              if it["ResponseType"] in ("ACCESS_DENIED", "UNAUTHORIZED")]  # fmt: skip
    for refusal in denied:
        header = text(refusal["ResponseParameters"]["gatewayresponse.header.WWW-Authenticate"])
        assert header.startswith("'Bearer resource_metadata=\"https://")
        assert header.endswith('/prod/.well-known/oauth-protected-resource/mcp", scope="literature/search"\'')
    assert "oauth-protected-resource" in {
        it["PathPart"] for it in production.resources("AWS::ApiGateway::Resource").values()
    }


@pytest.mark.parametrize("issuer", ["http://a.example", "a.example", "https://a.example/?x=1", "https://a b"])
def test_an_issuer_that_is_no_address_is_refused(issuer: str) -> None:
    with pytest.raises(ValueError, match="oauth_issuer"):
        choose({"oauth_issuer": issuer})


@pytest.mark.parametrize("name", ["oauth_scope", "oauth_audience"])
@pytest.mark.parametrize("value", ["two words", 'quo"ted', "quo'ted", "ü"])
def test_a_scope_or_audience_that_no_header_can_name_is_refused(name: str, value: str) -> None:
    with pytest.raises(ValueError, match=name):
        choose({name: value})
