"""Decides for API Gateway whose request it is: by an API key in either header, or by an access token.

API Gateway looks the key up in the usage plan, and refuses an unknown one with 403; this function calls nothing for it.
A request that is denied here is answered 401, with a WWW-Authenticate header (infra/constructs/rest_api.py).
https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-lambda-authorizer-output.html
"""

from __future__ import annotations

from typing import Any, NotRequired, TypedDict

from shared.api.credentials import credential


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
    return {**_decision("key", "Allow", arn), "usageIdentifierKey": given}


def _decision(principal: str, effect: str, arn: str) -> Decision:
    statement = {"Action": "execute-api:Invoke", "Effect": effect, "Resource": arn}
    return {"principalId": principal, "policyDocument": {"Version": "2012-10-17", "Statement": [statement]}}
