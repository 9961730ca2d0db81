"""`/.well-known/oauth-protected-resource`: who issues access tokens for this service (RFC 9728)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aws_lambda_powertools.event_handler.router import APIGatewayRouter

from shared.api.addresses import METADATA
from shared.aws.rest_api.request_body import service_address
from shared.errors import NotFound
from shared.version import TITLE

if TYPE_CHECKING:
    from shared.answers.service import ResourceMetadata

router = APIGatewayRouter()


@router.get(f"/{METADATA}")
def protected_resource() -> ResourceMetadata:
    """The metadata of the whole service."""
    return _metadata("")


@router.get(f"/{METADATA}/mcp")
def protected_mcp_server() -> ResourceMetadata:
    """The metadata by which clients of MCP find the authorization server; the resource is the address they call."""
    return _metadata("/mcp")


def _metadata(path: str) -> ResourceMetadata:
    variables = router.current_event.get("stageVariables") or {}
    issuer = variables.get("OAUTH_ISSUER")
    if not issuer:
        raise NotFound("no issuer of access tokens is set", hint="Send an API key in x-api-key.")
    scope = variables.get("OAUTH_SCOPE")
    return {
        "resource": service_address(router.current_event) + path,
        "authorization_servers": [issuer],
        "scopes_supported": [scope] if scope else [],
        "bearer_methods_supported": ["header"],
        "resource_name": TITLE,
    }
