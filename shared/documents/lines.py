"""The lines of a text with their places, and which of them are no text: headers and numbers of pages."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from shared.documents.bounds import unreadable

REPEATED = 3  # a line that stands so often in a text is the header of its pages
_NUMBER = re.compile(r"(?:(?:page|seite|p\.)\s?)?\d{1,4}(?:\s?(?:of|von|/)\s?\d{1,4})?|[-–]\s?\d{1,4}\s?[-–]", re.I)
_DIGITS = re.compile(r"\d+")
MAX_HEADER_CHARS = 100
MAX_LINES = 200_000


@dataclass(frozen=True, slots=True)
class Line:
    """A line without its end; `text` is the line itself, `start` and `end` its place."""

    text: str
    start: int
    end: int

    @property
    def is_blank(self) -> bool:
        """Whether nothing but white space is on it."""
        return not self.text.strip()

    @property
    def indent(self) -> int:
        """How many blanks begin it."""
        return len(self.text) - len(self.text.lstrip())


def lines_of(text: str) -> list[Line]:
    """All lines; a form feed ends a line too. Raises Unprocessable if there are more than MAX_LINES."""
    found: list[Line] = []
    at = 0
    for whole in text.splitlines(keepends=True):
        line = whole.rstrip("\r\n\f\v\x1c\x1d\x1e\x85\u2028\u2029")
        found.append(Line(line, at, at + len(line)))
        at += len(whole)
    if len(found) > MAX_LINES:
        raise unreadable(f"has more than {MAX_LINES:,} lines; send its reference list alone")
    return found


def without_page_headers(lines: Sequence[Line]) -> list[Line]:
    """The lines without those that stand on every page: the same text but for its number, or a number alone."""
    forms = [_DIGITS.sub("#", line.text.strip()) for line in lines]
    often = Counter(form for form in forms if 3 < len(form) <= MAX_HEADER_CHARS)
    remaining: list[Line] = []
    for number, (line, form) in enumerate(zip(lines, forms, strict=True)):
        stripped = line.text.strip()
        is_repeated = often[form] >= REPEATED and not _is_reference_line(stripped)
        if is_repeated or (_NUMBER.fullmatch(stripped) and _is_apart(lines, number)):
            continue
        remaining.append(line)
    return remaining


def _is_reference_line(text: str) -> bool:
    """`[3]` alone in a line begins an entry, and an address may end many."""
    return text[:1] in "[(" or "10." in text or "http" in text


def _is_apart(lines: Sequence[Line], number: int) -> bool:
    """Whether a blank line, or none, stands before or behind."""
    before = lines[number - 1].is_blank if number else True
    behind = lines[number + 1].is_blank if number + 1 < len(lines) else True
    return before or behind
