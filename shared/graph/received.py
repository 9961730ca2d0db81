"""Validates the queue messages that the citation writer receives; `messages` describes their form.

The checks use pydantic's core without its models, which take a cold function five times as long to import and build.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import datetime
from itertools import islice
from typing import TYPE_CHECKING, Any, get_args

from pydantic_core import SchemaValidator, ValidationError
from pydantic_core import core_schema as form

from shared.bibliography.identifiers import IdName
from shared.bibliography.paper import INTENTS
from shared.canonical_json import compact_json
from shared.clock import TIMESTAMP, timestamp
from shared.contexts import CONTEXT_TYPES, MAX_CONTEXT_CHARS
from shared.errors import MessageRefused
from shared.graph.identity import is_id, is_identified
from shared.graph.in_text import joined_in_text
from shared.graph.messages import (
    AUTHOR_CHARS,
    BY_CHARS,
    ID_CHARS,
    MAX_AUTHORS,
    MAX_CHARS,
    MENTION_CHARS,
    MENTIONS_IN_A_MESSAGE,
    NUMBER_FIELDS,
    NUMBERS,
    PAPERS_IN_A_MESSAGE,
    POSITIONS,
    REFERENCES_IN_A_MESSAGE,
    SHORT_CHARS,
    VERSION,
    CitationsMessage,
    Message,
    PaperPart,
    PapersMessage,
)

if TYPE_CHECKING:
    from shared.answers.in_text import InText
    from shared.graph.message_types import QueuedCitations

_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
REASONS = 3  # in the report of one message, or of one paper


def read_message(body: str) -> Message:
    """Validate a message; the invalid papers among valid ones are left out, and named in `refused`.

    Raises MessageRefused if nothing in it is valid. Errors name the invalid fields, not their values.
    """
    try:
        message: Any = _validated(body)
    except ValidationError as error:
        raise _refusal(_reasons(error)) from None
    return message if isinstance(message, CitationsMessage) else _with_valid_papers(message)


def _validated(body: str) -> Any:
    """The message; a lone surrogate, which makes JSON invalid, costs that character alone."""
    try:
        return _MESSAGE.validate_json(body, strict=True)
    except ValidationError:
        if not _SURROGATE.search(body):
            raise
        try:
            return _MESSAGE.validate_json(compact_json(json.loads(body)).encode(errors="ignore"), strict=True)
        except (ValueError, RecursionError):
            pass
        raise


def _with_valid_papers(message: Any) -> PapersMessage:
    papers: list[PaperPart] = []
    refused: list[str] = []
    for number, paper in enumerate(message["papers"]):
        try:
            papers.append(_PAPER_PART.validate_python(paper, strict=True))
        except ValidationError as error:
            refused += _reasons(error, "papers", "papers", number)
    if not papers:
        raise _refusal(refused)
    return PapersMessage(message["seen_at"], message["context"], papers, tuple(refused))


def _refusal(reasons: list[str]) -> MessageRefused:
    return MessageRefused(f"invalid message ({'; '.join(reasons[:REASONS])})")


def _reasons(error: ValidationError, *place: str | int) -> list[str]:
    """What is wrong and where, for the first errors below a place in the message."""
    errors = error.errors(include_url=False, include_context=False, include_input=False)[:REASONS]
    places = [".".join(str(part)[:40] for part in (*place, *it["loc"])) for it in errors]
    return [f"{where or 'body'}: {it['type']}" for where, it in zip(places, errors, strict=True)]


def _check_id(text: str) -> str:
    if not is_id(text):
        raise ValueError("not an id of the graph")
    return text


def _check_timestamp(text: str) -> str:
    if timestamp(datetime.strptime(text, TIMESTAMP)) != text:
        raise ValueError("not a timestamp")
    return text


def _paper(paper: Any) -> PaperPart:
    """The fields that _PAPER has checked, as a part of a message. Raises ValueError if the ids do not fit the key."""
    if not is_identified(paper["key"], paper["external_ids"]):
        raise ValueError("neither DOI nor PMID, or the key is not one of the paper's ids")
    in_text, invalid = _in_text(paper.pop("in_text"))
    return PaperPart(references=paper.pop("references"), in_text=in_text, invalid_in_text=invalid, state=paper)


def _in_text(stated: Any) -> tuple[dict[str, InText], int]:
    """The valid in-text citations within the graph's bounds, and how many are invalid: these cost the paper nothing."""
    if not isinstance(stated, dict):
        return {}, int(stated is not None)
    valid: dict[str, InText] = {}
    for name, it in islice(stated.items(), REFERENCES_IN_A_MESSAGE):
        try:
            bounded = joined_in_text([_IN_TEXT.validate_python(it, strict=True)]) if is_id(name) else None
        except ValidationError:
            bounded = None
        if bounded:
            valid[name] = bounded
    return valid, len(stated) - len(valid)


