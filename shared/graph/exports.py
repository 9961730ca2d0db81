"""Exports a part of the knowledge graph as JSON-LD, GraphML or CSV. The same part always gives the same text."""

from __future__ import annotations

import json
from collections.abc import Iterator
from csv import writer
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypedDict
from urllib.parse import quote

from shared.bibliography.identifiers import Identifiers, citation_uri
from shared.bibliography.paper_ids import SCHEMES
from shared.bibliography.person_names import read_name
from shared.exports.fields import URN
from shared.exports.spreadsheet_cells import safe_cell
from shared.graph.identity import state_digest
from shared.graph.in_text import in_text_cells
from shared.graph.part import Graph, GraphCitation, GraphMention, joined
from shared.json_types import JsonObject

if TYPE_CHECKING:
    from shared.answers.graph import ContextRef, GraphPaper

CONTEXT_FILE = Path(__file__).with_name("context.json")
PAPER_COLUMNS = (
    "key", "title", "authors", "author_count", "year", "publication_date", "journal", "type",
    "doi", "pmid", "pmcid", "arxiv", "paper_id", "openalex", "citation_count", "citation_uri", "retraction",
    "first_seen", "incomplete",
)  # fmt: skip
PAPER = "paper"
EDGE_COLUMNS = (
    "source",
    "relation",
    "target",
    "target_type",
    "providers",
    "at",
    "by",
    "where",
    "intents",
    "influential",
    "sentences",
)

Cell = str | int | None
Row = dict[str, Cell]
# A node of JSON-LD. Its properties are built step by step, and only JSON-LD processors read them.
_Node = dict[str, Any]
JsonLd = TypedDict("JsonLd", {"@context": JsonObject, "@graph": list[JsonObject]})


def json_ld(graph: Graph) -> JsonLd:
    """The graph in schema.org and CiTO terms, with the context embedded, so that reading it needs no network.

    First the papers and the contexts with the papers they cite, then each citation as a node with its sources.
    """
    graph = joined([graph])
    nodes = {paper["key"]: _article(paper, paper["key"] in graph.incomplete) for paper in graph.papers}
    for edge in graph.cites:
        _article_of(nodes, edge["source"]).setdefault("cites", []).append(_iri(edge["target"]))
    contexts: dict[str, _Node] = {}
    for mention in graph.mentions:
        context = _context_iri(mention["context"])
        contexts[context] = _creative_work(context, mention["context"])
        relation = "isCitedBy" if mention["relation"] == "cited_in" else "shownIn"
        listed = _article_of(nodes, mention["key"]).setdefault(relation, [])
        if context not in listed:
            listed.append(context)
    citations = [*map(_citation, graph.cites), *map(_mention, graph.mentions)]
    return {
        "@context": json.loads(CONTEXT_FILE.read_text(encoding="utf-8"))["@context"],
        "@graph": [*nodes.values(), *(node for _, node in sorted(contexts.items())), *citations],
    }


def _article_of(nodes: dict[str, _Node], key: str) -> _Node:
    return nodes.setdefault(key, {"@id": _iri(key), "@type": "ScholarlyArticle"})


def _iri(key: str) -> str:
    """The address of a paper by its key, the same as its citation URI; a URN for a key without an address."""
    scheme, _, value = key.partition(":")
    fields = {scheme: name for name, scheme in SCHEMES.items()}
    address = citation_uri(Identifiers(**{fields[scheme]: value})) if scheme in fields else None
    return address or f"{URN}paper:{quote(key, safe=':')}"


def _context_iri(context: ContextRef) -> str:
    return f"{URN}context:{quote(context['type'], safe='')}:{quote(context['id'], safe='')}"


def _article(entry: GraphPaper, incomplete: bool) -> _Node:
    paper = entry["paper"]
    status = paper["retraction"]["status"]
    year = None if paper["year"] is None else str(paper["year"])
    ids = [(name, value) for name, value in sorted(paper["external_ids"].items()) if value]
    return _without_empty({
        "@id": _iri(entry["key"]),
        "@type": "ScholarlyArticle",
        "name": paper["title"],
        "author": [_person(name) for name in paper["authors"] if name],
        "authorCount": paper["author_count"],
        "datePublished": paper["publication_date"] or year,
        "isPartOf": {"@type": "Periodical", "name": paper["journal"]} if paper["journal"] else None,
        "genre": paper["type"],
        "identifier": [{"@type": "PropertyValue", "propertyID": name, "value": value} for name, value in ids],
        "sameAs": paper["citation_uri"],
        "citationCount": paper["citation_count"],
        "creativeWorkStatus": status if status in ("retracted", "corrected", "concern") else None,
        "firstSeen": entry["first_seen"],
        "incomplete": incomplete or None,
    })  # fmt: skip


def _person(name: str) -> dict[str, str]:
    """A `Person` only for a name with a family name: a single word may be a group."""
    author = read_name(name)
    return {"@type": "Person", "name": name} if author and author.family else {"name": name}


