"""The dispatcher Lambda: HTTP requests, scheduled searches, completions of result sets and direct invocations.

To follow one search, read `shared.search.run`: it lists the files in order.
"""

from __future__ import annotations

import shared.garbage_collection  # noqa: F401  before the imports that make many objects

# isort: split
import os
from typing import Any

from aws_lambda_powertools.event_handler import APIGatewayRestResolver, Response
from aws_lambda_powertools.event_handler.exceptions import NotFoundError
from aws_lambda_powertools.event_handler.middlewares import NextMiddleware
from aws_lambda_powertools.utilities.typing import LambdaContext
from botocore.exceptions import BotoCoreError, ClientError

import functions.dispatcher.wiring.search  # noqa: F401  its clients are made at import, when Lambda has a full CPU
from functions.dispatcher.answer_limit import within_limit
from functions.dispatcher.problem_responses import plain_problem, problem
from functions.dispatcher.request_body import request_id
from functions.dispatcher.routing import Routes
from shared.api.cors import add_cors_headers, read_origins
from shared.aws.runtime.observability import bind_request_ids, error_code, logger
from shared.canonical_json import compact_json
from shared.errors import LiteratureError, StorageUnavailable
from shared.storage_errors import TableBusy

SEARCHES = ("/v1/literature-search", "/v1/pubmed-search")
# Unescaped, titles and names in other scripts take a third of the bytes.
app = APIGatewayRestResolver(serializer=compact_json)
routes = Routes(app)


def refuse_unknown(current: APIGatewayRestResolver, next_middleware: NextMiddleware) -> Response[Any]:
    """Query parameters that an operation does not have are refused, on every route.

    A GET search refuses them as it reads its fields; its cold start does without the declarations of all operations.
    """
    event = current.current_event
    names = event.resolved_query_string_parameters
    # Others add parameters of their own to links to the page.
    to_page = event.path == "/" and "text/html" in (event.headers.get("Accept") or "")
    if names and not to_page and not (event.http_method == "GET" and event.path in SEARCHES):
        from shared.api.query_parameters import refuse_unknown_parameters

        refuse_unknown_parameters(event.http_method, event.path, names)
    return next_middleware(current)


app.use([refuse_unknown])


@app.exception_handler(LiteratureError)
def literature_error(error: LiteratureError) -> Response[str]:
    """Errors of this product: `shared.api.problems` has their status codes.

    The message of a refusal may repeat what the caller sent, so INFO has the names of the fields alone.
    """
    request = request_id(app.current_event)
    fields = [fault.field for fault in getattr(error, "errors", ())]
    logger.info("problem", code=error.code, fields=fields, request_id=request)
    logger.debug("the problem's detail", detail=error.message, request_id=request)
    return problem(error, request_id(app.current_event))


@app.exception_handler([ClientError, BotoCoreError, TableBusy])
def storage_error(error: Exception) -> Response[str]:
    """Storage errors of routes that cannot answer without it; a search continues without its cache."""
    logger.error("storage is unavailable", error=error_code(error), request_id=request_id(app.current_event))
    unavailable = StorageUnavailable("the service's storage is unavailable at the moment", retry_after_s=5.0)
    return problem(unavailable, request_id(app.current_event))


@app.not_found
def unknown_route(_: NotFoundError) -> Response[str]:
    """An unknown path, or a method that the path does not have."""
    method, path = app.current_event.http_method, app.current_event.path
    offered = ", ".join(routes.methods_of(path))
    if offered:
        detail = f"{method} is not offered for {path}, but {offered} is"
        return plain_problem(
            405, "method_not_allowed", detail, request_id(app.current_event), headers={"Allow": offered}
        )
    detail = f"{method} {path} is not a route of this API"
    from shared.api.nearest_route import nearest_route  # which reads the declarations of all operations

    nearest = nearest_route(path)
    hint = f"Did you mean {nearest}? All routes are in /openapi.json." if nearest else "See /openapi.json."
    return plain_problem(404, "not_found", detail, request_id(app.current_event), hint=hint)


@app.exception_handler(Exception)
def internal_error(_: Exception) -> Response[str]:
    """Any other error is a bug: logged with its traceback, reported without detail."""
    logger.exception("internal error", request_id=request_id(app.current_event))
    return plain_problem(500, "internal_error", "an internal error occurred", request_id(app.current_event))


def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Answer a REST API event by its route; any other is from a queue, EventBridge or a direct invocation."""
    if "httpMethod" in event:
        headers = {name.lower(): value for name, value in (event.get("headers") or {}).items()}
        bind_request_ids(event["requestContext"].get("requestId"), headers.get("x-correlation-id"))
        routes.include(str(event.get("path")))
        answer = within_limit(app.resolve(event, context), request_id(app.current_event))
        answer["multiValueHeaders"]["X-Content-Type-Options"] = ["nosniff"]  # titles and names are others' text
        add_cors_headers(answer["multiValueHeaders"], headers, read_origins(os.environ.get("CORS_ORIGINS")))
        return answer
    if "Records" in event:
        from functions.dispatcher.completions import completed

        return completed(event, context)
    from functions.dispatcher.scheduled import scheduled

    bind_request_ids(context.aws_request_id, str(event.get("id") or "") or None)

    return scheduled(event, context)
