"""From results to the graph on moto: queue, writer, table and index behave as the table in memory does."""

from __future__ import annotations

import itertools
import json
import random
import re
from typing import Any
from unittest.mock import patch

import boto3
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from infra.local.lambda_hook import InvocationContext
from infra.local.machine import Machine, machine
from infra.tables import CITATIONS
from shared.aws.dynamodb.graph_table import INDEX, REQUEST_S, GraphTable
from shared.aws.messaging.queues import send
from shared.graph import citing_tree
from shared.graph.messages import messages
from shared.graph.received import read_message
from shared.graph.writes import write_message
from shared.storage_errors import TableBusy
from tests.integration.graph.storm import as_table, stored
from tests.unit.graph.examples import DEBATE, NOON, citations_body, papers_body, result
from tests.unit.graph.old_form import edges_by_cited_id, facts
from tests.unit.graph.strategies import BODIES, NAMES, answers, whole, written


def sqs_event(*bodies: str) -> dict[str, Any]:
    arn = "arn:aws:sqs:us-east-1:000000000000:local-citations"
    return {
        "Records": [
            {
                "messageId": f"m{number}", "receiptHandle": "r", "body": body, "attributes": {},
                "messageAttributes": {}, "md5OfBody": "", "eventSource": "aws:sqs", "eventSourceARN": arn,
                "awsRegion": "us-east-1",
            }
            for number, body in enumerate(bodies)
        ]
    }  # fmt: skip


def papers_table() -> Any:
    return boto3.resource("dynamodb").Table("local-papers")


def clear() -> None:
    for pk, sk in stored():
        papers_table().delete_item(Key={"pk": pk, "sk": sk})


@pytest.mark.slow
def test_the_table_and_its_answers_are_those_of_the_table_in_memory_in_any_order() -> None:
    with machine(sandbox=None) as running:

        @settings(deadline=None, max_examples=24)
        @given(BODIES, st.randoms(use_true_random=False))
        def check(bodies: list[str], chance: random.Random) -> None:
            clear()
            shuffled = [*bodies, *chance.choices(bodies, k=2)]
            chance.shuffle(shuffled)
            assert running.invoke("citation_writer", sqs_event(*shuffled)) == {"batchItemFailures": []}
            model = written(bodies)
            assert facts(as_table(stored())) == facts(model)
            names = chance.sample(NAMES, 2)
            assert answers(GraphTable(papers_table()), 5, names=names) == answers(model, 100, names=names)

        check()


def test_a_written_paper_is_found_under_every_id(local: Machine) -> None:
    local.invoke("citation_writer", sqs_event(papers_body(result(pmid="28005070"))))
    for key in ("doi:10.7554/elife.20391", "pmid:28005070"):
        found = local.graph_store().paper(key)
        assert found is not None
        assert found["paper"]["title"] == "Neurodegenerative disease mutations in TREM2"
        assert "abstract" not in found["paper"]
        assert len(found["paper"]["authors"]) == 5


STATES = [
    papers_body(result(citation_count=1), seen_at="2026-11-18T00:00:00Z"),
    papers_body(result(citation_count=2), seen_at="2026-11-19T00:00:00Z"),
    papers_body(result(citation_count=3, pmid="28005070"), seen_at="2026-11-20T00:00:00Z"),
    papers_body(result(citation_count=4), seen_at="2026-11-20T00:00:00Z"),
]


@pytest.mark.slow
def test_any_order_of_states_leads_to_the_same_table(local: Machine) -> None:
    ends = []
    for order in itertools.permutations(STATES):
        clear()
        local.invoke("citation_writer", sqs_event(*order))
        ends.append(stored())
    assert all(end == ends[0] for end in ends)
    found = local.graph_store().paper("pmid:28005070")
    assert found is not None
    assert (found["first_seen"], found["seen_at"]) == ("2026-11-18T00:00:00Z", "2026-11-20T00:00:00Z")


