"""The graph reads back the same from DynamoDB in the old form, in the new one, and where a table has both."""

from __future__ import annotations

import random
from typing import Any

import boto3
import pytest

from infra.local.machine import machine
from shared.aws.dynamodb.graph_table import GraphTable
from tests.integration.graph.storm import make
from tests.integration.graph.test_graph import sqs_event
from tests.unit.graph.old_form import old_items
from tests.unit.graph.strategies import answers, written

CITED_NAMES = [f"doi:10.5555/{number}" for number in range(40)] + [f"pmid:{number}" for number in range(40)]


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.slow), pytest.param(3, marks=pytest.mark.slow)])
@pytest.mark.parametrize("share", [0.0, 0.5])
def test_messages_read_back_the_same_after_old_items_repetitions_and_any_order(seed: int, share: float) -> None:
    """`share` of the messages were written by the old writer; half of all are delivered twice."""
    chance = random.Random(seed)
    made, faults = make(40, seed)
    bodies = [body for body in made if faults.get(body) != "poison"]
    before = bodies[: int(share * len(bodies))]
    later = [*bodies[len(before) :], *chance.sample(bodies, k=len(bodies) // 2)]
    chance.shuffle(later)
    with machine(sandbox=None) as local:
        with boto3.resource("dynamodb").Table("local-papers").batch_writer() as batch:
            for _, item in old_items(written(before)):
                plain: Any = {name: set(it) if isinstance(it, frozenset) else it for name, it in item.items()}
                batch.put_item(Item=plain)
        for body in later:
            assert local.invoke("citation_writer", sqs_event(body)) == {"batchItemFailures": []}
        table = GraphTable(boto3.resource("dynamodb").Table("local-papers"))
        assert answers(table, 3, names=CITED_NAMES) == answers(written(bodies), 100, names=CITED_NAMES)
