"""The request to record citations: a context, and the text or the list of ids with which it cites papers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, Self, get_args

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator
from pydantic_core import PydanticCustomError

from shared.bibliography.labelled_ids import Kind
from shared.bibliography.paper_ids import (
    MAX_WRITTEN_CHARS,
    NAMED_SCHEMES,
    ids_of,
    key_of,
    read_id,
    scheme_of,
    value_of,
    what_to_write,
)  # fmt: skip
from shared.bibliography.reference_text import Mention, read_references
from shared.errors import FieldError, Unprocessable
from shared.search.requests.context import Context
from shared.search.requests.input_forms import digits, listed
from shared.search.requests.search_request import Budget
from shared.validation import refusal, validated

MAX_TEXT_BYTES = 100_000
MAX_MENTIONS = 500


GraphId = Annotated[
    str, Field(max_length=MAX_WRITTEN_CHARS, json_schema_extra={"format": "graph-id"}), BeforeValidator(digits)
]


def _ids(value: object) -> object:
    """The ids of one text: an id may itself contain a comma, which otherwise separates ids. Repeated ids count."""
    if isinstance(value, list | tuple) and len(value) > MAX_MENTIONS:
        raise PydanticCustomError("too_many", "must name at most {most} papers", {"most": MAX_MENTIONS})
    value = digits(value)
    ids = ids_of(value) if isinstance(value, str) else ()
    return ids if ids and all(map(read_id, ids)) else value


class CitationRequest(BaseModel):
    """A text or a list of papers, not both, and the context that cites them. `read_citations` builds it."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    context: Context = Field(description="What cites the papers.")
    text: str | None = Field(
        None,
        description="A text that names papers, up to 100,000 bytes and 500 papers; or give `papers`.",
        json_schema_extra={"maxLength": MAX_TEXT_BYTES},
    )
    papers: Annotated[tuple[GraphId, ...], BeforeValidator(listed), BeforeValidator(_ids)] = Field(
        (), max_length=MAX_MENTIONS, description="The ids of the papers, instead of a text; each in any form."
    )
    by: str | None = Field(None, max_length=256, description="Who cites.")
    max_tokens: Budget = None

    @model_validator(mode="after")
    def _names_something(self) -> Self:
        if bool(self.text) == bool(self.papers):
            message = "give either a text or papers, not both" if self.text else "required: a text, or a list of papers"
            raise PydanticCustomError("absent", message, {"field": "papers" if self.text else "text"})
        return self


def read_citations(data: object) -> tuple[CitationRequest, Sequence[Mention]]:
    """A caller's request and the mentions in it; those in `papers` have the position in the list as start and end.

    Raises BadRequest or Unprocessable, which name each invalid field.
    """
    request = validated(CitationRequest, data)
    if request.text is not None:
        if len(request.text.encode("utf-8", "surrogatepass")) > MAX_TEXT_BYTES:
            raise Unprocessable.field("text", f"longer than {MAX_TEXT_BYTES:,} bytes: send it in parts")
        mentions = read_references(request.text)
    else:
        mentions = _listed(request.papers)
    if len(mentions) > MAX_MENTIONS:
        field = "text" if request.text is not None else "papers"
        raise Unprocessable.field(
            field, f"names {len(mentions):,} papers; at most {MAX_MENTIONS} at once: send it in parts"
        )
    return request, mentions


def _listed(papers: Sequence[str]) -> list[Mention]:
    """A mention for each entry. Raises Unprocessable for every entry that is not the id of exactly one paper."""
    mentions = []
    errors = []
    for number, paper in enumerate(papers):
        if named := _kind_and_id(paper):
            mentions.append(Mention(*named, number, number, paper))
        elif len(found := read_references(paper)) == 1 and not re.search(r"\w", paper[found[0].end :]):
            mentions.append(replace(found[0], start=number, end=number, text=paper))
        else:
            message = f"{paper[:100]!r} is not the id of one paper; {what_to_write(paper)}"
            errors.append(FieldError(f"papers.{number}", message))
    if errors:
        raise refusal(Unprocessable, errors)
    return mentions


def _kind_and_id(paper: str) -> tuple[Kind, str] | None:
    """Kind and id as a mention has them; None for several ids, or one by which the graph stores no mentions."""
    name = read_id(paper) if len(ids_of(paper)) == 1 else None
    kinds: dict[str, Kind] = {NAMED_SCHEMES[kind]: kind for kind in get_args(Kind)}
    return (kinds[scheme_of(name)], value_of(name)) if name and scheme_of(name) in kinds else None


def graph_id(mention: Mention) -> str:
    """The id as the graph stores it: `doi:…`, `pmid:…`, `s2:…`; of an arXiv id its DOI."""
    return key_of(f"{NAMED_SCHEMES[mention.kind]}:{mention.id}")
