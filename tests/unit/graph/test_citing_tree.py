"""The tree of cited ids: whatever writers divide at once, and wherever they end, no edge is lost and none invented."""

from __future__ import annotations

import random
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shared.canonical_json import digest
from shared.graph import citing_tree
from shared.graph import pages as graph_pages
from shared.graph.citing_tree import DIGITS, FULL_BYTES, add, divide_full_nodes, edges_in_segment, edges_to, segments
from shared.graph.identity import Node
from shared.graph.items import CITING, EdgeId
from shared.graph.received import read_message
from shared.graph.stored_edges import StoredEdges
from shared.graph.writes import write_message
from tests.unit.graph.large_table import LargeTable, stored_bytes
from tests.unit.graph.memory_table import Crash, MemoryTable
from tests.unit.graph.old_form import edges_by_cited_id, facts
from tests.unit.graph.strategies import BODIES, answers, written

HEX = frozenset("0123456789abcdef")
SIZES = st.tuples(st.sampled_from((1, 60, 200)), st.sampled_from((0.0, 0.4, 1.0)))
IDS = [f"doi:10.1/{number}" for number in range(12)]
EDGES = st.lists(
    st.builds(EdgeId, st.sampled_from(IDS), st.sampled_from(IDS), st.sampled_from(("crossref", "openalex"))),
    min_size=1,
    max_size=30,
)


@contextmanager
def nodes_of(size: tuple[int, float]) -> Iterator[None]:
    """With nodes that are full at so many bytes, ids that leave them at such a share, and after each message a look."""
    full, share = size
    with patch.multiple(citing_tree, FULL_BYTES=full, OWN_SHARE=share, CHECKED=HEX):
        yield


def grown(groups: list[list[EdgeId]]) -> MemoryTable:
    table = MemoryTable()
    for edges in groups:
        for segment in segments("", edges):
            table.put([segment])
            divide_full_nodes(table, segment)
    return table


@settings(deadline=None, max_examples=100)
@given(SIZES, BODIES, st.randoms(use_true_random=False), st.integers(1, 4))
def test_any_order_repetition_crash_and_division_leads_to_the_same_facts_and_answers(
    size: tuple[int, float], bodies: list[str], chance: random.Random, limit: int
) -> None:
    once = written(bodies)
    table = MemoryTable()
    waiting = [*bodies, *chance.choices(bodies, k=len(bodies))]
    crashes = 2 * len(bodies)
    with nodes_of(size):
        while waiting:
            body = waiting.pop(chance.randrange(len(waiting)))
            table.crash_at = table.writes + chance.randrange(40) if crashes else 10**9
            try:
                write_message(read_message(body), table)
            except Crash:
                crashes -= 1
                waiting.append(body)
    assert facts(table) == facts(once)
    assert answers(table, limit, chance.choice((1, 2, 200))) == answers(once, 100)


@settings(deadline=None, max_examples=60)
@given(SIZES, st.lists(BODIES, min_size=2, max_size=4))
def test_concurrent_writers_that_divide_the_same_nodes_lose_nothing(
    size: tuple[int, float], of_writers: list[list[str]]
) -> None:
    rivals = [body for bodies in of_writers[1:] for body in bodies]

    def rival() -> None:
        if rivals:
            write_message(read_message(rivals.pop()), table)

    table = MemoryTable(between=rival)
    with nodes_of(size):
        for body in of_writers[0]:
            write_message(read_message(body), table)
        while rivals:
            write_message(read_message(rivals.pop()), table)
    assert facts(table) == facts(written(body for bodies in of_writers for body in bodies))


@settings(deadline=None, max_examples=100)
@given(SIZES, st.lists(EDGES, min_size=1, max_size=6), st.sampled_from((1, 2, 200)), st.integers(1, 40))
def test_a_crash_before_any_write_of_a_division_loses_no_edge(
    size: tuple[int, float], groups: list[list[EdgeId]], items_per_request: int, crash_after: int
) -> None:
    every = {edge for edges in groups for edge in edges}
    table = grown(groups)
    table.crash_at = table.writes + crash_after
    with nodes_of(size), patch.multiple(graph_pages, ITEMS_PER_REQUEST=items_per_request):
        try:
            for segment in [item for item in table.items.values() if "edges" in item]:
                divide_full_nodes(table, segment)
        except Crash:
            pass
        assert edges_by_cited_id(table) == every
        for name in IDS:
            beside = {edge for edge in every if edge.key in table.items}
            assert edges_to(table, [name]) | beside >= {edge for edge in every if edge.target == name}


