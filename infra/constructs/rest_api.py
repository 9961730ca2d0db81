"""The REST API: the public paths, `/mcp`, and all others, which go to the dispatcher. The latter two need a credential.

The authorizer reads the key from either header and returns it to API Gateway, which looks it up in the usage plan. Its
decisions are not cached: a cache would need one header that every request has.
"""

from __future__ import annotations

import json
from typing import Any

from aws_cdk import Duration, RemovalPolicy
from aws_cdk import aws_apigateway as apigateway
from aws_cdk import aws_lambda as lambda_
from aws_cdk import aws_logs as logs
from constructs import Construct

from infra.constructs.accepted_findings import accept
from infra.constructs.firewall import attach_firewall
from infra.constructs.gateway_answers import add_gateway_answers
from infra.constructs.lambda_functions import live
from infra.functions import PAGE_ASSETS, PUBLIC_PATHS
from infra.settings import Settings
from shared.api.addresses import METADATA
from shared.api.cors import MAX_AGE_S, METHODS, REQUEST_HEADERS

RATE_PER_S, BURST, PER_DAY = 10, 20, 10_000  # limits of one caller
# Of all callers of one method, since API Gateway throttles each by itself: one stage must not use up the account's
# 10,000 a second. The second pair is of callers without a credential, whose requests are paid for as well.
STAGE_RATE_PER_S, STAGE_BURST = 200, 400
OPEN_RATE_PER_S, OPEN_BURST = 5, 10
ACCOUNT_ROLE = (
    "API Gateway's logs need a role that is set once per account and region, outside of this stack; where it is set, "
    "`-c access_log=true` enables them. Every request that reaches a function is in the function's log."
)
ACCEPTED = {
    "AwsSolutions-APIG1": ACCOUNT_ROLE,
    "AwsSolutions-APIG6": ACCOUNT_ROLE,
    "Serverless-APIGWAccessLogging": ACCOUNT_ROLE,
    "AwsSolutions-APIG2": "The functions validate requests themselves and report each invalid field.",
    "AwsSolutions-APIG3": "The firewall has a monthly price: `-c waf=true` enables it.",
    "AwsSolutions-APIG4": "Callers are agents with a credential; the public paths show no private data.",
    "AwsSolutions-COG4": "No users log in: callers are agents with an API key.",
}


def new_rest_api(
    scope: Construct,
    name: str,
    settings: Settings,
    function: lambda_.Function,
    mcp: lambda_.Function,
    pages: lambda_.Function,
    authorizer: lambda_.Function,
) -> tuple[apigateway.RestApi, apigateway.UsagePlan, apigateway.IApiKey]:
    """Create the API, its usage plan, and a first key, whose value AWS generates (it is not in the template)."""
    api = apigateway.LambdaRestApi(
        scope,
        "api",
        handler=live(function),
        rest_api_name=name,
        endpoint_types=[apigateway.EndpointType.REGIONAL],
        api_key_source_type=apigateway.ApiKeySourceType.AUTHORIZER,
        default_method_options=_with_credential(scope, authorizer),
        default_cors_preflight_options=_preflight(settings),
        integration_options=apigateway.LambdaIntegrationOptions(allow_test_invoke=False),
        deploy_options=apigateway.StageOptions(
            stage_name=settings.stage,
            throttling_rate_limit=STAGE_RATE_PER_S,
            throttling_burst_limit=STAGE_BURST,
            tracing_enabled=True,
            method_options={f"/{path}/{it}": _OPEN for path in _open_paths(settings) for it in _READING},
            **(_access_log(scope) if settings.access_log else {}),
        ),
        cloud_watch_role=False,
        proxy=False,
    )
    _add_paths(api, mcp, pages, settings)
    if settings.cors_origins:
        for answering in (function, mcp, pages):
            answering.add_environment("CORS_ORIGINS", ",".join(settings.cors_origins))
    add_gateway_answers(api, settings)
    plan = _new_usage_plan(api)
    key = api.add_api_key("caller")
    plan.add_api_key(key)
    if settings.waf:
        attach_firewall(scope, api.deployment_stage)
    api.node.try_remove_child("Endpoint")  # the CDK's own output of the URL; the stack has the output Url
    accept(api, ACCEPTED)
    return api, plan, key


