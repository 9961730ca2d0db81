"""`/v1/resolve`: the papers that references mean, or that there are none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aws_lambda_powertools.event_handler.router import APIGatewayRouter

from functions.dispatcher.admission import admitted
from functions.dispatcher.wiring.papers import paper_dependencies
from shared.aws.rest_api.request_body import json_object, request_id, tenant_of
from shared.papers.reference_request import ResolveRequest
from shared.references.resolve import resolve
from shared.search.requests.search_request import must_exist
from shared.search.sizes.details import RESULT_FIELDS
from shared.validation import validated

if TYPE_CHECKING:
    from shared.answers.papers import ResolveAnswer

MAX_BODY_BYTES = 200_000
EXAMPLE = '{"references": ["Vaswani A. et al. Attention is all you need. 2017"]}'
router = APIGatewayRouter()


@router.post("/v1/resolve")
def resolve_references() -> ResolveAnswer:
    """Resolve up to fifty references."""
    request = validated(ResolveRequest, json_object(router.current_event, MAX_BODY_BYTES, example=EXAMPLE))
    must_exist("fields", request.fields, RESULT_FIELDS)
    return resolve(
        admitted(request, tenant_of(router.current_event)), paper_dependencies(request_id(router.current_event))
    )
