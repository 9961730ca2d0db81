"""Tells the title and the headings of a PDF's lines by size, weight, capitals and numbers.

3.2 Results      level 2, by its number
Results          the level that numbered headings of the same print have; else larger print is a higher level
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from shared.bibliography.text import fold
from shared.documents.lines import Line
from shared.documents.reference_sections import is_heading as is_reference_heading
from shared.full_texts.pdf_lines import PdfLine

CAPTION = re.compile(
    r"((?:supplementary |extended data )?"
    r"(?:table|figure|fig\.|scheme|box|tabelle|abbildung|abb\.|tab\.|tableau|figura|tabla)"
    r" ?S?\d{1,3}[A-Za-z]?)\b ?[.:|–—-]? ?",
    re.IGNORECASE,
)
# The names of abstracts, and the language that they are of if it is not English.
ABSTRACTS = {
    "abstract": None, "summary": None, "zusammenfassung": "de", "resume": "fr", "resumen": "es", "resumo": "pt",
    "riassunto": "it", "samenvatting": "nl",
}  # fmt: skip
# 2.1, IV., and B., which is a part of IV.
_NUMBERED = re.compile(r"(?:(\d{1,2}(?:\.\d{1,2}){0,4})\.?|([IVX]{1,5})\.|([A-Z])\.)\s{1,5}(?=[^\W\d_])")
_LARGER = 1.08  # than the text
_TITLE_LARGER = 1.2
_SMALLER = 0.95  # what is smaller than the text is a note, though it may be bold
_MAX_CHARS, _MAX_LINES, _LEAST_LETTERS = 160, 4, 3
_APART = 1.5  # of the size: what stands so far below the line before may be a heading in the print of the text
_MAX_PLAIN_CHARS = 80
_LINE_GAP = 1.7  # of the size: lines of one heading are not farther apart
Style = tuple[float, bool]  # size in half points, and whether it is bold


@dataclass(slots=True)
class Heading:
    """A heading; `level` is 1 for the highest."""

    text: str
    style: Style
    level: int = 1
    depth: int | None = None  # the parts of its number

    @property
    def name(self) -> str:
        """Without its number, folded: to compare it with what such sections are called."""
        return fold(_NUMBERED.sub("", self.text, count=1)).strip(" .:")

    @property
    def is_of_references(self) -> bool:
        """Whether a list of references follows."""
        return is_reference_heading(Line(self.text, 0, len(self.text)))


@dataclass(slots=True)
class Headings:
    """The title, and the headings by the position of their first line; `spent` has the positions of all their lines."""

    title: str | None = None
    at: dict[int, Heading] = field(default_factory=dict)
    spent: set[int] = field(default_factory=set)
    body: Style = (0.0, False)
    has_roman: bool = False  # whether a heading in the print of the text has a Roman number

    @property
    def divide(self) -> bool:
        """Whether there are headings of the text itself, and not of its abstract and references alone."""
        return any(it.name not in ABSTRACTS and not it.is_of_references for it in self.at.values())


def headings_of(lines: Sequence[PdfLine]) -> Headings:
    """All headings of a document."""
    found = Headings(body=_body(lines))
    _take_title(found, lines)
    previous: int | None = None  # the position of the heading that the line before belongs to
    for at, line in enumerate(lines):
        is_heading = at not in found.spent and (
            _is_heading(line, found.body) or _is_plain_heading(found, line, lines[at - 1] if at else None)
        )
        if not is_heading:
            previous = None
            continue
        if previous is not None and _goes_on(found.at[previous], lines[at - 1], line):
            found.at[previous].text += f" {line.text}"
        else:
            found.at[at] = Heading(line.text, _style(line), depth=_depth(line.text))
            previous = at
        found.spent.add(at)
    _leave_front(found)
    _set_levels(found)
    return found


def _leave_front(found: Headings) -> None:
    """Names and addresses in large print, before the abstract or the first section with a number, are not headings."""
    starts = [at for at, it in found.at.items() if it.name in ABSTRACTS or it.depth == 1]
    for at, following in pairwise(sorted(found.at)):
        if starts and at < starts[0]:
            found.spent.difference_update(range(at, following))
            del found.at[at]


def _style(line: PdfLine) -> Style:
    return round(line.size * 2) / 2, line.is_bold


def _body(lines: Sequence[PdfLine]) -> Style:
    chars: Counter[Style] = Counter()
    for line in lines:
        chars[_style(line)] += len(line.text)
    return chars.most_common(1)[0][0] if chars else (0.0, False)


def _take_title(found: Headings, lines: Sequence[PdfLine]) -> None:
    """The largest print of the first page, if no later page has it."""
    first = [at for at, line in enumerate(lines) if line.page == lines[0].page]
    if not first:
        return
    largest = max(_style(lines[at])[0] for at in first)
    if largest < _TITLE_LARGER * found.body[0] or any(
        _style(it)[0] >= largest for it in lines if it.page != lines[0].page
    ):
        return
    places = [at for at in first if _style(lines[at])[0] == largest and len(lines[at].text) > 1]
    if not places or len(places) > _MAX_LINES or places[-1] - places[0] >= len(places):
        return
    found.title = " ".join(lines[at].text for at in places)
    found.spent.update(places)


def _is_heading(line: PdfLine, body: Style) -> bool:
    size, is_bold = _style(line)
    letters = sum(sign.isalpha() for sign in line.text)
    if letters < _LEAST_LETTERS or len(line.text) > _MAX_CHARS or line.cells > 1 or CAPTION.match(line.text):
        return False
    if size < _SMALLER * body[0] or line.text.endswith((",", ";", "-")) or line.text[0].islower():
        return False
    is_set_apart = size >= _LARGER * body[0] or (is_bold and not body[1])
    return is_set_apart or (line.text.isupper() and letters > _LEAST_LETTERS and not line.text.endswith("."))


def _is_plain_heading(found: Headings, line: PdfLine, before: PdfLine | None) -> bool:
    """Whether a line in the print of the text, such as small capitals, is a heading: by its number or its name."""
    is_apart = not before or before.column != line.column or before.y - line.y >= _APART * line.size
    is_short = len(line.text) <= _MAX_PLAIN_CHARS and line.cells == 1 and not line.text.endswith((".", ",", ";", ":"))
    if not is_apart or not is_short or _style(line)[0] < _SMALLER * found.body[0]:
        return False
    numbered = _NUMBERED.match(line.text)
    if numbered and numbered[2]:
        found.has_roman = True
        return True
    if numbered and numbered[3]:  # it could be an initial
        return found.has_roman
    return line.text[0].isupper() and _is_name(Heading(line.text, _style(line)))


def _depth(text: str) -> int | None:
    numbered = _NUMBERED.match(text)
    if not numbered:
        return None
    return numbered[1].count(".") + 1 if numbered[1] else 1 if numbered[2] else 2


def _goes_on(heading: Heading, before: PdfLine, line: PdfLine) -> bool:
    """Whether a line is the next one of a heading."""
    is_near = (
        len(heading.text) <= _MAX_CHARS
        and before.column == line.column
        and 0 < before.y - line.y <= _LINE_GAP * line.size
    )
    return is_near and heading.style == _style(line) and not _NUMBERED.match(line.text) and not _is_name(heading)


def _is_name(heading: Heading) -> bool:
    return heading.name in ABSTRACTS or heading.is_of_references


def _set_levels(found: Headings) -> None:
    """Numbers give levels; a print gets the level that its numbered headings mostly have, else one by its size."""
    depths: dict[Style, Counter[int]] = {}
    for it in found.at.values():
        if it.depth:
            depths.setdefault(it.style, Counter())[it.depth] += 1
    known = {style: counts.most_common(1)[0][0] for style, counts in depths.items()}
    ranked = sorted({it.style for it in found.at.values()}, reverse=True)
    for it in found.at.values():
        it.level = it.depth or known.get(it.style) or 1 + ranked.index(it.style)
