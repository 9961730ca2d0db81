"""Any order and repetition of messages and a crash before any write lead to the same facts and the same answers."""

from __future__ import annotations

import json
import random
import zlib
from collections import defaultdict
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shared.answers.graph import Mention
from shared.errors import Unprocessable
from shared.graph import pages as graph_pages
from shared.graph.identity import MAX_CANONICAL_KEYS, best_key
from shared.graph.messages import messages
from shared.graph.received import read_message
from shared.graph.store import GraphStore
from shared.graph.writes import ATTEMPTS, write_message
from shared.storage_errors import TableBusy
from tests.unit.graph.examples import DEBATE, citations_body, papers_body, result
from tests.unit.graph.memory_table import Crash, MemoryTable
from tests.unit.graph.old_form import facts
from tests.unit.graph.strategies import BODIES, CONTEXTS, MOMENTS, NAMES, answers, named_results, whole, written


@settings(deadline=None, max_examples=150)
@given(BODIES, st.randoms(use_true_random=False), st.integers(1, 4))
def test_any_order_repetition_and_crash_leads_to_the_same_facts_and_answers(
    bodies: list[str], chance: random.Random, limit: int
) -> None:
    once = written(bodies)
    table = MemoryTable()
    waiting = [*bodies, *chance.choices(bodies, k=len(bodies))]
    crashes = 2 * len(bodies)
    while waiting:
        body = waiting.pop(chance.randrange(len(waiting)))
        table.crash_at = table.writes + chance.randrange(12) if crashes else 10**9
        try:
            write_message(read_message(body), table)
        except Crash:
            crashes -= 1
            waiting.append(body)
    assert facts(table) == facts(once)
    assert answers(table, limit, chance.choice((1, 2, 200))) == answers(once, 100)


EVERYTHING = [
    papers_body(result(doi="10.1/a", openalex="W1", references={"openalex": ["doi:10.1/b", "pmid:1"]}), context=DEBATE),
    papers_body(result(doi="10.1/b"), result(doi=None, pmid="1", references={"pubmed": ["openalex:W1"]})),
    papers_body(result(doi="10.1/b", pmid="1", title="Two", references={"crossref": ["doi:10.1/a"]}), context=DEBATE),
    citations_body("doi:10.1/a", "pmid:1", "doi:10.1/b", by="agent", start=3),
]


@pytest.mark.parametrize("number", range(written(EVERYTHING).writes))
def test_redelivery_completes_the_table_after_a_crash_before_any_write(number: int) -> None:
    table = MemoryTable()
    table.crash_at = number
    with pytest.raises(Crash):
        for body in EVERYTHING:
            write_message(read_message(body), table)
    table.crash_at = 10**9
    for body in reversed(EVERYTHING):
        write_message(read_message(body), table)
    assert facts(table) == facts(written(EVERYTHING))


@settings(deadline=None, max_examples=60)
@given(BODIES)
def test_a_message_that_was_written_needs_no_further_write(bodies: list[str]) -> None:
    table = written(bodies)
    assert [write_message(read_message(body), table) for body in bodies] == [0] * len(bodies)
    assert table.items == written(bodies).items


@settings(deadline=None, max_examples=60)
@given(st.lists(BODIES, min_size=2, max_size=4))
def test_concurrent_writers_lose_nothing(of_writers: list[list[str]]) -> None:
    rivals = [body for bodies in of_writers[1:] for body in bodies]

    def rival() -> None:
        if rivals:
            write_message(read_message(rivals.pop()), table)

    table = MemoryTable(between=rival)
    for body in of_writers[0]:
        write_message(read_message(body), table)
    while rivals:
        write_message(read_message(rivals.pop()), table)
    assert facts(table) == facts(written(body for bodies in of_writers for body in bodies))


def test_a_message_about_a_paper_that_others_keep_changing_is_given_back() -> None:
    timestamps = [f"2026-11-20T12:00:{second:02}Z" for second in range(60)]

    def rival() -> None:
        table.items[("paper#doi:10.7554/elife.20391", "paper")] = {"pk": "", "sk": "", "seen_at": timestamps.pop()}

    table = MemoryTable(between=rival)
    with pytest.raises(TableBusy, match=f"{ATTEMPTS} attempts"):
        write_message(read_message(papers_body(result(), seen_at="2027-01-01T00:00:00Z")), table)


@settings(deadline=None, max_examples=60)
@given(st.lists(named_results(), min_size=1, max_size=12), st.integers(1, 12))
def test_any_division_of_results_into_messages_writes_the_same(results: list[Any], size: int) -> None:
    def bodies(at_once: int) -> list[str]:
        parts = [results[start : start + at_once] for start in range(0, len(results), at_once)]
        return [json.dumps(message) for part in parts for message in messages(part, DEBATE, MOMENTS[0])]

    assert facts(written(bodies(size))) == facts(written(bodies(1)))


class Reference:
    """A slow and simple implementation of the same answers, from the whole table."""

    def __init__(self, table: MemoryTable) -> None:
        items = list(table.items.values())
        self.ids = {item["pk"][6:]: set(item["ids"]) for item in items if item["sk"] == "paper"}
        groups = [{key} for key in self.ids]
        for key, ids in self.ids.items():
            touching = [group for group in groups if key in group or any(ids & self.ids[other] for other in group)]
            groups = [group for group in groups if group not in touching] + [set[str]().union(*touching)]
        self.papers: dict[str, frozenset[str]] = {}  # id -> canonical keys
        for group in groups:
            ids = set[str]().union(*(self.ids[key] for key in group))
            single = sum(name.startswith("pmid:") for name in ids) < 2 and len(group) <= MAX_CANONICAL_KEYS
            for name in ids:
                having = [key for key in group if name in self.ids[key]]
                owner = name if name in having else best_key(having)
                self.papers[name] = frozenset(group) if single else frozenset({owner})
        self.edges: defaultdict[tuple[frozenset[str], frozenset[str]], set[str]] = defaultdict(set)
        for item in items:
            if item["sk"].startswith("references#"):
                provider = item["sk"].removeprefix("references#").split(" ")[0]
                for name in zlib.decompress(item["cited"]).decode().split(" "):
                    source, target = self.papers[item["pk"][6:]], self.papers.get(name)
                    if target and source != target:
                        self.edges[source, target].add(provider)