def _integration(function: lambda_.Function) -> apigateway.LambdaIntegration:
    return apigateway.LambdaIntegration(live(function), allow_test_invoke=False)


def _new_usage_plan(api: apigateway.RestApi) -> apigateway.UsagePlan:
    """Create the rate and quota of one caller."""
    return api.add_usage_plan(
        "callers",
        throttle=apigateway.ThrottleSettings(rate_limit=RATE_PER_S, burst_limit=BURST),
        quota=apigateway.QuotaSettings(limit=PER_DAY, period=apigateway.Period.DAY),
        api_stages=[apigateway.UsagePlanPerApiStage(api=api, stage=api.deployment_stage)],
    )


def _with_credential(scope: Construct, authorizer: lambda_.Function) -> apigateway.MethodOptions:
    """Return what a method requires: an API key, as the authorizer returns it."""
    return apigateway.MethodOptions(
        api_key_required=True,
        authorization_type=apigateway.AuthorizationType.CUSTOM,
        authorizer=apigateway.RequestAuthorizer(
            scope,
            "request-authorizer",
            handler=live(authorizer),
            identity_sources=[],
            results_cache_ttl=Duration.seconds(0),
        ),
    )


def _add_paths(api: apigateway.RestApi, mcp: lambda_.Function, pages: lambda_.Function, settings: Settings) -> None:
    """Add the paths: those that need no credential, `/mcp`, and all others, which are the dispatcher's."""
    # The root's other methods need a credential, and are refused by the function that knows which there are.
    api.root.add_method("ANY", _integration(pages))
    api.root.add_proxy()
    # ANY: otherwise API Gateway would answer a GET with 403, where MCP clients expect 405.
    api.root.add_resource("mcp").add_method("ANY", _integration(mcp))
    integration = _integration(pages)
    for path in _open_paths(settings):
        resource: apigateway.IResource = api.root
        for part in filter(None, path.split("/")):
            resource = resource.get_resource(part) or resource.add_resource(part)
        for method in _READING:
            resource.add_method(
                method, integration, api_key_required=False, authorization_type=apigateway.AuthorizationType.NONE
            )


_READING = ("GET", "HEAD")  # of the open paths; monitors send HEAD
_OPEN = apigateway.MethodDeploymentOptions(throttling_rate_limit=OPEN_RATE_PER_S, throttling_burst_limit=OPEN_BURST)


def _open_paths(settings: Settings) -> tuple[str, ...]:
    """Return the paths that need no credential."""
    return (*PUBLIC_PATHS, f"{PAGE_ASSETS}/{{name}}", *((METADATA, f"{METADATA}/mcp") if settings.oauth_issuer else ()))


def _preflight(settings: Settings) -> apigateway.CorsOptions | None:
    """Return the answer to browsers' preflight requests, which have no credential; the functions do the rest."""
    if not settings.cors_origins:
        return None
    return apigateway.CorsOptions(
        allow_origins=list(settings.cors_origins),
        allow_methods=list(METHODS),
        allow_headers=list(REQUEST_HEADERS),
        max_age=Duration.seconds(MAX_AGE_S),
    )


def _access_log(scope: Construct) -> dict[str, Any]:
    """Return the options for one log line per request: key id, route, status; no query, path ids or IP addresses."""
    log = logs.LogGroup(
        scope, "access-log", retention=logs.RetentionDays.ONE_MONTH, removal_policy=RemovalPolicy.DESTROY
    )
    names = ("requestId", "requestTime", "httpMethod", "resourcePath", "status", "responseLength", "responseLatency")
    line = {name: f"$context.{name}" for name in names} | {"apiKeyId": "$context.identity.apiKeyId"}
    line["refusal"] = "$context.error.responseType"
    return {
        "access_log_destination": apigateway.LogGroupLogDestination(log),
        "access_log_format": apigateway.AccessLogFormat.custom(json.dumps(line)),
    }
