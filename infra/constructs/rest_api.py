"""The REST API: every path except `/mcp` goes to the dispatcher, and all but the public paths require a credential.

The authorizer reads the key from either header and returns it to API Gateway, which looks it up in the usage plan. Its
decisions are not cached: a cache would need one header that every request has.
"""

from __future__ import annotations

import json
from typing import Any

from aws_cdk import Duration, RemovalPolicy, Stack
from aws_cdk import aws_apigateway as apigateway
from aws_cdk import aws_lambda as lambda_
from aws_cdk import aws_logs as logs
from constructs import Construct

from infra.constructs.accepted_findings import accept
from infra.constructs.firewall import attach_firewall
from infra.functions import PUBLIC_PATHS
from infra.settings import Settings
from shared.api.addresses import METADATA
from shared.api.cors import MAX_AGE_S, METHODS, REQUEST_HEADERS

RATE_PER_S, BURST, PER_DAY = 10, 20, 10_000  # limits of one caller
STAGE_RATE_PER_S, STAGE_BURST = 200, 400  # of all callers: so that one stage cannot use up the account's 10,000 / s
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
    authorizer: lambda_.Function,
) -> tuple[apigateway.RestApi, apigateway.UsagePlan, apigateway.IApiKey]:
    """Create the API, its usage plan, and a first key, whose value AWS generates (it is not in the template)."""
    api = apigateway.LambdaRestApi(
        scope,
        "api",
        handler=function,
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
            **(_access_log(scope) if settings.access_log else {}),
        ),
        cloud_watch_role=False,
    )
    # ANY: otherwise API Gateway would answer a GET with 403, where MCP clients expect 405.
    api.root.add_resource("mcp").add_method("ANY", apigateway.LambdaIntegration(mcp, allow_test_invoke=False))
    _add_public_paths(api, function, settings)
    if settings.cors_origins:
        for answering in (function, mcp):
            answering.add_environment("CORS_ORIGINS", ",".join(settings.cors_origins))
    _add_gateway_responses(api, _challenge(api, settings))
    plan = _new_usage_plan(api)
    key = api.add_api_key("caller")
    plan.add_api_key(key)
    if settings.waf:
        attach_firewall(scope, api.deployment_stage)
    api.node.try_remove_child("Endpoint")  # the CDK's own output of the URL; the stack has the output Url
    accept(api, ACCEPTED)
    return api, plan, key


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
            scope, "request-authorizer", handler=authorizer, identity_sources=[], results_cache_ttl=Duration.seconds(0)
        ),
    )


def _add_public_paths(api: apigateway.RestApi, function: lambda_.Function, settings: Settings) -> None:
    """Add the paths that need no credential."""
    resources = [api.root.add_resource(path) for path in PUBLIC_PATHS]
    if settings.oauth_issuer:
        folder, name = METADATA.split("/")
        metadata = api.root.add_resource(folder).add_resource(name)
        resources += [metadata, metadata.add_resource("mcp")]
    integration = apigateway.LambdaIntegration(function, allow_test_invoke=False)
    for resource in resources:
        resource.add_method(
            "GET", integration, api_key_required=False, authorization_type=apigateway.AuthorizationType.NONE
        )


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


CREDENTIAL_HINT = "Send an API key in x-api-key, or as Authorization: Bearer."
# Requests that API Gateway refuses itself: response type, status, code, retryable, retry_after_s, hint.
GATEWAY_ERRORS = (
    ("ACCESS_DENIED", "401", "unauthorized", False, None, CREDENTIAL_HINT),
    ("UNAUTHORIZED", "401", "unauthorized", False, None, CREDENTIAL_HINT),
    ("INVALID_API_KEY", "403", "forbidden", False, None, "The key is not valid."),
    ("MISSING_AUTHENTICATION_TOKEN", "403", "forbidden", False, None, "The path is not known."),
    ("WAF_FILTERED", "403", "forbidden", True, 300, "The firewall refused it: ask less often from one address."),
    ("THROTTLED", "429", "rate_limited", True, 1, "Ask less often: the key's rate is spent."),
    ("QUOTA_EXCEEDED", "429", "quota_spent", True, 3600, "The key's requests for today are spent."),
    ("REQUEST_TOO_LARGE", "413", "too_large", False, None, "Send it in smaller parts."),
    ("INTEGRATION_TIMEOUT", "504", "timeout", True, 5, "Try again with a shorter timeout_ms, or with fewer providers."),
    ("INTEGRATION_FAILURE", "502", "unavailable", True, 5, "Try again after a moment."),
    # All others keep their own status, which a response template cannot contain.
    ("DEFAULT_4XX", None, "bad_request", False, None, "See /openapi.json for what each route takes."),
    ("DEFAULT_5XX", None, "unavailable", True, 5, "Try again after a moment."),
)


def _challenge(api: apigateway.RestApi, settings: Settings) -> str:
    """Return the header WWW-Authenticate of a 401 (RFC 6750, RFC 9728)."""
    if not settings.oauth_issuer:
        return "Bearer"
    stack = Stack.of(api)
    host = f"{api.rest_api_id}.execute-api.{stack.region}.{stack.url_suffix}"
    return f'Bearer resource_metadata="https://{host}/{settings.stage}/{METADATA}"'


def _add_gateway_responses(api: apigateway.RestApi, challenge: str) -> None:
    """Make API Gateway's own errors problem objects (RFC 9457), as all other errors are."""
    for kind, status, code, retryable, wait_s, hint in GATEWAY_ERRORS:
        body: dict[str, object] = {
            "type": "about:blank", "title": "The request did not reach the service",
            "status": int(status) if status else None, "detail": "MESSAGE", "code": code, "retryable": retryable,
            "retry_after_s": wait_s, "hint": hint, "errors": [], "request_id": "ID",
        }  # fmt: skip
        template = json.dumps(body).replace('"MESSAGE"', "$context.error.messageString")
        headers = {"Content-Type": "'application/problem+json'"} | ({"Retry-After": f"'{wait_s}'"} if wait_s else {})
        if status == "401":
            headers["WWW-Authenticate"] = f"'{challenge}'"
        api.add_gateway_response(
            f"refusal-{kind.lower().replace('_', '-')}",
            type=apigateway.ResponseType.of(kind),
            status_code=status,
            response_headers=headers,
            templates={"application/json": template.replace('"ID"', '"$context.requestId"')},
        )
