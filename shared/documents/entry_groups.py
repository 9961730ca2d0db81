"""Divides the lines of a reference list into its entries.

Numbers, and bullets, are certain. Otherwise the list is divided in each of the ways in which lists are written, and
the division counts whose parts look most like one reference each.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from shared.bibliography.identifiers import DOI_START
from shared.bibliography.person_names import PARTICLE
from shared.documents.entry_starts import (
    begins_with_name,
    has_ended,
    is_behind_title,
    is_undated,
    may_follow,
    without_subheadings,
)
from shared.documents.fields_read import YEAR
from shared.documents.lines import Line

MIN_REFERENCE_CHARS, MAX_REFERENCE_CHARS = 20, 1_500
MOST_HEADS = 3  # lines before the first mark of a list
FEW = 3  # entries, which show how the others of a list are written
MIN_JOINED_CHARS = 150  # a line of several references
SHORT = 0.8  # of the width of the lines
HALF = 0.5  # of the bullets below a title: else each has a field of it, as `- Year: 2016`
CLEAR = 0.6  # four of five entries look like one reference each
# `[1]`, `[1]:`, `(1)`, `1.`, `1)`, `1:`, `1 Doe`, `1Doe`, `¹Doe`; full-width forms as Japanese has them.
NUMBER = re.compile(
    r"[ \t\u3000]{0,12}(?:\*\*)?(?:[\[［〔](?P<square>\d{1,4})[\]］〕]:?|[(（](?P<round>\d{1,4})[)）]"
    r"|(?P<colon>\d{1,4}):(?=[ \t]+[^\W\d_])|(?P<point>\d{1,4})[.．)）](?!\d)"
    r"|(?P<bare>\d{1,4})(?=[ \t]+[^\W\d_]|[^\W\d_a-z](?:[^\W\d_A-Z]|\. )|[A-Z]{3,12} [A-Z]"
    rf"|(?:{PARTICLE}) ['’]?[^\W\d_])"
    r"|(?P<raised>[\u2070\xb9\xb2\xb3\u2074-\u2079]{1,4}))(?:\*\*)?[ \t\u3000]{0,12}"
)
# `[Doe02]`, `[DR+14]`, `[Ref1]`, `[Doe et al., 2002]`
_LABEL = re.compile(r"[ \t]{0,12}\[(?=[^\W\d_])([^\[\]]{1,40}\d[a-z]?)\][ \t]{0,12}(?=\S)")
_NUMBER_INSIDE = re.compile(
    r"(?:\A|(?<=\s))(?:\[(\d{1,4})\](?=\s?\*{0,2}[^\W\d_])"
    rf"|(\d{{1,3}})\.(?= \*{{0,2}}(?:[^\W\d_a-z]|(?:{PARTICLE}) [^\W\d_])))"
)
BULLET = re.compile(r"[ \t]{0,12}(?:[-*+•·●▪◦‣–—■○])[ \t]+")
_ID = re.compile(rf"\b{DOI_START}|https?://|\barxiv[: ]|\bpmid\b", re.I)
_DOI = re.compile(rf"(?<![\w/]){DOI_START}\S{{3}}|doi\.org/10\.", re.I)


@dataclass(frozen=True, slots=True)
class Group:
    """The lines of one entry; `body` is where its text begins behind a number or a bullet."""

    lines: tuple[Line, ...]
    label: str | None
    body: int

    @property
    def text(self) -> str:
        """The lines behind one another, as far as they are needed to see whether this is a reference."""
        first = self.lines[0]
        return " ".join([first.text[self.body - first.start :], *(line.text.strip() for line in self.lines[1:])])


def looks_like_reference(text: str) -> bool:
    """Whether a text has the length of one reference, and a year or an id."""
    return MIN_REFERENCE_CHARS <= len(text) <= MAX_REFERENCE_CHARS and bool(YEAR.search(text) or _ID.search(text))


def groups_of(lines: Sequence[Line]) -> list[Group]:
    """The entries of a list; lines before its first number belong to none."""
    if numbered := _by_numbers([part for line in lines for part in divided_line(line)]):
        return numbered
    lines = without_subheadings(lines)
    filled = [line for line in lines if not line.is_blank]
    labels = [(at, mark[1], mark.end()) for at, line in enumerate(lines) if (mark := _LABEL.match(line.text))]
    if len({label for _, label, _ in labels}) == len(labels) > 1 and lines[labels[0][0]] is filled[0]:
        return _cut(lines, labels)
    bullets = [line for line in filled if BULLET.match(line.text)]
    heads = [looks_like_reference(line.text) for line in (filled[: filled.index(bullets[0])] if bullets else ())]
    if bullets and (len(bullets) > 1 or len(filled) == 1) and len(heads) <= MOST_HEADS and not any(heads):
        groups = _by_bullets(lines)
        if not heads or share_of_references(groups) > HALF:
            return groups
    if len(filled) < 2:
        return _by_lines(lines) if filled else []
    shown = [way(lines) for way in (_by_lines, _by_blank_lines, _by_indents)]
    clear = next((it for it in shown if len(it) > 1 and _likeness(it) >= CLEAR * len(it)), None)
    return clear or max([*shown, _by_authors(lines), _by_short_lines(lines)], key=_likeness)


def share_of_references(groups: Sequence[Group]) -> float:
    """How many of the entries look like references, from 0 to 1."""
    return sum(looks_like_reference(group.text) for group in groups) / max(1, len(groups))


def _likeness(groups: Sequence[Group]) -> int:
    """How many entries look like exactly one reference, less those that do not."""
    single = sum(looks_like_reference(group.text) and _is_single(group) for group in groups)
    return 2 * single - len(groups)


def _is_single(group: Group) -> bool:
    text = group.text
    dois = {found[0].lower() for found in _DOI.finditer(text)}
    begins = begins_with_name(text) or not text[:1].islower()
    has_another = any(may_follow(line.text.strip(), it.text, is_dated=False) for it, line in pairwise(group.lines))
    return len(dois) < 2 and begins and not is_behind_title(text) and not has_another


def _by_numbers(lines: Sequence[Line]) -> list[Group]:
    """Entries that are numbered upwards in one style: `2016.` at the start of a line is not a number of an entry."""
    starts: list[tuple[int, str, int]] = []
    style, last, is_always_one, before = "", 0, False, ""
    for position, line in enumerate(lines):
        ended, before = before, line.text if not line.is_blank else before
        found = NUMBER.match(line.text)
        kind = found.lastgroup if found else None
        if not found or not kind:
            continue
        number = number_in(found)
        if kind == style and number == 1 and (is_always_one or (last == 1 and len(starts) == 1)):
            is_always_one, number = True, last + 1  # Markdown counts itself
        most = last + (1 if kind == "bare" and line.text[found.end()].islower() else 3)
        first = not starts and number < 1000 and (kind != "bare" or number == 1)
        # A list of each chapter, or a number twice or left out: not `12. Berlin` on a line of an entry.
        is_another = kind != "bare" and number < 1000 and may_follow(line.text[found.end() :], ended, is_dated=False)
        if first or (kind == style and (last < number <= most or is_another)):
            style, last = kind, number
            starts.append((position, str(number), found.end()))
    heads = sum(not line.is_blank for line in lines[: starts[0][0]]) if starts else 0
    if not starts or heads > MOST_HEADS or (len(starts) == 1 and style == "bare"):
        return []
    return _cut(_up_to_end(lines, [position for position, _, _ in starts]), starts)


def _up_to_end(lines: Sequence[Line], starts: Sequence[int]) -> Sequence[Line]:
    """The lines without the paragraphs behind the last of several entries of which no other has an empty line."""
    *others, last = (
        next((at for at in range(start, end - 1) if lines[at].is_blank and not lines[at + 1].is_blank), None)
        for start, end in pairwise([*starts, len(lines)])
    )
    if last is None or len(starts) < FEW or any(others):
        return lines
    entry = " ".join(line.text.strip() for line in lines[starts[-1] : last])
    return lines[:last] if looks_like_reference(entry) and has_ended(entry) else lines


def number_in(found: re.Match[str]) -> int:
    """The number of an entry that NUMBER has found."""
    return int(unicodedata.normalize("NFKC", found[found.lastgroup or 0]))


def divided_line(line: Line) -> list[Line]:
    """The line divided before each number of an entry, as in a list whose line breaks were lost; else the line."""
    if len(line.text) < (MIN_JOINED_CHARS if line.text.lstrip()[:1] != "[" else 2 * MIN_REFERENCE_CHARS):
        return [line]
    starts: list[int] = []
    last, style = 0, ""
    for found in _NUMBER_INSIDE.finditer(line.text):
        number, kind = int(found[1] or found[2]), "square" if found[1] else "point"
        if (not starts and number < 1000) or (kind == style and number == last + 1):
            last, style = number, kind
            starts.append(found.start())
    if len(starts) < 2:
        return [line]
    edges = [*([0] if starts[0] else []), *starts, len(line.text)]
    pieces = [(line.text[start:end].rstrip(), line.start + start) for start, end in pairwise(edges)]
    return [Line(text, start, start + len(text)) for text, start in pieces]


def _by_bullets(lines: Sequence[Line]) -> list[Group]:
    starts = [(position, "", found.end()) for position, line in enumerate(lines) if (found := BULLET.match(line.text))]
    outer = min(lines[position].indent for position, _, _ in starts)
    return _cut(lines, [start for start in starts if lines[start[0]].indent <= outer + 1])


def _cut(lines: Sequence[Line], starts: Sequence[tuple[int, str, int]]) -> list[Group]:
    """The groups that begin at these lines; each is (position of the line, label, length of its mark)."""
    groups: list[Group] = []
    ends = [position for position, _, _ in starts[1:]] + [len(lines)]
    for (position, label, mark), end in zip(starts, ends, strict=True):
        inside = [line for line in lines[position:end] if not line.is_blank]
        if inside:
            groups.append(Group(tuple(inside), label or None, inside[0].start + mark))
    return groups


def _begun(lines: Sequence[Line], begins: Callable[[int], bool], *, is_guess: bool = False) -> list[Group]:
    """The groups whose first lines are those for which `begins` is true, and the first line of all.

    A guess counts only where an entry with a year or an id has ended, or one without them before an obvious name.
    """
    starts: list[int] = []
    is_dated, before = False, ""
    for position, line in enumerate(lines):
        if line.is_blank:
            continue
        if not starts or (begins(position) and (not is_guess or may_follow(line.text.strip(), before, is_dated))):
            starts.append(position)
            is_dated = False
        is_dated = is_dated or bool(YEAR.search(line.text) or _ID.search(line.text)) or is_undated(line.text)
        before = line.text
    return _cut(lines, [(position, "", lines[position].indent) for position in starts])


def _by_blank_lines(lines: Sequence[Line]) -> list[Group]:
    """A paragraph that begins in small letters goes on from the page before, unless they are a name's, as `van der`."""

    def begins(at: int) -> bool:
        text = lines[at].text.lstrip()
        return lines[at - 1].is_blank and (not text[:1].islower() or begins_with_name(text))

    return _begun(lines, begins)


def _by_indents(lines: Sequence[Line]) -> list[Group]:
    """Hanging indents: the first line of an entry stands further left than the others."""
    least = min(line.indent for line in lines if not line.is_blank)
    return _begun(lines, lambda at: lines[at].indent == least)


def _by_authors(lines: Sequence[Line]) -> list[Group]:
    """An entry begins with a name, behind the end of another."""

    def begins(at: int) -> bool:
        return begins_with_name(lines[at].text.strip()) and has_ended(lines[at - 1].text)

    return _begun(lines, begins, is_guess=True)


def _by_short_lines(lines: Sequence[Line]) -> list[Group]:
    """The last line of an entry is mostly shorter than the others; some entries begin with a name behind a full one."""
    lengths = sorted(len(line.text) for line in lines if not line.is_blank)
    width = lengths[len(lengths) * 9 // 10]

    def begins(at: int) -> bool:
        before, text = lines[at - 1].text, lines[at].text.strip()
        is_name = begins_with_name(text) and has_ended(before)
        return is_name or (len(before) < SHORT * width and not text[:1].islower())

    return _begun(lines, begins, is_guess=True)


def _by_lines(lines: Sequence[Line]) -> list[Group]:
    return _begun(lines, lambda _: True)
