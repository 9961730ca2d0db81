"""The public pages: the paths that need no credential, which describe the service. They read no table.

A function of their own, since anybody may call it: its role may do nothing but write its log, and whatever they cost or
break, searches go on.
"""

from __future__ import annotations

import shared.garbage_collection  # before the imports that make many objects

# isort: split
from typing import Any

from aws_lambda_powertools.utilities.data_classes import APIGatewayProxyEvent
from aws_lambda_powertools.utilities.typing import LambdaContext

from shared.aws.rest_api.application import Application

# The beginning of the path -> the module in this package.
MODULES = {
    "/": "routes.service",
    "/health": "routes.service",
    "/assets": "routes.assets",
    "/openapi.json": "routes.documentation",
    "/docs": "routes.documentation",
    "/llms.txt": "routes.documentation",
    "/.well-known": "routes.authorization",
}


def _is_page(event: APIGatewayProxyEvent) -> bool:
    """Others add parameters of their own to links to the page."""
    return event.path == "/" and "text/html" in (event.headers.get("Accept") or "")


application = Application("functions.public_pages", MODULES, any_parameters=_is_page)


def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Answer a REST API event by its route."""
    return application.answer(event, context)


shared.garbage_collection.begin()
