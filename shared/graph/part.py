"""A part of the knowledge graph, as it is handed out: a page of the store, or several pages put together.

The same part has one form: papers, edges and mentions in the order of their keys, each once, and without what no text
file may hold (control characters, halves of characters).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from shared.bibliography.text import xml_text
from shared.canonical_json import canonical

# Of one paper, so many pages of what it cites and of its contexts are read.
PAGES_A_PAPER = 20

Entry = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Graph:
    """A part of the knowledge graph.

    papers: `{key, keys, ids, paper, first_seen}`; cites: `{source, target, providers}`, by key; mentions:
    `{context: {type, id}, relation, key, at, by, where}`. `incomplete` names papers that cite more than is told here,
    or are in more contexts.
    """

    papers: Sequence[Entry] = ()
    cites: Sequence[Entry] = ()
    mentions: Sequence[Entry] = ()
    incomplete: Sequence[str] = ()


class Page(Protocol):
    """One page of a list (`shared.graph.pages.Page`)."""

    @property
    def items(self) -> list[dict[str, Any]]:
        """The entries."""

    @property
    def cursor(self) -> str | None:
        """Of the next page."""


class Lister(Protocol):
    """One of the store's lists about a paper."""

    def __call__(self, name: str, cursor: str | None = None) -> Page:
        """A page of it."""


class Store(Protocol):
    """The graph's store, as far as it is exported (`shared.graph.store`)."""

    def papers(self, cursor: str | None, limit: int) -> Page:
        """All papers."""

    def cites(self, name: str, cursor: str | None = None) -> Page:
        """What a paper cites."""

    def contexts_of(self, name: str, cursor: str | None = None) -> Page:
        """Where it was cited or shown."""


def page_of(store: Store, cursor: str | None, limit: int) -> tuple[Graph, str | None]:
    """A page of papers with what they cite and their contexts, and the cursor of the next page."""
    page = store.papers(cursor, limit)
    cites: list[Entry] = []
    mentions: list[Entry] = []
    incomplete = []
    for key in (str(paper["key"]) for paper in page.items):
        cited, all_cited = _all(store.cites, key)
        contexts, all_contexts = _all(store.contexts_of, key)
        cites += [{"source": key, "target": other["key"], "providers": other["providers"]} for other in cited]
        told = ("context", "relation", "at", "by", "where")
        mentions += [{"key": key, **{name: mention[name] for name in told}} for mention in contexts]
        if not (all_cited and all_contexts):
            incomplete.append(key)
    return joined([Graph(page.items, cites, mentions, incomplete)]), page.cursor


def _all(pages: Lister, key: str) -> tuple[list[dict[str, Any]], bool]:
    """The entries of at most PAGES_A_PAPER pages, and whether these are all."""
    found: list[dict[str, Any]] = []
    cursor: str | None = None
    for _ in range(PAGES_A_PAPER):
        page = pages(key, cursor)
        found += page.items
        cursor = page.cursor
        if cursor is None:
            return found, True
    return found, False


def joined(graphs: Iterable[Graph]) -> Graph:
    """Several pages as one: each paper, edge and mention once and in order, no paper citing itself, texts clean."""
    graphs = list(graphs)
    papers = sorted((_clean(it) for graph in graphs for it in graph.papers), key=canonical)
    cites: dict[tuple[str, str], set[str]] = {}
    for edge in (_clean(it) for graph in graphs for it in graph.cites):
        if edge["source"] != edge["target"]:
            cites.setdefault((edge["source"], edge["target"]), set()).update(edge["providers"])
    mentions = {canonical(it): it for graph in graphs for mention in graph.mentions for it in [_clean(mention)]}
    return Graph(
        papers=[paper for _, paper in sorted({it["key"]: it for it in papers}.items())],
        cites=[{"source": it[0], "target": it[1], "providers": sorted(who)} for it, who in sorted(cites.items())],
        mentions=sorted(mentions.values(), key=lambda it: (it["key"], it["at"], canonical(it))),
        incomplete=sorted({_clean(key) for graph in graphs for key in graph.incomplete}),
    )


def _clean(value: Any) -> Any:
    if isinstance(value, str):
        return xml_text(value)
    if isinstance(value, Mapping):
        return {name: _clean(part) for name, part in value.items()}
    return [_clean(part) for part in value] if isinstance(value, list | tuple) else value
