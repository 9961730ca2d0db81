"""Claims in the cache's table, and what many equal searches do once: merging, and queuing the citations."""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime, timedelta
from importlib import import_module
from typing import Any

import boto3
import pytest
from botocore.client import BaseClient

from infra.local.machine import Machine
from shared.aws.dynamodb.claims import Claim, Claims
from shared.aws.messaging import citation_queue
from shared.aws.messaging.citation_queue import CitationQueue
from shared.merging import merge
from tests.integration.result_sets.test_coalescing import QUERY, all_at_once
from tests.integration.sources.test_own_faults import fail_calls

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def claims(moment: datetime = NOW) -> Claims:
    return Claims(boto3.resource("dynamodb").Table("local-search-cache"), lambda: moment)


@pytest.mark.usefixtures("local")
def test_one_process_has_a_claim_until_it_expires_or_is_released() -> None:
    assert claims().claim("a", 2.0)
    assert not claims(NOW + timedelta(seconds=1.9)).claim("a", 2.0)
    assert claims(NOW + timedelta(seconds=2)).claim("a", 2.0)
    claim = claims().claim("b", 2.0)
    assert claim
    claim.extend(4.0)
    assert not claims(NOW + timedelta(seconds=3.9)).claim("b", 2.0)
    claim.release()
    assert claims().claim("b", 2.0)


@pytest.mark.usefixtures("local")
def test_without_the_table_every_process_has_the_claim(monkeypatch: pytest.MonkeyPatch) -> None:
    fail_calls(monkeypatch, "dynamodb", "ProvisionedThroughputExceededException")
    claim = claims().claim("a", 2.0)
    assert claim
    monkeypatch.undo()  # nothing more is written of a claim that was not: an answer would wait for the table again
    claim.extend(60.0)
    assert claims().claim("a", 2.0)
    claim.release()
    assert not claims().claim("a", 2.0)


@pytest.mark.usefixtures("local")
def test_claims_take_the_one_operation_that_the_roles_may_use(monkeypatch: pytest.MonkeyPatch) -> None:
    call, operations = vars(BaseClient)["_make_api_call"], set[str]()

    def noted(client: Any, operation: str, arguments: Any) -> Any:
        operations.add(operation)
        return call(client, operation, arguments)

    monkeypatch.setattr(BaseClient, "_make_api_call", noted)
    claim = claims().claim("c", 2.0)
    assert claim
    claim.extend(2.0)
    claim.release()
    assert operations == {"PutItem"}  # of the search cache's table, as in tests/infra/policies.txt


