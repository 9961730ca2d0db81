"""`/v1/literature-search` and its legacy alias `/v1/pubmed-search`, by POST and GET, and searches from events."""

from __future__ import annotations

from typing import Any

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.router import APIGatewayRouter

from functions.dispatcher.file_responses import as_file, format_asked
from functions.dispatcher.request_body import json_object, query_object, request_id
from functions.dispatcher.wiring.search import DISCIPLINES, result_sets, world
from shared.aws.runtime.observability import logger
from shared.errors import StorageUnavailable, Unprocessable
from shared.search.request import read_request
from shared.search.run import run_search
from shared.search.sizes import RESULT_FIELDS
from shared.validation import absent

MAX_BODY_BYTES = 64_000
router = APIGatewayRouter()


@router.route("/v1/literature-search", method=["GET", "POST"])
def literature_search() -> dict[str, Any] | Response[str]:
    """One search over all providers."""
    return _answered(_input())


@router.route("/v1/pubmed-search", method=["GET", "POST"])
def pubmed_search() -> dict[str, Any] | Response[str]:
    """The same answer, from PubMed alone."""
    asked = _input()
    named = asked.get("providers")
    if not absent(named) and named not in ("pubmed", ["pubmed"]):
        raise Unprocessable.field(
            "providers", "pubmed-search asks PubMed alone; use literature-search for other providers"
        )
    return _answered({**asked, "providers": "pubmed"})


def _answered(asked: dict[str, Any]) -> dict[str, Any] | Response[str]:
    """The page as JSON, or the whole result set as a file."""
    form = format_asked(asked.pop("format", None), router.current_event)
    answer = search(asked, request_id(router.current_event))
    if form is None:
        return answer
    kept = result_sets().get(answer["result_set_id"])
    if kept is None:
        raise StorageUnavailable(
            "the result set could not be kept, so that there is nothing to export", retry_after_s=5.0
        )
    return as_file(form, kept["results"], complete=answer["complete"])


def search(asked: Any, request_id: str, *, scheduled: bool = False) -> dict[str, Any]:
    """Validate and run one search, whichever way it came in; for a `scheduled` one nobody is waiting."""
    request = read_request(asked, DISCIPLINES, RESULT_FIELDS)
    answer = run_search(request, world(request_id, scheduled=scheduled))
    told = {name: answer[name] for name in ("returned", "total_count", "complete", "cache", "search_time_ms")}
    logger.info("search", answer=told)
    return answer


def _input() -> dict[str, Any]:
    event = router.current_event
    if event.http_method == "GET":
        return query_object(event)
    return json_object(event, MAX_BODY_BYTES, example='{"query": "TREM2 microglia"}')
