"""The documentation of the API: `/openapi.json` for programs, `/docs` for people, `/llms.txt` for language models."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.router import APIGatewayRouter

from shared.aws.rest_api.request_body import service_address
from shared.aws.runtime.settings import required
from shared.canonical_json import compact_json
from shared.providers.capabilities import read_capabilities, searched_disciplines

if TYPE_CHECKING:
    from shared.api.openapi_types import OpenApiDocument

router = APIGatewayRouter()
DISCIPLINES = searched_disciplines(read_capabilities(required("CAPABILITIES")))


@router.get("/openapi.json")
def openapi() -> Response[str]:
    """The OpenAPI 3.1 document."""
    return Response(200, "application/json", compact_json(_document()))


@router.get("/docs")
def docs() -> Response[str]:
    """Swagger UI."""
    from shared.api.docs_page import docs_page

    page, policy = docs_page()
    return Response(200, "text/html; charset=utf-8", page, headers={"Content-Security-Policy": policy})


@router.get("/llms.txt")
def llms_text() -> Response[str]:
    """A short guide for language models."""
    from shared.agent_tools.registry import TOOLS
    from shared.api.llms_text import llms_text as written

    return Response(200, "text/markdown; charset=utf-8", written(_document(), TOOLS))


def _document() -> OpenApiDocument:
    return _document_of(service_address(router.current_event) or "/")


@lru_cache(maxsize=4)
def _document_of(server: str) -> OpenApiDocument:
    from shared.api.openapi import openapi_document

    return openapi_document(server, DISCIPLINES)
