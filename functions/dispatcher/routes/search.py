"""`/v1/literature-search` and its legacy alias `/v1/pubmed-search`, by POST and GET, and searches from events."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.router import APIGatewayRouter

from functions.dispatcher.admission import admitted
from functions.dispatcher.file_responses import as_file, requested_format
from functions.dispatcher.wiring.legs import DISCIPLINES, result_sets
from functions.dispatcher.wiring.searches import search_dependencies
from shared.aws.rest_api.request_body import json_object, query_object, request_id, tenant_of
from shared.aws.runtime.observability import logger
from shared.errors import StorageUnavailable, Unprocessable
from shared.search.requests.search_request import read_request
from shared.search.run import run_search
from shared.search.sizes.details import RESULT_FIELDS
from shared.validation import is_blank

if TYPE_CHECKING:
    from shared.answers.search import SearchAnswer
    from shared.json_types import JsonObject
    from shared.search.requests.search_request import SearchRequest

MAX_BODY_BYTES = 64_000
router = APIGatewayRouter()


@router.route("/v1/literature-search", method=["GET", "POST"])
def literature_search() -> SearchAnswer | Response[str]:
    """One search over all providers."""
    return _answered(_input())


@router.route("/v1/pubmed-search", method=["GET", "POST"])
def pubmed_search() -> SearchAnswer | Response[str]:
    """The same answer, from PubMed alone."""
    data = _input()
    named = data.get("providers")
    if not is_blank(named) and named not in ("pubmed", ["pubmed"]):
        raise Unprocessable.field(
            "providers", "pubmed-search queries PubMed alone; use literature-search for other providers"
        )
    return _answered({**data, "providers": "pubmed"})


def _answered(data: JsonObject) -> SearchAnswer | Response[str]:
    """The page as JSON or as a file; `/v1/exports` writes the whole result set."""
    form = requested_format(data.get("format"), router.current_event)
    request = read_request(
        {name: value for name, value in data.items() if name != "format"}, DISCIPLINES, RESULT_FIELDS
    )
    own_id, caller = request_id(router.current_event), tenant_of(router.current_event)
    if form is None:
        return search(request, own_id, caller)
    only_keys = request.model_copy(update={"fields": ("key",), "max_tokens": None})
    answer = search(only_keys, own_id, caller, whole=True)
    result_set = result_sets().get(answer["result_set_id"])
    if result_set is None:
        raise StorageUnavailable("the result set could not be stored, so it cannot be exported", retry_after_s=5.0)
    page = {paper["key"] for paper in answer["results"]}
    results = [it for it in result_set["results"] if it["key"] in page]
    return as_file(form, results, complete=answer["complete"], max_tokens=request.max_tokens)


def search(
    request: SearchRequest, request_id: str, caller: str, *, scheduled: bool = False, whole: bool = False
) -> SearchAnswer:
    """Run one search from HTTP or an event; no caller waits for a `scheduled` one, a `whole` one waits for all legs."""
    dependencies = search_dependencies(request_id, scheduled=scheduled, whole=whole)
    answer = run_search(admitted(request, caller), dependencies)
    logged = ("returned", "total_count", "complete", "cache", "search_time_ms")
    logger.info("search", answer={name: value for name, value in answer.items() if name in logged})
    return answer


def _input() -> JsonObject:
    event = router.current_event
    if event.http_method == "GET":
        return query_object(event)
    return json_object(event, MAX_BODY_BYTES, example='{"query": "TREM2 microglia"}')
