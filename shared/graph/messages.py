"""The messages that carry papers and citations to the graph: small, versioned, and read as strictly as they are made.

    {"version": 2, "kind": "papers", "seen_at": "…Z", "context": {"type", "id"} | null, "papers": [paper, …]}
    {"version": 2, "kind": "citations", "context": {…}, "by": "…" | null, "at": "…Z", "mentions": [mention, …]}

A paper comes with `references`: provider -> the ids it says are cited; a context with papers is where they were shown.
A paper with very many references comes in several pieces, each a whole paper with a part of them. Delivery is at least
once and in any order, so a message says what is the case, never what to change.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from operator import add
from typing import Annotated, Any, Literal, TypeVar, get_args

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, TypeAdapter, ValidationError, model_validator

from shared.errors import MessageRefused
from shared.graph.identity import BY_TITLE, is_id, names
from shared.request import Context

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

T = TypeVar("T")


def _an_id(text: str) -> str:
    if not is_id(text):
        raise ValueError("not an id of the graph")
    return text


def _a_moment(text: str) -> str:
    if datetime.strptime(text, "%Y-%m-%dT%H:%M:%SZ").strftime("%Y-%m-%dT%H:%M:%SZ") != text:
        raise ValueError("not a moment")
    return text


Id = Annotated[str, AfterValidator(_an_id)]
Moment = Annotated[str, Field(min_length=20, max_length=20), AfterValidator(_a_moment)]
Provider = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,39}$")]
IdName = Literal["doi", "pmid", "pmcid", "arxiv", "paper_id", "openalex", "crossref", "europe_pmc", "paperclip"]


class _Part(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class RetractionPart(_Part):
    """A paper's standing."""

    status: str = Field(max_length=40)
    notice_doi: str | None = Field(max_length=ID_CHARS)
    date: str | None = Field(max_length=40)
    notice_pmid: str | None = Field(default=None, max_length=ID_CHARS)  # absent in messages of before


class PaperPart(_Part):
    """What the graph keeps of a paper, no abstract, and what it cites."""

    key: Id
    title: str = Field(min_length=1, max_length=CHARS["title"])
    authors: list[Annotated[str, Field(max_length=AUTHOR_CHARS)]] = Field(max_length=AUTHORS_KEPT)
    author_count: int | None
    year: int | None
    publication_date: str | None = Field(max_length=CHARS["publication_date"])
    journal: str | None = Field(max_length=CHARS["journal"])
    type: str | None = Field(max_length=CHARS["type"])
    citation_count: int | None
    citation_uri: str | None = Field(max_length=CHARS["citation_uri"])
    external_ids: dict[IdName, Annotated[str, Field(max_length=ID_CHARS)] | None]
    retraction: RetractionPart
    references: dict[Provider, list[Id]]

    @model_validator(mode="after")
    def _named_by_its_ids(self) -> PaperPart:
        own = names(self.state["external_ids"])
        if not all(map(is_id, own)) or not (self.key in own or self.key.startswith(BY_TITLE)):
            raise ValueError("a key that is not its ids'")
        if not (self.external_ids.get("doi") or self.external_ids.get("pmid")):
            raise ValueError("neither DOI nor PMID")
        return self

    @property
    def state(self) -> dict[str, Any]:
        """All but the references."""
        return self.model_dump(exclude={"references"})


class MentionPart(_Part):
    """One place where a paper is cited."""

    id: Id
    where: int | None = Field(ge=0, lt=10**9)
    text: str | None = Field(max_length=MENTION_CHARS)


class PapersMessage(_Part):
    """Papers that a search found; with a context, that were shown there."""

    version: Literal[2]
    kind: Literal["papers"]
    seen_at: Moment
    context: Context | None
    papers: list[PaperPart] = Field(min_length=1, max_length=PAPERS_IN_A_MESSAGE)


class CitationsMessage(_Part):
    """Papers that a context cites."""

    version: Literal[2]
    kind: Literal["citations"]
    context: Context
    by: str | None = Field(max_length=BY_CHARS)
    at: Moment
    mentions: list[MentionPart] = Field(min_length=1, max_length=MENTIONS_IN_A_MESSAGE)


