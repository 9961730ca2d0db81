"""Questions about known papers share with searches what all callers share: cache, coalescing, budgets, circuits."""

from __future__ import annotations

import logging
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from infra.functions import provider_names, providers_for
from infra.local.machine import SANDBOX_KEY, Machine
from shared.aws.dynamodb.leg_cache import FAILURE_S
from shared.rate_limits.circuit_breaker import FAILURES
from tests.integration.enough_time import HANG_MS, with_time_to_begin
from tests.integration.papers_calls import call, fetch, upstream

DOI, PMID = "10.1098/rsif.2017.0387", "PMID:29618526"
TITLE = "Opportunities and obstacles for deep learning in biology and medicine"
QUESTIONS: dict[str, tuple[str, str, dict[str, Any] | None]] = {
    "lookup": ("POST", "/v1/papers", {"ids": [DOI, "arXiv:1706.03762"]}),
    "one paper": ("GET", f"/v1/papers/{DOI}", None),
    "references": ("GET", f"/v1/papers/{DOI}/references", None),
    "citations": ("GET", "/v1/papers/10.1074/jbc.M115.677286/citations", None),
    "match": ("POST", "/v1/resolve", {"references": [{"title": TITLE, "year": 2018}]}),
}
# Those queried for a paper by its DOI, at once or after others returned its PMID.
QUERIED = ("crossref", "europe_pmc", "openalex", "pubmed", "semantic_scholar", "unpaywall")


def later(monkeypatch: pytest.MonkeyPatch, hours: float) -> None:
    """Move the clock by which the dispatcher judges what is cached."""

    def moment() -> datetime:
        return datetime.now(UTC) + timedelta(hours=hours)

    monkeypatch.setattr(sys.modules["functions.dispatcher.wiring.legs"], "now", moment)
    monkeypatch.setattr(sys.modules["functions.dispatcher.wiring.papers"], "now", moment)


def get(local: Machine, name: str = DOI, **query: Any) -> dict[str, Any]:
    return dict(fetch(local, "GET", f"/v1/papers/{name}", **query))


@pytest.mark.parametrize("question", QUESTIONS)
def test_the_same_question_is_cached_for_a_day_and_then_requested_again(
    local: Machine, monkeypatch: pytest.MonkeyPatch, question: str
) -> None:
    first = fetch(local, *QUESTIONS[question])
    requests = upstream(local)
    again = fetch(local, *QUESTIONS[question])
    assert upstream(local) == requests
    assert (first["cache"], again["cache"]) == ("miss", "hit")
    later(monkeypatch, hours=24.1)
    assert fetch(local, *QUESTIONS[question])["cache"] == "miss"
    assert upstream(local) == requests + requests


def test_a_list_in_another_order_is_made_of_the_same_legs(local: Machine) -> None:
    fetch(local, *QUESTIONS["references"])
    requests = upstream(local)
    assert fetch(local, *QUESTIONS["references"], sort="date")["cache"] == "hit"
    assert upstream(local) == requests


@pytest.mark.slow
@pytest.mark.parametrize("question", QUESTIONS)
def test_fresh_requests_again_and_caches_the_answer(local: Machine, question: str) -> None:
    method, path, body = QUESTIONS[question]
    fetch(local, method, path, body)
    requests = upstream(local)
    query = {} if body else {"fresh": "true"}
    assert fetch(local, method, path, body and {**body, "fresh": True}, **query)["cache"] in ("miss", "partial")
    again = upstream(local) - requests
    assert set(again) == set(requests)
    assert fetch(local, method, path, body)["cache"] == "hit"
    assert upstream(local) == requests + again


