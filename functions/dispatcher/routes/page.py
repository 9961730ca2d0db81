"""The page for people: `/` for browsers, and `/assets` for what it loads."""

from __future__ import annotations

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.router import APIGatewayRouter

from functions.dispatcher.page import page_asset, page_document
from shared.errors import NotFound

router = APIGatewayRouter()


@router.get("/")
def root() -> Response[str]:
    """The page, for whom a browser sends."""
    if page := page_document(router.current_event):
        return page
    raise NotFound("GET / is a page for browsers", hint="See /openapi.json.")


@router.get("/assets/<name>")
def asset(name: str) -> Response[str]:
    """A script or style of the page."""
    if found := page_asset(name):
        return found
    raise NotFound("no such script or style", hint="The page at / names those that there are.")
