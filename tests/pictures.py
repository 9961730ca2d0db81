"""What is drawn where, for the tests of our pictures."""

from __future__ import annotations

from itertools import chain, combinations

SVG = "{http://www.w3.org/2000/svg}"
SHORT_AND_LONG_NAMES = (
    "Li",
    "Deczkowska",
    "Wolfeschlegelsteinhausen",
    "WWWWWWWWWW",
    "\u5c71\u7530\u592a\u90ce\u4e00\u4e8c\u4e09",
)
Box = tuple[float, float, float, float]  # left, top, right, bottom


def overlaps(*boxes: list[Box]) -> list[tuple[Box, Box]]:
    """Every two boxes that lie on each other, of the same list or of two."""
    return [(one, other) for one, other in combinations(chain(*boxes), 2) if _overlap(one, other)]


def _overlap(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
