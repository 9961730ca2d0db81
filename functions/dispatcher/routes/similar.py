"""`/v1/similar` and `/v1/papers/{id}/similar`: papers like others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aws_lambda_powertools.event_handler.router import APIGatewayRouter
from aws_lambda_powertools.utilities.data_classes import APIGatewayProxyEvent

from functions.dispatcher.admission import admitted
from functions.dispatcher.listing_requests import read_listing
from functions.dispatcher.wiring.papers import paper_dependencies
from shared.aws.rest_api.request_body import json_object, query_object, request_id, tenant_of
from shared.papers.similar.request import SimilarRequest
from shared.papers.similar.similar_papers import get_similar
from shared.search.requests.search_request import must_exist
from shared.search.sizes.details import RESULT_FIELDS

if TYPE_CHECKING:
    from shared.answers.similar import SimilarAnswer

MAX_BODY_BYTES = 64_000
EXAMPLE = '{"seeds": ["10.7554/eLife.20391"], "unlike": ["PMID:27797938"]}'
router = APIGatewayRouter()


@router.post("/v1/similar")
def similar() -> SimilarAnswer:
    """Papers like several seeds, and unlike others."""
    body = json_object(router.current_event, MAX_BODY_BYTES, example=EXAMPLE)
    return _answered(router.current_event, read_listing(SimilarRequest, body))


def similar_to_one(event: APIGatewayProxyEvent, paper_id: str) -> SimilarAnswer:
    """Papers like the one whose id is in the path, which was checked."""
    return _answered(event, read_listing(SimilarRequest, query_object(event), in_path={"seeds": [paper_id]}))


def _answered(event: APIGatewayProxyEvent, request: SimilarRequest) -> SimilarAnswer:
    must_exist("fields", request.fields, RESULT_FIELDS)
    return get_similar(admitted(request, tenant_of(event)), paper_dependencies(request_id(event)))
