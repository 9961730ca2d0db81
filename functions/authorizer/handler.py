"""Decides for API Gateway whose request it is: by an API key in either header, or by an access token.

API Gateway looks the key up in the usage plan, and refuses an unknown one with 403; this function calls nothing for it.
The subject of an access token is a tenant of its own; the issuer is OAUTH_ISSUER.
A request that is denied here is answered 401, with a WWW-Authenticate header (infra/constructs/rest_api.py).
https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-lambda-authorizer-output.html
"""

from __future__ import annotations

import os
from functools import cache
from typing import TYPE_CHECKING, Any, NotRequired, TypedDict

from shared.api.addresses import base_address
from shared.api.credentials import credential

if TYPE_CHECKING:
    from functions.authorizer.tokens import Tokens


class Decision(TypedDict):
    """What API Gateway expects. `usageIdentifierKey` is the API key whose rate and quota the request counts for."""

    principalId: str
    policyDocument: dict[str, Any]
    usageIdentifierKey: NotRequired[str]
    context: NotRequired[dict[str, str]]


def handler(event: dict[str, Any], _: object) -> Decision:
    """The decision on one request."""
    given = credential(event.get("headers") or {})
    arn = str(event["methodArn"])
    if given is None:
        return _decision("nobody", "Deny", arn)
    tokens = _tokens()
    if tokens is None or given.count(".") != 2:  # keys of API Gateway have no dots
        return {**_decision("key", "Allow", arn), "usageIdentifierKey": given}
    context = event["requestContext"]
    tenant = tokens.tenant(given, base_address(context, event["headers"], str(event.get("path"))))
    if tenant is None:
        return _decision("nobody", "Deny", arn)
    return {**_decision(tenant, "Allow", arn), "usageIdentifierKey": _key_of_tokens(), "context": {"tenant": tenant}}


@cache
def _tokens() -> Tokens | None:
    """The issuer's tokens; None where no issuer is set."""
    issuer = os.environ.get("OAUTH_ISSUER")
    if not issuer:
        return None
    from functions.authorizer.tokens import Tokens  # imports cryptography, which keys do not need

    return Tokens(issuer, os.environ.get("OAUTH_SCOPE"))


@cache
def _key_of_tokens() -> str:
    """The API key that requests with tokens count for: they share its rate and quota."""
    import boto3

    client = boto3.client("apigateway")
    return str(client.get_api_key(apiKey=os.environ["OAUTH_API_KEY_ID"], includeValue=True)["value"])


def _decision(principal: str, effect: str, arn: str) -> Decision:
    statement = {"Action": "execute-api:Invoke", "Effect": effect, "Resource": arn}
    return {"principalId": principal, "policyDocument": {"Version": "2012-10-17", "Statement": [statement]}}
