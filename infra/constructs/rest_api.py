"""The REST API: every path but `/mcp` goes to one function, and nobody searches without a key."""

from __future__ import annotations

import json
from typing import Any

from aws_cdk import RemovalPolicy
from aws_cdk import aws_apigateway as apigateway
from aws_cdk import aws_lambda as lambda_
from aws_cdk import aws_logs as logs
from constructs import Construct

from infra.constructs.accepted_findings import accept
from infra.constructs.firewall import put_firewall_before
from infra.settings import Settings

# What tells of the service to those who have no key yet.
OPEN_TO_ALL = ("health", "openapi.json", "docs", "llms.txt")
RATE_PER_S, BURST, A_DAY = 10, 20, 10_000  # what one caller may ask
ALL_RATE_PER_S, ALL_BURST = 200, 400  # what all may ask together: one stage cannot take the account's 10,000
ACCOUNT_ROLE = (
    "Logs of API Gateway need a role that is set once for a whole account and region, which is not this stack's to "
    "set: `-c access_log=true` writes them where it is. Every request that comes through is in its function's log."
)
ACCEPTED = {
    "AwsSolutions-APIG1": ACCOUNT_ROLE,
    "AwsSolutions-APIG6": ACCOUNT_ROLE,
    "Serverless-APIGWAccessLogging": ACCOUNT_ROLE,
    "AwsSolutions-APIG2": "The functions read requests themselves, and answer with each field that is wrong.",
    "AwsSolutions-APIG3": "The firewall costs by the month: `-c waf=true` puts it before the API.",
    "AwsSolutions-APIG4": "Callers are agents with an API key under a usage plan; what is open to all is nobody's.",
    "AwsSolutions-COG4": "There are no users to log in: callers are agents with an API key.",
}


def new_front_door(
    scope: Construct, name: str, settings: Settings, function: lambda_.Function, mcp: lambda_.Function
) -> tuple[apigateway.RestApi, apigateway.UsagePlan, apigateway.IApiKey]:
    """The API, the usage plan of its callers, and a first key under it, whose value AWS makes and no template holds."""
    api = apigateway.LambdaRestApi(
        scope,
        "api",
        handler=function,
        rest_api_name=name,
        endpoint_types=[apigateway.EndpointType.REGIONAL],
        default_method_options=apigateway.MethodOptions(api_key_required=True),
        integration_options=apigateway.LambdaIntegrationOptions(allow_test_invoke=False),
        deploy_options=apigateway.StageOptions(
            stage_name=settings.stage,
            throttling_rate_limit=ALL_RATE_PER_S,
            throttling_burst_limit=ALL_BURST,
            tracing_enabled=True,
            **(_access_log(scope) if settings.access_log else {}),
        ),
        cloud_watch_role=False,
    )
    # Every method, lest API Gateway answer a GET with 403, where clients of MCP expect 405.
    api.root.add_resource("mcp").add_method("ANY", apigateway.LambdaIntegration(mcp, allow_test_invoke=False))
    door = apigateway.LambdaIntegration(function, allow_test_invoke=False)
    for path in OPEN_TO_ALL:
        api.root.add_resource(path).add_method("GET", door, api_key_required=False)
    _refuse_in_our_words(api)
    plan = api.add_usage_plan(
        "callers",
        throttle=apigateway.ThrottleSettings(rate_limit=RATE_PER_S, burst_limit=BURST),
        quota=apigateway.QuotaSettings(limit=A_DAY, period=apigateway.Period.DAY),
        api_stages=[apigateway.UsagePlanPerApiStage(api=api, stage=api.deployment_stage)],
    )
    key = api.add_api_key("caller")
    plan.add_api_key(key)
    if settings.waf:
        put_firewall_before(scope, api.deployment_stage)
    api.node.try_remove_child("Endpoint")  # an output with a name of the CDK's; ours is Url
    accept(api, ACCEPTED)
    return api, plan, key


def _access_log(scope: Construct) -> dict[str, Any]:
    """A line a request: who (the key's id), which route, how it ended. Never a query, a path's ids or an address."""
    log = logs.LogGroup(
        scope, "access-log", retention=logs.RetentionDays.ONE_MONTH, removal_policy=RemovalPolicy.DESTROY
    )
    names = ("requestId", "requestTime", "httpMethod", "resourcePath", "status", "responseLength", "responseLatency")
    told = {name: f"$context.{name}" for name in names} | {"apiKeyId": "$context.identity.apiKeyId"}
    told["refusal"] = "$context.error.responseType"
    return {
        "access_log_destination": apigateway.LogGroupLogDestination(log),
        "access_log_format": apigateway.AccessLogFormat.custom(json.dumps(told)),
    }


# What API Gateway refuses before a function runs: its kind, status, code, whether to try again, after how long, hint.
REFUSALS = (
    ("INVALID_API_KEY", "403", "forbidden", False, None, "Send a valid API key in x-api-key."),
    ("MISSING_AUTHENTICATION_TOKEN", "403", "forbidden", False, None, "Send an API key in x-api-key to a known path."),
    ("WAF_FILTERED", "403", "forbidden", True, 300, "The firewall refused it: ask less often from one address."),
    ("THROTTLED", "429", "rate_limited", True, 1, "Ask less often: the key's rate is spent."),
    ("QUOTA_EXCEEDED", "429", "quota_spent", True, 3600, "The key's requests for today are spent."),
    ("REQUEST_TOO_LARGE", "413", "too_large", False, None, "Send it in smaller parts."),
    ("INTEGRATION_TIMEOUT", "504", "timeout", True, 5, "Try again with a shorter timeout_ms, or with fewer providers."),
    ("INTEGRATION_FAILURE", "502", "unavailable", True, 5, "Try again after a moment."),
    # All others keep their own status, which their text cannot tell.
    ("DEFAULT_4XX", None, "bad_request", False, None, "See /openapi.json for what each route takes."),
    ("DEFAULT_5XX", None, "unavailable", True, 5, "Try again after a moment."),
)


def _refuse_in_our_words(api: apigateway.RestApi) -> None:
    """Problem objects (RFC 9457), as all other errors are."""
    for kind, status, code, retryable, wait_s, hint in REFUSALS:
        body: dict[str, object] = {
            "type": "about:blank", "title": "The request did not reach the service",
            "status": int(status) if status else None, "detail": "MESSAGE", "code": code, "retryable": retryable,
            "retry_after_s": wait_s, "hint": hint, "errors": [], "request_id": "ID",
        }  # fmt: skip
        template = json.dumps(body).replace('"MESSAGE"', "$context.error.messageString")
        headers = {"Content-Type": "'application/problem+json'"} | ({"Retry-After": f"'{wait_s}'"} if wait_s else {})
        api.add_gateway_response(
            f"refusal-{kind.lower().replace('_', '-')}",
            type=apigateway.ResponseType.of(kind),
            status_code=status,
            response_headers=headers,
            templates={"application/json": template.replace('"ID"', '"$context.requestId"')},
        )
