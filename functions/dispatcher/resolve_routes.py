"""`/v1/resolve`: which paper a reference means, or that there is none such."""

from __future__ import annotations

from typing import Any

from aws_lambda_powertools.event_handler.router import APIGatewayRouter

from functions.dispatcher.body import json_object, request_id
from functions.dispatcher.papers_world import papers_world
from shared.input_faults import validated
from shared.papers.request import ResolveRequest
from shared.papers.resolve import resolve
from shared.request import must_exist
from shared.sizes import RESULT_FIELDS

MAX_BODY_BYTES = 200_000
EXAMPLE = '{"references": ["Vaswani A. et al. Attention is all you need. 2017"]}'
router = APIGatewayRouter()


@router.post("/v1/resolve")
def resolve_references() -> dict[str, Any]:
    """Up to fifty references, each matched, ambiguous or not found."""
    request = validated(ResolveRequest, json_object(router.current_event, MAX_BODY_BYTES, example=EXAMPLE))
    must_exist("fields", request.fields, RESULT_FIELDS)
    return resolve(request, papers_world(request_id(router.current_event)))