Message = PapersMessage | CitationsMessage
_MESSAGE: TypeAdapter[Message] = TypeAdapter(Annotated[Message, Field(discriminator="kind")])


def read_message(body: str) -> Message:
    """Raises MessageRefused, which names the fields at fault and what is wrong, not what they hold."""
    try:
        return _MESSAGE.validate_json(body)
    except ValidationError as error:
        faults = error.errors(include_url=False, include_context=False, include_input=False)
        told = [f"{'.'.join(str(part)[:40] for part in fault['loc']) or 'body'}: {fault['type']}" for fault in faults]
        raise MessageRefused(f"not a message of ours ({'; '.join(told[:3])})") from None


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
    for papers in packed(pieces, lambda it: (1, sum(map(len, it["references"].values())), json_bytes(it)), room):
        where = dict(context) if context else None
        yield {"version": VERSION, "kind": "papers", "seen_at": seen_at, "context": where, "papers": papers}


def citation_messages(
    context: Mapping[str, str], mentions: Iterable[Mapping[str, Any]], by: str | None, at: str
) -> Iterator[dict[str, Any]]:
    """Messages for what a context cites: mentions are `{"id", "where", "text"}`, the last two may be None.

    Raises pydantic's ValidationError for what the graph cannot keep.
    """
    cut = ({**mention, "text": _text(mention["text"], MENTION_CHARS)} for mention in mentions)
    kept = [MentionPart.model_validate(mention).model_dump() for mention in cut]
    room = (MENTIONS_IN_A_MESSAGE, MESSAGE_BYTES - ENVELOPE_BYTES)
    for some in packed(kept, lambda it: (1, json_bytes(it)), room):
        head = {"version": VERSION, "kind": "citations", "context": dict(context)}
        yield {**head, "by": _text(by, BY_CHARS), "at": at, "mentions": some}


def packed(items: Iterable[T], sizes: Callable[[T], tuple[int, ...]], room: tuple[int, ...]) -> Iterator[list[T]]:
    """Items in order, in packs of as many as there is room for by every measure; one that is too large stands alone."""
    pack: list[T] = []
    used = (0,) * len(room)
    for item in items:
        size = sizes(item)
        used = tuple(map(add, used, size))
        if pack and any(map(int.__gt__, used, room)):
            yield pack
            pack, used = [], size
        pack.append(item)
    if pack:
        yield pack


def json_bytes(value: Any) -> int:
    """What a value takes in a message, with what separates it from the next."""
    return len(json.dumps(value)) + 2


def _pieces(result: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The paper, once for every part of its references; the parts depend on the provider's list alone."""
    paper, room = _paper(result), (REFERENCES_IN_A_MESSAGE, PIECE_BYTES)
    parts = [
        (provider, part)
        for provider, ids in sorted((result.get("references") or {}).items())
        for part in packed(sorted(set(filter(is_id, ids))), lambda it: (1, json_bytes(it)), room)
    ]
    for some in packed(parts, lambda it: (len(it[1]), sum(map(json_bytes, it[1]))), room):
        yield {**paper, "references": dict(some)}
    if not parts:
        yield {**paper, "references": {}}


def _paper(result: Mapping[str, Any]) -> dict[str, Any]:
    ids = {name: _text(result["external_ids"].get(name), None) for name in get_args(IdName)}
    texts = {name: _text(result[name], chars) for name, chars in CHARS.items()}
    numbers = {name: result[name] for name in ("author_count", "year", "citation_count")}
    return {
        "key": result["key"],
        **texts,
        **numbers,
        "authors": [_text(author, AUTHOR_CHARS) or "" for author in result["authors"][:AUTHORS_KEPT]],
        "external_ids": {name: value if value and _keepable(name, value) else None for name, value in ids.items()},
        "retraction": {name: _text(result["retraction"].get(name), ID_CHARS) for name in RetractionPart.model_fields},
    }


def _keepable(name: str, value: str) -> bool:
    """A name among the ids must be one; what other services call it only has to be short."""
    return all(map(is_id, names({name: value}))) and len(value) <= ID_CHARS


def _text(text: str | None, chars: int | None) -> str | None:
    """Cut, and without halves of characters, which no queue takes."""
    return text if text is None else text.encode(errors="ignore").decode()[:chars]
