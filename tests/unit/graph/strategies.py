"""Hypothesis strategies for messages about papers with overlapping ids; and every answer of a graph, as one text."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar
from unittest.mock import patch

from hypothesis import strategies as st

from shared.answers.graph import ContextRef
from shared.graph import pages as graph_pages
from shared.graph.pages import GraphPage, ReadableTable
from shared.graph.received import read_message
from shared.graph.store import GraphStore
from shared.graph.writes import write_message
from tests.unit.graph.examples import DEBATE, citations_body, papers_body, result
from tests.unit.graph.memory_table import MemoryTable

DOIS, PMIDS, ARXIV, WORKS = ("10.1/a", "10.1/b", "10.1/a#b", "10.1/é"), ("1", "2"), ("2011.00931",), ("W1", "W2")
NAMES = [
    *(f"doi:{doi}" for doi in DOIS),
    *(f"pmid:{pmid}" for pmid in PMIDS),
    "arxiv:2011.00931",
    "openalex:W1",
    "openalex:W2",
]
MOMENTS = ("2026-11-18T00:00:00Z", "2026-11-19T00:00:00Z")
CONTEXTS: tuple[ContextRef, ...] = (DEBATE, {"type": "analysis", "id": "on a # b"})
Entry = TypeVar("Entry")


def some(values: Sequence[str]) -> st.SearchStrategy[str | None]:
    return st.sampled_from((None, *values))


REFERENCES = st.dictionaries(st.sampled_from(("crossref", "openalex")), st.lists(st.sampled_from(NAMES), max_size=4))
RESULTS = st.builds(
    result,
    doi=some(DOIS),
    pmid=some(PMIDS),
    arxiv=st.sampled_from((None, *ARXIV)),
    openalex=some(WORKS),
    title=st.sampled_from(("One", "Two")),
    references=REFERENCES,
    key=st.just(""),
)


@st.composite
def named_results(draw: st.DrawFn) -> dict[str, Any]:
    """A result whose key is its best id or, as if other papers had that id too, a later one."""
    found = draw(RESULTS)
    ids = found["external_ids"]
    if not (ids["doi"] or ids["pmid"]):
        ids["pmid"] = found["pmid"] = "1"
    possible = [f"{scheme}:{ids[scheme]}" for scheme in ("doi", "pmid", "arxiv", "openalex") if ids[scheme]]
    return {**found, "key": draw(st.sampled_from([possible[0], *possible, "title:0"]))}


PAPERS = st.builds(
    lambda results, context, seen_at: papers_body(*results, context=context, seen_at=seen_at),
    st.lists(named_results(), min_size=1, max_size=3),
    st.sampled_from((None, *CONTEXTS)),
    st.sampled_from(MOMENTS),
)
CITATIONS = st.builds(
    lambda ids, context, by, at, start: citations_body(*ids, context=context, by=by, at=at, start=start),
    st.lists(st.sampled_from(NAMES), min_size=1, max_size=3),
    st.sampled_from(CONTEXTS),
    st.sampled_from((None, "agent")),
    st.sampled_from(MOMENTS),
    st.sampled_from((None, 0, 1)),
)
BODIES = st.lists(st.one_of(PAPERS, PAPERS, CITATIONS), min_size=1, max_size=8)


def written(bodies: Iterable[str]) -> MemoryTable:
    table = MemoryTable()
    for body in bodies:
        write_message(read_message(body), table)
    return table


def whole(read: Callable[..., GraphPage[Entry]], limit: int, *of: str) -> list[Entry]:
    """All entries of a list, read page by page."""
    found: list[Entry] = []
    cursor: str | None = None
    for _ in range(200):
        page = read(*of, cursor, limit)
        assert len(page.items) <= limit
        found += page.items
        cursor = page.cursor
        if cursor is None:
            return found
    raise AssertionError("a list without a last page")


def answers(table: ReadableTable, limit: int, items_per_request: int = 200, names: Sequence[str] = NAMES) -> str:
    """The answers about these ids and all contexts, as one text."""
    with patch.multiple(graph_pages, ITEMS_PER_REQUEST=items_per_request):
        return _answers(table, limit, names)


def _answers(table: ReadableTable, limit: int, names: Sequence[str]) -> str:
    store = GraphStore(table)
    found: dict[str, Any] = {"papers": whole(store.papers, limit), "stats": store.stats()}
    for name in names:
        found[name] = [
            store.paper(name),
            whole(store.cites, limit, name),
            whole(store.cited_by, limit, name),
            whole(store.contexts_of, limit, name),
        ]
    for context in CONTEXTS:
        found[context["id"]] = whole(store.context, limit, context["type"], context["id"])
    return json.dumps(found, sort_keys=True)
