"""The order in which answers about known papers have their fields."""

from __future__ import annotations

from shared.networks.exports import network_answer
from shared.papers.papers import get_paper, get_papers
from shared.papers.reference_request import ResolveRequest
from shared.papers.request import NetworkRequest, PapersRequest
from shared.references.resolve import resolve
from tests.unit.networks.literature import Literature
from tests.unit.papers.known_papers import Sources, paper

ENVELOPE = "search_time_ms complete providers cache kg hints truncated request_id content_trust"
SOURCES = Sources([paper("crossref", doi="10.1000/x")])


def test_papers_and_their_entries_have_their_fields_in_order() -> None:
    request = PapersRequest.model_validate({"ids": ["10.1000/x"]})
    answer = SOURCES.run(lambda dependencies: get_papers(request, dependencies))
    entry = "id name status paper source answered_by unanswered reason"
    assert " ".join(answer) == f"papers found not_found unanswered not_asked {ENVELOPE}"
    assert " ".join(answer["papers"][0]) == entry
    assert " ".join(SOURCES.run(lambda dependencies: get_paper(request, dependencies))) == f"{entry} {ENVELOPE}"


def test_resolved_references_have_their_fields_in_order() -> None:
    request = ResolveRequest.model_validate({"references": [{"doi": "10.1000/x"}]})
    answer = SOURCES.run(lambda dependencies: resolve(request, dependencies))
    assert " ".join(answer) == (
        "references matched mismatched ambiguous not_found unanswered complete providers cache kg search_time_ms "
        "truncated request_id content_trust"
    )
    assert " ".join(answer["references"][0]) == (
        "index reference status paper score agrees differs fields named_by_id candidates answered_by unanswered"
    )


def test_networks_have_their_fields_in_order() -> None:
    answer = network_answer(Literature({"a": "b"}).build("a"), NetworkRequest.model_validate({"seeds": ["10.1000/a"]}))
    assert " ".join(answer) == (
        "nodes edges counts roles seeds_not_found seeds_unanswered truncated complete providers cache hints "
        "search_time_ms kg request_id content_trust"
    )
