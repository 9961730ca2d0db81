"""What the page for people loads; the page itself is the answer of `/` to browsers (`routes.service`)."""

from __future__ import annotations

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.router import APIGatewayRouter

from functions.public_pages.page import page_asset
from shared.errors import NotFound

router = APIGatewayRouter()


@router.get("/assets/<name>")
def asset(name: str) -> Response[str]:
    """A script or style of the page."""
    if found := page_asset(name):
        return found
    raise NotFound("no such script or style", hint="The page at / names those that there are.")
