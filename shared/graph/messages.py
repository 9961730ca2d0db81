"""Writes the queue messages that carry papers and citations to the graph: small, versioned, strictly typed.

    {"version": 2, "kind": "papers", "seen_at": "…Z", "context": {"type", "id"} | null, "papers": [paper, …]}
    {"version": 2, "kind": "citations", "context": {…}, "by": "…" | null, "at": "…Z", "mentions": [mention, …]}

Each paper has `references`: provider -> ids that the provider lists as cited; and may have `in_text`: id of such a
paper -> the sentences that cite it, what for, and whether it is influential. A context in a message with papers is
where they were shown. A paper with very many references is divided: each part repeats the paper, with some of the ids.
SQS delivers at least once and in any order, so messages state facts, never changes. Every search writes messages here;
the citation writer reads them with `shared.graph.received`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, cast, get_args

from shared.bibliography.identifiers import IdName
from shared.canonical_json import chunked, json_bytes
from shared.graph.identity import id_keys, is_id, is_identified
from shared.graph.in_text import joined_in_text

if TYPE_CHECKING:
    from shared.answers.graph import ContextRef, PaperState
    from shared.answers.in_text import InText
    from shared.answers.search import StoredPaper
    from shared.graph.message_types import MentionJson, QueuedCitations, QueuedPaper, QueuedPapers

VERSION = 2
# SQS takes 256 kB of text. Message bodies are ASCII: one byte per character.
MESSAGE_BYTES = 200_000
ENVELOPE_BYTES = 8_000
PART_BYTES = 100_000
PAPERS_IN_A_MESSAGE = 10
REFERENCES_IN_A_MESSAGE = 1_000
MENTIONS_IN_A_MESSAGE = 500
MAX_AUTHORS = 5
MENTION_CHARS = 200
BY_CHARS = 384  # the tenant, and up to 256 characters of the caller's
# Limits that real values do not reach; in the worst case, escaping turns a character into twelve bytes.
MAX_CHARS = {"title": 1_000, "journal": 500, "type": 100, "publication_date": 40, "citation_uri": 2_000}
ID_CHARS = 500
AUTHOR_CHARS = 200
SHORT_CHARS = 40  # a status or a date
NUMBER_FIELDS = ("author_count", "year", "citation_count")
NUMBERS = range(-(10**6), 10**12)
# The position of a mention in a text, or in a list.
POSITIONS = range(10**9)


@dataclass(frozen=True)
class PaperPart:
    """The state of a paper, without its abstract, some of its references by provider, and how it cites some papers.

    `invalid_in_text`: how many in-text citations were left out as invalid.
    """

    state: PaperState
    references: Mapping[str, Sequence[str]]
    in_text: Mapping[str, InText] = field(default_factory=dict)
    invalid_in_text: int = 0


@dataclass(frozen=True)
class PapersMessage:
    """Papers that a search found at `seen_at`; with a context, that were shown there.

    `refused`: the fields of the message's other papers, which are invalid, and the errors.
    """

    seen_at: str
    context: ContextRef | None
    papers: Sequence[PaperPart]
    refused: tuple[str, ...] = ()


@dataclass(frozen=True)
class CitationsMessage:
    """Papers that a context cited at the time `at`; `by` names the author of the citations."""

    context: ContextRef
    by: str | None
    at: str
    mentions: Sequence[MentionJson]


Message = PapersMessage | CitationsMessage


def is_storable(result: StoredPaper) -> bool:
    """Whether the graph can store a result: only a DOI or a PMID identifies a paper permanently."""
    return _paper(result) is not None


def messages(results: Iterable[StoredPaper], context: ContextRef | None, seen_at: str) -> Iterator[QueuedPapers]:
    """Messages for the storable results, of at most ten papers and 200 kB each."""
    parts = [part for result in results if (paper := _paper(result)) for part in _parts(paper, result)]
    limits = (PAPERS_IN_A_MESSAGE, REFERENCES_IN_A_MESSAGE, MESSAGE_BYTES - ENVELOPE_BYTES)
    for papers in chunked(parts, _size, limits):
        yield {"version": VERSION, "kind": "papers", "seen_at": seen_at, "context": context, "papers": papers}


def citation_messages(
    context: ContextRef, mentions: Iterable[MentionJson], by: str | None, at: str
) -> Iterator[QueuedCitations]:
    """Messages for the papers that a context cites. Raises ValueError for a mention that the graph cannot store."""
    checked = list(map(_mention, mentions))
    limits = (MENTIONS_IN_A_MESSAGE, MESSAGE_BYTES - ENVELOPE_BYTES)
    for chunk in chunked(checked, lambda mention: (1, json_bytes(mention)), limits):
        yield {
            "version": VERSION,
            "kind": "citations",
            "context": context,
            "by": _clip(by, BY_CHARS),
            "at": at,
            "mentions": chunk,
        }


def _mention(mention: MentionJson) -> MentionJson:
    where = mention["where"]
    if not is_id(mention["id"]) or (where is not None and where not in POSITIONS):
        raise ValueError(f"a mention that the graph cannot store: id {mention['id']!r:.100}, position {where!r}")
    return {"id": mention["id"], "where": where, "text": _clip(mention["text"], MENTION_CHARS)}


def _size(paper: QueuedPaper) -> tuple[int, int, int]:
    """What a paper takes of a message's limits: papers, references with in-text citations, bytes."""
    linked = [*paper["references"].values(), paper.get("in_text", {})]
    return 1, sum(map(len, linked)), json_bytes(paper)


