"""`/v1/resolve`: which paper a reference means, or that there is none such."""

from __future__ import annotations

from typing import Any

from aws_lambda_powertools.event_handler.router import APIGatewayRouter

from functions.dispatcher.request_body import json_object, request_id
from functions.dispatcher.wiring.papers import papers_world
from shared.papers.request import ResolveRequest
from shared.references.resolve import resolve
from shared.search.request import must_exist
from shared.search.sizes import RESULT_FIELDS
from shared.validation import validated

MAX_BODY_BYTES = 200_000
EXAMPLE = '{"references": ["Vaswani A. et al. Attention is all you need. 2017"]}'
router = APIGatewayRouter()


@router.post("/v1/resolve")
def resolve_references() -> dict[str, Any]:
    """Up to fifty references, each matched, ambiguous or not found."""
    request = validated(ResolveRequest, json_object(router.current_event, MAX_BODY_BYTES, example=EXAMPLE))
    must_exist("fields", request.fields, RESULT_FIELDS)
    return resolve(request, papers_world(request_id(router.current_event)))
