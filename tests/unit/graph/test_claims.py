"""Claims of contexts: one owner, whatever the order, the repetition and the crash."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.answers.graph import ContextRef
from shared.errors import Conflict, NotFound
from shared.graph.items import Item
from shared.graph.ownership import attributed, claim, open_contexts
from tests.unit.graph.memory_table import Crash, MemoryTable

DEBATE: ContextRef = {"type": "debate", "id": "1"}


def claimed(table: MemoryTable, tenant: str, *, shared: bool = False) -> bool:
    try:
        claim(table, DEBATE, tenant, shared=shared)
    except (NotFound, Conflict):
        return False
    return True


@given(st.lists(st.tuples(st.sampled_from("abc"), st.booleans()), min_size=1))
def test_the_first_tenant_owns_a_context_for_good(claims: list[tuple[str, bool]]) -> None:
    table = MemoryTable()
    owner, was_shared = claims[0]
    for tenant, shared in claims:
        assert claimed(table, tenant, shared=shared) == (was_shared or (tenant == owner and not shared))
    for tenant in "abc":
        readable = open_contexts(table, [("debate", "1"), ("debate", "2")], tenant, consistent=True)
        assert readable == ({("debate", "1")} if was_shared or tenant == owner else set())


def test_of_two_first_writers_at_once_one_becomes_the_owner() -> None:
    races: list[bool] = []

    def another_writer() -> None:
        if not races:
            races.append(False)
            races[0] = claimed(table, "bob")

    table = MemoryTable(between=another_writer)
    assert (claimed(table, "alice"), races) == (False, [True])
    assert claimed(table, "bob")


def test_a_claim_that_crashed_can_be_repeated() -> None:
    table = MemoryTable()
    table.crash_at = 0
    with pytest.raises(Crash):
        claimed(table, "alice")
    table.crash_at = 1
    assert claimed(table, "alice")
    assert claimed(table, "alice")
    stored: list[Item] = list(table.items.values())
    assert stored == [{"pk": "context#debate#1", "sk": "owner", "owner": "alice", "shared": False}]


def test_a_mention_names_the_tenant_before_the_name_that_the_caller_gives() -> None:
    assert (attributed("k1", None), attributed("k1", "k2/agent")) == ("k1", "k1/k2/agent")
