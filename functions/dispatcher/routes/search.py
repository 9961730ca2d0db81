"""`/v1/literature-search` and its legacy alias `/v1/pubmed-search`, by POST and GET, and searches from events."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.router import APIGatewayRouter

from functions.dispatcher.admission import admitted
from functions.dispatcher.file_responses import as_file, requested_format
from functions.dispatcher.request_body import json_object, query_object, request_id, tenant_of
from functions.dispatcher.wiring.search import DISCIPLINES, result_sets
from functions.dispatcher.wiring.searches import search_dependencies
from shared.aws.runtime.observability import logger
from shared.errors import StorageUnavailable, Unprocessable
from shared.search.request import read_request
from shared.search.run import run_search
from shared.search.sizes import RESULT_FIELDS
from shared.validation import is_blank

if TYPE_CHECKING:
    from shared.answers.search import SearchAnswer
    from shared.json_types import JsonObject

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
    request = {name: value for name, value in data.items() if name != "format"}
    caller = tenant_of(router.current_event)
    answer = search(request, request_id(router.current_event), caller, only_keys=form is not None)
    if form is None:
        return answer
    result_set = result_sets().get(answer["result_set_id"])
    if result_set is None:
        raise StorageUnavailable("the result set could not be stored, so it cannot be exported", retry_after_s=5.0)
    page = {paper["key"] for paper in answer["results"]}
    return as_file(form, [it for it in result_set["results"] if it["key"] in page], complete=answer["complete"])


def search(
    data: object, request_id: str, caller: str, *, scheduled: bool = False, only_keys: bool = False
) -> SearchAnswer:
    """Validate and run one search from HTTP or an event; no caller waits for a `scheduled` one.

    With `only_keys`, results have no other field, whatever was requested; a file is made of whole answers.
    """
    request = admitted(read_request(data, DISCIPLINES, RESULT_FIELDS), caller)
    if only_keys:
        request = request.model_copy(update={"fields": ("key",)})
    answer = run_search(request, search_dependencies(request_id, scheduled=scheduled, whole=only_keys))
    logged = ("returned", "total_count", "complete", "cache", "search_time_ms")
    logger.info("search", answer={name: value for name, value in answer.items() if name in logged})
    return answer


def _input() -> JsonObject:
    event = router.current_event
    if event.http_method == "GET":
        return query_object(event)
    return json_object(event, MAX_BODY_BYTES, example='{"query": "TREM2 microglia"}')