def sent_messages(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The citation messages that are sent from now on."""
    call = vars(BaseClient)["_make_api_call"]
    sent: list[Any] = []

    def counted(client: Any, operation: str, arguments: Any) -> Any:
        if operation == "SendMessageBatch":
            sent.extend(json.loads(entry["MessageBody"]) for entry in arguments["Entries"])
        return call(client, operation, arguments)

    monkeypatch.setattr(BaseClient, "_make_api_call", counted)
    return sent


def test_equal_searches_at_once_are_merged_and_queued_once(local: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    assert local.sandbox is not None
    local.sandbox.faults["openalex"] = {"delay_ms": 300}
    merged: list[int] = []
    original = merge.merge

    def counted(records: Any) -> Any:
        merged.append(1)
        return original(records)

    monkeypatch.setattr(merge, "merge", counted)
    sent = sent_messages(monkeypatch)
    answers = all_at_once(local, [{"query": QUERY, "providers": "openalex", "cite_in_kg": True}] * 12)
    assert len(merged) <= 2  # the one that queried, and another that had claimed to lead before it
    keys = [paper["key"] for message in sent for paper in message["papers"]]
    assert len(keys) == len(set(keys)) == answers[0]["kg"]["queued"] > 0
    assert {json.dumps(answer["kg"]) for answer in answers} == {json.dumps(answers[0]["kg"])}


def test_citations_that_the_queue_refused_are_queued_by_the_next_equal_answer(
    local: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    request = {"query": QUERY, "providers": "openalex", "cite_in_kg": True}
    with monkeypatch.context() as refusing:
        fail_calls(refusing, "sqs", "ServiceUnavailable")
        (first,) = all_at_once(local, [request])
    assert first["kg"]["queued"] == 0
    sent = sent_messages(monkeypatch)
    (second,) = all_at_once(local, [request])
    assert second["kg"]["queued"] == sum(len(message["papers"]) for message in sent) > 0


def test_another_context_is_queued_though_the_papers_are_the_same(
    local: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent = sent_messages(monkeypatch)
    request = {"query": QUERY, "providers": "openalex", "cite_in_kg": True}
    contexts = [{"type": "analysis", "id": name} for name in ("one", "two", "two")]
    for context in contexts:
        all_at_once(local, [{**request, "context": context}])
    assert [message["context"]["id"] for message in sent] == ["one", "two"]


@pytest.mark.parametrize(
    ("context", "later_s", "queued"),
    [(None, 23 * 3600.0, 1), (None, 25 * 3600.0, 2), ({"type": "debate", "id": "42"}, 61.0, 2)],
)
def test_the_papers_of_a_cached_answer_are_queued_once_a_day(
    local: Machine, monkeypatch: pytest.MonkeyPatch, context: dict[str, str] | None, later_s: float, queued: int
) -> None:
    stored: Any = search_results(local)
    sent = sent_messages(monkeypatch)
    now = [NOW]
    of_now = Claims(boto3.resource("dynamodb").Table("local-search-cache"), lambda: now[0])
    publish = CitationQueue(boto3.client("sqs"), os.environ["CITATIONS_QUEUE_URL"], lambda: now[0], of_now)
    counts = []
    for _ in range(2):
        counts.append(publish(stored, context))
        now[0] += timedelta(seconds=later_s)
    assert counts[0] == counts[1]
    assert len(sent) == queued


def test_papers_of_a_process_that_dies_before_it_has_sent_them_are_sent_by_the_next_after_a_minute(
    local: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored: Any = search_results(local)
    now, url = [NOW], os.environ["CITATIONS_QUEUE_URL"]
    of_now = Claims(boto3.resource("dynamodb").Table("local-search-cache"), lambda: now[0])
    dying, *others = (CitationQueue(boto3.client("sqs"), url, lambda: now[0], of_now) for _ in range(3))

    def die(*_: Any) -> Any:
        raise SystemExit

    with monkeypatch.context() as dead, pytest.raises(SystemExit):
        dead.setattr(citation_queue, "send", die)
        dying(stored, None)
    sent = sent_messages(monkeypatch)
    now[0] += timedelta(seconds=59)
    others[0](stored, None)
    assert not sent
    now[0] += timedelta(seconds=2)
    for publish in others:
        publish(stored, None)
    assert sum(len(message["papers"]) for message in sent) == len(stored)
    now[0] += timedelta(hours=23)
    CitationQueue(boto3.client("sqs"), url, lambda: now[0], of_now)(stored, None)
    assert len(sent) == 1


def test_a_process_claims_once_a_minute_the_papers_that_another_has_queued(
    local: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored: Any = search_results(local)
    sent = sent_messages(monkeypatch)
    now, url = [NOW], os.environ["CITATIONS_QUEUE_URL"]
    asked: list[Claim | None] = []

    class Counted(Claims):
        def claim(self, name: str, seconds: float) -> Claim | None:
            asked.append(super().claim(name, seconds))
            return asked[-1]

    of_now = Counted(boto3.resource("dynamodb").Table("local-search-cache"), lambda: now[0])
    one, other = (CitationQueue(boto3.client("sqs"), url, lambda: now[0], of_now) for _ in range(2))
    counts = [publish(stored, None) for publish in (one, one, one, other, other)]
    assert (len(asked), len(sent)) == (2, 1)
    assert all(it == counts[0] for it in counts)
    assert asked[0]
    asked[0].release()  # the queue of the first has refused them after all
    other(stored, None)
    assert (len(asked), len(sent)) == (2, 1)
    now[0] += timedelta(seconds=60)
    assert other(stored, None) == counts[0]
    assert (len(asked), len(sent)) == (3, 2)


def search_results(local: Machine) -> Any:
    """The stored results of a search that wrote nothing to the graph."""
    (answer,) = all_at_once(local, [{"query": QUERY, "providers": "crossref", "cite_in_kg": False}])
    stored = import_module("functions.dispatcher.wiring.legs").result_sets().get(answer["result_set_id"])
    return stored["results"][:3]
