"""The root of the service, and whether it is up."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.router import APIGatewayRouter

from functions.public_pages.page import page_document
from shared.aws.rest_api.request_body import service_address
from shared.version import SUMMARY, TITLE, VERSION

if TYPE_CHECKING:
    from shared.answers.service import HealthAnswer, ServiceAnswer

router = APIGatewayRouter()


@router.get("/")
def service() -> ServiceAnswer | Response[str]:
    """What answers here, for callers that know only the address: for browsers, the page for people."""
    if page := page_document(router.current_event):
        return page
    address = service_address(router.current_event)
    return {
        "name": TITLE,
        "version": VERSION,
        "description": SUMMARY,
        "links": {
            "documentation": f"{address}/docs",
            "openapi": f"{address}/openapi.json",
            "guide": f"{address}/llms.txt",
            "health": f"{address}/health",
            "search": f"{address}/v1/literature-search",
            "mcp": f"{address}/mcp",
        },
    }


@router.get("/health")
def health() -> HealthAnswer:
    """The service is up; no provider is queried."""
    return {"status": "ok"}
