"""From results to the graph: messages, queue, writer, table. Any order and any repetition end the same."""

from __future__ import annotations

import itertools
import json
from typing import Any

import boto3
import pytest

from infra.local.machine import Machine
from infra.tables import CITATIONS
from shared.graph import PAPERS_IN_A_MESSAGE, best_key, messages, read_message
from shared.identifiers import Identifiers

IDS = dict.fromkeys(Identifiers.__dataclass_fields__)


def result(**changes: Any) -> dict[str, Any]:
    """A result as the answer holds it, with what the graph keeps and more."""
    doi = changes.get("doi", "10.7554/elife.20391")
    pmid = changes.get("pmid")
    base = {
        "key": f"doi:{doi}" if doi else f"pmid:{pmid}",
        "doi": doi,
        "pmid": pmid,
        "title": "Neurodegenerative disease mutations in TREM2",
        "authors": [f"Author {number}" for number in range(9)],
        "author_count": 9,
        "year": 2016,
        "publication_date": "2016-12-20",
        "journal": "eLife",
        "type": "journal-article",
        "citation_count": 5,
        "citation_uri": f"https://doi.org/{doi}",
        "external_ids": {**IDS, "doi": doi, "pmid": pmid},
        "retraction": {"status": "none", "notice_doi": None, "date": None},
        "abstract": "Long text that the graph does not keep.",
    }
    return {**base, **changes}


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


def body(*results: dict[str, Any], seen_at: str = "2026-11-20T12:00:00Z") -> str:
    (message,) = messages(results, None, seen_at)
    return json.dumps(message)


def table(local: Machine) -> list[dict[str, Any]]:
    rows = boto3.resource("dynamodb").Table("local-papers").scan()["Items"]
    return sorted(rows, key=lambda row: (row["pk"], row["sk"]))


def test_a_written_paper_is_found_under_every_id(local: Machine) -> None:
    local.invoke("citation_writer", sqs_event(body(result(pmid="28005070"))))
    for key in ("doi:10.7554/elife.20391", "pmid:28005070"):
        stored = local.graph_store().get(key)
        assert stored is not None
        assert stored["paper"]["title"] == "Neurodegenerative disease mutations in TREM2"
        assert "abstract" not in stored["paper"]
        assert len(stored["paper"]["authors"]) == 5


def test_writing_twice_changes_nothing(local: Machine) -> None:
    event = sqs_event(body(result()))
    local.invoke("citation_writer", event)
    once = table(local)
    local.invoke("citation_writer", event)
    assert table(local) == once


STATES = [
    body(result(citation_count=1), seen_at="2026-11-18T00:00:00Z"),
    body(result(citation_count=2), seen_at="2026-11-19T00:00:00Z"),
    body(result(citation_count=3, pmid="28005070"), seen_at="2026-11-20T00:00:00Z"),
    body(result(citation_count=4), seen_at="2026-11-20T00:00:00Z"),
]


def test_any_order_of_messages_ends_in_the_same_table(local: Machine) -> None:
    ends = []
    for order in itertools.permutations(STATES):
        papers = boto3.resource("dynamodb").Table("local-papers")
        for row in table(local):
            papers.delete_item(Key={"pk": row["pk"], "sk": row["sk"]})
        local.invoke("citation_writer", sqs_event(*order))
        ends.append(table(local))
    assert all(end == ends[0] for end in ends)
    stored = local.graph_store().get("pmid:28005070")
    assert stored is not None
    assert stored["first_seen"] == "2026-11-18T00:00:00Z"
    assert stored["seen_at"] == "2026-11-20T00:00:00Z"


def test_a_paper_that_gains_a_doi_is_still_found_by_its_old_key(local: Machine) -> None:
    local.invoke("citation_writer", sqs_event(body(result(doi=None, pmid="28005070"))))
    local.invoke("citation_writer", sqs_event(body(result(pmid="28005070"))))
    stored = local.graph_store().get("pmid:28005070")
    assert stored is not None
    assert stored["pk"] == "paper#doi:10.7554/elife.20391"