@pytest.mark.parametrize("first", ["citing", "cited"])
def test_an_edge_is_shown_once_both_papers_are_stored(local: Machine, first: str) -> None:
    bodies = {
        "citing": papers_body(result(doi="10.1/a", references={"openalex": ["pmid:1"], "crossref": ["doi:10.1/b"]})),
        "cited": papers_body(result(doi="10.1/b", pmid="1")),
    }
    store = local.graph_store()
    local.invoke("citation_writer", sqs_event(bodies.pop(first)))
    assert store.cites("doi:10.1/a").items == store.cited_by("pmid:1").items == []
    local.invoke("citation_writer", sqs_event(*bodies.values()))
    (cited,), (citing,) = store.cites("doi:10.1/a").items, store.cited_by("pmid:1").items
    assert (cited["key"], cited["providers"]) == ("doi:10.1/b", ["crossref", "openalex"])
    assert (citing["key"], citing["providers"]) == ("doi:10.1/a", ["crossref", "openalex"])


def test_shown_papers_are_distinguished_from_cited_ones(local: Machine) -> None:
    bodies = papers_body(result(), context=DEBATE), citations_body("doi:10.7554/elife.20391", by="agent", start=40)
    local.invoke("citation_writer", sqs_event(*bodies))
    mentions = local.graph_store().context("debate", "7").items
    fields = [(it["relation"], it["at"], it["by"], it["where"], it["text"]) for it in mentions]
    assert fields == [
        ("cited_in", NOON, "agent", 40, "doi:10.7554/elife.20391"),
        ("shown_in", NOON, None, None, None),
    ]
    of_paper = local.graph_store().contexts_of("doi:10.7554/elife.20391").items
    assert [(it["context"], it["relation"]) for it in of_paper] == [(DEBATE, "cited_in"), (DEBATE, "shown_in")]


def test_a_citation_of_an_unknown_paper_is_stored_under_its_id(local: Machine) -> None:
    local.invoke("citation_writer", sqs_event(citations_body("doi:10.1/unknown")))
    (mention,) = local.graph_store().context("debate", "7").items
    assert (mention["key"], mention["paper"]) == ("doi:10.1/unknown", None)
    assert len(local.graph_store().contexts_of("doi:10.1/unknown").items) == 1


@pytest.mark.slow
def test_a_long_list_of_references_passes_the_queue_completely(local: Machine) -> None:
    ids = [f"openalex:W{number}" for number in range(2_500)]
    results = [result(references={"openalex": ids}), result(doi="10.1/b", openalex="W2499")]
    sqs = boto3.client("sqs")
    url = sqs.get_queue_url(QueueName="local-citations")["QueueUrl"]
    assert send(sqs, url, messages(results, None, NOON)) == []
    assert local.drain_queue() == 3
    assert len(edges_by_cited_id(as_table(stored()))) == 2_500
    assert [it["key"] for it in local.graph_store().cited_by("openalex:W2499").items] == ["doi:10.7554/elife.20391"]


def test_messages_that_the_queue_rejects_are_returned(local: Machine) -> None:
    queued = list(messages([result()], None, NOON))
    assert send(boto3.client("sqs"), "https://sqs.us-east-1.amazonaws.com/1/none", queued) == queued


def test_an_invalid_message_fails_alone(local: Machine) -> None:
    answer = local.invoke("citation_writer", sqs_event("{", papers_body(result())))
    assert answer == {"batchItemFailures": [{"itemIdentifier": "m0"}]}
    assert local.graph_store().stats()["papers"] == 1


def test_a_batch_of_invalid_messages_is_reported_and_does_not_raise(local: Machine) -> None:
    answer = local.invoke("citation_writer", sqs_event("{", "["))
    assert [item["itemIdentifier"] for item in answer["batchItemFailures"]] == ["m0", "m1"]


