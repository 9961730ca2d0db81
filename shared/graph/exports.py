"""The knowledge graph for other programs: a part of it as JSON-LD, GraphML or CSV. The same part is the same text."""

from __future__ import annotations

import json
from collections.abc import Iterator
from csv import writer
from io import StringIO
from pathlib import Path
from typing import Any, Literal
from urllib.parse import quote

from shared.bibliography.identifiers import Identifiers, citation_uri
from shared.bibliography.paper_ids import SCHEMES
from shared.bibliography.person_names import read_name
from shared.graph.identity import state_digest
from shared.graph.part import Entry, Graph, joined, page_of

__all__ = ["Graph", "csv", "graph_ml", "joined", "json_ld", "page_of"]

URN = "urn:x-literature-search:"
CONTEXT_FILE = Path(__file__).with_name("context.json")
# What makes spreadsheets calculate (OWASP, CSV injection); the wide forms count in East Asian ones.
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")
IDS = ("doi", "pmid", "pmcid", "arxiv", "paper_id", "openalex")
PAPER_COLUMNS = (
    "key", "title", "authors", "author_count", "year", "publication_date", "journal", "type", *IDS, "citation_count",
    "citation_uri", "retraction", "first_seen", "incomplete",
)  # fmt: skip
PAPER = "paper"
EDGE_COLUMNS = ("source", "relation", "target", "target_type", "providers", "at", "by", "where")


def json_ld(graph: Graph) -> dict[str, Any]:
    """schema.org and CiTO, with the shipped context in it: to be read without a network.

    Papers and contexts are told with what they cite; then each citation for itself, with who says so.
    """
    graph = joined([graph])
    nodes = {paper["key"]: _article(paper, paper["key"] in graph.incomplete) for paper in graph.papers}
    for edge in graph.cites:
        _article_of(nodes, edge["source"]).setdefault("cites", []).append(_iri(edge["target"]))
    contexts: dict[str, dict[str, Any]] = {}
    for mention in graph.mentions:
        context = _context_iri(mention["context"])
        contexts[context] = _creative_work(context, mention["context"])
        relation = "isCitedBy" if mention["relation"] == "cited_in" else "shownIn"
        told = _article_of(nodes, mention["key"]).setdefault(relation, [])
        if context not in told:
            told.append(context)
    citations = [*map(_citation, graph.cites), *map(_mention, graph.mentions)]
    return {
        "@context": json.loads(CONTEXT_FILE.read_text(encoding="utf-8"))["@context"],
        "@graph": [*nodes.values(), *(node for _, node in sorted(contexts.items())), *citations],
    }


def _article_of(nodes: dict[str, dict[str, Any]], key: str) -> dict[str, Any]:
    return nodes.setdefault(key, {"@id": _iri(key), "@type": "ScholarlyArticle"})


def _iri(key: str) -> str:
    """A paper's address by its key, the same as its citation URI; a URN of ours where the key has none."""
    scheme, _, value = key.partition(":")
    fields = {scheme: name for name, scheme in SCHEMES.items()}
    address = citation_uri(Identifiers(**{fields[scheme]: value})) if scheme in fields else None
    return address or f"{URN}paper:{quote(key, safe=':')}"


def _context_iri(context: Entry) -> str:
    return f"{URN}context:{quote(context['type'], safe='')}:{quote(context['id'], safe='')}"


