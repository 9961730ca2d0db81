"""Citations of a debate go through SQS and the writer into the graph; failing messages go to the dead-letter queue."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from tests.e2e.deployment import WRITTEN_S, Deployment, make, until
from tests.unit.graph.examples import papers_body, result

DEBATE = {"type": "debate", "id": "deployed-7"}
VISIBILITY_S = "4"
DOI = "10.5555/e2e.redriven"


@pytest.fixture
def queues(deployed: Deployment) -> Iterator[tuple[str, str]]:
    """The writer's queue, with a visibility timeout of seconds instead of minutes, and its dead-letter queue."""
    sqs = deployed.aws.client("sqs")
    (dead,) = deployed.resources("AWS::SQS::Queue", "citationsdead")
    queue = deployed.outputs["CitationsQueueUrl"]
    attributes = sqs.get_queue_attributes(QueueUrl=queue, AttributeNames=["VisibilityTimeout"])["Attributes"]
    deployed.invoke(
        "citation_writer", {"Records": []}
    )  # a message that waits too long for a cold start would be redelivered
    sqs.set_queue_attributes(QueueUrl=queue, Attributes={"VisibilityTimeout": VISIBILITY_S})
    yield queue, dead
    sqs.set_queue_attributes(QueueUrl=queue, Attributes=attributes)
    sqs.purge_queue(QueueUrl=dead)


def read(deployed: Deployment, path: str) -> dict[str, Any] | None:
    response = deployed.caller.get(path)
    return response.json() if response.status_code == 200 else None


def waiting(deployed: Deployment, url: str) -> int:
    names = ["ApproximateNumberOfMessages", "ApproximateNumberOfMessagesNotVisible"]
    attributes = deployed.aws.client("sqs").get_queue_attributes(QueueUrl=url, AttributeNames=names)["Attributes"]
    return sum(map(int, attributes.values()))


def test_citations_of_a_debate_can_be_read_from_the_graph(deployed: Deployment) -> None:
    found = deployed.search("TREM2 microglia")["results"]
    cited = next(paper for paper in found if paper["doi"])
    until(WRITTEN_S, lambda: read(deployed, f"v1/graph/papers/{cited['doi']}"))
    text = f"As one study (doi:{cited['doi']}) shows, microglia matter."
    headers = {"Idempotency-Key": "e2e-1"}
    first, again = (
        deployed.caller.post("v1/citations", json={"context": DEBATE, "text": text}, headers=headers) for _ in range(2)
    )
    assert first.status_code == again.status_code == 200, first.text
    assert first.json()["mentions"] == again.json()["mentions"]
    assert [(it["key"], it["status"]) for it in first.json()["mentions"]] == [(cited["key"], "in_graph")]

    def cites() -> list[Any] | None:
        return (read(deployed, "v1/graph/contexts/debate/deployed-7") or {}).get("items")

    (item,) = until(WRITTEN_S, cites)
    assert cited["doi"] in json.dumps(item)
    assert (read(deployed, "v1/graph/stats") or {})["contexts"] >= 1


def test_an_unreadable_message_goes_to_the_dead_letter_queue_alone(
    deployed: Deployment, queues: tuple[str, str]
) -> None:
    queue, dead = queues
    good = papers_body(result(doi="10.5555/e2e.beside-poison"))
    entries = [{"Id": str(number), "MessageBody": body} for number, body in enumerate(("poison", good))]
    deployed.aws.client("sqs").send_message_batch(QueueUrl=queue, Entries=entries)
    until(WRITTEN_S, lambda: read(deployed, "v1/graph/papers/10.5555/e2e.beside-poison"))
    until(WRITTEN_S, lambda: waiting(deployed, dead) == 1)
    until(WRITTEN_S, lambda: waiting(deployed, queue) == 0)
    output = make(deployed.aws, "dead-letters", f"QUEUE_URL={queue}")
    assert "1 dead letters" in output.stdout
    assert "invalid message (body: json_invalid)" in output.stdout


def test_a_redriven_message_is_written(deployed: Deployment, queues: tuple[str, str]) -> None:
    queue, dead = queues
    deployed.aws.client("sqs").send_message(QueueUrl=dead, MessageBody=papers_body(result(doi=DOI)))
    assert read(deployed, f"v1/graph/papers/{DOI}") is None
    output = make(deployed.aws, "redrive", f"QUEUE_URL={queue}")
    assert output.returncode == 0, output.stdout
    assert "1 messages sent back" in output.stdout
    until(WRITTEN_S, lambda: read(deployed, f"v1/graph/papers/{DOI}"))
    assert waiting(deployed, dead) == 0
