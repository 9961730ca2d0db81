"""Any messages, in any order, any number of times, with a crash after any write: the same table, the same answers."""

from __future__ import annotations

import json
import random
from collections import defaultdict
from collections.abc import Mapping
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shared.errors import Unprocessable
from shared.graph import pages as graph_pages
from shared.graph.identity import MAX_HOMES, best_key
from shared.graph.messages import messages
from shared.graph.received import read_message
from shared.graph.store import GraphStore
from shared.graph.writes import ATTEMPTS, write_message
from shared.storage_errors import TableBusy
from tests.unit.graph.examples import DEBATE, citations_body, papers_body, result
from tests.unit.graph.memory_table import Crash, MemoryTable
from tests.unit.graph.strategies import BODIES, CONTEXTS, MOMENTS, NAMES, answers, named_results, whole, written


@settings(deadline=None, max_examples=150)
@given(BODIES, st.randoms(use_true_random=False), st.integers(1, 4))
def test_any_order_repetition_and_crash_ends_in_the_same_table_and_answers(
    bodies: list[str], chance: random.Random, limit: int
) -> None:
    once = written(bodies)
    table = MemoryTable()
    waiting = [*bodies, *chance.choices(bodies, k=len(bodies))]
    crashes = 2 * len(bodies)
    while waiting:
        body = waiting.pop(chance.randrange(len(waiting)))
        table.dies_at = table.writes + chance.randrange(12) if crashes else 10**9
        try:
            write_message(read_message(body), table)
        except Crash:
            crashes -= 1
            waiting.append(body)
    assert table.items == once.items
    assert answers(table, limit, chance.choice((1, 2, 200))) == answers(once, 100)


EVERYTHING = [
    papers_body(result(doi="10.1/a", openalex="W1", references={"openalex": ["doi:10.1/b", "pmid:1"]}), context=DEBATE),
    papers_body(result(doi="10.1/b"), result(doi=None, pmid="1", references={"pubmed": ["openalex:W1"]})),
    papers_body(result(doi="10.1/b", pmid="1", title="Two", references={"crossref": ["doi:10.1/a"]}), context=DEBATE),
    citations_body("doi:10.1/a", "pmid:1", "doi:10.1/b", by="agent", start=3),
]


@pytest.mark.parametrize("number", range(written(EVERYTHING).writes))
def test_a_crash_before_any_single_write_is_made_good_by_delivering_again(number: int) -> None:
    table = MemoryTable()
    table.dies_at = number
    with pytest.raises(Crash):
        for body in EVERYTHING:
            write_message(read_message(body), table)
    table.dies_at = 10**9
    for body in reversed(EVERYTHING):
        write_message(read_message(body), table)
    assert table.items == written(EVERYTHING).items


@settings(deadline=None, max_examples=60)
@given(BODIES)
def test_a_message_that_was_written_needs_no_write_again(bodies: list[str]) -> None:
    table = written(bodies)
    assert [write_message(read_message(body), table) for body in bodies] == [0] * len(bodies)
    assert table.items == written(bodies).items


@settings(deadline=None, max_examples=60)
@given(st.lists(BODIES, min_size=2, max_size=4))
def test_writers_that_come_between_each_other_lose_nothing(of_writers: list[list[str]]) -> None:
    rivals = [body for bodies in of_writers[1:] for body in bodies]

    def rival() -> None:
        if rivals:
            write_message(read_message(rivals.pop()), table)

    table = MemoryTable(between=rival)
    for body in of_writers[0]:
        write_message(read_message(body), table)
    while rivals:
        write_message(read_message(rivals.pop()), table)
    assert table.items == written(body for bodies in of_writers for body in bodies).items


def test_a_paper_that_others_write_again_and_again_comes_again() -> None:
    moments = [f"2026-11-20T12:00:{second:02}Z" for second in range(60)]

    def rival() -> None:
        table.items[("paper#doi:10.7554/elife.20391", "paper")] = {"pk": "", "sk": "", "seen_at": moments.pop()}

    table = MemoryTable(between=rival)
    with pytest.raises(TableBusy, match=f"{ATTEMPTS} times"):
        write_message(read_message(papers_body(result(), seen_at="2027-01-01T00:00:00Z")), table)


@settings(deadline=None, max_examples=60)
@given(st.lists(named_results(), min_size=1, max_size=12), st.integers(1, 12))
def test_any_split_of_results_into_messages_writes_the_same(results: list[dict[str, Any]], size: int) -> None:
    def told(at_once: int) -> list[str]:
        parts = [results[start : start + at_once] for start in range(0, len(results), at_once)]
        return [json.dumps(it) for part in parts for it in messages(part, DEBATE, MOMENTS[0])]

    assert written(told(size)).items == written(told(1)).items


class Plain:
    """The same questions, answered the slow and obvious way from the whole of what was said."""

    def __init__(self, table: MemoryTable) -> None:
        items = list(table.items.values())
        self.ids = {it["pk"][6:]: set(it["ids"]) for it in items if it["sk"] == "paper"}
        groups = [{home} for home in self.ids]
        for home, ids in self.ids.items():
            touching = [group for group in groups if home in group or any(ids & self.ids[other] for other in group)]
            groups = [group for group in groups if group not in touching] + [set[str]().union(*touching)]
        self.papers: dict[str, frozenset[str]] = {}  # id -> homes
        for group in groups:
            ids = set[str]().union(*(self.ids[home] for home in group))
            single = sum(name.startswith("pmid:") for name in ids) < 2 and len(group) <= MAX_HOMES
            for name in ids:
                having = [home for home in group if name in self.ids[home]]
                owner = name if name in having else best_key(having)
                self.papers[name] = frozenset(group) if single else frozenset({owner})
        self.edges: defaultdict[tuple[frozenset[str], frozenset[str]], set[str]] = defaultdict(set)
        for it in items:
            if it["sk"].startswith("cites#"):
                source, target = self.papers[it["pk"][6:]], self.papers.get(it["target"])
                if target and source != target:
                    self.edges[source, target].add(it["sk"].split(" ")[1])


