"""Collects the paragraphs of a document under its headings, and numbers the sections.

The first heading of the highest level is section "1", its second subsection "1.2"; an abstract is "abstract", and what
stands before all headings "0". Numbers printed in headings stay in their texts: documents use several styles.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from shared.bibliography.characters import CONTROLS, NONCHARACTERS, SURROGATES, UNSEEN, pattern_of
from shared.bibliography.full_text import (
    CELLS,
    MAX_PARAGRAPH_CHARS,
    MAX_PARAGRAPHS,
    MAX_SECTIONS,
    MAX_TEXT_CHARS,
    Kind,
    Paragraph,
    Section,
)

# Marks without width may hide words from readers, or part them for those who search; control characters print nothing.
_CONTROLS = frozenset(it for it in CONTROLS if not it.isspace())
_UNSEEN = re.compile(f"[{pattern_of(UNSEEN | _CONTROLS | NONCHARACTERS | SURROGATES)}]")
_BLANKS = re.compile(r"[^\S\n]+")
_LINES = re.compile(r" ?\n\s*")
_SPACE = re.compile(r"\s+")
_MAX_PATH = 12
_MAX_HEADING = 500
ABSTRACT = "abstract"
_DASHES = ("-", "\u2010", "\u2011", "\u2012", "\u2013", "\u2014")
_MAX_RANGE = 50


def one_line(text: str) -> str:
    """The text without invisible marks, with one blank for all white space."""
    return _SPACE.sub(" ", _UNSEEN.sub("", text)).strip()


def lines_of(text: str) -> str:
    """The text without invisible marks, with its line breaks: code, and the rows of tables."""
    return _LINES.sub("\n", _BLANKS.sub(" ", _UNSEEN.sub("", text))).strip()


class Outline:
    """The sections so far. What exceeds the bounds of a full text is left out, and `is_cut` says so."""

    def __init__(self) -> None:
        self.is_cut = False
        self._is_left = True
        self._sections: list[tuple[str, tuple[str, ...], list[Paragraph], str | None]] = []
        self._open: list[tuple[int, str, str]] = []  # level, number, heading
        self._children: dict[str, int] = {}  # number of a section -> how many subsections it has so far
        self._chars = self._paragraphs = 0

    def enter(self, level: int, heading: str) -> None:
        """Begin a section: it ends all open ones of this level or a lower one (a higher number)."""
        while self._open and self._open[-1][0] >= level:
            self._open.pop()
        above = self._open[-1][1] if self._open else ""
        self._children[above] = self._children.get(above, 0) + 1
        number = f"{above}.{self._children[above]}" if above else str(self._children[above])
        self._open.append((level, number, one_line(heading)[:_MAX_HEADING] or f"[{number}]"))
        self._begin(number, tuple(title for *_, title in self._open)[:_MAX_PATH])

    def enter_apart(self, number: str, heading: str | None, language: str | None = None) -> None:
        """Begin a section that is not numbered with the others: an abstract, or a page, which has no heading."""
        self._open.clear()
        used = [name for name, *_ in self._sections if name == number or name.startswith(f"{number}-")]
        path = (one_line(heading)[:_MAX_HEADING],) if heading else ()
        self._begin(f"{number}-{len(used) + 1}" if used else number, path, language)

    def leave(self) -> None:
        """What follows is under no heading until the next one."""
        self._open.clear()
        self._is_left = True

    def _begin(self, number: str, path: tuple[str, ...], language: str | None = None) -> None:
        self._is_left = False
        if len(self._sections) < MAX_SECTIONS:
            self._sections.append((number, path, [], language))
        else:
            self.is_cut = True

    def add(self, text: str, kind: Kind = "paragraph", label: str | None = None, cites: Iterable[int] = ()) -> None:
        """Add a paragraph to the section that was entered last; nothing if no text is left of it."""
        clean = lines_of(text) if kind in ("table", "code", "formula") else one_line(text)
        if not clean:
            return
        if len(clean) > MAX_PARAGRAPH_CHARS:
            clean, self.is_cut = clean[:MAX_PARAGRAPH_CHARS], True
        if self._chars + len(clean) > MAX_TEXT_CHARS or self._paragraphs >= MAX_PARAGRAPHS:
            self.is_cut = True
            return
        self._chars += len(clean)
        self._paragraphs += 1
        if self._is_left:
            self._begin("0", ())
        name = one_line(label)[:100] if label else None
        self._sections[-1][2].append(
            Paragraph(kind=kind, text=clean, label=name or None, cites=tuple(dict.fromkeys(cites)))
        )

    @property
    def has_text(self) -> bool:
        """Whether there is more than an abstract."""
        return any(paragraphs for number, _, paragraphs, _ in self._sections if not number.startswith(ABSTRACT))

    def sections(self) -> tuple[Section, ...]:
        """All sections in their order, also those with nothing but subsections."""
        return tuple(
            Section(number=number, path=path, paragraphs=tuple(paragraphs), language=language)
            for number, path, paragraphs, language in self._sections
        )


def with_range(cites: Sequence[int], number: int, before: str) -> list[int]:
    """The citations with one more, and, behind the dash of a range such as `[2]-[5]`, those between."""
    first = cites[-1] + 1 if cites and before.rstrip(" [").endswith(_DASHES) else number
    return [*cites, *(range(first, number) if 0 < number - first < _MAX_RANGE else ()), number]


def table_text(rows: Iterable[Iterable[str]], *, caption: str = "", notes: str = "") -> str:
    """A table as text: the caption, a line for each row, the notes."""
    lines = [CELLS.join(one_line(cell) for cell in row) for row in rows]
    return "\n".join(part for part in (one_line(caption), *lines, one_line(notes)) if part.strip(CELLS))
