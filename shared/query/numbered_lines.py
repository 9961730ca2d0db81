"""Lines of a search strategy that only their breaks part: each keeps its number when the breaks are lost.

1  exp Asthma/ (120)            1. exp Asthma/ (120) 2. wheez*.tw. 3. 1 or 2        numbers without a sign: Ovid
2  wheez*.tw.
3  1 or 2

#3 #1 AND #2                    #1 tau #2 mice #3 #1 AND #2                         the newest line first: Web of
#2 mice                                                                             Science, EBSCOhost (`S3 …`)
#1 tau
"""

from __future__ import annotations

import re

_NUMBERED = re.compile(r"\s*([#S]?) ?([0-9]{1,3})([.):]?)\s+(?=\S)")
# A line that is made of others.
_COMBINES = re.compile(
    r"\(*[#S]?[0-9]{1,3}\)* (?:and|or|not) |(?:and|or)/ ?[0-9]|(?:limit|remove duplicates from) [#S]?[0-9]", re.I
)
# How many papers a line has found; none where a line is made of other lines' numbers alone.
_HITS = re.compile(r"\s{1,20}[0-9][0-9,.]{0,12}$")


def with_numbered_lines(text: str) -> str:
    """The lines of a strategy in the order of their numbers, each number with a sign; any other text as it is."""
    lines = _numbered(text.split("\n"))
    if len(lines) < 2 or not any(_COMBINES.match(line) for _, line in lines):
        return text
    if all(_HITS.search(line) and line.count(" ") for _, line in lines):
        lines = [(label, _HITS.sub("", line)) for label, line in lines]
    return "\n".join(f"{label} {line}" for label, line in lines)


def _numbered(lines: list[str]) -> list[tuple[str, str]]:
    """The lines with their labels, from the first to the last number; none unless they follow one another."""
    found: list[tuple[int, str, str]] = []
    step = 0
    for line in filter(str.strip, lines):
        label = _NUMBERED.match(line)
        number = int(label[2]) if label else 0
        if label and (not found or number == found[-1][0] + (step or 1) or (not step and number == found[-1][0] - 1)):
            step = number - found[-1][0] if found else 0
            mark = f"{label[1]}{number}{label[3] if label[1] else '.'}"
            found.append((number, mark, line[label.end() :].strip()))
        elif found:  # a line that goes on
            found[-1] = (*found[-1][:2], f"{found[-1][2]} {line.strip()}")
        else:
            return []
    ordered = sorted(found)
    return [(mark, line) for _, mark, line in ordered] if ordered and ordered[0][0] == 1 else []