@settings(deadline=None, max_examples=150)
@given(BODIES, st.integers(1, 4))
def test_the_answers_are_those_of_the_slow_and_obvious_way(bodies: list[str], limit: int) -> None:
    table = written(bodies)
    store, plain = GraphStore(table), Plain(table)
    papers = {tuple(it["keys"]): it for it in whole(store.papers, limit)}
    assert set(papers) == {tuple(sorted(homes)) for homes in plain.papers.values()}
    stats = store.stats()
    assert (stats["papers"], stats["cites"]) == (len(papers), len(plain.edges))
    homes_of = {it["key"]: frozenset(it["keys"]) for it in papers.values()}
    assert len(homes_of) == len(papers), "two papers of one key"
    for name in NAMES:
        found = store.paper(name)
        own = plain.papers.get(name)
        assert (frozenset(found["keys"]) if found else None) == own
        assert found is None or found == papers[tuple(found["keys"])]
        cites = whole(store.cites, limit, name)
        citing = whole(store.cited_by, limit, name)
        assert {homes_of[it["key"]]: set(it["providers"]) for it in cites} == {
            target: told for (source, target), told in plain.edges.items() if source == own
        }
        assert {homes_of[it["key"]]: set(it["providers"]) for it in citing} == {
            source: told for (source, target), told in plain.edges.items() if target == own
        }
        assert len(cites) == len({it["key"] for it in cites})
        assert len(citing) == len({it["key"] for it in citing})


@settings(deadline=None, max_examples=80)
@given(BODIES)
def test_every_mention_is_found_from_its_paper_and_from_its_context(bodies: list[str]) -> None:
    store = GraphStore(written(bodies))
    from_contexts = []
    for it in CONTEXTS:
        told = whole(store.context, 3, *it.values())
        assert [entry["at"] for entry in told] == sorted(entry["at"] for entry in told)
        from_contexts += [(entry["key"], it["id"], *mention(entry)) for entry in told]
    keys = {found["key"] if (found := store.paper(name)) else name for name in [*NAMES, "title:0"]}
    from_papers = [
        (key, entry["context"]["id"], *mention(entry)) for key in keys for entry in whole(store.contexts_of, 3, key)
    ]
    assert sorted(map(repr, from_contexts)) == sorted(map(repr, from_papers))
    stats = store.stats()
    assert stats["cited_in"] + stats["shown_in"] == len(from_contexts)


def mention(entry: Mapping[str, Any]) -> tuple[Any, ...]:
    return tuple(entry[name] for name in ("relation", "at", "by", "where", "text"))


@pytest.mark.parametrize("items_a_request", [1, 2, 3, 7])
def test_two_homes_whose_edges_interleave_are_one_list(items_a_request: int) -> None:
    first, second = ([f"openalex:W{number}" for number in numbers] for numbers in (range(10, 20), range(14, 40, 5)))
    table = written(
        [
            papers_body(result(doi="10.1/a", openalex="W1", references={"openalex": first})),
            papers_body(result(doi="10.1/b", openalex="W1", references={"crossref": second})),
            *(papers_body(result(doi=f"10.1/{number}", openalex=f"W{number}")) for number in range(10, 40)),
        ]
    )
    with patch.multiple(graph_pages, ITEMS_A_REQUEST=items_a_request):
        told = whole(GraphStore(table).cites, 3, "openalex:W1")
    assert [it["key"] for it in told] == [f"doi:10.1/{name[-2:]}" for name in sorted({*first, *second})]


@pytest.mark.parametrize("cursor", ["", "x", "cites", "Y2l0ZXMg", "*", "é", "a" * 5000])
def test_a_cursor_of_another_list_is_refused(cursor: str) -> None:
    store = GraphStore(written(EVERYTHING))
    with pytest.raises(Unprocessable, match="cursor"):
        store.cites("doi:10.1/a", cursor)


def test_a_cursor_serves_its_own_list_only() -> None:
    store = GraphStore(written(EVERYTHING))
    cursor = store.papers(limit=1).cursor
    with pytest.raises(Unprocessable, match="cursor"):
        store.cited_by("doi:10.1/a", cursor)


def test_a_page_of_edges_costs_a_bounded_number_of_requests() -> None:
    many = [f"openalex:W{number}" for number in range(5_000)]
    told = [json.dumps(it) for it in messages([result(references={"openalex": many})], None, MOMENTS[0])]
    table = written([*told, *(papers_body(result(doi=f"10.1/{n}", openalex=f"W{n}")) for n in range(0, 5_000, 100))])
    store = GraphStore(table)
    before = table.requests
    assert store.cites("doi:10.7554/elife.20391").cursor is not None
    assert table.requests - before <= 40
    assert len(whole(store.cites, 100, "doi:10.7554/elife.20391")) == 50
