"""`/v1/result-sets/{id}`: a stored result set again, filtered and counted; no provider is queried."""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING

from aws_lambda_powertools.event_handler.router import APIGatewayRouter

from functions.dispatcher.wiring.legs import DISCIPLINES, result_sets
from shared.aws.rest_api.request_body import query_object, request_id
from shared.canonical_json import ID_FORM
from shared.errors import Unprocessable
from shared.search.requests.search_request import must_exist
from shared.search.result_set_page import FacetRequest, ResultSetRequest, Waiting, facets_answer, result_set_answer
from shared.search.sizes.details import RESULT_FIELDS
from shared.validation import validated

if TYPE_CHECKING:
    from shared.answers.result_sets import FacetsAnswer, ResultSetAnswer

_ID = re.compile(ID_FORM)
router = APIGatewayRouter()


@router.get("/v1/result-sets/<result_set_id>")
def result_set(result_set_id: str) -> ResultSetAnswer:
    """A page of the papers that pass the filters."""
    request = validated(ResultSetRequest, query_object(router.current_event))
    must_exist("source", request.source, DISCIPLINES)
    must_exist("fields", request.fields, RESULT_FIELDS)
    waiting = Waiting(time.monotonic, time.sleep)
    return result_set_answer(_valid(result_set_id), request, result_sets(), request_id(router.current_event), waiting)


@router.get("/v1/result-sets/<result_set_id>/facets")
def facets(result_set_id: str) -> FacetsAnswer:
    """The counts of the papers that pass the filters."""
    request = validated(FacetRequest, query_object(router.current_event))
    must_exist("source", request.source, DISCIPLINES)
    return facets_answer(_valid(result_set_id), request, result_sets(), request_id(router.current_event))


def _valid(text: str) -> str:
    if not _ID.fullmatch(text):
        raise Unprocessable.field("id", "must be the `result_set_id` of an earlier answer")
    return text
