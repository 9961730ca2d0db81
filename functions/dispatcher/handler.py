"""The front door: HTTPS requests, scheduled searches and direct calls -> run_search -> JSON."""

from __future__ import annotations

from typing import Any

from aws_lambda_powertools.event_handler import APIGatewayRestResolver, Response
from aws_lambda_powertools.event_handler.exceptions import NotFoundError
from aws_lambda_powertools.utilities.typing import LambdaContext
from botocore.exceptions import BotoCoreError, ClientError

import functions.dispatcher.wiring.search  # noqa: F401  its clients are made here, where Lambda gives a whole processor
from functions.dispatcher.problem_responses import plain_problem, problem
from functions.dispatcher.request_body import request_id
from functions.dispatcher.routing import Routes
from shared.aws.runtime.observability import code_of, follow, logger
from shared.canonical_json import compact_json
from shared.errors import LiteratureError, StorageUnavailable
from shared.storage_errors import TableBusy

# Titles and names in their own script are a third of the size of their escapes.
app = APIGatewayRestResolver(serializer=compact_json)
routes = Routes(app)


@app.exception_handler(LiteratureError)
def named_error(error: LiteratureError) -> Response[str]:
    """A fault with a name has its row in the table of problems."""
    logger.info("problem", code=error.code, detail=error.message, request_id=request_id(app.current_event))
    return problem(error, request_id(app.current_event))


@app.exception_handler([ClientError, BotoCoreError, TableBusy])
def our_storage(error: Exception) -> Response[str]:
    """What searches do without, the graph's routes need: they say so, and may be asked again."""
    logger.error("our own storage refuses", error=code_of(error), request_id=request_id(app.current_event))
    refused = StorageUnavailable("our own storage cannot be read or written now", retry_after_s=5.0)
    return problem(refused, request_id(app.current_event))


@app.not_found
def unknown_route(_: NotFoundError) -> Response[str]:
    """No such path, or not with this method."""
    method, path = app.current_event.http_method, app.current_event.path
    offered = ", ".join(routes.methods_of(path))
    if offered:
        told = f"{method} is not offered for {path}, but {offered} is"
        return plain_problem(405, "method_not_allowed", told, request_id(app.current_event), headers={"Allow": offered})
    told = f"{method} {path} is not a route of this API"
    return plain_problem(404, "not_found", told, request_id(app.current_event), hint="See /openapi.json.")


@app.exception_handler(Exception)
def our_fault(_: Exception) -> Response[str]:
    """Anything without a name is ours: logged whole, told without detail."""
    logger.exception("a fault of ours", request_id=request_id(app.current_event))
    return plain_problem(500, "internal_error", "something went wrong on our side", request_id(app.current_event))


def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    """A REST event goes by its route; all else was sent by EventBridge, or asks for a search as it stands."""
    if "httpMethod" in event:
        headers = {name.lower(): value for name, value in (event.get("headers") or {}).items()}
        follow(event["requestContext"].get("requestId"), headers.get("x-correlation-id"))
        routes.include(str(event.get("path")))
        return app.resolve(event, context)
    from functions.dispatcher.scheduled import scheduled

    follow(context.aws_request_id, str(event.get("id") or "") or None)

    return scheduled(event, context)
