"""Reads the knowledge graph: a paper by any id, its references, citations and contexts, a context, all papers.

Every answer is a function of the stored facts, not of the order in which they were written: canonical keys that are one
paper are joined while reading, their edges united, and self-citations left out. Ids have the form of
`bibliography.paper_ids.SCHEMES`. An edge is shown once both papers are in the graph. The index is eventually
consistent, with a delay of about a second.

`lookup` and `edges` state their numbers of requests; every other list takes one Query per partition and one look-up.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Protocol

from shared.cursors import read_cursor, write_cursor
from shared.graph.counts import counts
from shared.graph.edges import read_edges
from shared.graph.identity import Node, best_key, is_id
from shared.graph.items import (
    COUNT_ATTRIBUTES,
    KEY_ATTRIBUTES,
    SHARDS,
    Item,
    Key,
    MentionKey,
    canonical_key_in,
    context_partition,
    key_of,
)
from shared.graph.lookup import PaperLookup
from shared.graph.ownership import ContextKey, no_such_context, open_contexts
from shared.graph.pages import MAX_LIMIT, GraphPage, MergedPartitions, ReadableTable

if TYPE_CHECKING:
    from shared.answers.graph import (
        ContextMention,
        ContextRef,
        GraphEdge,
        GraphPaper,
        GraphStats,
        Mention,
        PaperMention,
    )


class StoredCounts(Protocol):
    """Where the size of a large graph is stored for a while (`shared.aws.dynamodb.stored_counts`)."""

    def get(self) -> GraphStats | None:
        """The stored size, or None."""

    def put(self, stats: GraphStats) -> None:
        """Store it."""


# The pages of contexts that may not be shown, after which a list of contexts ends its page early.
PAGES_OF_HIDDEN = 10
STATS_REQUESTS = 25  # of a megabyte each: some hundred thousand items


class GraphStore:
    """Reads the papers table. Lists take a limit from 1 to 100, and the cursor of an earlier page of the same list.

    Papers and the citations between them are the same for all. Contexts are those that `tenant` may read; without a
    tenant all of them, for tools of the operator.
    """

    def __init__(self, table: ReadableTable, tenant: str | None = None) -> None:
        self._table = table
        self._lookup = PaperLookup(table)
        self._tenant = tenant

    def of_tenant(self, tenant: str) -> GraphStore:
        """The same graph as this tenant may read it."""
        return GraphStore(self._table, tenant)

    def paper(self, name: str) -> GraphPaper | None:
        """The paper with this id; None if the graph has none."""
        return self.known([name])[name]

    def known(self, names: Sequence[str]) -> dict[str, GraphPaper | None]:
        """The paper of each of these ids; None for an id that no paper has."""
        identity = self._lookup.identity(names)
        nodes = {name: identity.node(name) for name in names}
        states = self._lookup.states([node for node in dict.fromkeys(nodes.values()) if node])
        return {name: states[node] if node else None for name, node in nodes.items()}

    def cites(
        self, name: str, cursor: str | None = None, limit: int = MAX_LIMIT, *, in_text: bool = True
    ) -> GraphPage[GraphEdge]:
        """The papers that it cites, each with the providers that state so and, if wanted, how its text cites them."""
        return read_edges(self._table, "cites", name, cursor, limit, in_text=in_text)

    def cited_by(
        self, name: str, cursor: str | None = None, limit: int = MAX_LIMIT, *, in_text: bool = True
    ) -> GraphPage[GraphEdge]:
        """The papers that cite it, each with the providers that state so and, if wanted, how their texts cite it."""
        return read_edges(self._table, "cited_by", name, cursor, limit, in_text=in_text)

    def contexts_of(self, name: str, cursor: str | None = None, limit: int = MAX_LIMIT) -> GraphPage[PaperMention]:
        """The contexts in which it was cited or shown, in order of time."""
        node = self._lookup.node(name)
        ids = node.ids if node else tuple(filter(is_id, [name]))
        partitions = MergedPartitions(
            partitions=ids, index=True, prefix="context#", upper="context$", position=_index_position
        )
        position, shown = read_cursor("contexts", cursor), None
        entries: list[PaperMention] = []
        for _ in range(PAGES_OF_HIDDEN):
            found, more = partitions.next_page(self._table, position, limit)
            readable = self._readable(_context_key(items[0]) for _, items in found)
            for position, items in found:
                if _context_key(items[0]) not in readable:
                    continue
                if len(entries) == limit:
                    return GraphPage(entries, write_cursor("contexts", shown))
                shown = position
                entries.append({"context": _context(items[0]), **_mention(items[0])})
            if not more:
                return GraphPage(entries, None)
        return GraphPage(entries, write_cursor("contexts", shown or position))

    def _readable(self, contexts: Iterable[ContextKey], *, consistent: bool = False) -> set[ContextKey]:
        if self._tenant is None:
            return set(contexts)
        return open_contexts(self._table, contexts, self._tenant, consistent=consistent)

    def context(
        self, context_type: str, context_id: str, cursor: str | None = None, limit: int = MAX_LIMIT
    ) -> GraphPage[ContextMention]:
        """The papers that a context cited or was shown, in order of time. Raises NotFound if it may not be read.

        A paper that is not in the graph has as key the id by which it was cited, and None as `paper`.
        """
        position = read_cursor("context", cursor)
        if not self._readable([(context_type, context_id)], consistent=True):
            raise no_such_context()
        partition = context_partition(context_type, context_id)
        partitions = MergedPartitions(
            partitions=[partition], index=False, prefix="", upper=":", position=lambda item: item["sk"]
        )
        found, more = partitions.next_page(self._table, position, limit)
        entries = self._distinct_mentions([item for _, (item,) in found])
        return GraphPage(entries, write_cursor("context", found[-1][0] if more else None))

    def _distinct_mentions(self, items: Sequence[Item]) -> list[ContextMention]:
        """Mentions of a context, without those that repeat an earlier one under another id of the same paper."""
        identity = self._lookup.identity([item["target"] for item in items])
        nodes = {item["target"]: identity.node(item["target"]) for item in items}
        equivalent = {key_of(item): _equivalent_mentions(item, nodes[item["target"]]) for item in items}
        stored = self._table.read((key for keys in equivalent.values() for key in keys), KEY_ATTRIBUTES)
        states = self._lookup.states([node for node in nodes.values() if node])
        entries: list[ContextMention] = []
        for item in items:
            node = nodes[item["target"]]
            if any(key in stored and key[1] < item["sk"] for key in equivalent[key_of(item)]):
                continue
            key, paper = (node.key, states[node]["paper"]) if node else (item["target"], None)
            entries.append({"key": key, "paper": paper, **_mention(item)})
        return entries

    def papers(self, cursor: str | None = None, limit: int = MAX_LIMIT) -> GraphPage[GraphPaper]:
        """All papers, each once."""
        partitions = MergedPartitions(
            partitions=SHARDS, index=True, prefix="paper#", upper="paper$", position=canonical_key_in
        )
        found, more = partitions.next_page(self._table, read_cursor("papers", cursor), limit)
        keys = [key for key, _ in found]
        identity = self._lookup.identity(keys)
        nodes = [node for key in keys if (node := identity.node(key)) and key == best_key(node.canonical_keys)]
        states = self._lookup.states(nodes)
        return GraphPage([states[node] for node in nodes], write_cursor("papers", keys[-1] if more else None))

    def stats(self, stored: StoredCounts | None = None) -> GraphStats:
        """The size of the graph; not `complete` if the table is too large to be read whole.

        One that takes more than one request to read is counted once and `stored`.
        """
        items, complete = self._table.scan(COUNT_ATTRIBUTES, 1)
        if complete:
            return {**counts(items), "complete": True}
        if stored and (known := stored.get()):
            return known
        items, complete = self._table.scan(COUNT_ATTRIBUTES, STATS_REQUESTS)
        stats: GraphStats = {**counts(items), "complete": complete}
        if stored:
            stored.put(stats)
        return stats


def _equivalent_mentions(item: Item, node: Node | None) -> list[Key]:
    """The keys of the same mention under each id of its paper."""
    key = MentionKey.parse(item["sk"])
    ids = node.ids if node else (key.target,)
    return [(item["pk"], key._replace(target=name).sort_key()) for name in ids]


def _mention(item: Item) -> Mention:
    where = item.get("where")
    return {
        "relation": item["relation"],
        "at": item["at"],
        "by": item.get("by"),
        "text": item.get("text"),
        "where": None if where is None else int(where),
    }


def _context_key(item: Item) -> ContextKey:
    _, context_type, context_id = item["pk"].split("#", 2)
    return context_type, context_id


def _context(item: Item) -> ContextRef:
    context_type, context_id = _context_key(item)
    return {"type": context_type, "id": context_id}


def _index_position(item: Item) -> str:
    return item["source"].removeprefix("context#")
