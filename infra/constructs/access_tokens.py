"""Access tokens as credentials: their issuer, and the API key whose rate and quota their callers share."""

from __future__ import annotations

from aws_cdk import CfnOutput, RemovalPolicy, Stack
from aws_cdk import aws_apigateway as apigateway
from aws_cdk import aws_cognito as cognito
from aws_cdk import aws_lambda as lambda_
from constructs import Construct

from infra.constructs.accepted_findings import accept
from infra.settings import Settings, stack_name

COGNITO = "cognito"
RESOURCE, SCOPE = "literature", "search"
ACCEPTED = {
    "AwsSolutions-COG1": "Operators create the users, who choose no password of their own.",
    "AwsSolutions-COG2": "Agents sign in for their operators; a second factor is the operator's choice.",
    "AwsSolutions-COG3": "Threat protection has a monthly price for each user.",
    "AwsSolutions-COG8": "The plan with threat protection has a monthly price for each user.",
}


def accept_tokens(
    scope: Construct,
    settings: Settings,
    authorizer: lambda_.Function,
    api: apigateway.RestApi,
    plan: apigateway.UsagePlan,
) -> None:
    """Let the authorizer accept tokens of the issuer; does nothing where none is set."""
    if not settings.oauth_issuer:
        return
    issuer = _new_user_pool(scope, settings) if settings.oauth_issuer == COGNITO else settings.oauth_issuer
    # Its value is not a secret: the authorizer refuses it as a credential.
    value = f"{Stack.of(scope).stack_name}-callers-with-access-tokens"
    plan.add_api_key(apigateway.ApiKey(scope, "tokens", value=value))
    authorizer.add_environment("OAUTH_API_KEY", value)
    audiences = [address_of(api, settings), *([settings.oauth_audience] if settings.oauth_audience else [])]
    authorizer.add_environment("OAUTH_AUDIENCE", " ".join(audiences))
    named = {"OAUTH_ISSUER": issuer} | ({"OAUTH_SCOPE": wanted} if (wanted := required_scope(settings)) else {})
    for name, value in named.items():
        authorizer.add_environment(name, value)
    # The public pages say so in the metadata.
    stage = api.deployment_stage.node.default_child
    assert isinstance(stage, apigateway.CfnStage)
    stage.variables = named


def address_of(api: apigateway.RestApi, settings: Settings) -> str:
    """Return the address of the API. Its own attribute would wait for the stage, which waits for the authorizer."""
    stack = Stack.of(api)
    return f"https://{api.rest_api_id}.execute-api.{stack.region}.{stack.url_suffix}/{settings.stage}"


def required_scope(settings: Settings) -> str | None:
    """Return the scope that each token must have: Cognito's have no audience, and so must have one."""
    return settings.oauth_scope or (f"{RESOURCE}/{SCOPE}" if settings.oauth_issuer == COGNITO else None)


def _new_user_pool(scope: Construct, settings: Settings) -> str:
    """Create a user pool whose tokens may have the scope of this service; return its address as an issuer.

    Its domain serves sign-in and tokens. Operators add a client for each program that may sign in (docs/deploy.md).
    """
    pool = cognito.UserPool(scope, "callers-pool", self_sign_up_enabled=False, removal_policy=RemovalPolicy.DESTROY)
    accept(pool, ACCEPTED)
    pool.add_resource_server(
        "literature",
        identifier=RESOURCE,
        scopes=[cognito.ResourceServerScope(scope_name=SCOPE, scope_description="Search the literature")],
    )
    stack = Stack.of(scope)
    prefix = f"{stack_name(settings.stage)}-{stack.account}"
    pool.add_domain("domain", cognito_domain=cognito.CognitoDomainOptions(domain_prefix=prefix))
    CfnOutput(scope, "UserPoolId", value=pool.user_pool_id, description="The user pool to add clients and users to")
    return f"https://cognito-idp.{stack.region}.{stack.url_suffix}/{pool.user_pool_id}"
