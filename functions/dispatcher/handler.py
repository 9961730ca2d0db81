"""The dispatcher Lambda: HTTP requests, scheduled searches, completions of result sets and direct invocations.

To follow one search, read `shared.search.run`: it lists the files in order.
"""

from __future__ import annotations

import shared.garbage_collection  # before the imports that make many objects

# isort: split
from typing import TYPE_CHECKING, Any, cast

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.utilities.data_classes import APIGatewayProxyEvent
from aws_lambda_powertools.utilities.typing import LambdaContext

import functions.dispatcher.wiring.legs  # noqa: F401  its clients are made at import, when Lambda has a full CPU
from shared.aws.dynamodb.errors import STORAGE_ERRORS
from shared.aws.rest_api.application import Application
from shared.aws.rest_api.problem_responses import problem
from shared.aws.runtime.observability import bind_request_ids, error_code, logger
from shared.errors import StorageUnavailable

if TYPE_CHECKING:
    from shared.aws.messaging.received_messages import ReceivedMessages

SEARCH_PATHS = ("/v1/literature-search", "/v1/pubmed-search")
# Where `Accept` chooses the format: a cache must not give the answer to a request with another (RFC 9110, 12.5.5). The
# feed of a saved search says so itself.
NEGOTIATED = (*SEARCH_PATHS, "/v1/exports")
# The beginning of the path -> the module in this package.
MODULES = {
    "/v1/literature-search": "routes.search",
    "/v1/pubmed-search": "routes.search",
    "/v1/papers": "routes.papers",
    "/v1/citation-network": "routes.networks",
    "/v1/passages": "routes.passages",
    "/v1/similar": "routes.similar",
    "/v1/resolve": "routes.references",
    "/v1/exports": "routes.exports",
    "/v1/result-sets": "routes.result_sets",
    "/v1/reference-checks": "routes.reference_checks",
    "/v1/exhaustive-searches": "routes.exhaustive_searches",
    "/v1/citations": "routes.citations",
    "/v1/graph": "routes.graph",
    "/v1/saved-searches": "routes.saved_searches",
    "/v1/providers": "routes.service",
    "/v1/tools": "routes.service",
}


def _is_search(event: APIGatewayProxyEvent) -> bool:
    """A GET search refuses unknown parameters as it reads its fields.

    Its cold start does without the declarations of all operations.
    """
    return event.http_method == "GET" and event.path in SEARCH_PATHS


# The modules whose GET may query sources.
COSTLY = ("routes.search", "routes.papers", "routes.exports")
application = Application("functions.dispatcher", MODULES, any_parameters=_is_search, costly=COSTLY)


@application.app.exception_handler([*STORAGE_ERRORS])
def storage_error(error: Exception) -> Response[str]:
    """Storage errors of routes that cannot answer without it; a search continues without its cache."""
    logger.error("storage is unavailable", error=error_code(error), request_id=application.request_id)
    unavailable = StorageUnavailable("the service's storage is unavailable at the moment", retry_after_s=5.0)
    return problem(unavailable, application.request_id)


def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Answer a REST API event by its route; any other is from a queue, EventBridge or a direct invocation."""
    if "httpMethod" in event:
        answer = application.answer(event, context)
        if event["path"] in NEGOTIATED and answer["statusCode"] == 200:
            headers = answer["multiValueHeaders"]
            headers["Vary"] = [", ".join(["Accept", *headers.get("Vary", [])])]
        return answer
    if "Records" in event:
        from functions.dispatcher.completions import completed

        return dict(completed(cast("ReceivedMessages", event), context))
    from functions.dispatcher.scheduled import scheduled

    bind_request_ids(context.aws_request_id, str(event.get("id") or "") or None)
    return scheduled(event, context)


shared.garbage_collection.begin()
