"""A storm of messages with faults and poison: every good effect once, every poison message put aside, nothing else."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from infra.local.machine import Machine, machine
from shared.graph.store import GraphStore
from tests.integration.graph import storm as graph_storm
from tests.integration.graph.storm import FAULTS, POISON, Storm
from tests.unit.graph.memory_table import MemoryTable

pytestmark = pytest.mark.slow

MESSAGES = 1_000  # ten thousand in tests/benchmarks/graph.py


@pytest.fixture(scope="module")
def storm() -> Iterator[tuple[Machine, Storm]]:
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("POWERTOOLS_LOG_LEVEL", os.environ.get("POWERTOOLS_LOG_LEVEL", "WARNING"))
        bodies, faults = graph_storm.make(MESSAGES)
        with machine(sandbox=None) as local:
            yield local, graph_storm.run(local, bodies, faults)


def test_a_tenth_of_the_messages_is_struck_by_every_kind_of_fault(storm: tuple[Machine, Storm]) -> None:
    _, ran = storm
    assert set(ran.struck) == set(FAULTS)
    assert sum(ran.struck.values()) + len(ran.poison) >= 0.9 * graph_storm.SHARE * MESSAGES


def test_every_good_message_has_its_effect_once_and_the_table_holds_nothing_else(
    storm: tuple[Machine, Storm],
) -> None:
    _, ran = storm
    assert graph_storm.stored() == graph_storm.expected(ran.good)


def test_every_poison_message_and_no_other_is_in_the_dead_letter_queue(storm: tuple[Machine, Storm]) -> None:
    _, ran = storm
    assert sorted(ran.dead) == sorted(ran.poison)
    assert ran.left == 0


def test_every_poison_message_has_its_reason_in_the_log(storm: tuple[Machine, Storm]) -> None:
    _, ran = storm
    assert set(ran.reasons) == set(ran.poison)
    assert {body.strip() for body in ran.poison} == set(POISON)
    assert all(reason.startswith("not a message of ours (") for reason in ran.reasons.values())


def test_the_graph_counts_what_was_written_and_nothing_twice(storm: tuple[Machine, Storm]) -> None:
    local, ran = storm
    table = MemoryTable()
    table.items = {key: dict(item) for key, item in graph_storm.expected(ran.good).items()}
    assert local.graph_store().stats() == GraphStore(table).stats()
