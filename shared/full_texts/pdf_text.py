"""The text of a PDF as sections, from the lines that are printed on its pages.

A PDF states no structure (tagged ones do, and nothing checks that their tags say what is printed). Sections are
recognised by how headings are printed. Without any, each page is a section of its own, `p3`, without a heading.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from shared.bibliography.citation_marks import numbers_in_marks
from shared.bibliography.full_text import MAX_CITED, MAX_FRONT_CHARS, CitedWork, FullText
from shared.bibliography.identifiers import Identifiers
from shared.documents.lines import Line
from shared.documents.reference_sections import is_heading as is_reference_heading
from shared.documents.text_source import read_text
from shared.errors import Unprocessable
from shared.full_texts.outline import ABSTRACT, Outline, one_line
from shared.full_texts.pdf_headings import ABSTRACTS, Heading, headings_of
from shared.full_texts.pdf_lines import PdfLine, lines_of, segments_of
from shared.full_texts.pdf_pages import PdfPages
from shared.full_texts.pdf_paragraphs import Note, PrintedWords, TextBlock, blocks_of, notes_of

_RUN_IN_ABSTRACT = re.compile(r"(abstract|summary) ?[—–:.] ?(?=\S)", re.IGNORECASE)
_FRONT_PAGES = 2  # repositories put a page of their own before the paper's first
_INDENT = 0.7  # of the size


def text_of_pages(pages: PdfPages, url: str) -> FullText | None:
    """The full text of a PDF; None if no page has text, as in a scan."""
    lines = lines_of(pages.pages)
    if not lines:
        return None
    reader = _Reader(lines)
    reader.read()
    if not reader.outline.has_text:
        return None
    return FullText(
        format="pdf", url=url, front=_front(pages),
        title=reader.headings.title and one_line(reader.headings.title)[:2_000],
        sections=reader.outline.sections(), cited=reader.cited, is_cut=reader.outline.is_cut or pages.is_cut,
    )  # fmt: skip


def _front(pages: PdfPages) -> str:
    """The lines of the first pages, with headers and footers, where DOIs stand; without what stands in references."""
    found: list[str] = []
    for page in sorted(pages.pages)[:_FRONT_PAGES]:
        for segment in segments_of(pages.pages[page], page):
            if is_reference_heading(Line(segment.text, 0, len(segment.text))):
                return "\n".join(found)[:MAX_FRONT_CHARS]
            found.append(segment.text.strip())
    return "\n".join(found)[:MAX_FRONT_CHARS]


class _Reader:
    def __init__(self, lines: Sequence[PdfLine]) -> None:
        self.outline = Outline()
        self.headings = headings_of(lines)
        self.cited: tuple[CitedWork, ...] = ()
        self._lines = lines
        self._words = PrintedWords(lines)
        self._spent = self.headings.spent
        self._by_page = not self.headings.divide
        if self._by_page:  # an abstract has no end where no heading follows
            self._forget_abstracts()
        self._notes = notes_of(lines, self._spent | self._in_references(), self.headings.body)
        self._spent |= {place for note in self._notes for place in note.places}
        self._numbers: Mapping[str, int] = {}

    def read(self) -> None:
        """Read the references first, because the text cites them by their numbers."""
        parts = list(self._parts())
        without = [it for it in parts if not (it[0] and it[0].is_of_references and self._takes_references(it[1]))]
        for heading, lines in without:
            self._add_notes(lines[0].column if lines else 0)
            self._enter(heading)
            self._add(lines, is_front=heading is None)
        self._add_notes(self._lines[-1].column + 1)

    def _forget_abstracts(self) -> None:
        for at in [at for at, it in self.headings.at.items() if not it.is_of_references]:
            del self.headings.at[at]
            self._spent.discard(at)

    def _in_references(self) -> set[int]:
        """The positions of the lines under headings of references: small print there is no footnote."""
        found: set[int] = set()
        is_inside = False
        for at in range(len(self._lines)):
            if at in self.headings.at:
                is_inside = self.headings.at[at].is_of_references
            elif is_inside:
                found.add(at)
        return found

    def _parts(self) -> list[tuple[Heading | None, list[PdfLine]]]:
        """The headings, each with the lines up to the next one."""
        parts: list[tuple[Heading | None, list[PdfLine]]] = [(None, [])]
        for at, line in enumerate(self._lines):
            if at in self.headings.at:
                parts.append((self.headings.at[at], []))
            elif at not in self._spent:
                parts[-1][1].append(line)
        return parts

    def _enter(self, heading: Heading | None) -> None:
        if heading is None:
            return
        if heading.name in ABSTRACTS:
            self.outline.enter_apart(ABSTRACT, heading.text, ABSTRACTS[heading.name])
        else:
            self.outline.enter(heading.level, heading.text)

    def _add(self, lines: Sequence[PdfLine], *, is_front: bool) -> None:
        """Add the paragraphs of a section; before the first heading, an abstract may begin with its own name."""
        page = None
        for block in blocks_of(lines):
            first = block.lines[0] if block.lines else None
            if self._by_page and first and first.page != page:
                page = first.page
                self.outline.enter_apart(f"p{page}", None)
            run_in = _RUN_IN_ABSTRACT.match(first.text) if first and is_front else None
            if first and run_in and not self._by_page:
                self.outline.enter_apart(ABSTRACT, run_in[1])
                first.text = first.text[run_in.end() :]
            self._add_block(block)

    def _add_block(self, block: TextBlock) -> None:
        text = self._words.joined([it.text for it in block.lines])
        columns = {it.column for it in block.lines}
        notes: list[Note] = []
        for note in self._notes:
            place = text.find(f"^{note.label}") if note.column in columns else -1
            if place > 0 and not text[place - 1].isdigit():
                text = text[:place] + text[place + 1 + len(note.label) :]
                notes.append(note)
        text = "\n".join(part for part in (text, *block.rows) if part)
        self.outline.add(text, block.kind, block.label, self._cites(text))
        for note in notes:
            self._add_note(note)

    def _add_notes(self, before: int) -> None:
        """Add the footnotes whose marks were not found, of columns up to this one."""
        for note in [it for it in self._notes if it.column < before]:
            self._add_note(note)

    def _add_note(self, note: Note) -> None:
        self._notes.remove(note)
        text = self._words.joined([it.text for it in note.lines])
        self.outline.add(text, "footnote", note.label, self._cites(text))

    def _takes_references(self, lines: Sequence[PdfLine]) -> bool:
        """Read a list of references. False if it is none, so that it is shown as text."""
        shown = [("    " if it.x - it.left > _INDENT * it.size else "") + it.text for it in lines]
        try:
            entries = read_text("\n".join(["References", *shown])).entries[:MAX_CITED]
        except Unprocessable:
            return False
        first = len(self.cited)
        self.cited += tuple(
            CitedWork(
                number=first + number, text=one_line(it.line)[:2_000] or "?",
                ids=Identifiers(doi=it.fields.doi, pmid=it.fields.pmid, arxiv=it.fields.arxiv),
            )
            for number, it in enumerate(entries, start=1)
        )[: MAX_CITED - first]  # fmt: skip
        labels = {(it.label or "").strip("[]. "): first + number for number, it in enumerate(entries, start=1)}
        self._numbers = {**labels, **self._numbers}
        return True

    def _cites(self, text: str) -> list[int]:
        """The numbers of the works that `[1]`, `[2, 3]` and `[4–6]` cite."""
        return [self._numbers[str(it)] for it in numbers_in_marks(text) if str(it) in self._numbers]
