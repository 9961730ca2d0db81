"""Publishing papers to the graph: one rule for searches, papers, lists, references, networks and saved searches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from shared.answers.search import Queued
from shared.papers.reference_request import ResolveRequest
from shared.search.publishing import publish_results
from shared.search.requests.search_request import SearchRequest, read_request

RESULTS: Any = [{"key": "doi:10.1/a"}, {"key": "doi:10.1/b"}]
CONTEXT = {"type": "debate", "id": "42"}


class Queue:
    """Records what is published; accepts the first paper of each call."""

    def __init__(self) -> None:
        self.published: list[tuple[list[str], Any]] = []

    def __call__(self, results: Sequence[Mapping[str, Any]], context: Mapping[str, str] | None) -> Queued:
        self.published.append(([result["key"] for result in results], context))
        return {"queued": 1, "skipped": len(results) - 1}


def search(**fields: Any) -> SearchRequest:
    return read_request({"query": "TREM2", **fields}, {"pubmed": ["x"]})


@pytest.mark.parametrize(
    ("fields", "results", "kg", "published"),
    [
        ({}, RESULTS, {"queued": 1, "skipped": 1}, [(["doi:10.1/a", "doi:10.1/b"], None)]),
        ({"context": CONTEXT}, RESULTS[:1], {"queued": 1, "skipped": 0}, [(["doi:10.1/a"], CONTEXT)]),
        ({"cite_in_kg": False, "context": CONTEXT}, RESULTS, {"queued": 0, "skipped": 2}, []),
        # The queue is not called without papers.
        ({}, [], {"queued": 0, "skipped": 0}, []),
        ({"cite_in_kg": False}, [], {"queued": 0, "skipped": 0}, []),
    ],
)
def test_papers_are_published_with_the_consent_of_the_caller(
    fields: dict[str, Any], results: list[Any], kg: dict[str, int], published: list[Any]
) -> None:
    queue = Queue()
    assert publish_results(results, search(**fields), queue) == kg
    assert queue.published == published


def test_requests_about_papers_give_consent_in_the_same_way() -> None:
    queue = Queue()
    request = ResolveRequest.model_validate({"title": "A title", "context": CONTEXT})
    assert publish_results(RESULTS, request, queue) == {"queued": 1, "skipped": 1}
    assert queue.published == [(["doi:10.1/a", "doi:10.1/b"], CONTEXT)]
