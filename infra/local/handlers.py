"""The handlers of all functions, as Lambda would import them."""

from __future__ import annotations

import os
import sys
from importlib import import_module
from typing import Any
from unittest.mock import patch

from aws_lambda_powertools import event_handler

from infra.functions import provider_names
from infra.local.lambda_hook import Handler
from infra.local.resources import PREFIX
from infra.local.threaded_resolver import PerThreadResolver
from shared.aws.lambda_functions import leg_wiring

# A process in Lambda answers one search; here, several at the same time, whose legs wait for permits in threads.
SEARCHES_AT_ONCE = 10  # of the largest size


def import_handlers() -> dict[str, Handler]:
    """Every handler, imported anew with whatever remembers states: each machine is a cold start."""
    for module in [name for name in sys.modules if name.startswith("functions.")]:
        del sys.modules[module]
    modules = {
        "dispatcher": "functions.dispatcher.handler",
        "public_pages": "functions.public_pages.handler",
        "authorizer": "functions.authorizer.handler",
        "citation_writer": "functions.citation_writer.handler",
        "deliverer": "functions.deliverer.handler",
        "saved_search_runner": "functions.saved_search_runner.handler",
        "reference_checker": "functions.reference_checker.handler",
        "exhaustive_searcher": "functions.exhaustive_searcher.handler",
        **({"reranker": "functions.reranker.handler"} if os.environ.get("RERANKER_MODEL") else {}),
        **{name: f"functions.providers.{name}" for name in provider_names()},
    }
    with (
        patch.object(event_handler, "APIGatewayRestResolver", PerThreadResolver),
        patch.object(leg_wiring, "SEARCHES_AT_ONCE", SEARCHES_AT_ONCE),
    ):
        handlers = {name: import_module(path).handler for name, path in modules.items()}
    return {f"{PREFIX}-{name}": it for name, it in handlers.items()} | {f"{PREFIX}-mcp_server": _mcp_server}


def _mcp_server(event: dict[str, Any], context: Any) -> Any:
    """Imported when it is first asked: the SDK takes half a second, which a search need not wait for."""
    return import_module("functions.mcp_server.handler").handler(event, context)
