"""The messages that carry papers and citations to the graph: small, versioned, and read as strictly as they are made.

    {"version": 2, "kind": "papers", "seen_at": "…Z", "context": {"type", "id"} | null, "papers": [paper, …]}
    {"version": 2, "kind": "citations", "context": {…}, "by": "…" | null, "at": "…Z", "mentions": [mention, …]}

A paper comes with `references`: provider -> the ids it says are cited; a context with papers is where they were shown.
A paper with very many references comes in several pieces, each a whole paper with a part of them. Delivery is at least
once and in any order, so a message says what is the case, never what to change. They are made here, by every search,
and read in `shared.graph.received`, by the graph's writer.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, get_args

from shared.bibliography.identifiers import IdName
from shared.canonical_json import chunked, json_bytes
from shared.graph.identity import is_id, names

VERSION = 2
# SQS takes 256 kB of text; what is written here is ASCII, a byte a character.
MESSAGE_BYTES = 200_000
ENVELOPE_BYTES = 8_000
PIECE_BYTES = 100_000
PAPERS_IN_A_MESSAGE = 10
REFERENCES_IN_A_MESSAGE = 1_000
MENTIONS_IN_A_MESSAGE = 500
AUTHORS_KEPT = 5
MENTION_CHARS = 200
BY_CHARS = 256
# What no real value exceeds; in the worst case a character takes twelve bytes.
CHARS = {"title": 1_000, "journal": 500, "type": 100, "publication_date": 40, "citation_uri": 2_000}
ID_CHARS = 500
AUTHOR_CHARS = 200
RETRACTION = ("status", "notice_doi", "date", "notice_pmid")
NUMBERS = ("author_count", "year", "citation_count")
# A mention's place in a text, or in a list.
PLACES = range(10**9)

Fields = Mapping[str, Any]


@dataclass(frozen=True)
class PaperPart:
    """What the graph keeps of a paper (`state`: no abstract), and what it cites (`references`: provider -> ids)."""

    state: Fields
    references: Mapping[str, Sequence[str]]


@dataclass(frozen=True)
class PapersMessage:
    """Papers that a search found; with a context (`type`, `id`), that were shown there."""

    seen_at: str
    context: Fields | None
    papers: Sequence[PaperPart]


@dataclass(frozen=True)
class CitationsMessage:
    """Papers that a context cites; mentions are `{"id", "where", "text"}`."""

    context: Fields
    by: str | None
    at: str
    mentions: Sequence[Fields]


Message = PapersMessage | CitationsMessage


def belongs(result: Mapping[str, Any]) -> bool:
    """Only a paper with a DOI or a PMID can be told apart for good."""
    own = [f"{name}:{result[name]}" for name in ("doi", "pmid") if result.get(name)]
    return any(map(is_id, own)) and is_id(result["key"]) and bool(_text(result["title"], CHARS["title"]))


def messages(
    results: Iterable[Mapping[str, Any]], context: Mapping[str, str] | None, seen_at: str
) -> Iterator[dict[str, Any]]:
    """Messages for the results that belong in the graph, at most ten papers and 200 kB each.

    A result may hold `references`: `{provider: ["doi:…", "pmid:…", "openalex:W…"]}`.
    """
    pieces = [piece for result in results if belongs(result) for piece in _pieces(result)]
    room = (PAPERS_IN_A_MESSAGE, REFERENCES_IN_A_MESSAGE, MESSAGE_BYTES - ENVELOPE_BYTES)
    for papers in chunked(pieces, lambda it: (1, sum(map(len, it["references"].values())), json_bytes(it)), room):
        where = dict(context) if context else None
        yield {"version": VERSION, "kind": "papers", "seen_at": seen_at, "context": where, "papers": papers}


def citation_messages(
    context: Mapping[str, str], mentions: Iterable[Mapping[str, Any]], by: str | None, at: str
) -> Iterator[dict[str, Any]]:
    """Messages for what a context cites: mentions are `{"id", "where", "text"}`, the last two may be None.

    Raises ValueError for what the graph cannot keep.
    """
    kept = list(map(_mention, mentions))
    room = (MENTIONS_IN_A_MESSAGE, MESSAGE_BYTES - ENVELOPE_BYTES)
    for some in chunked(kept, lambda it: (1, json_bytes(it)), room):
        head = {"version": VERSION, "kind": "citations", "context": dict(context)}
        yield {**head, "by": _text(by, BY_CHARS), "at": at, "mentions": some}


def _mention(mention: Mapping[str, Any]) -> dict[str, Any]:
    where = mention["where"]
    if not is_id(mention["id"]) or (where is not None and where not in PLACES):
        raise ValueError("a mention that the graph cannot keep")
    return {"id": mention["id"], "where": where, "text": _text(mention["text"], MENTION_CHARS)}


def _pieces(result: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The paper, once for every part of its references; the parts depend on the provider's list alone."""
    paper, room = _paper(result), (REFERENCES_IN_A_MESSAGE, PIECE_BYTES)
    parts = [
        (provider, part)
        for provider, ids in sorted((result.get("references") or {}).items())
        for part in chunked(sorted(set(filter(is_id, ids))), lambda it: (1, json_bytes(it)), room)
    ]
    for some in chunked(parts, lambda it: (len(it[1]), sum(map(json_bytes, it[1]))), room):
        yield {**paper, "references": dict(some)}
    if not parts:
        yield {**paper, "references": {}}


def _paper(result: Mapping[str, Any]) -> dict[str, Any]:
    ids = {name: _text(result["external_ids"].get(name), None) for name in get_args(IdName)}
    texts = {name: _text(result[name], chars) for name, chars in CHARS.items()}
    numbers = {name: result[name] for name in NUMBERS}
    return {
        "key": result["key"],
        **texts,
        **numbers,
        "authors": [_text(author, AUTHOR_CHARS) or "" for author in result["authors"][:AUTHORS_KEPT]],
        "external_ids": {name: value if value and _keepable(name, value) else None for name, value in ids.items()},
        "retraction": {name: _text(result["retraction"].get(name), ID_CHARS) for name in RETRACTION},
    }


def _keepable(name: str, value: str) -> bool:
    """A name among the ids must be one; what other services call it only has to be short."""
    return all(map(is_id, names({name: value}))) and len(value) <= ID_CHARS


def _text(text: str | None, chars: int | None) -> str | None:
    """Cut, and without halves of characters, which no queue takes."""
    return text if text is None else text.encode(errors="ignore").decode()[:chars]
