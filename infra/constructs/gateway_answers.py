"""Requests that API Gateway refuses itself: their answers are problem objects (RFC 9457), as all other errors are."""

from __future__ import annotations

import json

from aws_cdk import aws_apigateway as apigateway

from infra.constructs.access_tokens import address_of, required_scope
from infra.settings import Settings
from shared.api.cors import RESPONSE_HEADERS
from shared.api.credentials import CREDENTIAL_HINT, challenge

WAIT = "wait as long as Retry-After says, then send fewer requests"
# Response type, status, code, retryable, retry_after_s, hint.
GATEWAY_ERRORS = (
    ("ACCESS_DENIED", "401", "unauthorized", False, None, CREDENTIAL_HINT),
    ("UNAUTHORIZED", "401", "unauthorized", False, None, CREDENTIAL_HINT),
    ("INVALID_API_KEY", "403", "forbidden", False, None, "The key is not valid."),
    ("MISSING_AUTHENTICATION_TOKEN", "403", "forbidden", False, None, "The path is not known."),
    ("WAF_FILTERED", "403", "forbidden", True, 300, f"The firewall refused it. After many requests, {WAIT}."),
    ("AUTHORIZER_FAILURE", "503", "unavailable", True, 5, "Try again after a moment: the issuer does not answer."),
    ("THROTTLED", "429", "rate_limited", True, 1, f"The key exceeds its rate: {WAIT} a second."),
    ("QUOTA_EXCEEDED", "429", "quota_spent", True, 3600, "The key's requests for today (UTC) are used."),
    ("REQUEST_TOO_LARGE", "413", "too_large", False, None, "Send it in smaller parts."),
    ("INTEGRATION_TIMEOUT", "504", "timeout", True, 5, "Try again with a shorter timeout_ms, or with fewer providers."),
    ("INTEGRATION_FAILURE", "502", "unavailable", True, 5, "Try again after a moment."),
    # All others keep their own status, which a response template cannot contain.
    ("DEFAULT_4XX", None, "bad_request", False, None, "See /openapi.json for what each route takes."),
    ("DEFAULT_5XX", None, "unavailable", True, 5, "Try again after a moment."),
)


def add_gateway_answers(api: apigateway.RestApi, settings: Settings) -> None:
    """Add an answer for each kind of refusal; a 401 says how to get a credential."""
    wanted = challenge(address_of(api, settings) if settings.oauth_issuer else None, required_scope(settings))
    for kind, status, code, retryable, wait_s, hint in GATEWAY_ERRORS:
        body: dict[str, object] = {
            "type": "about:blank", "title": "The request did not reach the service",
            "status": int(status) if status else None, "detail": "MESSAGE", "code": code, "retryable": retryable,
            "retry_after_s": wait_s, "hint": hint, "errors": [], "request_id": "ID",
        }  # fmt: skip
        template = json.dumps(body).replace('"MESSAGE"', "$context.error.messageString")
        headers = {"Content-Type": "'application/problem+json'"} | ({"Retry-After": f"'{wait_s}'"} if wait_s else {})
        if status == "401":
            headers["WWW-Authenticate"] = f"'{wanted}'"
        api.add_gateway_response(
            f"refusal-{kind.lower().replace('_', '-')}",
            type=apigateway.ResponseType.of(kind),
            status_code=status,
            response_headers={**headers, **_cors_headers(settings)},
            templates={"application/json": template.replace('"ID"', '"$context.requestId"')},
        )


def _cors_headers(settings: Settings) -> dict[str, str]:
    """Return the headers by which a page may read why it was refused.

    API Gateway has no condition for a header: it is a constant, or a value of the request. Of several origins the
    request's is repeated, whichever it is: these answers contain nothing but the reason.
    https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-gatewayResponse-definition.html
    """
    if not settings.cors_origins:
        return {}
    one = f"'{settings.cors_origins[0]}'" if len(settings.cors_origins) == 1 else "method.request.header.Origin"
    return {
        "Access-Control-Allow-Origin": one,
        "Access-Control-Expose-Headers": f"'{', '.join(RESPONSE_HEADERS)}'",
        "Vary": "'Origin'",
    }
