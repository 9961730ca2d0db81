"""`/v1/citation-network`: the citations between papers around some seeds, as JSON, GraphML or a picture."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.router import APIGatewayRouter

from functions.dispatcher.admission import admitted
from functions.dispatcher.file_responses import left_out_header
from functions.dispatcher.wiring.papers import paper_dependencies
from shared.answers.content_trust import UNTRUSTED
from shared.aws.rest_api.request_body import json_object, request_id, tenant_of
from shared.exports.file_budget import within_budget
from shared.networks.build import build_network
from shared.networks.exports import by_importance, graph_ml, network_answer
from shared.networks.picture import svg
from shared.networks.roles import Network, NodeRoles
from shared.papers.request import NetworkRequest
from shared.search.requests.search_request import must_exist
from shared.search.sizes.details import RESULT_FIELDS
from shared.validation import validated

if TYPE_CHECKING:
    from shared.answers.papers import NetworkAnswer

MAX_BODY_BYTES = 64_000
EXAMPLE = '{"seeds": ["10.7554/eLife.20391"], "depth": 1}'
router = APIGatewayRouter()


@router.post("/v1/citation-network")
def citation_network() -> Response[str] | NetworkAnswer:
    """The network. Files cannot say that a provider did not answer: their header `Complete` does."""
    request = validated(NetworkRequest, json_object(router.current_event, MAX_BODY_BYTES, example=EXAMPLE))
    must_exist("fields", request.fields, RESULT_FIELDS)
    request = admitted(request, tenant_of(router.current_event))
    built = build_network(request, paper_dependencies(request_id(router.current_event)))
    in_text = built.in_text if request.detail == "full" else None
    drawn: dict[str, tuple[str, Callable[[Network, Mapping[str, NodeRoles]], str]]] = {
        "graphml": ("application/graphml+xml", partial(graph_ml, in_text=in_text)),
        "svg": ("image/svg+xml", svg),
    }
    if request.format not in drawn:
        return network_answer(built, request)
    media_type, draw = drawn[request.format]
    order = by_importance(built.network, built.roles)
    text, left_out = within_budget(
        lambda count: draw(Network(order[:count], built.network.edges), built.roles), len(order), request.max_tokens
    )
    headers = {"Complete": json.dumps(built.legs["complete"]), "Content-Trust": UNTRUSTED, **left_out_header(left_out)}
    return Response(200, media_type, text, headers=headers)
