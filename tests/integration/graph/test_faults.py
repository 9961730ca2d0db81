"""Many messages with injected faults: every valid one has its effect once, every invalid one is a dead letter."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from infra.local.machine import Machine, machine
from shared.graph.store import GraphStore
from tests.integration.graph import storm as graph_storm
from tests.integration.graph.storm import FAULTS, POISON, Storm
from tests.unit.graph.old_form import facts

pytestmark = pytest.mark.slow

MESSAGES = 1_000  # ten thousand in tests/benchmarks/graph.py


@pytest.fixture(scope="module")
def storm() -> Iterator[tuple[Machine, Storm]]:
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("POWERTOOLS_LOG_LEVEL", os.environ.get("POWERTOOLS_LOG_LEVEL", "WARNING"))
        bodies, faults = graph_storm.make(MESSAGES)
        with machine(sandbox=None) as local:
            yield local, graph_storm.run(local, bodies, faults)


def test_every_kind_of_fault_hits_a_tenth_of_the_messages(storm: tuple[Machine, Storm]) -> None:
    _, ran = storm
    assert set(ran.injected) == set(FAULTS)
    assert sum(ran.injected.values()) + len(ran.poison) >= 0.9 * graph_storm.SHARE * MESSAGES


def test_every_valid_message_has_its_effect_once_and_the_table_holds_nothing_else(
    storm: tuple[Machine, Storm],
) -> None:
    _, ran = storm
    found, expected = (graph_storm.as_table(items) for items in (graph_storm.stored(), graph_storm.expected(ran.good)))
    assert facts(found) == facts(expected)


def test_exactly_the_invalid_messages_are_in_the_dead_letter_queue(storm: tuple[Machine, Storm]) -> None:
    _, ran = storm
    assert sorted(ran.dead) == sorted(ran.poison)
    assert ran.left == 0


def test_every_invalid_message_has_its_reason_in_the_log(storm: tuple[Machine, Storm]) -> None:
    _, ran = storm
    assert set(ran.reasons) == set(ran.poison)
    assert {body.strip() for body in ran.poison} == set(POISON)
    assert all(reason.startswith("invalid message (") for reason in ran.reasons.values())


def test_the_graph_counts_everything_once(storm: tuple[Machine, Storm]) -> None:
    local, ran = storm
    table = graph_storm.as_table(graph_storm.expected(ran.good))
    assert local.graph_store().stats() == GraphStore(table).stats()
