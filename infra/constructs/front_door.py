"""The REST API: every path but `/mcp` goes to one function, and nobody comes in without a key."""

from __future__ import annotations

from aws_cdk import aws_apigateway as apigateway
from aws_cdk import aws_lambda as lambda_
from constructs import Construct

TIMEOUT_S = 29  # API Gateway waits no longer
RATE_PER_S, BURST, A_DAY = 10, 20, 10_000  # what one caller may ask


def new_front_door(
    scope: Construct, name: str, stage: str, function: lambda_.Function, mcp: lambda_.Function
) -> tuple[apigateway.RestApi, apigateway.IApiKey]:
    """The API, and a first key that is under the usage plan. AWS makes the key's value; no template holds it."""
    api = apigateway.LambdaRestApi(
        scope,
        "api",
        handler=function,
        rest_api_name=name,
        endpoint_types=[apigateway.EndpointType.REGIONAL],
        default_method_options=apigateway.MethodOptions(api_key_required=True),
        integration_options=apigateway.LambdaIntegrationOptions(allow_test_invoke=False),
        deploy_options=apigateway.StageOptions(stage_name=stage),
        cloud_watch_role=False,
    )
    # Every method, lest API Gateway answer a GET with 403, where clients of MCP expect 405.
    api.root.add_resource("mcp").add_method("ANY", apigateway.LambdaIntegration(mcp, allow_test_invoke=False))
    plan = api.add_usage_plan(
        "callers",
        throttle=apigateway.ThrottleSettings(rate_limit=RATE_PER_S, burst_limit=BURST),
        quota=apigateway.QuotaSettings(limit=A_DAY, period=apigateway.Period.DAY),
        api_stages=[apigateway.UsagePlanPerApiStage(api=api, stage=api.deployment_stage)],
    )
    key = api.add_api_key("caller")
    plan.add_api_key(key)
    return api, key
