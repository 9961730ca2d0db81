"""`/v1/citation-network`: who cites whom around some papers, as JSON, as GraphML or as a picture."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.router import APIGatewayRouter

from functions.dispatcher.request_body import json_object, request_id
from functions.dispatcher.wiring.papers import papers_world
from shared.answers.content_trust import UNTRUSTED
from shared.networks.build import Built, build_network
from shared.networks.exports import graph_ml, network_json
from shared.networks.picture import svg
from shared.networks.roles import ROLES, NodeRoles
from shared.papers.request import NetworkRequest
from shared.search.request import Sized, must_exist
from shared.search.sizes import RESULT_FIELDS, sized, within_budget
from shared.validation import validated

MAX_BODY_BYTES = 64_000
EXAMPLE = '{"seeds": ["10.7554/eLife.20391"], "depth": 1}'
router = APIGatewayRouter()


@router.post("/v1/citation-network")
def citation_network() -> Response[str] | dict[str, Any]:
    """The network; in the header `Complete: false` where a file cannot say that somebody did not answer."""
    request = validated(NetworkRequest, json_object(router.current_event, MAX_BODY_BYTES, example=EXAMPLE))
    must_exist("fields", request.fields, RESULT_FIELDS)
    built = build_network(request, papers_world(request_id(router.current_event)))
    headers = {"Complete": json.dumps(built.report["complete"]), "Content-Trust": UNTRUSTED}
    if request.format == "graphml":
        return Response(200, "application/graphml+xml", graph_ml(built.network, built.roles), headers=headers)
    if request.format == "svg":
        return Response(200, "image/svg+xml", svg(built.network, built.roles), headers=headers)
    return _as_json(built, request)


def _as_json(built: Built, request: Sized) -> dict[str, Any]:
    told = network_json(built.network, built.roles)
    left = _fit(told["nodes"], request)
    truncated = {**(built.report["truncated"] or {}), **({"papers": left} if left else {})}
    return {
        **told,
        "counts": {"nodes": len(told["nodes"]), "edges": len(told["edges"])},
        "roles": {role: _having(role, built.roles) for role in ROLES},
        **built.report,
        "truncated": truncated or None,
    }


def _fit(nodes: list[dict[str, Any]], request: Sized) -> int:
    """Every paper in the size asked for; how many are null because they are beyond the budget, the least linked."""
    order = sorted(nodes, key=lambda node: (not node["seed"], -node["cited_within"], node["depth"], node["key"]))
    held = [node for node in order if node["paper"]]
    shown, _ = within_budget([sized(node["paper"], request) for node in held], request.max_tokens)
    for number, node in enumerate(held):
        node["paper"] = shown[number] if number < len(shown) else None
    return len(held) - len(shown)


def _having(role: str, roles: Mapping[str, NodeRoles]) -> list[str]:
    return sorted(key for key, it in roles.items() if role in it.roles)