@settings(deadline=None, max_examples=100)
@given(st.lists(EDGES, min_size=2, max_size=6), st.sampled_from((1, 2, 200)), st.randoms(use_true_random=False))
def test_a_reader_finds_every_edge_while_writers_divide_the_nodes_that_it_reads(
    groups: list[list[EdgeId]], items_per_request: int, chance: random.Random
) -> None:
    table = grown(groups)
    divided = [item for item in table.items.values() if "edges" in item]

    def divide() -> None:
        if divided and chance.random() < 0.5:
            writer = MemoryTable()
            writer.items = table.items
            with nodes_of((1, 0.6)):
                divide_full_nodes(writer, divided.pop(chance.randrange(len(divided))))

    table._between = divide
    names = chance.sample(IDS, 3)
    own = Node(names[0], tuple(names), tuple(names), ())
    wanted = {edge for edges in groups for edge in edges if edge.target in names}
    with patch.multiple(graph_pages, ITEMS_PER_REQUEST=items_per_request):
        stored = StoredEdges(table, "cited_by", own)
        ends, position, more = list[str](), "", True
        while more:
            found, more = stored.next_ends(position, 3)
            ends += found
            position = found[-1] if found else position
        assert ends == sorted({edge.source for edge in wanted})
        assert stored.existing(wanted) == wanted


@settings(deadline=None, max_examples=60)
@given(EDGES)
def test_a_segment_reads_back_and_equal_edges_make_the_same_segment(edges: list[EdgeId]) -> None:
    (segment,) = segments("a1", edges)
    assert set(edges_in_segment(segment)) == set(edges)
    assert segments("a1", [*reversed(edges), *edges]) == [segment]


def test_edges_too_large_for_one_item_become_several() -> None:
    noise = random.Random(1)
    ids = [f"doi:10.1/{noise.randbytes(245).hex()}" for _ in range(1_000)]
    edges = [EdgeId("doi:10.1/a", name, "openalex") for name in ids]
    made = segments("", edges)
    assert len(made) > 1
    assert all(len(item["edges"]) < 200_000 for item in made)
    assert {edge for item in made for edge in edges_in_segment(item)} == set(edges)


def test_a_quarter_of_the_segments_lead_to_a_look_at_the_tree() -> None:
    table, looks = MemoryTable(), 0
    for number in range(400):
        (segment,) = segments("", [EdgeId("doi:10.1/a", f"pmid:{number}", "pubmed")])
        table.put([segment])
        before = table.requests
        divide_full_nodes(table, segment)
        looks += table.requests > before
    assert 70 < looks < 130
    assert len(citing_tree.CHECKED) / len(HEX) == 0.25


def messages(chance: random.Random, number: int, popular: int) -> Iterator[list[EdgeId]]:
    """Of each message ten papers, each with 22 references to ids of their own, and so many with one to a popular id."""
    for _ in range(number):
        papers = [f"doi:10.1000/{chance.randrange(10**9)}" for _ in range(10)]
        edges = [
            EdgeId(paper, f"openalex:W{chance.randrange(10**9)}", "openalex") for paper in papers for _ in range(22)
        ]
        yield [*edges, *(EdgeId(paper, "pmid:1", "openalex") for paper in papers[:popular])]


@pytest.mark.slow
def test_nodes_stay_small_and_an_id_is_read_with_few_requests() -> None:
    table = LargeTable()
    sample: list[EdgeId] = []
    for edges in messages(random.Random(1), 500, 0):
        sample.append(edges[0])
        for segment in segments("", edges):
            table.put([segment])
            divide_full_nodes(table, segment)
    sizes = [sum(len(it.get("edges", b"")) for it in items.values()) for items in table.partitions.values()]
    assert max(sizes) < 5 * FULL_BYTES
    assert sum(sizes) / len(sizes) < FULL_BYTES
    for edge in sample[::20]:
        before = table.requests
        assert edge in edges_to(table, [edge.target])
        assert table.requests - before <= 5


@pytest.mark.slow
def test_an_id_that_a_hundred_thousand_papers_cite_is_read_by_pages() -> None:
    table, chance = LargeTable(), random.Random(1)
    citing = [EdgeId(f"doi:10.1000/{number:06}", "pmid:1", "openalex") for number in range(100_000)]
    chance.shuffle(citing)
    for start in range(0, len(citing), 100):
        others = [EdgeId("doi:10.1/a", f"pmid:{chance.randrange(10**7)}", "openalex") for _ in range(30)]
        for segment in segments("", [*citing[start : start + 100], *others]):
            table.put([segment])
            divide_full_nodes(table, segment)
    assert len(table.partitions["cited#pmid:1"]) > 90_000
    own = Node("pmid:1", ("pmid:1",), ("pmid:1",), ())
    for position in ("", "doi:10.1000/050000", "doi:10.1000/099949"):
        before, number = table.requests, int(position[-6:] or -1) + 1
        stored = StoredEdges(table, "cited_by", own)
        ends, more = stored.next_ends(position, 100)
        assert ends == [f"doi:10.1000/{it:06}" for it in range(number, min(number + 100, 100_000))]
        assert more == (number + 100 < 100_000)
        assert table.requests - before < 20


