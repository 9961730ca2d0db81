"""Tables with edges of the old forms give the same answers, need no migration, and grow in the new form."""

from __future__ import annotations

import random
import zlib
from collections.abc import Callable

from hypothesis import given, settings
from hypothesis import strategies as st

from shared.graph.received import read_message
from shared.graph.store import GraphStore
from shared.graph.writes import write_message
from tests.unit.graph.examples import papers_body, result
from tests.unit.graph.memory_table import MemoryTable
from tests.unit.graph.old_form import in_old_form, without_a_tree
from tests.unit.graph.strategies import BODIES, answers, written

Form = Callable[[MemoryTable], MemoryTable]
CITING = papers_body(result(doi="10.1/a", openalex="W1", references={"openalex": ["doi:10.1/b", "pmid:1", "pmid:2"]}))
CITED = papers_body(result(doi="10.1/b"), result(doi=None, pmid="1"))


@settings(deadline=None, max_examples=150)
@given(BODIES, st.integers(1, 4), st.sampled_from((1, 2, 200)))
def test_old_items_give_the_answers_that_lists_give(bodies: list[str], limit: int, items_per_request: int) -> None:
    table = written(bodies)
    for before in (in_old_form(table), without_a_tree(table)):
        assert answers(before, limit, items_per_request) == answers(table, 100)


@settings(deadline=None, max_examples=150)
@given(
    st.sampled_from((in_old_form, without_a_tree)), BODIES, BODIES, st.randoms(use_true_random=False), st.integers(1, 4)
)
def test_a_table_of_an_old_form_grows_to_the_same_answers(
    form: Form, before: list[str], later: list[str], chance: random.Random, limit: int
) -> None:
    """In any order, with repetitions of messages of both times."""
    table = form(written(before))
    waiting = [*later, *chance.choices([*before, *later], k=len(before))]
    chance.shuffle(waiting)
    for body in waiting:
        write_message(read_message(body), table)
    assert answers(table, limit, chance.choice((1, 2, 200))) == answers(written([*before, *later]), 100)


@settings(deadline=None, max_examples=60)
@given(st.sampled_from((in_old_form, without_a_tree)), BODIES)
def test_a_message_that_was_written_in_an_old_form_needs_no_further_write(form: Form, bodies: list[str]) -> None:
    table = form(written(bodies))
    assert [write_message(read_message(body), table) for body in bodies] == [0] * len(bodies)


def test_an_old_edge_without_its_mark_is_shown_and_its_message_completes_it() -> None:
    """As after a crash of the old writer."""
    table = in_old_form(written([CITING, CITED]))
    del table.items["paper#doi:10.1/a", "cites#pmid:1 openalex"]
    del table.items["paper#doi:10.1/a", "paper"]["written"]
    assert [it["key"] for it in GraphStore(table).cites("doi:10.1/a").items] == ["doi:10.1/b"]
    write_message(read_message(CITING), table)
    assert [it["key"] for it in GraphStore(table).cites("doi:10.1/a").items] == ["doi:10.1/b", "pmid:1"]


def test_a_list_is_one_item_and_the_edges_of_a_message_are_another() -> None:
    table = written([CITING])
    (packed,) = (item for (_, sk), item in table.items.items() if sk.startswith("references#openalex "))
    assert zlib.decompress(packed["cited"]).decode().split(" ") == ["doi:10.1/b", "pmid:1", "pmid:2"]
    (segment,) = (item for (pk, _), item in table.items.items() if pk == "citing#")
    assert zlib.decompress(segment["edges"]).decode() == "doi:10.1/a openalex doi:10.1/b pmid:1 pmid:2"
    assert not {"source", "target"} & {*packed, *segment}
    assert not any(pk.startswith("cited#") for pk, _ in table.items)


def test_a_table_without_old_edges_is_read_with_fewer_requests() -> None:
    def requests(table: MemoryTable) -> int:
        before = table.requests
        assert GraphStore(table).cites("doi:10.1/a").items
        return table.requests - before

    many = [f"openalex:W{number}" for number in range(900)]
    citing = papers_body(result(doi="10.1/a", references={"openalex": many, "crossref": many[:1]}))
    table = written([citing, *(papers_body(result(doi=f"10.1/{n}", openalex=f"W{n}")) for n in range(0, 400, 2))])
    assert requests(table) < requests(in_old_form(table))
