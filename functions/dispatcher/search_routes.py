"""`/v1/literature-search` and its legacy alias `/v1/pubmed-search`, by POST and GET, and searches from events."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from aws_lambda_powertools.event_handler.router import APIGatewayRouter

from functions.dispatcher.body import json_object
from functions.dispatcher.world import DISCIPLINES, world
from shared.answer import RESULT_FIELDS
from shared.errors import FieldError, Unprocessable
from shared.request import read_request
from shared.search import run_search

MAX_BODY_BYTES = 64_000
router = APIGatewayRouter()


@router.route("/v1/literature-search", method=["GET", "POST"])
def literature_search() -> dict[str, Any]:
    """One search over all providers."""
    return search(_input(), request_id())


@router.route("/v1/pubmed-search", method=["GET", "POST"])
def pubmed_search() -> dict[str, Any]:
    """The same answer, from PubMed alone."""
    asked = _input()
    if asked.get("providers") not in (None, "", [], "pubmed", ["pubmed"]):
        message = "pubmed-search asks PubMed alone; use literature-search for other providers"
        raise Unprocessable(f"providers: {message}", [FieldError("providers", message)])
    return search({**asked, "providers": "pubmed"}, request_id())


def search(asked: Any, request_id: str, *, scheduled: bool = False) -> dict[str, Any]:
    """Validate and run one search, whichever way it came in; for a `scheduled` one nobody is waiting."""
    return run_search(read_request(asked, DISCIPLINES, RESULT_FIELDS), world(request_id, scheduled=scheduled))


def request_id() -> str:
    """API Gateway's id of this request."""
    return str(router.current_event.request_context.request_id or "")


def _input() -> dict[str, Any]:
    event = router.current_event
    if event.http_method == "GET":
        values: Mapping[str, list[str]] = event.resolved_query_string_parameters
        return {name: given[0] if len(given) == 1 else given for name, given in values.items()}
    return json_object(event, MAX_BODY_BYTES, example='{"query": "TREM2 microglia"}')