POISON = {
    "no JSON": "{",
    "another version": json.dumps({"version": 99, "seen_at": "x", "papers": []}),
    "no papers": json.dumps({"version": 1, "seen_at": "x"}),
    "a list": "[]",
    "a paper without ids": json.dumps(
        {"version": 1, "seen_at": "x", "papers": [{"key": "title:1", "title": "t", "external_ids": IDS}]}
    ),
    "a key that is not its ids'": json.dumps(
        {"version": 1, "seen_at": "x", "papers": [{"key": "doi:1", "title": "t", "external_ids": {**IDS, "pmid": "5"}}]}
    ),
}


@pytest.mark.parametrize("poison", POISON.values(), ids=POISON.keys())
def test_a_poison_message_fails_alone(local: Machine, poison: str) -> None:
    answer = local.invoke("citation_writer", sqs_event(poison, body(result())))
    assert answer == {"batchItemFailures": [{"itemIdentifier": "m0"}]}
    assert local.graph_store().count() == 1


def test_a_batch_of_poison_alone_is_told_and_does_not_raise(local: Machine) -> None:
    answer = local.invoke("citation_writer", sqs_event("{", "["))
    assert [item["itemIdentifier"] for item in answer["batchItemFailures"]] == ["m0", "m1"]


def test_the_queue_has_a_dead_letter_queue_behind_it(local: Machine) -> None:
    sqs = boto3.client("sqs")
    url = sqs.get_queue_url(QueueName="local-citations")["QueueUrl"]
    attributes = sqs.get_queue_attributes(QueueUrl=url, AttributeNames=["All"])["Attributes"]
    redrive = json.loads(attributes["RedrivePolicy"])
    assert redrive["maxReceiveCount"] == CITATIONS.max_receive_count
    assert redrive["deadLetterTargetArn"].endswith("local-citations-dead")
    assert int(attributes["VisibilityTimeout"]) >= 6 * 30


def test_only_results_with_a_doi_or_pmid_are_queued_in_messages_of_ten() -> None:
    results = [result(doi=f"10.1000/{number}") for number in range(25)] + [result(doi=None, pmid=None, key="arxiv:1")]
    told = list(messages(results, {"type": "debate", "id": "7"}, "2026-11-20T00:00:00Z"))
    assert [len(message["papers"]) for message in told] == [PAPERS_IN_A_MESSAGE, PAPERS_IN_A_MESSAGE, 5]
    assert all(message["context"] == {"type": "debate", "id": "7"} for message in told)
    assert all(len(json.dumps(message)) < 100_000 for message in told)
    assert read_message(json.dumps(told[0]))[0] == "2026-11-20T00:00:00Z"


def test_a_doi_is_a_better_name_than_a_pmid_and_a_title_is_the_last() -> None:
    assert best_key({"pmid:1", "doi:10.1/b", "doi:10.1/a", "openalex:W1"}) == "doi:10.1/a"
    assert best_key({"title:abc", "pmid:1"}) == "pmid:1"


def test_papers_that_share_a_supplements_doi_are_kept_apart_in_the_graph(local: Machine) -> None:
    shared = [
        result(doi="10.1000/supplement", pmid=pmid, key=key, title=title)
        for pmid, key, title in (
            ("1", "pmid:1", "First abstract"), ("2", "pmid:2", "Second abstract"),
            (None, "title:abc", "Third abstract"),
        )
    ]  # fmt: skip
    answer = local.invoke("citation_writer", sqs_event(body(*shared)))
    assert answer == {"batchItemFailures": []}
    store = local.graph_store()
    assert store.count() == 3
    for key, title in (("pmid:1", "First abstract"), ("pmid:2", "Second abstract"), ("title:abc", "Third abstract")):
        stored = store.get(key)
        assert stored is not None
        assert stored["paper"]["title"] == title
    assert store.get("doi:10.1000/supplement") is None
