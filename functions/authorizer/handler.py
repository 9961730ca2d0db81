"""Decides for API Gateway whose request it is: by an API key in either header, or by an access token.

API Gateway looks the key up in the usage plan, and refuses an unknown one with 403; so a key may name its tenant
(`alice.<secret>`), and a later key of the tenant has the same saved searches and contexts. Access tokens are accepted
where OAUTH_ISSUER is set, if they are for one of OAUTH_AUDIENCE: the address of this service is not taken from the
request.
The subject of a token is a tenant of its own, and counts for the API key OAUTH_API_KEY. That key only names rate and
quota: it is refused as a credential. This function calls nothing but the issuer.
A request that is denied here is answered 401, with a WWW-Authenticate header (infra/constructs/gateway_answers.py).
https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-lambda-authorizer-output.html
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, NotRequired, TypedDict

from shared.api.credentials import credential, looks_like_a_token, tenant_of_key

if TYPE_CHECKING:
    from functions.authorizer.tokens import Tokens


class Policy(TypedDict):
    """An IAM policy document."""

    Version: str
    Statement: list[dict[str, str]]


class AuthorizerResponse(TypedDict):
    """What API Gateway expects. `usageIdentifierKey` is the API key whose rate and quota the request counts for."""

    principalId: str
    policyDocument: Policy
    usageIdentifierKey: NotRequired[str]
    context: NotRequired[dict[str, str]]


def _tokens() -> Tokens | None:
    issuer = os.environ.get("OAUTH_ISSUER")
    if not issuer:
        return None
    from functions.authorizer.tokens import Tokens  # imports cryptography, which keys do not need

    return Tokens(issuer, os.environ.get("OAUTH_SCOPE"))


# Made at import, when Lambda has a full CPU.
TOKENS = _tokens()
KEY_OF_TOKENS = os.environ.get("OAUTH_API_KEY")


def handler(event: dict[str, Any], _: object) -> AuthorizerResponse:
    """The decision on one request. Raises IssuerUnavailable, which API Gateway answers with 503."""
    given, arn = credential(event.get("headers") or {}), str(event["methodArn"])
    if given is None or given == KEY_OF_TOKENS:
        return _response("nobody", "Deny", arn)
    if TOKENS is None or not looks_like_a_token(given):
        response: AuthorizerResponse = {**_response("key", "Allow", arn), "usageIdentifierKey": given}
        if owner := tenant_of_key(given):
            response["context"] = {"tenant": owner}
        return response
    tenant = TOKENS.tenant(given, os.environ.get("OAUTH_AUDIENCE", "").split())
    if tenant is None:
        return _response("nobody", "Deny", arn)
    return {**_response(tenant, "Allow", arn), "usageIdentifierKey": str(KEY_OF_TOKENS), "context": {"tenant": tenant}}


def _response(principal: str, effect: str, arn: str) -> AuthorizerResponse:
    """The policy names the whole stage: a path may have characters that mean something in a policy.

    It holds for this request alone, since API Gateway does not cache it.
    """
    stage = "/".join(arn.split("/")[:2])
    statement = {"Action": "execute-api:Invoke", "Effect": effect, "Resource": f"{stage}/*"}
    return {"principalId": principal, "policyDocument": {"Version": "2012-10-17", "Statement": [statement]}}
