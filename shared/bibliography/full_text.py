"""The full text of a paper as sections of paragraphs, the same for every format that it was read from.

    text                 the sections' paragraphs, joined by a blank line: what character offsets count in
    section.number       "2.1": its place in the outline, from 1 (`shared.full_texts.outline`)
    section.path         its heading and those above it, the outermost first

All of it was written by others. It is plain text: markup, scripts and what readers do not see are left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Annotated, Literal, NamedTuple

from shared.bibliography.identifiers import AnyName, Identifiers
from shared.bibliography.web_addresses import WebAddress
from shared.field_ranges import AtMost, Between, Text, Token

BETWEEN = "\n\n"
CELLS = " | "  # between the cells of a row
MAX_PARAGRAPH_CHARS = 20_000
MAX_SECTIONS, MAX_PARAGRAPHS, MAX_CITED = 2_000, 5_000, 3_000
# A longer text is cut at its end: the reply of a Lambda function has 6 MB.
MAX_TEXT_CHARS = 3_000_000
MAX_FRONT_CHARS = 12_000
Kind = Literal["paragraph", "list_item", "quote", "figure", "table", "formula", "footnote", "code"]
Format = Literal["jats", "html", "latex", "pdf"]
Heading = Annotated[str, Text(500)]
Number = Annotated[int, Between(1, MAX_CITED)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Paragraph:
    """A paragraph, or what is printed like one. A table has a line for each row, with ` | ` between its cells."""

    kind: Kind = "paragraph"
    text: Annotated[str, Text(MAX_PARAGRAPH_CHARS)]
    label: Annotated[str | None, Text(100)] = None  # "Table 1", "(3)"
    cites: Annotated[tuple[Number, ...], AtMost(500)] = ()  # numbers of the cited works, in their order


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A section without its subsections, which follow it."""

    number: Annotated[str, Token("a section's number", str.isascii, 50)]
    path: Annotated[tuple[Heading, ...], AtMost(12)]
    paragraphs: Annotated[tuple[Paragraph, ...], AtMost(MAX_PARAGRAPHS)] = ()
    language: Annotated[str | None, Text(20)] = None  # where it is another than the document's


@dataclass(frozen=True, slots=True, kw_only=True)
class CitedWork:
    """An entry of the bibliography, as printed, with the ids that it states."""

    number: Number  # its place, from 1
    text: Annotated[str, Text(2_000)]
    label: Annotated[str | None, Text(100)] = None  # as the text cites it, if not by its number: "Smith 2020"
    ids: Identifiers = field(default_factory=Identifiers)


@dataclass(frozen=True, slots=True, kw_only=True)
class FullText:
    """The text of one version of a paper, as one source has it."""

    format: Format
    url: Annotated[str, WebAddress]  # where people read it
    sections: Annotated[tuple[Section, ...], AtMost(MAX_SECTIONS)]
    cited: Annotated[tuple[CitedWork, ...], AtMost(MAX_CITED)] = ()
    title: Annotated[str | None, Text(2_000)] = None
    language: Annotated[str | None, Text(20)] = None  # as the document states it
    version: Annotated[str | None, Text(100)] = None  # "v2"; None where the source has one version
    license: Annotated[str | None, AnyName] = None  # `shared.bibliography.licences`
    license_text: Annotated[str | None, Text(500)] = None  # as printed
    is_cut: bool = False  # it was longer than is read
    # Of a format that states no title: all lines of the first pages, by which one can tell whose text it is.
    front: Annotated[str | None, Text(MAX_FRONT_CHARS)] = None


class PlacedParagraph(NamedTuple):
    """A paragraph and where it begins in the text of the whole paper."""

    section: Section
    paragraph: Paragraph
    start: int

    @property
    def end(self) -> int:
        """The offset behind its last character."""
        return self.start + len(self.paragraph.text)


def placed_paragraphs(full_text: FullText) -> Iterator[PlacedParagraph]:
    """Every paragraph in its order, placed in the text that all of them make, joined by BETWEEN."""
    start = 0
    for section in full_text.sections:
        for paragraph in section.paragraphs:
            yield PlacedParagraph(section, paragraph, start)
            start += len(paragraph.text) + len(BETWEEN)
