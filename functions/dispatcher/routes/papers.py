"""`/v1/papers`: papers by id, the references of a paper, its citations, papers like it, and its full text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.router import APIGatewayRouter

from functions.dispatcher.admission import admitted
from functions.dispatcher.listing_requests import read_listing
from functions.dispatcher.wiring.papers import paper_dependencies
from shared.aws.rest_api.request_body import json_object, query_object, request_id, tenant_of
from shared.bibliography.paper_ids import read_id
from shared.papers.links.lists import get_links
from shared.papers.no_id import no_id
from shared.papers.papers import get_paper, get_papers
from shared.papers.path import id_and_part
from shared.papers.request import LinksRequest, PapersRequest
from shared.query.question import Relation
from shared.search.requests.search_request import must_exist
from shared.search.sizes.details import RESULT_FIELDS

if TYPE_CHECKING:
    from shared.answers.full_texts import FullTextAnswer
    from shared.answers.papers import LinksAnswer, PaperAnswer, PapersAnswer
    from shared.answers.similar import SimilarAnswer

MAX_BODY_BYTES = 200_000
EXAMPLE = '{"ids": ["10.7554/eLife.20391", "PMID:27797938"]}'
router = APIGatewayRouter()


@router.post("/v1/papers")
def papers() -> PapersAnswer:
    """Up to a hundred papers, each by any of its ids."""
    request = read_listing(PapersRequest, json_object(router.current_event, MAX_BODY_BYTES, example=EXAMPLE))
    must_exist("fields", request.fields, RESULT_FIELDS)
    return get_papers(
        admitted(request, tenant_of(router.current_event)), paper_dependencies(request_id(router.current_event))
    )


@router.get("/v1/papers/.+")
def paper() -> PaperAnswer | LinksAnswer | SimilarAnswer | FullTextAnswer | Response[str]:
    """One paper; after its id `/references` or `/citations` for a page of that list, `/similar`, `/fulltext`."""
    name, part = id_and_part(router.current_event.path.partition("/v1/papers/")[2])
    if part == "fulltext":
        from functions.dispatcher.routes.full_texts import full_text

        return full_text(router.current_event, name)
    if part == "similar":
        from functions.dispatcher.routes.similar import similar_to_one

        return similar_to_one(router.current_event, _valid_id(name))
    options = query_object(router.current_event)
    if part:
        links = read_listing(LinksRequest, options, in_path={"id": _valid_id(name)})
        must_exist("fields", links.fields, RESULT_FIELDS)
        relation: Relation = "references" if part == "references" else "citations"
        return get_links(
            relation,
            admitted(links, tenant_of(router.current_event)),
            paper_dependencies(request_id(router.current_event)),
        )
    request = read_listing(PapersRequest, options, in_path={"ids": [_valid_id(name)]})
    must_exist("fields", request.fields, RESULT_FIELDS)
    return get_paper(
        admitted(request, tenant_of(router.current_event)), paper_dependencies(request_id(router.current_event))
    )


def _valid_id(text: str) -> str:
    if read_id(text) is None:
        raise no_id("id", text)
    return text