def _parts(paper: PaperState, result: StoredPaper) -> Iterator[QueuedPaper]:
    """The paper, once for each part of its references; how a list is divided depends on that list alone."""
    limits = (REFERENCES_IN_A_MESSAGE, PART_BYTES)
    lists = [
        (provider, ids)
        for provider, listed in sorted((result.get("references") or {}).items())
        for ids in chunked(sorted(set(filter(is_id, listed))), lambda name: (1, json_bytes(name)), limits)
    ]
    stated: list[tuple[str, list[str] | InText]] = [
        *lists,
        *_in_text(result, {name for _, ids in lists for name in ids}),
    ]
    for some in chunked(stated, _part_size, limits) if stated else [[]]:
        part: dict[str, object] = {**paper, "references": {name: it for name, it in some if isinstance(it, list)}}
        if in_text := {name: it for name, it in some if not isinstance(it, list)}:
            part["in_text"] = in_text  # absent if there is none, as in earlier messages
        yield cast("QueuedPaper", part)


def _in_text(result: StoredPaper, cited: Collection[str]) -> Iterator[tuple[str, InText]]:
    """How the paper cites others in its text, within the graph's bounds, in the order of their ids."""
    for name, it in sorted((result.get("in_text") or {}).items()):
        if name in cited and (bounded := joined_in_text([it])):
            yield name, bounded


def _part_size(stated: tuple[str, list[str] | InText]) -> tuple[int, int]:
    """What ids of a provider, or one in-text citation, take of the limits of a part."""
    name, it = stated
    if isinstance(it, list):
        return len(it), sum(map(json_bytes, it))
    return 1, json_bytes({name: it})


def _paper(result: StoredPaper) -> PaperState | None:
    """What the writer accepts of a result; None if that does not identify a paper."""
    retraction, ids = result["retraction"], _external_ids(result["external_ids"])
    title = _clip(result["title"], MAX_CHARS["title"])
    if not title or not is_identified(result["key"], ids):
        return None
    return {
        "key": result["key"],
        "title": title,
        "journal": _clip(result["journal"], MAX_CHARS["journal"]),
        "type": _whole(result["type"], MAX_CHARS["type"]),
        "publication_date": _whole(result["publication_date"], MAX_CHARS["publication_date"]),
        "citation_uri": _whole(result["citation_uri"], MAX_CHARS["citation_uri"]),
        "author_count": _number(result["author_count"]),
        "year": _number(result["year"]),
        "citation_count": _number(result["citation_count"]),
        "is_oa": (result.get("open_access") or {}).get("is_oa"),
        "authors": [_clip(author, AUTHOR_CHARS) or "" for author in result["authors"][:MAX_AUTHORS]],
        "external_ids": ids,
        "retraction": {
            "status": _whole(retraction["status"], SHORT_CHARS) or "",
            "notice_doi": _whole(retraction.get("notice_doi"), ID_CHARS),
            "date": _whole(retraction.get("date"), SHORT_CHARS),
            "notice_pmid": _whole(retraction.get("notice_pmid"), ID_CHARS),
        },
    }


def _external_ids(ids: Mapping[str, object]) -> dict[IdName, str | None]:
    """Every id, or None where it is unknown, malformed or too long."""
    found: dict[IdName, str | None] = {}
    for name in get_args(IdName):
        text = _whole(ids.get(name), ID_CHARS)
        found[name] = text if text and all(map(is_id, id_keys({name: text}))) else None
    return found


def _number(value: object) -> int | None:
    """A whole number in the range that the writer accepts, else None; True and 1.0 are none."""
    return value if type(value) is int and value in NUMBERS else None


def _whole(text: object, chars: int) -> str | None:
    """A text that means something only as a whole: None instead of a part of it."""
    return text if isinstance(text, str) and len(text) <= chars and text == _clip(text, chars) else None


def _clip(text: object, chars: int) -> str | None:
    """The first `chars` characters of a text, without lone surrogates, which SQS does not accept."""
    return text.encode(errors="ignore").decode()[:chars] if isinstance(text, str) else None
