"""A part of the knowledge graph for export: one page of the store, or several pages joined.

The same part always has the same form: papers, citations and mentions in the order of their keys, each once, and
without characters that text files cannot contain (control characters, lone surrogates).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Literal, NotRequired, Protocol, TypedDict

from shared.bibliography.text import xml_text
from shared.canonical_json import canonical
from shared.graph.in_text import joined_in_text
from shared.graph.pages import Entry, GraphPage

if TYPE_CHECKING:
    from shared.answers.graph import ContextRef, GraphEdge, GraphPaper, PaperMention
    from shared.answers.in_text import InText

# The pages that are read of the references, and of the contexts, of one paper.
PAGES_PER_PAPER = 20


class GraphCitation(TypedDict):
    """`source` cites `target`, both keys of papers, as `providers` state; and how its text does."""

    source: str
    target: str
    providers: list[str]
    in_text: NotRequired[InText]


class GraphMention(TypedDict):
    """One time that a context cited, or showed, the paper with this key."""

    key: str
    context: ContextRef
    relation: Literal["cited_in", "shown_in"]
    at: str
    by: str | None
    where: int | None


@dataclass(frozen=True, slots=True)
class Graph:
    """A part of the graph. `incomplete`: keys of papers with more references or contexts than are listed here."""

    papers: Sequence[GraphPaper] = ()
    cites: Sequence[GraphCitation] = ()
    mentions: Sequence[GraphMention] = ()
    incomplete: Sequence[str] = ()


def part_of(graph: Graph, keys: Collection[str]) -> Graph:
    """The papers with these keys, with their citations and mentions."""
    return Graph(
        [paper for paper in graph.papers if paper["key"] in keys],
        [it for it in graph.cites if it["source"] in keys],
        [it for it in graph.mentions if it["key"] in keys],
        [key for key in graph.incomplete if key in keys],
    )


class Store(Protocol):
    """The lists that are exported (`shared.graph.store`)."""

    def papers(self, cursor: str | None, limit: int) -> GraphPage[GraphPaper]:
        """All papers."""

    def cites(self, name: str, cursor: str | None = None) -> GraphPage[GraphEdge]:
        """The papers that a paper cites."""

    def contexts_of(self, name: str, cursor: str | None = None) -> GraphPage[PaperMention]:
        """The contexts in which a paper was cited or shown."""


def page_of(store: Store, cursor: str | None, limit: int) -> tuple[Graph, str | None]:
    """A page of papers with their references and contexts, and the cursor of the next page."""
    page = store.papers(cursor, limit)
    cites: list[GraphCitation] = []
    mentions: list[GraphMention] = []
    incomplete = []
    for key in (paper["key"] for paper in page.items):
        cited, all_cited = _first_pages(store.cites, key)
        found, all_found = _first_pages(store.contexts_of, key)
        cites += [_citation(key, other["key"], other["providers"], other.get("in_text")) for other in cited]
        mentions += [_mention(key, mention) for mention in found]
        if not (all_cited and all_found):
            incomplete.append(key)
    return joined([Graph(page.items, cites, mentions, incomplete)]), page.cursor


def _citation(source: str, target: str, providers: list[str], in_text: InText | None) -> GraphCitation:
    edge: GraphCitation = {"source": source, "target": target, "providers": providers}
    return {**edge, "in_text": in_text} if in_text else edge


def _mention(key: str, mention: PaperMention) -> GraphMention:
    return {
        "key": key,
        "context": mention["context"],
        "relation": mention["relation"],
        "at": mention["at"],
        "by": mention["by"],
        "where": mention["where"],
    }


def _first_pages(read: Callable[[str, str | None], GraphPage[Entry]], key: str) -> tuple[list[Entry], bool]:
    """The entries of at most PAGES_PER_PAPER pages, and whether these are all."""
    found: list[Entry] = []
    cursor: str | None = None
    for _ in range(PAGES_PER_PAPER):
        page = read(key, cursor)
        found += page.items
        cursor = page.cursor
        if cursor is None:
            return found, True
    return found, False


def joined(graphs: Iterable[Graph]) -> Graph:
    """Several pages as one: each paper, citation and mention once and in order, no self-citations, clean texts."""
    graphs = list(graphs)
    papers = sorted(_clean([paper for graph in graphs for paper in graph.papers]), key=canonical)
    cites: dict[tuple[str, str], list[GraphCitation]] = {}
    for edge in _clean([edge for graph in graphs for edge in graph.cites]):
        if edge["source"] != edge["target"]:
            cites.setdefault((edge["source"], edge["target"]), []).append(edge)
    cleaned = _clean([mention for graph in graphs for mention in graph.mentions])
    mentions = {canonical(mention): mention for mention in cleaned}
    return Graph(
        papers=[paper for _, paper in sorted({paper["key"]: paper for paper in papers}.items())],
        cites=[_joined_edges(edges) for _, edges in sorted(cites.items(), key=itemgetter(0))],
        mentions=sorted(mentions.values(), key=lambda mention: (mention["key"], mention["at"], canonical(mention))),
        incomplete=sorted({key for graph in graphs for key in _clean(list(graph.incomplete))}),
    )


def _joined_edges(edges: Sequence[GraphCitation]) -> GraphCitation:
    providers = sorted({name for edge in edges for name in edge["providers"]})
    in_text = joined_in_text(edge["in_text"] for edge in edges if "in_text" in edge)
    return _citation(edges[0]["source"], edges[0]["target"], providers, in_text)


def _clean(entries: list[Entry]) -> list[Entry]:
    """The same entries, their texts without characters that XML cannot contain."""
    cleaned: list[Entry] = _clean_value(entries)
    return cleaned


def _clean_value(value: Any) -> Any:
    if isinstance(value, str):
        return xml_text(value)
    if isinstance(value, Mapping):
        return {name: _clean_value(part) for name, part in value.items()}
    return [_clean_value(part) for part in value] if isinstance(value, list | tuple) else value
