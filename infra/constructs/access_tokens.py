"""Access tokens as credentials: their issuer, and the API key whose rate and quota their callers share."""

from __future__ import annotations

from aws_cdk import RemovalPolicy, Stack
from aws_cdk import aws_apigateway as apigateway
from aws_cdk import aws_cognito as cognito
from aws_cdk import aws_lambda as lambda_
from constructs import Construct

from infra.constructs.accepted_findings import accept
from infra.constructs.lambda_functions import allow
from infra.settings import Settings

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
    dispatcher: lambda_.Function,
    plan: apigateway.UsagePlan,
) -> None:
    """Let the authorizer accept tokens of the issuer; does nothing where none is set."""
    if not settings.oauth_issuer:
        return
    issuer, wanted = settings.oauth_issuer, settings.oauth_scope
    if issuer == COGNITO:
        issuer, wanted = _new_user_pool(scope), wanted or f"{RESOURCE}/{SCOPE}"
    # One of the API would wait for its stage, and the stage waits for the authorizer, which is given this key.
    key = apigateway.ApiKey(scope, "tokens")
    plan.add_api_key(key)
    for function in (authorizer, dispatcher):
        function.add_environment("OAUTH_ISSUER", issuer)
        if wanted:
            function.add_environment("OAUTH_SCOPE", wanted)
    authorizer.add_environment("OAUTH_API_KEY_ID", key.key_id)
    stack = Stack.of(scope)
    allow(
        authorizer,
        ["apigateway:GET"],
        on=[f"arn:{stack.partition}:apigateway:{stack.region}::/apikeys/{key.key_id}"],
    )


def _new_user_pool(scope: Construct) -> str:
    """Create a user pool whose tokens may have the scope of this service; return its address as an issuer."""
    pool = cognito.UserPool(scope, "callers-pool", self_sign_up_enabled=False, removal_policy=RemovalPolicy.DESTROY)
    accept(pool, ACCEPTED)
    pool.add_resource_server(
        "literature",
        identifier=RESOURCE,
        scopes=[cognito.ResourceServerScope(scope_name=SCOPE, scope_description="Search the literature")],
    )
    stack = Stack.of(scope)
    return f"https://cognito-idp.{stack.region}.{stack.url_suffix}/{pool.user_pool_id}"