@pytest.mark.slow
@pytest.mark.parametrize("question", ["one paper", "references", "match"])
def test_equal_concurrent_questions_query_each_provider_once(local: Machine, question: str) -> None:
    assert local.sandbox is not None
    local.sandbox.faults.update({name: {"delay_ms": 150} for name in provider_names()})
    fetch(local, *QUESTIONS[question])
    alone = upstream(local)
    local.sandbox.requests.clear()
    method, path, body = QUESTIONS[question]
    query = {} if body else {"fresh": "true"}
    body = body and {**body, "fresh": True}
    with ThreadPoolExecutor(max_workers=2) as callers:
        answers = list(callers.map(lambda _: fetch(local, method, path, body, **query), range(2)))
    assert upstream(local) == alone
    assert {answer["cache"] for answer in answers} <= {"miss", "partial", "coalesced"}
    for answer in answers:
        for name in ("request_id", "search_time_ms", "cache", "providers"):
            del answer[name]
    assert answers[0] == answers[1]


def test_a_cached_answer_replaces_that_of_a_failing_provider(local: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    assert local.sandbox is not None
    cached = get(local)
    later(monkeypatch, hours=25)
    local.sandbox.faults["crossref"] = {"status": 400}
    stale = get(local)
    assert (stale["cache"], stale["complete"]) == ("stale", False)
    assert stale["providers"]["crossref"]["source"] == "stale"
    assert {report["source"] for name, report in stale["providers"].items() if name != "crossref"} == {"live"}
    assert stale["paper"] == cached["paper"]


def test_a_partial_answer_is_completed_by_requesting_only_missing_legs(
    local: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert local.sandbox is not None
    local.sandbox.faults["crossref"] = {"status": 400}
    assert fetch(local, *QUESTIONS["references"])["complete"] is False
    local.sandbox.faults.clear()
    local.sandbox.requests.clear()
    later(monkeypatch, hours=FAILURE_S / 3600)
    healed = fetch(local, *QUESTIONS["references"])
    assert set(upstream(local)) == {"crossref"}
    assert (healed["complete"], healed["cache"]) == (True, "partial")


def test_a_provider_that_is_down_is_skipped_and_reported(local: Machine) -> None:
    assert local.sandbox is not None
    local.sandbox.faults["crossref"] = {"status": 503, "retry_after": 0}
    answers = [
        fetch(local, "POST", "/v1/papers", {"ids": [f"10.5555/none.{number}"]}) for number in range(FAILURES + 1)
    ]
    outcomes = [answer["papers"][0]["unanswered"]["crossref"] for answer in answers]
    assert (outcomes[0], outcomes[-1]) == ("unavailable", "circuit_open")
    before = upstream(local)["crossref"]
    listed = fetch(local, *QUESTIONS["references"])
    assert listed["providers"]["crossref"]["outcome"] == "circuit_open"
    assert listed["results"]
    assert upstream(local)["crossref"] == before


def test_a_provider_without_a_permit_is_skipped_and_reported(local: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CROSSREF_REQUESTS_PER_SECOND", "0.01")
    assert get(local)["complete"] is True
    answer = get(local, "10.7554/eLife.20391")
    assert answer["unanswered"] == {"crossref": "skipped_budget"}
    assert answer["providers"]["crossref"]["retry_after_s"] > 90
    assert (answer["complete"], answer["status"]) == (False, "found")


@pytest.mark.parametrize("provider", QUERIED)
def test_a_failing_provider_is_reported_and_has_no_other_effect(local: Machine, provider: str) -> None:
    assert local.sandbox is not None
    local.sandbox.faults[provider] = {"status": 503, "retry_after": 0}
    answer = get(local, fields="key,title,retraction")
    assert answer["unanswered"] == {provider: "unavailable"}
    assert answer["answered_by"] == [name for name in QUERIED if name != provider]
    assert (answer["status"], answer["complete"], answer["paper"]["key"]) == ("found", False, f"doi:{DOI}")
    has_retractions = provider in ("crossref", "europe_pmc", "openalex", "pubmed")
    assert answer["paper"]["retraction"]["status"] == ("unknown" if has_retractions else "none")


@pytest.mark.slow
def test_a_provider_that_hangs_costs_neither_its_time_nor_the_others(local: Machine) -> None:
    assert local.sandbox is not None
    local.sandbox.faults["crossref"] = {"delay_ms": 20_000}
    answer = fetch(local, "GET", f"/v1/papers/{DOI}/references", timeout_ms=8_000, max_results=100)
    assert not upstream(local).get("crossref")  # a request is counted when it has ended: it still hangs
    assert answer["providers"]["crossref"]["outcome"] == "timeout"
    assert answer["total_count"] > 30
    assert set(answer["providers"]) >= {"openalex", "pubmed", "semantic_scholar"}
    assert answer["complete"] is False


@pytest.mark.slow
@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize(
    ("fault", "status"), [({"status": 400}, 502), ({"delay_ms": HANG_MS}, 504)], ids=["failing", "late"]
)
def test_when_all_fail_that_is_a_problem_with_every_reason(
    local: Machine, question: str, fault: dict[str, int], status: int
) -> None:
    assert local.sandbox is not None
    local.sandbox.faults.update(dict.fromkeys(provider_names(), fault))
    method, path, body = QUESTIONS[question]

    def ask(timeout_ms: int) -> tuple[int, Any]:
        query = {} if body else {"timeout_ms": timeout_ms}
        return call(local, method, path, body and {**body, "timeout_ms": timeout_ms}, **query)

    got, problem = with_time_to_begin(ask)
    assert (got, problem["code"], problem["retryable"]) == (status, "all_providers_failed", True), problem
    fields = {fault["field"] for fault in problem["errors"]}
    assert "providers.crossref" in fields
    assert fields <= {f"providers.{name}" for name in (*providers_for("lookup"), *providers_for("match"))}


@pytest.mark.slow
@pytest.mark.parametrize("provider", ["crossref", "semantic_scholar"])
def test_keys_are_in_no_log_and_no_answer(
    local: Machine, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, provider: str
) -> None:
    assert local.sandbox is not None
    for name in provider_names():
        monkeypatch.setenv(f"{name.upper()}_API_KEY", SANDBOX_KEY)
    local.sandbox.faults[provider] = {"status": 403}
    caplog.set_level(logging.DEBUG)
    answers = [call(local, *question)[1] for question in QUESTIONS.values()]
    logged = [str(vars(record)) for record in caplog.records]
    assert any(provider in record for record in logged)
    assert SANDBOX_KEY not in str([logged, answers])


def test_the_graph_answers_from_stored_lists_for_a_day_without_a_request(
    local: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    compact = get(local, detail="compact")
    assert compact["source"] == "providers"
    local.drain_queue()
    requests = upstream(local)
    for name in (DOI, PMID, "PMC5938574"):
        known = get(local, name, detail="compact", include_abstract="false")
        assert (known["source"], known["cache"], known["complete"], known["providers"]) == ("graph", "hit", True, {})
        assert known["paper"] == {**compact["paper"], "abstract": None}
    assert compact["paper"]["is_oa"] is True
    assert known["kg"] == {"queued": 0, "skipped": 0}
    assert upstream(local) == requests
    later(monkeypatch, hours=24.1)
    assert get(local, detail="compact", include_abstract="false")["source"] == "providers"
    assert upstream(local) != requests


def test_the_graph_answers_no_more_than_it_stores(local: Machine) -> None:
    get(local)
    local.drain_queue()
    more: list[dict[str, Any]] = [
        {"detail": "standard"}, {"detail": "full"}, {"fields": "title,abstract"}, {"fields": "open_access"},
        {"detail": "full", "fields": "authors"}, {"detail": "compact", "fresh": "true"},
        {"detail": "compact", "abstract_chars": 100},
    ]  # fmt: skip
    assert [get(local, **query)["source"] for query in more] == ["providers"] * len(more)
    assert get(local, fields="title,year,external_ids")["source"] == "graph"


def test_papers_known_and_unknown_to_the_graph_are_in_one_answer(local: Machine) -> None:
    get(local)
    local.drain_queue()
    ids = [PMID, "10.7554/eLife.20391", "29618526", DOI]
    answer = fetch(local, "POST", "/v1/papers", {"ids": ids, "detail": "compact", "include_abstract": False})
    assert [entry["source"] for entry in answer["papers"]] == ["graph", "providers", None, "graph"]
    assert Counter(entry["status"] for entry in answer["papers"]) == {"found": 3, "not_asked": 1}
    assert answer["kg"] == {"queued": 1, "skipped": 0}
