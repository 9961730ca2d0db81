"""What the knowledge graph keeps of a paper, and the messages that carry it there. Pure: no AWS, no clock.

A message is small and versioned: `{"version": 1, "seen_at": "…Z", "context": {…} | null, "papers": [node, …]}`.
Delivery is at least once and in any order, so every write that follows from a message must commute and repeat.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from shared.errors import BadRequest
from shared.identifiers import Identifiers

VERSION = 1
PAPERS_IN_A_MESSAGE = 10
# The scheme of each id in an alias; all but the last can be a paper's key, in this order of preference.
SCHEMES = {
    "doi": "doi", "pmid": "pmid", "arxiv": "arxiv", "paper_id": "s2", "openalex": "openalex", "pmcid": "pmcid",
}  # fmt: skip
NODE_FIELDS = (
    "key", "title", "authors", "author_count", "year", "publication_date", "journal", "type", "citation_count",
    "citation_uri", "external_ids", "retraction",
)  # fmt: skip
AUTHORS_KEPT = 5
BY_TITLE = "title:"


def belongs(result: Mapping[str, Any]) -> bool:
    """Only a paper with a DOI or a PMID can be told apart for good."""
    return bool(result.get("doi") or result.get("pmid"))


def node(result: Mapping[str, Any]) -> dict[str, Any]:
    """The part of a result that the graph keeps: no abstract, at most five authors."""
    kept = {name: result[name] for name in NODE_FIELDS}
    return {**kept, "authors": list(result["authors"][:AUTHORS_KEPT])}


def messages(
    results: Iterable[Mapping[str, Any]], context: Mapping[str, str] | None, seen_at: str
) -> Iterator[dict[str, Any]]:
    """Messages for the results that belong in the graph, ten papers each."""
    nodes = [node(result) for result in results if belongs(result)]
    for start in range(0, len(nodes), PAPERS_IN_A_MESSAGE):
        papers = nodes[start : start + PAPERS_IN_A_MESSAGE]
        yield {"version": VERSION, "seen_at": seen_at, "context": dict(context) if context else None, "papers": papers}


def read_message(body: str) -> tuple[str, Sequence[Mapping[str, Any]]]:
    """`(seen_at, papers)` of a message. Raises BadRequest for anything that no version of ours wrote."""
    try:
        message = json.loads(body)
        if message["version"] != VERSION:
            raise BadRequest(f"message version {message['version']!r} is not known; this writer knows {VERSION}")
        seen_at, papers = message["seen_at"], message["papers"]
        if not isinstance(seen_at, str) or not all(_is_node(paper) for paper in papers):
            raise BadRequest("a message's papers need a key, a title and a DOI or PMID")
    except (ValueError, KeyError, TypeError) as error:
        raise BadRequest(f"not a message of ours ({type(error).__name__})") from error
    return seen_at, papers


def _is_node(paper: Mapping[str, Any]) -> bool:
    ids = Identifiers(**paper["external_ids"])
    own = paper["key"] in _names(paper) or paper["key"].startswith(BY_TITLE)
    return bool(paper["title"]) and own and bool(ids.doi or ids.pmid)


def _names(paper: Mapping[str, Any]) -> list[str]:
    """Its ids as keys, the best first."""
    return [
        f"{scheme}:{paper['external_ids'][name]}" for name, scheme in SCHEMES.items() if paper["external_ids"][name]
    ]


def aliases(paper: Mapping[str, Any]) -> list[str]:
    """Every key under which the paper may be asked for, its own included.

    An id that would be a better key than its own is shared with other papers (a congress supplement's DOI): it names
    none of them.
    """
    names, key = _names(paper), paper["key"]
    if key in names:
        return sorted(names[names.index(key) :])
    return [key]


def best_key(keys: Iterable[str]) -> str:
    """Of several keys of one paper, the one that wins: DOI before PMID and so on, a title's hash last."""
    order = [*SCHEMES.values(), "title"]
    return min(keys, key=lambda key: (order.index(key.partition(":")[0]), key))


def digest(paper: Mapping[str, Any]) -> str:
    """Decides between two states of a paper seen in the same second, so that any order ends the same."""
    return hashlib.sha256(json.dumps(paper, sort_keys=True, ensure_ascii=False).encode()).hexdigest()[:16]
