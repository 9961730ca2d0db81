"""Messages as the graph's writer receives them: checked to the last field, then plain data. For the form, `messages`.

The checks are pydantic's engine without its models, which take a cold writer five times as long to import and to make.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, get_args

from pydantic_core import SchemaValidator, ValidationError
from pydantic_core import core_schema as form

from shared.bibliography.identifiers import IdName
from shared.clock import TIMESTAMP, timestamp
from shared.errors import MessageRefused
from shared.graph.identity import BY_TITLE, is_id, names
from shared.graph.messages import (
    AUTHOR_CHARS,
    AUTHORS_KEPT,
    BY_CHARS,
    CHARS,
    ID_CHARS,
    MENTION_CHARS,
    MENTIONS_IN_A_MESSAGE,
    NUMBERS,
    PAPERS_IN_A_MESSAGE,
    PLACES,
    VERSION,
    CitationsMessage,
    Message,
    PaperPart,
    PapersMessage,
)

CONTEXTS = ["debate", "analysis", "report"]
CONTEXT_CHARS = 256
STATUS_CHARS = DATE_CHARS = 40


def read_message(body: str) -> Message:
    """Raises MessageRefused, which names the fields at fault and what is wrong, not what they hold."""
    try:
        message: Message = _MESSAGE.validate_json(body, strict=True)
    except ValidationError as error:
        faults = error.errors(include_url=False, include_context=False, include_input=False)
        told = [f"{'.'.join(str(part)[:40] for part in fault['loc']) or 'body'}: {fault['type']}" for fault in faults]
        raise MessageRefused(f"not a message of ours ({'; '.join(told[:3])})") from None
    return message


def _an_id(text: str) -> str:
    if not is_id(text):
        raise ValueError("not an id of the graph")
    return text


def _a_moment(text: str) -> str:
    if timestamp(datetime.strptime(text, TIMESTAMP)) != text:
        raise ValueError("not a moment")
    return text


def _paper(told: dict[str, Any]) -> PaperPart:
    """Raises ValueError for a paper that is not named by its ids."""
    ids, key = told["external_ids"], told["key"]
    own = names(ids)
    if not all(map(is_id, own)) or not (key in own or key.startswith(BY_TITLE)):
        raise ValueError("a key that is not its ids'")
    if not (ids.get("doi") or ids.get("pmid")):
        raise ValueError("neither DOI nor PMID")
    return PaperPart(references=told.pop("references"), state=told)


def _papers_message(told: Mapping[str, Any]) -> PapersMessage:
    return PapersMessage(told["seen_at"], told["context"], told["papers"])


def _citations_message(told: Mapping[str, Any]) -> CitationsMessage:
    return CitationsMessage(told["context"], told["by"], told["at"], told["mentions"])


def _text(most: int, least: int = 0) -> form.CoreSchema:
    return form.str_schema(min_length=least, max_length=most)


def _or_null(value: form.CoreSchema) -> form.CoreSchema:
    return form.nullable_schema(value)


def _object(**fields: form.CoreSchema) -> form.CoreSchema:
    """All of these fields, but one with a default may be absent, and no other."""
    return form.typed_dict_schema(
        {name: form.typed_dict_field(it, required=it["type"] != "default") for name, it in fields.items()},
        extra_behavior="forbid",
    )


def _then(check: Callable[[Any], Any], value: form.CoreSchema) -> form.CoreSchema:
    return form.no_info_after_validator_function(check, value)


_ID = _then(_an_id, form.str_schema())
_MOMENT = _then(_a_moment, _text(20, 20))
_PROVIDER = form.str_schema(pattern=r"^[a-z][a-z0-9_]{0,39}$")
_CONTEXT = _object(type=form.literal_schema(CONTEXTS), id=_text(CONTEXT_CHARS, 1))
_RETRACTION = _object(
    status=_text(STATUS_CHARS),
    notice_doi=_or_null(_text(ID_CHARS)),
    date=_or_null(_text(DATE_CHARS)),
    notice_pmid=form.with_default_schema(_or_null(_text(ID_CHARS)), default=None),  # absent in messages of before
)
_PAPER = _object(
    key=_ID,
    **{name: _or_null(_text(most)) for name, most in CHARS.items() if name != "title"},
    title=_text(CHARS["title"], 1),
    authors=form.list_schema(_text(AUTHOR_CHARS), max_length=AUTHORS_KEPT),
    **{name: _or_null(form.int_schema()) for name in NUMBERS},
    external_ids=form.dict_schema(form.literal_schema(list(get_args(IdName))), _or_null(_text(ID_CHARS))),
    retraction=_RETRACTION,
    references=form.dict_schema(_PROVIDER, form.list_schema(_ID)),
)
_MENTION = _object(
    id=_ID,
    where=_or_null(form.int_schema(ge=PLACES.start, lt=PLACES.stop)),
    text=_or_null(_text(MENTION_CHARS)),
)
_PAPERS = _object(
    version=form.literal_schema([VERSION]),
    kind=form.literal_schema(["papers"]),
    seen_at=_MOMENT,
    context=_or_null(_CONTEXT),
    papers=form.list_schema(_then(_paper, _PAPER), min_length=1, max_length=PAPERS_IN_A_MESSAGE),
)
_CITATIONS = _object(
    version=form.literal_schema([VERSION]),
    kind=form.literal_schema(["citations"]),
    context=_CONTEXT,
    by=_or_null(_text(BY_CHARS)),
    at=_MOMENT,
    mentions=form.list_schema(_MENTION, min_length=1, max_length=MENTIONS_IN_A_MESSAGE),
)
_MESSAGE = SchemaValidator(
    form.tagged_union_schema(
        {"papers": _then(_papers_message, _PAPERS), "citations": _then(_citations_message, _CITATIONS)},
        discriminator="kind",
    )
)
