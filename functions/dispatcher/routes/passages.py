"""`/v1/passages`: the sentences of papers that bear on a question or a claim."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from aws_lambda_powertools.event_handler.router import APIGatewayRouter

from functions.dispatcher.admission import within_fresh_budget
from functions.dispatcher.wiring.papers import paper_dependencies
from functions.dispatcher.wiring.reranking import reranker
from functions.dispatcher.wiring.searches import search_dependencies
from shared.aws.rest_api.request_body import json_object, request_id, tenant_of
from shared.passages.request import PassagesRequest
from shared.passages.run import PassageDependencies, find_passages
from shared.search.run import run_search
from shared.validation import validated

if TYPE_CHECKING:
    from shared.answers.passages import PassagesAnswer

MAX_BODY_BYTES = 64_000
EXAMPLE = '{"question": "How is TREM2 expressed in microglia?", "query": "TREM2 microglia"}'
router = APIGatewayRouter()


@router.post("/v1/passages")
def passages() -> PassagesAnswer:
    """The best passages, and what was read of each paper."""
    event = router.current_event
    request = validated(PassagesRequest, json_object(event, MAX_BODY_BYTES, example=EXAMPLE))
    request = within_fresh_budget(request, tenant_of(event))
    searches = search_dependencies(request_id(event), whole=True)
    dependencies = PassageDependencies(
        papers=paper_dependencies(request_id(event)),
        search=partial(run_search, dependencies=searches),
        reranker=reranker(),
    )
    return find_passages(request, dependencies)
