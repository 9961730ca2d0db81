"""`/v1/resolve`: the papers that references mean, or that there are none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aws_lambda_powertools.event_handler.router import APIGatewayRouter

from functions.dispatcher.admission import admitted
from functions.dispatcher.wiring.papers import paper_dependencies
from shared.aws.rest_api.request_body import json_object, request_id, tenant_of
from shared.documents.single_reference import record_in, references_in
from shared.errors import FieldError, Unprocessable
from shared.papers.reference_request import Reference, ResolveRequest
from shared.reference_checks.entries import reference_of
from shared.references.resolve import resolve
from shared.search.requests.search_request import must_exist
from shared.search.sizes.details import RESULT_FIELDS
from shared.validation import refusal, validated

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
    dependencies = paper_dependencies(request_id(router.current_event))
    lists = _lists(request)
    request = request.model_copy(update={"references": tuple(map(_with_fields, request.references))})
    return resolve(admitted(request, tenant_of(router.current_event)), dependencies, lists)


def _with_fields(reference: Reference) -> Reference:
    """A reference that is one record of an export by the fields that it names; any other as it is."""
    entry = record_in(reference.reference) if reference.reference and not reference.title else None
    values = reference_of(entry) if entry else None
    return validated(Reference, values).with_place(reference.place) if values else reference


def _lists(request: ResolveRequest) -> dict[int, str]:
    """By place, what is said of each text of several references: one of them would match, and stand for the others.

    Raises Unprocessable if there is no other reference.
    """
    counts = {it.place: references_in(it.reference) for it in request.references if it.reference}
    lists = {place: count for place, count in counts.items() if count > 1}
    if len(lists) < len(request.references):
        return {place: f"has {count} references: divide it, or send it as a document" for place, count in lists.items()}
    error = refusal(
        Unprocessable,
        [
            FieldError(f"references.{place}", f"has {count} references; each must be an entry of its own")
            for place, count in lists.items()
        ],
    )
    error.hint = "Divide the list, or send it as a document to POST /v1/reference-checks."
    raise error