def test_the_packed_edges_of_a_message_take_a_few_bytes_each() -> None:
    (edges,) = messages(random.Random(1), 1, 0)
    (segment,) = segments("", edges)
    assert len(segment["edges"]) < 10 * len(edges)
    assert zlib.decompress(segment["edges"]).count(b"\n") == 9


@pytest.mark.parametrize("count", [198, 199, 200, 201, 399])
def test_a_page_may_end_with_the_mark_of_a_divided_node(count: int) -> None:
    table = MemoryTable()
    edges = [EdgeId(f"doi:10.1/{number}", "doi:10.1/cited", "crossref") for number in range(count)]
    table.put([{"pk": "citing#", "sk": "split"}, *(segments("", [edge])[0] for edge in edges)])
    assert edges_to(table, ["doi:10.1/cited"]) == frozenset(edges)


def test_a_segment_that_cannot_be_read_hides_no_other_and_is_left_as_it_is() -> None:
    table = MemoryTable()
    edge = EdgeId("doi:10.1/a", "doi:10.1/cited", "crossref")
    table.put([{"pk": "citing#", "sk": f"segment#{name}", "edges": name.encode()} for name in ("0", "f")])
    table.put([{"pk": "citing#", "sk": "segment#g", "edges": zlib.compress(b"of another form")}])
    table.put(segments("", [edge]))
    assert edges_to(table, ["doi:10.1/cited"]) == {edge}
    with nodes_of((1, 1.0)):
        for segment in segments("", [edge]):
            divide_full_nodes(table, segment)
    assert edges_to(table, ["doi:10.1/cited"]) == {edge}
    assert {"segment#0", "segment#f"} <= {sk for pk, sk in table.items if pk == "citing#"}


def test_a_writer_divides_as_much_of_a_node_as_it_has_time_for() -> None:
    table = LargeTable()
    edges = [EdgeId(f"doi:10.1/{number}", f"doi:10.1/cited{number % 30}", "crossref") for number in range(500)]
    added = [segments("", [edge])[0] for edge in edges]
    table.put(added)
    last = next(segment for segment in added if segment["sk"][-1] in citing_tree.CHECKED)
    sizes = []
    with nodes_of((1_000, 1.0)):
        for _ in range(3):
            divide_full_nodes(table, last)
            sizes.append(sum(sk.startswith("segment#") for sk in table.partitions["citing#"]))
    assert sizes == [300, 100, 0]
    assert edges_to(table, {edge.target for edge in edges}) == frozenset(edges)


@pytest.mark.slow
def test_nodes_filled_with_many_edges_at_once_are_no_larger_than_those_that_writers_fill() -> None:
    chance, ids = random.Random(1), [f"openalex:W{1_500_000_000 + 211 * number}" for number in range(100_000)]
    by_writers, at_once = LargeTable(), LargeTable()
    read = [0, 0]
    for batch in range(40):  # a node grows until it is divided: the mean of many moments says how large nodes are
        lists = [
            [EdgeId(f"pmid:{batch}{it}", id_, "openalex") for id_ in chance.choices(ids, k=230)] for it in range(20)
        ]
        for edges in lists:
            write_edges(by_writers, edges)
        add(at_once, [edge for edges in lists for edge in edges])
        names = [edges[0].target for edges in lists]
        assert all(edges_to(by_writers, [name]) == edges_to(at_once, [name]) for name in names)
        read = [read[0] + bytes_read(by_writers, names), read[1] + bytes_read(at_once, names)]
    assert read[1] <= 1.1 * read[0]


def write_edges(table: LargeTable, edges: list[EdgeId]) -> None:
    for segment in segments("", edges):
        table.put([segment])
        divide_full_nodes(table, segment)


def bytes_read(table: LargeTable, names: list[str]) -> int:
    """What readers of these ids read, each for itself."""
    nodes = (digest(name, DIGITS)[:depth] for name in names for depth in range(DIGITS))
    return sum(stored_bytes(item) for node in nodes for item in table.partitions.get(f"{CITING}{node}", {}).values())
