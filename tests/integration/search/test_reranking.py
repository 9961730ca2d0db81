"""A re-ranker with a model that the deployer brings: passages and papers in its order, and its faults."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest

from infra.local.gateway import application
from infra.local.machine import Machine
from tests.http_server import serving
from tests.integration.passages import QUESTION, passages, send
from tests.integration.reranking import NAME, answering, machine_with_reranker, reasons, search

IDS = ["PMC8371605", "PMC5762154", "PMC4772787"]
WORDS = f"{QUESTION} microglia TREM2 disease"


@pytest.fixture(scope="module")
def local(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machine]:
    with machine_with_reranker(tmp_path_factory.mktemp("models"), WORDS) as running:
        yield running


def common(text: str) -> int:
    """How many words of the question a text has, as the tiny model counts them."""
    tokens = {"".join(c if c.isalnum() else " " for c in it).strip() for it in text.lower().split()}
    return len({it.strip("?").lower() for it in QUESTION.split()} & tokens)


def test_passages_are_ordered_by_both_measures_and_say_what_the_model_added(local: Machine) -> None:
    answer = passages(local, question=QUESTION, ids=IDS)
    parts = [it["score_parts"]["rerank"] for it in answer["passages"]]
    assert answer["status"] == "found" and len(parts) > 1
    assert None not in parts and min(parts) >= 0 < max(parts)
    assert "reranked" in reasons(answer)
    assert NAME in next(it["message"] for it in answer["hints"] if it["reason"] == "reranked")
    # A text with more of the question's words got more.
    most, least = max(answer["passages"], key=part_of), min(answer["passages"], key=part_of)
    assert common(most["text"]) > common(least["text"])


def part_of(passage: dict[str, Any]) -> float:
    return float(passage["score_parts"]["rerank"])


def test_the_first_twenty_papers_of_a_search_have_its_part_and_pages_keep_their_order(local: Machine) -> None:
    whole = search(local, max_results=50)
    assert reasons(whole).count("reranked") == 1
    parts = [it["score_parts"]["rerank"] for it in whole["results"]]
    assert None not in parts[:20] and set(parts[20:]) <= {None}
    scores = [it["score"] for it in whole["results"]]
    assert scores == sorted(scores, reverse=True)
    page = search(local, max_results=3, fresh=False)
    paged = list(page["results"])
    while page["next_cursor"] and len(paged) < len(whole["results"]):
        page = search(local, max_results=3, fresh=False, cursor=page["next_cursor"])
        paged += page["results"]
    assert [it["key"] for it in paged][:50] == [it["key"] for it in whole["results"]]


def test_over_http_the_order_is_the_same_in_two_answers(local: Machine) -> None:
    body = {"query": "TREM2 microglia disease", "detail": "full", "cite_in_kg": False, "fresh": True}
    with serving(application(local)) as address:
        first, second = (httpx.post(f"{address}/v1/literature-search", json=body, timeout=30).json() for _ in range(2))
    assert "reranked" in reasons(first)
    assert [(it["key"], it["score_parts"]) for it in first["results"]] == [
        (it["key"], it["score_parts"]) for it in second["results"]
    ]


@pytest.mark.parametrize("fields", [{"sort": "date"}, {"ranking": "impact"}, {"query": "10.1016/j.xgen.2025.100814"}])
def test_a_search_in_another_order_is_not_reranked(local: Machine, fields: dict[str, Any]) -> None:
    answer = search(local, **fields)
    assert answer["results"]
    assert not {"reranked", "not_reranked"} & set(reasons(answer))
    assert not any("rerank" in it["score_parts"] for it in answer["results"])


def fails(event: Any, context: Any) -> Any:
    raise ValueError(event["query"])


ABSURD: dict[str, Callable[[Any, Any], Any]] = {
    "fails": fails,
    "gave up": lambda event, _: {"scores": None, "model": NAME},
    "too few": lambda event, _: {"scores": [1.0], "model": NAME},
    "not finite": lambda event, _: {"scores": [float("nan") for _ in event["texts"]], "model": NAME},
    "beyond all numbers": lambda event, _: {"scores": [10**400 for _ in event["texts"]], "model": NAME},
    "text": lambda event, _: {"scores": ["1" for _ in event["texts"]], "model": NAME},
    "no object": lambda event, _: [1.0],
    "nothing": lambda event, _: None,
    "a huge name": lambda event, _: {"scores": [1.0 for _ in event["texts"]], "model": "x" * 10_000},
}


@pytest.mark.parametrize("fault", ABSURD)
def test_a_reranker_that_fails_or_answers_absurdly_costs_nothing_but_its_order(local: Machine, fault: str) -> None:
    with answering(local, ABSURD[fault]):
        found, answer = search(local), passages(local, question=QUESTION, ids=IDS)
    assert {it["score_parts"]["rerank"] for it in answer["passages"]} == {None}
    assert [it["score"] for it in answer["passages"]] == sorted(
        (it["score"] for it in answer["passages"]), reverse=True
    )
    assert found["results"] and not any("rerank" in it["score_parts"] for it in found["results"])
    for said in (found, answer):
        assert "not_reranked" in reasons(said) and "reranked" not in reasons(said)


def test_a_reranker_that_is_late_is_not_waited_for(local: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    released = threading.Event()
    monkeypatch.setattr("shared.search.run.SEARCH_S", 0.05)
    monkeypatch.setattr("shared.passages.run.PASSAGES_S", 0.05)
    try:
        with answering(local, lambda *_: released.wait(60)):
            found, answer = search(local), passages(local, question=QUESTION, ids=IDS)
    finally:
        released.set()
    assert found["results"] and answer["passages"]
    assert "not_reranked" in reasons(found) and "not_reranked" in reasons(answer)


def test_an_answer_without_the_reranker_is_reused_for_a_minute_only(
    local: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept: list[float] = []
    from shared.aws.dynamodb.result_sets import DynamoResultSets

    put = DynamoResultSets.put

    def seen(self: Any, result_set: Any, request_key: Any, fresh_s: float) -> bool:
        kept.append(fresh_s)
        return put(self, result_set, request_key, fresh_s)

    monkeypatch.setattr(DynamoResultSets, "put", seen)
    with answering(local, fails):
        search(local)
    search(local)
    assert kept[0] == 60.0 < kept[1]


@pytest.mark.parametrize("text", ["\x00", "🧠👩‍🔬 microglia", "microglia \ud800", "microglia " + "x" * 900])
def test_hostile_questions_are_scored_or_refused_and_never_fail(local: Machine, text: str) -> None:
    body = {"question": text, "ids": IDS}
    status, answer = send(local, "POST", "/v1/passages", body)
    assert status in (200, 422), answer
    if status == 200:
        assert "not_reranked" not in reasons(answer)


def test_an_invocation_is_bounded_and_names_no_caller(local: Machine) -> None:
    events: list[dict[str, Any]] = []

    def keep(event: dict[str, Any], context: Any) -> dict[str, Any]:
        events.append(event)
        return {"scores": [0.0 for _ in event["texts"]], "model": NAME}

    with answering(local, keep):
        search(local, query="microglia " + "disease " * 60)
        passages(local, question=QUESTION, ids=IDS)
    assert len(events) == 2
    for event in events:
        assert event.keys() == {"query", "texts", "deadline_ms", "request_id", "correlation_id"}
        assert len(event["texts"]) <= 50 and max(map(len, [event["query"], *event["texts"]])) <= 4_000
    assert len(events[0]["texts"]) <= 20