def test_messages_without_time_left_in_the_function_are_redelivered(
    local: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    left_ms = itertools.chain([REQUEST_S * 1000] * 3, itertools.repeat(REQUEST_S * 1000 - 1))
    monkeypatch.setattr(InvocationContext, "get_remaining_time_in_millis", lambda _: next(left_ms))
    answer = local.invoke("citation_writer", sqs_event(papers_body(result()), papers_body(result(doi="10.1/b"))))
    assert [item["itemIdentifier"] for item in answer["batchItemFailures"]] == ["m1"]
    assert local.graph_store().paper("doi:10.1/b") is None


class Stubborn:
    """DynamoDB under load: it processes nothing of a batch."""

    def __init__(self) -> None:
        self.calls = 0
        self.meta, self.client, self.name = self, self, "papers"

    def batch_get_item(self, RequestItems: dict[str, Any]) -> dict[str, Any]:  # noqa: N803  boto3's name
        self.calls += 1
        return {"Responses": {}, "UnprocessedKeys": RequestItems}

    def batch_write_item(self, RequestItems: dict[str, Any]) -> dict[str, Any]:  # noqa: N803
        self.calls += 1
        return {"UnprocessedItems": RequestItems}


def test_a_batch_that_is_never_processed_raises_an_error() -> None:
    stubborn: Any = Stubborn()
    with pytest.raises(TableBusy, match="could not be read"):
        write_message(read_message(papers_body(result())), GraphTable(stubborn))
    with pytest.raises(TableBusy, match="could not be written"):
        GraphTable(stubborn).put([{"pk": "a", "sk": "b"}])
    assert stubborn.calls < 10


def test_the_index_does_not_contain_the_states_of_papers(local: Machine) -> None:
    local.invoke("citation_writer", sqs_event(papers_body(result(references={"openalex": ["pmid:1"]}), context=DEBATE)))
    items = papers_table().scan(IndexName=INDEX)["Items"]
    assert {item["sk"].split("#")[0].split(" ")[0] for item in items} == {"paper", NOON}
    assert not any("paper" in item for item in items)


def test_the_queue_has_a_dead_letter_queue_behind_it(local: Machine) -> None:
    sqs = boto3.client("sqs")
    url = sqs.get_queue_url(QueueName="local-citations")["QueueUrl"]
    attributes = sqs.get_queue_attributes(QueueUrl=url, AttributeNames=["All"])["Attributes"]
    redrive = json.loads(attributes["RedrivePolicy"])
    assert redrive["maxReceiveCount"] == CITATIONS.max_receive_count
    assert redrive["deadLetterTargetArn"].endswith("local-citations-dead")
    assert int(attributes["VisibilityTimeout"]) >= 6 * 30


def test_a_full_node_is_divided_and_its_edges_are_found(local: Machine) -> None:
    """From the root to the nodes below it, and to those below them."""
    citing = [f"10.1/{number}" for number in range(30)]
    references = {"openalex": [f"openalex:W{number}" for number in range(40)]}
    bodies = [papers_body(result(doi=doi, references=references)) for doi in citing]
    cited = papers_body(result(doi="10.1/cited", openalex="W7"))
    with patch.multiple(citing_tree, FULL_BYTES=300, CHECKED=frozenset("0123456789abcdef")):
        for start in range(0, len(bodies), 10):
            assert local.invoke("citation_writer", sqs_event(*bodies[start : start + 10])) == {"batchItemFailures": []}
    local.invoke("citation_writer", sqs_event(cited))
    partitions = {pk for pk, _ in stored()}
    assert len({pk for pk in partitions if re.fullmatch("citing#[0-9a-f]", pk)}) > 8
    assert len(edges_by_cited_id(as_table(stored()))) == 30 * 40
    found = whole(local.graph_store().cited_by, 7, "openalex:W7")
    assert sorted(it["key"] for it in found) == sorted(f"doi:{doi}" for doi in citing)
    assert local.graph_store().stats()["cites"] == 30
