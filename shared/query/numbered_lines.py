"""Lines of a search strategy that only their breaks part: each keeps its number when the breaks are lost.

1  exp Asthma/ (120)            1. exp Asthma/ (120) 2. wheez*.tw. 3. 1 or 2        numbers without a sign: Ovid
2  wheez*.tw.
3  1 or 2

#3 #1 AND #2                    #1 tau #2 mice #3 #1 AND #2                         the newest line first: Web of
#2 mice                                                                             Science, EBSCOhost (`S3 …`)
#1 tau

MEDLINE (Ovid)                  MEDLINE (Ovid): (tau OR amyloid) AND mice           the heading above a search
(tau OR amyloid) AND mice

What stands above the lines, such as the head of a table, is left out.
"""

from __future__ import annotations

import re
from itertools import takewhile

_NUMBERED = re.compile(r"\s*([#S]?) ?([0-9]{1,3})([.):]?)\s+(?=\S)")
# A line that is made of others.
_COMBINES = re.compile(
    r"\(*[#S]?[0-9]{1,3}\)* (?:and|or|not) |(?:and|or)/ ?[0-9]|(?:limit|remove duplicates from) [#S]?[0-9]", re.I
)
# How many papers a line has found; none where a line is made of other lines' numbers alone.
_HITS = re.compile(r"\s{1,20}[0-9][0-9,.]{0,12}$")
_RULE = re.compile(r"[-=_|:\s]*")


def with_numbered_lines(text: str) -> str:
    """The lines of a strategy in the order of their numbers, each number with a sign; any other text as it is.

    A heading above another search ends with a colon.
    """
    typed = [_without_bars(line) for line in text.split("\n") if not _RULE.fullmatch(line)]
    lines = _numbered(typed)
    if len(lines) < 2 or not any(_COMBINES.match(line) for _, line in lines):
        return _with_heading(typed) or text
    if all(_HITS.search(line) and line.count(" ") for _, line in lines):
        lines = [(label, _HITS.sub("", line)) for label, line in lines]
    return "\n".join(f"{label} {line}" for label, line in lines)


def _without_bars(line: str) -> str:
    """A row of a table in Markdown without the bars between its cells; any other line as it is."""
    row = line.strip()
    return row.replace("|", " ") if len(row) > 2 and row[0] == row[-1] == "|" else line


def _with_heading(lines: list[str]) -> str | None:
    """The lines with a colon behind the headings above them; None if there is none."""
    from shared.query.search_labels import is_heading  # of few texts with several lines, and none of one

    headings = list(takewhile(is_heading, lines))
    if not headings or len(headings) == len(lines):
        return None
    return "\n".join([f"{' '.join(headings).rstrip(' :–—*_')}:", *lines[len(headings) :]])


def _numbered(lines: list[str]) -> list[tuple[str, str]]:
    """The lines with their labels, from the first to the last number; none unless they follow one another."""
    found: list[tuple[int, str, str]] = []
    step = 0
    for line in lines:
        label = _NUMBERED.match(line)
        number = int(label[2]) if label else 0
        if label and len(found) == 1 and number == 1 and found[0][0] != 2:  # the first was a part of the heading
            found = []
        if label and (not found or number == found[-1][0] + (step or 1) or (not step and number == found[-1][0] - 1)):
            step = number - found[-1][0] if found else 0
            mark = f"{label[1]}{number}{label[3] if label[1] else '.'}"
            found.append((number, mark, " ".join(line[label.end() :].split())))
        elif found:  # a line that goes on
            found[-1] = (*found[-1][:2], f"{found[-1][2]} {line.strip()}")
    ordered = sorted(found)
    return [(mark, line) for _, mark, line in ordered] if ordered and ordered[0][0] == 1 else []
