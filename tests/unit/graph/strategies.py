"""Messages of papers whose ids overlap, by hypothesis; and all that can be asked of a graph, as one text."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any
from unittest.mock import patch

from hypothesis import strategies as st

from shared.graph import pages as graph_pages
from shared.graph.pages import Page, ReadableTable
from shared.graph.received import read_message
from shared.graph.store import GraphStore
from shared.graph.writes import write_message
from tests.unit.graph.examples import DEBATE, citations_body, papers_body, result
from tests.unit.graph.memory_table import MemoryTable

DOIS, PMIDS, ARXIV, WORKS = ("10.1/a", "10.1/b", "10.1/a#b", "10.1/é"), ("1", "2"), ("2011.00931",), ("W1", "W2")
NAMES = [
    *(f"doi:{it}" for it in DOIS),
    *(f"pmid:{it}" for it in PMIDS),
    "arxiv:2011.00931",
    "openalex:W1",
    "openalex:W2",
]
MOMENTS = ("2026-11-18T00:00:00Z", "2026-11-19T00:00:00Z")
CONTEXTS: tuple[Mapping[str, str], ...] = (DEBATE, {"type": "analysis", "id": "on a # b"})


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
    """Its key is that of its best id or, where others claim that, of one behind it."""
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


def whole(page: Callable[..., Page], limit: int, *of: str) -> list[dict[str, Any]]:
    """A list, page by page."""
    found: list[dict[str, Any]] = []
    cursor: str | None = None
    for _ in range(200):
        told = page(*of, cursor, limit)
        assert len(told.items) <= limit
        found += told.items
        cursor = told.cursor
        if cursor is None:
            return found
    raise AssertionError("a list without an end")


def answers(table: ReadableTable, limit: int, items_a_request: int = 200, names: Sequence[str] = NAMES) -> str:
    """All that can be asked, as one text."""
    with patch.multiple(graph_pages, ITEMS_A_REQUEST=items_a_request):
        return _answers(table, limit, names)


def _answers(table: ReadableTable, limit: int, names: Sequence[str]) -> str:
    store = GraphStore(table)
    told: dict[str, Any] = {"papers": whole(store.papers, limit), "stats": store.stats()}
    for name in names:
        told[name] = [
            store.paper(name),
            whole(store.cites, limit, name),
            whole(store.cited_by, limit, name),
            whole(store.contexts_of, limit, name),
        ]
    for it in CONTEXTS:
        told[it["id"]] = whole(store.context, limit, *it.values())
    return json.dumps(told, sort_keys=True)