def _creative_work(iri: str, context: ContextRef) -> _Node:
    identifier = {"@type": "PropertyValue", "propertyID": context["type"], "value": context["id"]}
    return {"@id": iri, "@type": "CreativeWork", "genre": context["type"], "identifier": identifier}


def _citation(edge: GraphCitation) -> _Node:
    in_text = edge.get("in_text")
    return _without_empty({
        "@id": f"{URN}citation:{state_digest([edge['source'], edge['target']])}",
        "@type": "Citation",
        "hasCitingEntity": _iri(edge["source"]),
        "hasCitedEntity": _iri(edge["target"]),
        "wasAttributedTo": [f"{URN}provider:{name}" for name in edge["providers"]],
        "citedFor": in_text and in_text["intents"],
        "influential": in_text and in_text["influential"],
        "citingSentence": in_text and in_text["sentences"],
    })  # fmt: skip


def _mention(mention: GraphMention) -> _Node:
    """A citation by a context; or a paper shown in a context, which is not a citation."""
    kind, verb = ("Citation", "Cit") if mention["relation"] == "cited_in" else ("Showing", "Show")
    return _without_empty({
        "@id": f"{URN}mention:{state_digest(mention)}",
        "@type": kind,
        f"has{verb}ingEntity": _context_iri(mention["context"]),
        ("hasCitedEntity" if kind == "Citation" else "hasShownEntity"): _iri(mention["key"]),
        "dateCreated": mention["at"],
        "creator": {"name": mention["by"]} if mention["by"] else None,
        "textPosition": mention["where"],
    })  # fmt: skip


def _without_empty(values: _Node) -> _Node:
    return {name: value for name, value in values.items() if value is not None and value != []}


def graph_ml(graph: Graph) -> str:
    """GraphML of a directed multigraph. The `kind` of a node is "paper" or "context", that of an edge its relation.

    A paper of which only the key is known is a node without a title.
    """
    import networkx

    graph = joined([graph])
    network = networkx.MultiDiGraph()
    for row in _paper_rows(graph):
        network.add_node(row["key"], kind=PAPER, label=row["title"], **_without_empty(row))
    for row in _edge_rows(graph):
        source, relation, target, kind = (row.pop(name) for name in ("source", "relation", "target", "target_type"))
        network.add_node(source, kind=PAPER)
        if kind == PAPER:
            network.add_node(target, kind=PAPER)
        else:
            label, target = target, f"context:{kind}:{target}"
            network.add_node(target, kind="context", label=label, context_type=kind)
        network.add_edge(source, target, kind=relation, **_without_empty(row))
    return "\n".join(networkx.generate_graphml(network, named_key_ids=True))


def csv(graph: Graph, kind: Literal["papers", "edges"] = "papers") -> str:
    """A header, and one line per paper; or one line per edge, to a paper or a context."""
    columns, rows = (PAPER_COLUMNS, _paper_rows) if kind == "papers" else (EDGE_COLUMNS, _edge_rows)
    out = StringIO()
    lines = writer(out)
    lines.writerow(columns)
    lines.writerows([safe_cell(row[name]) for name in columns] for row in rows(joined([graph])))
    return out.getvalue()


def _paper_rows(graph: Graph) -> Iterator[Row]:
    for entry in graph.papers:
        paper, ids = entry["paper"], entry["paper"]["external_ids"]
        yield {
            "key": entry["key"],
            "title": paper["title"],
            "authors": "; ".join(name for name in paper["authors"] if name) or None,
            "author_count": paper["author_count"],
            "year": paper["year"],
            "publication_date": paper["publication_date"],
            "journal": paper["journal"],
            "type": paper["type"],
            "doi": ids.get("doi"),
            "pmid": ids.get("pmid"),
            "pmcid": ids.get("pmcid"),
            "arxiv": ids.get("arxiv"),
            "paper_id": ids.get("paper_id"),
            "openalex": ids.get("openalex"),
            "citation_count": paper["citation_count"],
            "citation_uri": paper["citation_uri"],
            "retraction": paper["retraction"]["status"],
            "first_seen": entry["first_seen"],
            "incomplete": "yes" if entry["key"] in graph.incomplete else "no",
        }


def _edge_rows(graph: Graph) -> Iterator[Row]:
    for edge in graph.cites:
        row = _edge_row(edge["source"], "cites", edge["target"], PAPER)
        in_text = in_text_cells(edge["in_text"]) if "in_text" in edge else {}
        yield {**row, "providers": "; ".join(edge["providers"]), **in_text}
    for mention in graph.mentions:
        context = mention["context"]
        row = _edge_row(mention["key"], mention["relation"], context["id"], context["type"])
        yield {**row, "at": mention["at"], "by": mention["by"], "where": mention["where"]}


def _edge_row(source: str, relation: str, target: str, target_type: str) -> Row:
    named = {"source": source, "relation": relation, "target": target, "target_type": target_type}
    return {**dict.fromkeys(EDGE_COLUMNS), **named}
