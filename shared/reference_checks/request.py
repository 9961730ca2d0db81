"""The requests about reference checks: a document to check, and a page of its references."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema, model_validator
from pydantic_core import PydanticCustomError

from shared.answers.papers import ReferenceStatus
from shared.documents.bounds import MAX_DOCX_BYTES, MAX_ENTRIES, MAX_TEXT_CHARS
from shared.documents.document import TEXT_FORMATS, DocumentFormat
from shared.papers.reference_request import MAX_LINE_CHARS
from shared.search.requests.context import Context
from shared.search.requests.input_forms import Whole, listed
from shared.search.requests.search_request import CiteInGraph, Detail, Fresh
from shared.validation import is_blank

MAX_CURSOR_CHARS = 10


Format = Annotated[DocumentFormat, WithJsonSchema({"type": "string", "enum": [it.value for it in DocumentFormat]})]


def _lines(value: Any) -> Any:
    """The lines in their places, "" for one that is blank."""
    if not isinstance(value, list | tuple):
        return value
    lines = ["" if is_blank(it) else it for it in value]
    return lines if any(lines) else []


class SentAs(StrEnum):
    """The fields of a request of which one has the document."""

    TEXT = "document"
    BASE64 = "document_base64"
    LIST = "references"


class ReferencePage(BaseModel):
    """Which of the checked references to show."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    status: Annotated[tuple[ReferenceStatus, ...], BeforeValidator(listed)] = Field(
        (), description="Only references with one of these statuses."
    )
    max_results: Whole = Field(50, ge=1, le=200, description="References a page.")
    cursor: Annotated[str, Field(max_length=MAX_CURSOR_CHARS, pattern="^[0-9]+$")] | None = Field(
        None, description="`next_cursor` of the page before."
    )
    detail: Detail = Field(
        "full", description="compact: less of each paper, no `cited`, and the fields that do not agree; else all."
    )
    max_tokens: Whole | None = Field(
        None, ge=500, le=1_000_000, description="A budget in tokens: references beyond it come on the next page."
    )


class ReferenceCheckRequest(ReferencePage):
    """A document, or a list of references."""

    # The reader checks the length, with an error that says what to do.
    document: Annotated[str, Field(json_schema_extra={"maxLength": MAX_TEXT_CHARS})] | None = Field(
        None,
        description=f"A document: {TEXT_FORMATS}, or the text of a PDF.",
    )
    document_base64: str | None = Field(
        None, max_length=MAX_DOCX_BYTES * 4 // 3 + 4, description="A .docx file, in base64; in place of `document`."
    )
    references: Annotated[tuple[Annotated[str, Field(max_length=MAX_LINE_CHARS)], ...], BeforeValidator(_lines)] = (
        Field((), max_length=MAX_ENTRIES, description="A list of references, one text each; in place of `document`.")
    )
    format: Format | None = Field(
        None, description="Of the document (`references`: text, markdown); by default, its content tells it."
    )
    fresh: Fresh = False
    cite_in_kg: CiteInGraph = True
    context: Context | None = Field(None, description="What cites the papers.")

    @model_validator(mode="after")
    def _is_one_document(self) -> Self:
        given = [name for name in SentAs if getattr(self, name)]
        if len(given) != 1:
            field = given[1].value if given else "document"
            raise PydanticCustomError("absent", "give one of document, document_base64, references", {"field": field})
        return self

    @property
    def sent_as(self) -> SentAs:
        """The field that has the document."""
        return next(name for name in SentAs if getattr(self, name))

    @property
    def content(self) -> str:
        """The document as it is stored: its text, or its base64; of a list, one reference a line, with its number."""
        if self.references:
            lines = (" ".join(text.split()) for text in self.references)
            return "\n".join(f"[{number}] {line}" for number, line in enumerate(lines, 1) if line)
        return self.document or self.document_base64 or ""
