"""Citations of papers of which sources did not answer: the answer says so, and the same request asks them again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from infra.functions import provider_names
from infra.local.machine import Machine
from infra.local.sandbox.facts import read_facts
from infra.local.sandbox.semantic_scholar.records import external_ids
from tests.integration.graph.test_routes import DEBATE, call, cite, get
from tests.integration.mcp_calls import called
from tests.integration.papers_calls import upstream

DOI = "10.1084/jem.20212479"
TEXT = f"As shown (doi:{DOI})."
CONTEXT = "/v1/graph/contexts/debate/on-microglia/7"
Down = Callable[..., None]


@pytest.fixture
def down(local: Machine, monkeypatch: pytest.MonkeyPatch) -> Iterator[Down]:
    """Let these sources fail from now on, and no others."""
    monkeypatch.setattr("shared.aws.dynamodb.leg_cache.FAILURE_S", 0.0)  # for how long a failure is shared
    assert local.sandbox is not None
    faults = local.sandbox.faults

    def fail(*names: str) -> None:
        faults.clear()
        faults.update({name: {"status": 503, "retry_after": 0} for name in names})

    yield fail
    faults.clear()


def status(recorded: dict[str, Any]) -> tuple[Any, ...]:
    (mention,) = recorded["mentions"]
    return mention["status"], mention["key"], recorded["unresolved"], [it["reason"] for it in recorded["hints"]]


OPEN = ("not_in_graph", None, [f"doi:{DOI}"], ["providers_failed"])
KNOWN: tuple[Any, ...] = ("resolved", f"doi:{DOI}", [], [])


@pytest.mark.parametrize("key", [{}, {"key": "mine"}], ids=["without a key", "with a key"])
def test_sources_that_did_not_answer_are_named_and_queried_by_the_next_equal_request(
    local: Machine, down: Down, key: dict[str, str]
) -> None:
    down(*provider_names())
    first = cite(local, text=TEXT, by="agent-7", **key)
    assert status(first) == OPEN
    assert "crossref (unavailable)" in first["hints"][0]["message"]
    assert status(cite(local, text=TEXT, by="agent-7", **key)) == OPEN
    down()
    again = cite(local, text=TEXT, by="agent-7", **key)
    assert (status(again), again["at"], again["recorded"]) == (KNOWN, first["at"], 1)
    local.drain_queue()
    assert [(it["key"], it["at"]) for it in get(local, CONTEXT)["items"]] == [(f"doi:{DOI}", first["at"])]
    assert status(cite(local, text=TEXT, by="agent-7", **key))[0] in ("resolved", "in_graph")


def test_a_changed_request_is_still_refused_under_the_key_of_an_answer_that_lacks_something(
    local: Machine, down: Down
) -> None:
    down(*provider_names())
    cite(local, text=TEXT, key="mine")
    body = {"context": DEBATE, "text": "see 10.1000/other"}
    refused, problem = call(local, "POST", "/v1/citations", body, headers={"Idempotency-Key": "mine"})
    assert (refused, problem["code"]) == (409, "conflict")


def test_an_answer_that_lacks_nothing_is_returned_again_without_a_lookup(local: Machine, down: Down) -> None:
    first = cite(local, text=TEXT)
    assert status(first) == KNOWN
    down(*provider_names())
    before = upstream(local)
    again = cite(local, text=TEXT)
    assert {**again, "request_id": ""} == {**first, "request_id": ""}
    assert upstream(local) == before


def test_an_unknown_retraction_is_looked_up_by_the_next_equal_request(local: Machine, down: Down) -> None:
    down("crossref")
    first = cite(local, text=TEXT)
    assert (first["mentions"][0]["status"], first["mentions"][0]["retraction"]) == ("resolved", "unknown")
    assert "crossref (unavailable)" in first["hints"][0]["message"]
    assert "pubmed" not in first["hints"][0]["message"]
    down()
    again = cite(local, text=TEXT)
    assert (again["mentions"][0]["retraction"], again["hints"], again["at"]) == ("none", [], first["at"])


def test_a_paper_is_not_found_once_every_source_that_would_know_it_has_answered(local: Machine, down: Down) -> None:
    down("semantic_scholar")
    text = "see PMID: 99999999"
    first = cite(local, text=text)
    assert (first["mentions"][0]["status"], first["hints"][0]["reason"]) == ("not_in_graph", "providers_failed")
    down()
    again = cite(local, text=text)
    assert (again["mentions"][0]["status"], again["hints"]) == ("not_found", [])


def test_a_corpus_id_that_could_not_be_resolved_leads_to_its_paper_after_the_same_request(
    local: Machine, down: Down
) -> None:
    fact = next(fact for fact in read_facts() if fact.doi and fact.s2_paper_id and not fact.versions)
    text = f"See CorpusId: {external_ids(fact)['CorpusId']}."
    down(*provider_names())
    assert status(cite(local, text=text))[0] == "not_in_graph"
    down()
    assert status(cite(local, text=text))[:2] == ("resolved", f"doi:{str(fact.doi).lower()}")
    local.drain_queue()
    (mention,) = get(local, f"/v1/graph/papers/{fact.doi}")["contexts"]["items"]
    assert mention["context"] == DEBATE


def test_the_tool_is_answered_anew_by_the_same_arguments(local: Machine, down: Down) -> None:
    arguments: dict[str, Any] = {"context": DEBATE, "text": TEXT}
    down(*provider_names())
    assert status(called(local, "cite_in_context", **arguments)) == OPEN
    down()
    assert status(called(local, "cite_in_context", **arguments)) == KNOWN