@settings(deadline=None, max_examples=150)
@given(BODIES, st.integers(1, 4))
def test_the_answers_are_those_of_a_slow_and_simple_implementation(bodies: list[str], limit: int) -> None:
    table = written(bodies)
    store, reference = GraphStore(table), Reference(table)
    papers = {tuple(it["keys"]): it for it in whole(store.papers, limit)}
    assert set(papers) == {tuple(sorted(keys)) for keys in reference.papers.values()}
    stats = store.stats()
    assert (stats["papers"], stats["cites"]) == (len(papers), len(reference.edges))
    canonical_keys_of = {it["key"]: frozenset(it["keys"]) for it in papers.values()}
    assert len(canonical_keys_of) == len(papers), "two papers have the same key"
    for name in NAMES:
        found = store.paper(name)
        own = reference.papers.get(name)
        assert (frozenset(found["keys"]) if found else None) == own
        assert found is None or found == papers[tuple(found["keys"])]
        cites = whole(store.cites, limit, name)
        citing = whole(store.cited_by, limit, name)
        assert {canonical_keys_of[it["key"]]: set(it["providers"]) for it in cites} == {
            target: providers for (source, target), providers in reference.edges.items() if source == own
        }
        assert {canonical_keys_of[it["key"]]: set(it["providers"]) for it in citing} == {
            source: providers for (source, target), providers in reference.edges.items() if target == own
        }
        assert len(cites) == len({it["key"] for it in cites})
        assert len(citing) == len({it["key"] for it in citing})


@settings(deadline=None, max_examples=80)
@given(BODIES)
def test_every_mention_is_listed_for_its_paper_and_for_its_context(bodies: list[str]) -> None:
    store = GraphStore(written(bodies))
    from_contexts = []
    for context in CONTEXTS:
        listed = whole(store.context, 3, context["type"], context["id"])
        assert [entry["at"] for entry in listed] == sorted(entry["at"] for entry in listed)
        from_contexts += [(entry["key"], context["id"], *mention(entry)) for entry in listed]
    keys = {found["key"] if (found := store.paper(name)) else name for name in [*NAMES, "title:0"]}
    from_papers = [
        (key, entry["context"]["id"], *mention(entry)) for key in keys for entry in whole(store.contexts_of, 3, key)
    ]
    assert sorted(map(repr, from_contexts)) == sorted(map(repr, from_papers))
    stats = store.stats()
    assert stats["cited_in"] + stats["shown_in"] == len(from_contexts)


def mention(entry: Mention) -> tuple[object, ...]:
    return entry["relation"], entry["at"], entry["by"], entry["where"], entry["text"]


@pytest.mark.parametrize("items_per_request", [1, 2, 3, 7])
def test_the_edges_of_two_canonical_keys_are_merged_into_one_list(items_per_request: int) -> None:
    first, second = ([f"openalex:W{number}" for number in numbers] for numbers in (range(10, 20), range(14, 40, 5)))
    table = written(
        [
            papers_body(result(doi="10.1/a", openalex="W1", references={"openalex": first})),
            papers_body(result(doi="10.1/b", openalex="W1", references={"crossref": second})),
            *(papers_body(result(doi=f"10.1/{number}", openalex=f"W{number}")) for number in range(10, 40)),
        ]
    )
    with patch.multiple(graph_pages, ITEMS_PER_REQUEST=items_per_request):
        edges = whole(GraphStore(table).cites, 3, "openalex:W1")
    assert [edge["key"] for edge in edges] == [f"doi:10.1/{name[-2:]}" for name in sorted({*first, *second})]


@pytest.mark.parametrize("cursor", ["", "x", "cites", "Y2l0ZXMg", "*", "é", "a" * 5000])
def test_a_text_that_is_not_a_cursor_of_the_list_is_rejected(cursor: str) -> None:
    store = GraphStore(written(EVERYTHING))
    with pytest.raises(Unprocessable, match="cursor"):
        store.cites("doi:10.1/a", cursor)


def test_a_cursor_is_valid_for_its_own_list_only() -> None:
    store = GraphStore(written(EVERYTHING))
    cursor = store.papers(limit=1).cursor
    with pytest.raises(Unprocessable, match="cursor"):
        store.cited_by("doi:10.1/a", cursor)


def test_a_page_of_edges_costs_a_bounded_number_of_requests() -> None:
    many = [f"openalex:W{number}" for number in range(5_000)]
    bodies = [json.dumps(it) for it in messages([result(references={"openalex": many})], None, MOMENTS[0])]
    table = written([*bodies, *(papers_body(result(doi=f"10.1/{n}", openalex=f"W{n}")) for n in range(0, 5_000, 100))])
    store = GraphStore(table)
    before = table.requests
    assert store.cites("doi:10.7554/elife.20391").cursor is not None
    assert table.requests - before <= 40
    assert len(whole(store.cites, 100, "doi:10.7554/elife.20391")) == 50