def _article(entry: Entry, incomplete: bool) -> dict[str, Any]:
    paper = entry["paper"]
    status = paper["retraction"]["status"]
    year = None if paper["year"] is None else str(paper["year"])
    ids = [(name, value) for name, value in sorted(paper["external_ids"].items()) if value]
    return _known({
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
    """A group is no person, and a name of one word may be either."""
    author = read_name(name)
    return {"@type": "Person", "name": name} if author and author.family else {"name": name}


def _creative_work(iri: str, context: Entry) -> dict[str, Any]:
    identifier = {"@type": "PropertyValue", "propertyID": context["type"], "value": context["id"]}
    return {"@id": iri, "@type": "CreativeWork", "genre": context["type"], "identifier": identifier}


def _citation(edge: Entry) -> dict[str, Any]:
    return {
        "@id": f"{URN}citation:{state_digest([edge['source'], edge['target']])}",
        "@type": "Citation",
        "hasCitingEntity": _iri(edge["source"]),
        "hasCitedEntity": _iri(edge["target"]),
        "wasAttributedTo": [f"{URN}provider:{name}" for name in edge["providers"]],
    }


def _mention(mention: Entry) -> dict[str, Any]:
    """A context that cites; or one where a paper was shown, which is no citation."""
    kind, verb = ("Citation", "Cit") if mention["relation"] == "cited_in" else ("Showing", "Show")
    return _known({
        "@id": f"{URN}mention:{state_digest(mention)}",
        "@type": kind,
        f"has{verb}ingEntity": _context_iri(mention["context"]),
        ("hasCitedEntity" if kind == "Citation" else "hasShownEntity"): _iri(mention["key"]),
        "dateCreated": mention["at"],
        "creator": {"name": mention["by"]} if mention["by"] else None,
        "textPosition": mention["where"],
    })  # fmt: skip


def _known(told: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in told.items() if value is not None and value != []}


def graph_ml(graph: Graph) -> str:
    """GraphML of a directed multigraph: papers and contexts are nodes, told apart by `kind`, as are the edges.

    A paper that is only cited here is a node without a title.
    """
    import networkx

    graph = joined([graph])
    network = networkx.MultiDiGraph()
    for row in _paper_rows(graph):
        network.add_node(row["key"], kind=PAPER, label=row["title"], **_known(row))
    for row in _edge_rows(graph):
        source, relation, target, kind = (row.pop(name) for name in ("source", "relation", "target", "target_type"))
        network.add_node(source, kind=PAPER)
        if kind == PAPER:
            network.add_node(target, kind=PAPER)
        else:
            label, target = target, f"context:{kind}:{target}"
            network.add_node(target, kind="context", label=label, context_type=kind)
        network.add_edge(source, target, kind=relation, **_known(row))
    return "\n".join(networkx.generate_graphml(network, named_key_ids=True))


def csv(graph: Graph, kind: Literal["papers", "edges"] = "papers", *, header: bool = True) -> str:
    """A line a paper; or a line an edge, be it to a paper or to a context. Without a header it continues a page."""
    columns, rows = (PAPER_COLUMNS, _paper_rows) if kind == "papers" else (EDGE_COLUMNS, _edge_rows)
    out = StringIO()
    lines = writer(out)
    if header:
        lines.writerow(columns)
    lines.writerows([_cell(row[name]) for name in columns] for row in rows(joined([graph])))
    return out.getvalue()


def _paper_rows(graph: Graph) -> Iterator[dict[str, Any]]:
    for entry in graph.papers:
        paper = entry["paper"]
        own = {name: paper.get(name) for name in PAPER_COLUMNS} | {
            name: paper["external_ids"].get(name) for name in IDS
        }
        yield own | {
            "key": entry["key"],
            "authors": "; ".join(name for name in paper["authors"] if name) or None,
            "retraction": paper["retraction"]["status"],
            "first_seen": entry["first_seen"],
            "incomplete": "yes" if entry["key"] in graph.incomplete else "no",
        }


def _edge_rows(graph: Graph) -> Iterator[dict[str, Any]]:
    for edge in graph.cites:
        row = {**dict.fromkeys(EDGE_COLUMNS), **edge, "relation": "cites", "target_type": PAPER}
        yield row | {"providers": "; ".join(edge["providers"])}
    for mention in graph.mentions:
        context = mention["context"]
        row = dict.fromkeys(EDGE_COLUMNS) | {name: mention[name] for name in ("relation", "at", "by", "where")}
        yield row | {"source": mention["key"], "target": context["id"], "target_type": context["type"]}


def _cell(value: Any) -> Any:
    """Texts that a spreadsheet would calculate become texts that begin with an apostrophe."""
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA) else value
