"""Answers with the full text of a paper."""

from __future__ import annotations

from typing import Annotated, Literal

from typing_extensions import TypedDict

from shared.answers.fields import Count, Key, Ms
from shared.answers.search import Hint, LegSummary, Marks, Truncated
from shared.bibliography.full_text import Format, Kind
from shared.field_schema import FieldSchema

Start = Annotated[int, FieldSchema("Offset in the paper's text, in characters.", minimum=0)]
SectionNumber = Annotated[
    str,
    FieldSchema('Its place in the outline: "2.1", "abstract"; "0" before headings; "p3": a page.'),
]
Path = Annotated[list[str], FieldSchema("Its heading, after those above it.")]
TextStatus = Literal["available", "not_open", "no_text", "mismatched", "unanswered"]


class TextSource(TypedDict):
    """Where a text comes from, and under which licence."""

    provider: str
    text_of: Annotated[
        str, FieldSchema("The id under which the source has it; it may be another version's. Of a PDF: url:…")
    ]
    url: Annotated[str, FieldSchema("Where people read it.")]
    format: Format
    version: Annotated[str | None, FieldSchema("As the source numbers or names it: v2, acceptedVersion.")]
    language: str | None
    license: Annotated[str | None, FieldSchema("cc-by-4.0, cc0-1.0, public-domain, arxiv-nonexclusive; null: unknown.")]
    license_text: Annotated[str | None, FieldSchema("As printed.")]


class OutlineEntry(TypedDict):
    """A section without its text."""

    section: SectionNumber
    path: Path
    start: Start
    chars: Annotated[Count, FieldSchema("Of its own text, without its subsections.")]


class TextParagraph(TypedDict):
    """A paragraph, or what is printed like one; a table has a line for each row, ` | ` between its cells."""

    kind: Kind
    label: Annotated[str | None, FieldSchema("As printed: Table 1.")]
    start: Start
    text: str
    cites: Annotated[list[int], FieldSchema("Numbers of `references`.")]


class TextSection(TypedDict):
    """A section without its subsections, which follow it."""

    section: SectionNumber
    path: Path
    language: Annotated[str | None, FieldSchema("Where it is another than the document's.")]
    paragraphs: list[TextParagraph]


class TextReference(TypedDict):
    """An entry of the bibliography."""

    number: Annotated[int, FieldSchema("Its place, from 1.", minimum=1)]
    key: Annotated[Key | None, FieldSchema("Null where the entry states no id.")]
    text: Annotated[str, FieldSchema("As printed.")]


class FullTextAnswer(LegSummary, Marks):
    """The full text of a paper by sections, or why there is none."""

    key: Key
    title: str | None
    status: Annotated[
        TextStatus,
        FieldSchema(
            "not_open: no source has it under a licence that allows to show it. no_text: an open copy exists, but none "
            "with text that can be read and says whose it is. mismatched: its first pages have another title. "
            "unanswered: a source that may have it did not answer."
        ),
    ]
    reason: Annotated[str | None, FieldSchema("Why there is no text.")]
    source: TextSource | None
    outline: list[OutlineEntry]
    sections: list[TextSection]
    references: Annotated[list[TextReference], FieldSchema("What the sections shown cite; all with the whole text.")]
    next_start: Annotated[int | None, FieldSchema("Pass it as `start` for what follows; null at the end.")]
    hints: list[Hint]
    truncated: Truncated | None
    search_time_ms: Ms
