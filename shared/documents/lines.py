"""The lines of a text with their places, and which of them are not text: headers and numbers of pages, and links."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from shared.documents.bounds import unreadable
from shared.documents.fields_read import YEAR
from shared.references.printed_text import ONLY_LINKS

REPEATED = 3  # a line that stands so often in a text is the header of its pages
_NUMBER = re.compile(
    r"(?:(?:page|seite|p\.)\s?)?(?!(?:1[5-9]|20)\d\d)\d{1,4}(?:\s?(?:of|von|/)\s?\d{1,4})?|[-–]\s?\d{1,4}\s?[-–]", re.I
)
_PAGE_NUMBER = re.compile(r"\A\d{1,4}\s{1,40}|\s{1,40}\d{1,4}\Z")
# A line that ends or begins so needs a number beside it: `2016;`, `vol.`, `(3), 34`.
_RULE_OF_TABLE = re.compile(
    r"[ \t]{0,12}\|?(?:[ \t]{0,9}:?-{2,200}:?[ \t]{0,9}\|){1,60}(?:[ \t]{0,9}:?-{2,200}:?)?[ \t]{0,9}"
)
_FIELDS_END = frozenset(",;.")  # of a reference, such as a patent; few headers have them
_GOES_ON = frozenset(",;:(-–.")
_DIVIDED_WORD = re.compile(r"[^\W\d_]-\Z")
_PLACE_FOLLOWS = re.compile(r"[\d(,;:.–-]")
_LINE_NUMBER = re.compile(r"[ \t]{0,12}(\d{1,4})(?:[ \t]{1,12}|\Z)")
FEWEST_NUMBERED = 10  # lines
NEARLY_ALL = 0.8
PAGE_LINES = 8  # a page has more lines; numbers that stand closer together are labels of entries
MAX_HEADER_CHARS = 100
MAX_LINES = 100_000


@dataclass(frozen=True, slots=True)
class Line:
    """A line without its end; `text` is the line itself, `start` and `end` its place."""

    text: str
    start: int
    end: int
    begins_page: bool = False

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
    parts = text.replace("\xa0", " ").replace("\u202f", " ").splitlines(keepends=True)  # Word's, between names
    if len(parts) > MAX_LINES:
        raise unreadable(f"has more than {MAX_LINES:,} lines; send its reference list alone")
    for whole in parts:
        line = whole.rstrip("\r\n\f\v\x1c\x1d\x1e\x85\u2028\u2029")
        found.append(Line(line, at, at + len(line), text[at - 1 : at] == "\f"))
        at += len(whole)
    return found


def without_line_numbers(lines: Sequence[Line]) -> list[Line]:
    """The lines of a manuscript without the numbers in its margin: nearly all lines have one, each one more.

    Lines of which most have a year are the entries of a numbered list.
    """
    marks = [mark for line in lines if not line.is_blank and (mark := _LINE_NUMBER.match(line.text))]
    filled = sum(not line.is_blank for line in lines)
    follow = sum(int(b[1]) - int(a[1]) == 1 for a, b in pairwise(marks))
    dated = sum(YEAR.search(line.text) is not None for line in lines)
    if filled < FEWEST_NUMBERED or follow < NEARLY_ALL * filled or 2 * dated > filled:
        return list(lines)
    ends = [mark.end() if (mark := _LINE_NUMBER.match(line.text)) else 0 for line in lines]
    return [replace(line, text=line.text[end:], start=line.start + end) for line, end in zip(lines, ends, strict=True)]


def without_page_headers(lines: Sequence[Line]) -> list[Line]:
    """The lines without those that stand on every page: the same text but for a number at its end, or a number alone.

    Lines that are nothing but the names of links, as publishers show below each reference, are left out too.

    With the number of its page, and with empty lines around it, a header is known by its second page already: not
    closer together with the signs of an entry, as two volumes of a book or two patents may be.

    They stand at the start of a page, apart from the text, or beside the number of the page: elsewhere, a line that is
    there three times may be the end of three references.
    """
    forms = [_PAGE_NUMBER.sub("", line.text.strip()) for line in lines]
    often = Counter(form for form in forms if 3 < len(form) <= MAX_HEADER_CHARS)
    numbers = [_NUMBER.fullmatch(line.text.strip()) is not None for line in lines]
    headers: list[bool] = []
    for at, line in enumerate(lines):
        alone = _is_blank(lines, at - 1) and _is_blank(lines, at + 1)
        beside = line.begins_page or _is_beside(numbers, at)
        near = (*forms[max(0, at - PAGE_LINES) : at], *forms[at + 1 : at + 1 + PAGE_LINES])
        is_apart = forms[at] not in near or _FIELDS_END.isdisjoint(forms[at])
        is_numbered = alone and is_apart and forms[at] != line.text.strip() and not YEAR.search(line.text)
        is_repeated = often[forms[at]] >= REPEATED - is_numbered and not _is_reference_line(line.text.strip())
        headers.append(is_repeated and (alone or beside))
    remaining: list[Line] = []
    for at, line in enumerate(lines):
        apart = line.begins_page or _is_blank(lines, at - 1) or _is_blank(lines, at + 1) or _is_beside(headers, at)
        is_number = numbers[at] and (apart or _is_between_pages(lines, numbers, at))
        if not headers[at] and not is_number and not ONLY_LINKS.fullmatch(line.text.strip()):
            remaining.append(line)
    return remaining


def without_table_heads(lines: Sequence[Line]) -> list[Line]:
    """The lines without the names of a Markdown table's columns and the rule below them.

    A table without such names may have a reference in their place.
    """
    rules = [_RULE_OF_TABLE.fullmatch(line.text) is not None for line in lines]
    return [
        line
        for at, line in enumerate(lines)
        if not rules[at]
        and not (any(rules[at + 1 : at + 2]) and line.text.count("|") > 1 and not YEAR.search(line.text))
    ]


def _is_beside(marked: Sequence[bool], at: int) -> bool:
    """Whether the line before or behind is marked."""
    return any(marked[max(0, at - 1) : at]) or any(marked[at + 1 : at + 2])


def _is_between_pages(lines: Sequence[Line], numbers: Sequence[bool], at: int) -> bool:
    """Whether a number alone, pasted between two lines of an entry, is that of a page: no volume, page or label."""
    near = (*numbers[max(0, at - PAGE_LINES) : at], *numbers[at + 1 : at + 1 + PAGE_LINES])
    before, behind = lines[at - 1].text.rstrip(), lines[at + 1].text.lstrip()
    goes_on = before[-1:] in _GOES_ON and not _DIVIDED_WORD.search(before)
    return not any(near) and not goes_on and not _PLACE_FOLLOWS.match(behind)


def _is_reference_line(text: str) -> bool:
    """`[3]` alone in a line begins an entry, and an address may end many."""
    return text[:1] in "[(" or "10." in text or "http" in text


def _is_blank(lines: Sequence[Line], at: int) -> bool:
    """Whether a line is blank; there is nothing before the first and behind the last."""
    return not 0 <= at < len(lines) or lines[at].is_blank