def _citations_message(message: QueuedCitations) -> CitationsMessage:
    return CitationsMessage(message["context"], message["by"], message["at"], message["mentions"])


def _text(max_length: int, min_length: int = 0) -> form.CoreSchema:
    return form.str_schema(min_length=min_length, max_length=max_length)


def _or_null(value: form.CoreSchema) -> form.CoreSchema:
    return form.nullable_schema(value)


def _object(**fields: form.CoreSchema) -> form.CoreSchema:
    """An object with these fields and no other; only a field with a default may be absent."""
    return form.typed_dict_schema(
        {name: form.typed_dict_field(it, required=it["type"] != "default") for name, it in fields.items()},
        extra_behavior="forbid",
    )


def _then(check: Callable[[Any], object], value: form.CoreSchema) -> form.CoreSchema:
    return form.no_info_after_validator_function(check, value)


_ID = _then(_check_id, form.str_schema())
_TIMESTAMP = _then(_check_timestamp, _text(20, 20))
_PROVIDER = form.str_schema(pattern=r"^[a-z][a-z0-9_]{0,39}$")
_CONTEXT = _object(type=form.literal_schema([*CONTEXT_TYPES]), id=_text(MAX_CONTEXT_CHARS, 1))
_RETRACTION = _object(
    status=_text(SHORT_CHARS),
    notice_doi=_or_null(_text(ID_CHARS)),
    date=_or_null(_text(SHORT_CHARS)),
    notice_pmid=form.with_default_schema(_or_null(_text(ID_CHARS)), default=None),  # absent in earlier messages
)
_PAPER = _object(
    key=_ID,
    **{name: _or_null(_text(chars)) for name, chars in MAX_CHARS.items() if name != "title"},
    title=_text(MAX_CHARS["title"], 1),
    is_oa=form.with_default_schema(_or_null(form.bool_schema()), default=None),  # absent in earlier messages
    authors=form.list_schema(_text(AUTHOR_CHARS), max_length=MAX_AUTHORS),
    **{name: _or_null(form.int_schema(ge=NUMBERS.start, lt=NUMBERS.stop)) for name in NUMBER_FIELDS},
    external_ids=form.dict_schema(form.literal_schema(list(get_args(IdName))), _or_null(_text(ID_CHARS))),
    retraction=_RETRACTION,
    references=form.dict_schema(_PROVIDER, form.list_schema(_ID)),
    in_text=form.with_default_schema(form.any_schema(), default=None),  # checked one by one; absent if there is none
)
_MENTION = _object(
    id=_ID,
    where=_or_null(form.int_schema(ge=POSITIONS.start, lt=POSITIONS.stop)),
    text=_or_null(_text(MENTION_CHARS)),
)
_PAPERS = _object(
    version=form.literal_schema([VERSION]),
    kind=form.literal_schema(["papers"]),
    seen_at=_TIMESTAMP,
    context=_or_null(_CONTEXT),
    papers=form.list_schema(form.any_schema(), min_length=1, max_length=PAPERS_IN_A_MESSAGE),
)
_CITATIONS = _object(
    version=form.literal_schema([VERSION]),
    kind=form.literal_schema(["citations"]),
    context=_CONTEXT,
    by=_or_null(_text(BY_CHARS)),
    at=_TIMESTAMP,
    mentions=form.list_schema(_MENTION, min_length=1, max_length=MENTIONS_IN_A_MESSAGE),
)
_IN_TEXT = SchemaValidator(
    _object(
        sentences=form.list_schema(form.str_schema()),
        intents=form.list_schema(form.literal_schema(list(INTENTS))),
        influential=_or_null(form.bool_schema()),
        stated_by=form.list_schema(_PROVIDER),
    )
)
_PAPER_PART = SchemaValidator(_then(_paper, _PAPER))  # by itself, so that one invalid paper does not refuse the others
_MESSAGE = SchemaValidator(
    form.tagged_union_schema(
        {"papers": _PAPERS, "citations": _then(_citations_message, _CITATIONS)}, discriminator="kind"
    )
)
