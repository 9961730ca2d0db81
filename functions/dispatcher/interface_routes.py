"""The API about itself: `/openapi.json` for programs, `/docs` for people, `/llms.txt` for language models."""

from __future__ import annotations

import json
import re
from functools import lru_cache
from typing import Any

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.router import APIGatewayRouter

from functions.dispatcher.world import DISCIPLINES

router = APIGatewayRouter()
# What the page may do: nothing but show itself. https://www.w3.org/TR/CSP3/
POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
_HOST = re.compile(r"[A-Za-z0-9.-]{1,253}(:\d{1,5})?")


@router.get("/openapi.json")
def openapi() -> Response[str]:
    """The API's description, OpenAPI 3.1."""
    return Response(
        200, "application/json", json.dumps(_document(_server()), ensure_ascii=False, separators=(",", ":"))
    )


@router.get("/docs")
def docs() -> Response[str]:
    """The same for people: one page that needs nothing else."""
    from shared.interface.docs_page import docs_page  # only for those who ask for it

    return Response(200, "text/html; charset=utf-8", docs_page(_document(_server())),
                    headers={"Content-Security-Policy": POLICY})  # fmt: skip


@router.get("/llms.txt")
def llms_text() -> Response[str]:
    """A short guide for language models."""
    from shared.interface.llms_text import llms_text as written

    return Response(200, "text/markdown; charset=utf-8", written(_document(_server())))


@lru_cache(maxsize=4)
def _document(server: str) -> dict[str, Any]:
    from shared.interface.openapi import openapi_document

    return openapi_document(server, DISCIPLINES)


def _server() -> str:
    """The address that the request came to; `/` where it cannot be told."""
    event = router.current_event
    asked = event.request_context
    own = asked.get("domainName")
    host = str(own or event.headers.get("Host") or "")
    if not _HOST.fullmatch(host):
        return "/"
    scheme = event.headers.get("X-Forwarded-Proto") or ("https" if own else "http")
    stage = str(asked.get("path") or event.path).removesuffix(event.path)
    return f"{'http' if scheme == 'http' else 'https'}://{host}{stage}"
