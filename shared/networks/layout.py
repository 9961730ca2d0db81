"""The layout of a picture of a citation network: years from left to right, papers near those that they cite.

Every year with papers is a column, as wide as its papers need; papers without a year come first. The heights come from
the barycentre method in one dimension: each paper repeatedly moves halfway to the mean of its neighbours, then all are
spread evenly. The papers are then placed one by one in the given order, each with its label at the nearest free
position. So nothing overlaps; in crowded columns later papers have no label, and the picture grows if there is no free
position.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from unicodedata import combining, east_asian_width

from shared.bibliography.characters import DIRECTIONS, pattern_of

MARGIN = 16
# In pixels: a lower-case letter in the widest font of the pictures.
LETTER_WIDTH = 7.0
LABEL_WIDTH, LABEL_HEIGHT = 116, 14
MIN_RADIUS, MAX_RADIUS, MIN_PROMINENT_RADIUS = 4.5, 17.0, 10.0
# Labels may extend by half their width beyond the columns at either side.
SIDE = MARGIN + LABEL_WIDTH / 2
MIN_WIDTH, MAX_WIDTH = 720, 1390
MIN_HEIGHT, GROWTH = 240, 48
# The share of the area that papers and labels may fill, the area left free in addition (square pixels), and the ratio
# of width to height.
FILLED, FREE, ASPECT = 0.5, 60_000, 2.1
MIN_COLUMN = 36.0
NO_YEAR = "no year"
ITERATIONS = 30
# In pixels: the cells of the occupancy grid, and the distances of candidate positions; and the most candidates side by
# side in a column.
CELL, STEP_X, STEP_Y, MAX_STEPS_X = 4, 12, 8, 16
# How far a paper may be moved so that its label fits, as a share of the height.
REACH = 0.45
GAP = 3
# Direction marks, which would reverse the year; and the characters that a shortened text must not end with.
_DIRECTIONS = re.compile(f"[{pattern_of(DIRECTIONS)}]")
BLANK_OR_JOINER = " \u200d"

Box = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Mark:
    """What is drawn for a paper; the circle's area grows with the weight, 0 to 1."""

    name: str
    label: str
    tooltip: str
    weight: float
    year: int | None = None


@dataclass(frozen=True, slots=True)
class Spot:
    """A placed mark, with its centre and radius in pixels."""

    mark: Mark
    x: float
    y: float
    radius: float
    labelled: bool


@dataclass(frozen=True, slots=True)
class Column:
    """The horizontal range of a year."""

    title: str
    left: float
    width: float


@dataclass(frozen=True, slots=True)
class Layout:
    """The size of the picture, its columns from left to right, and its spots by name."""

    width: float
    height: float
    columns: Sequence[Column]
    spots: Mapping[str, Spot]


class _Occupancy:
    """The occupied cells of the area: an integer for each row, with a bit for each cell."""

    def __init__(self) -> None:
        self._rows: defaultdict[int, int] = defaultdict(int)

    def is_free(self, boxes: Iterable[Box]) -> bool:
        return not any(self._rows[row] & bits for box in boxes for row, bits in _cells(box))

    def take(self, boxes: Iterable[Box]) -> None:
        for row, bits in (cell for box in boxes for cell in _cells(box)):
            self._rows[row] |= bits


def _cells(box: Box) -> Iterator[tuple[int, int]]:
    left, top, right, bottom = (edge / CELL for edge in box)
    first = max(0, math.floor(left))
    bits = (1 << math.ceil(right)) - (1 << first)
    return ((row, bits) for row in range(math.floor(top), math.ceil(bottom)))


def timeline(marks: Sequence[Mark], lines: Iterable[tuple[str, str]], prominent: Collection[str] = ()) -> Layout:
    """Place all marks, given with the most important first; `lines` connect two marks by name.

    The marks named in `prominent` are placed first and are all labelled.
    """
    heights = _heights([mark.name for mark in marks], lines)
    radii = {mark.name: _radius(mark, mark.name in prominent) for mark in marks}
    needs = {mark.name: (max(width_of(mark.label), 2 * radii[mark.name]) + 8) * _depth(mark, radii) for mark in marks}
    area = sum(needs.values()) / FILLED + FREE
    width = min(MAX_WIDTH - 2 * SIDE, max(MIN_WIDTH - 2 * SIDE, math.sqrt(area * ASPECT)))
    columns = _columns(marks, needs, width)
    height = max(MIN_HEIGHT, area / width)
    occupancy = _Occupancy()
    spots: dict[str, Spot] = {}
    by_year = {mark.name: columns[mark.year] for mark in marks}
    for mark in sorted(marks, key=lambda mark: mark.name not in prominent):
        spot = None
        while spot is None:
            wanted = heights[mark.name] * height
            spot = _placed(
                mark, mark.name in prominent, by_year[mark.name], radii[mark.name], wanted, height, occupancy
            )
            height += 0 if spot else GROWTH
        occupancy.take(_boxes(spot))
        spots[mark.name] = spot
    return Layout(round(width + 2 * SIDE), math.ceil(height), list(columns.values()), spots)


def _radius(mark: Mark, prominent: bool) -> float:
    radius = math.sqrt(MIN_RADIUS**2 + mark.weight * (MAX_RADIUS**2 - MIN_RADIUS**2))
    return round(max(radius, MIN_PROMINENT_RADIUS if prominent else 0), 1)


def _depth(mark: Mark, radii: Mapping[str, float]) -> float:
    return 2 * radii[mark.name] + LABEL_HEIGHT + 8


def _heights(names: Sequence[str], lines: Iterable[tuple[str, str]]) -> dict[str, float]:
    """The relative height of each mark, 0 to 1: evenly spread, connected ones near each other."""
    neighbours: defaultdict[str, list[str]] = defaultdict(list)
    for one, other in sorted(lines):
        neighbours[one].append(other)
        neighbours[other].append(one)
    order = sorted(names)
    for _ in range(ITERATIONS):
        now = {name: position / len(order) for position, name in enumerate(order)}
        aims = {name: (now[name] + _mean([now[other] for other in neighbours[name]], now[name])) / 2 for name in order}
        order.sort(key=lambda name: (round(aims[name], 9), name))
    return {name: (position + 0.5) / len(order) for position, name in enumerate(order)}


def _mean(values: Sequence[float], otherwise: float) -> float:
    return sum(values) / len(values) if values else otherwise


def _columns(marks: Iterable[Mark], needs: Mapping[str, float], width: float) -> dict[int | None, Column]:
    """A column for each year, `no year` first: a minimum width each, the rest in proportion to what the papers need."""
    ordered = sorted(marks, key=lambda mark: (mark.year is not None, mark.year or 0))
    parts = {year: sum(needs[mark.name] for mark in some) for year, some in groupby(ordered, lambda mark: mark.year)}
    least = min(MIN_COLUMN, 0.6 * width / max(1, len(parts)))
    rest, total = width - least * len(parts), sum(parts.values())
    columns: dict[int | None, Column] = {}
    left = SIDE
    for year, part in parts.items():
        wide = least + rest * part / total
        columns[year] = Column(NO_YEAR if year is None else str(year), round(left, 1), round(wide, 1))
        left += wide
    return columns


def _placed(
    mark: Mark, prominent: bool, column: Column, radius: float, wanted: float, height: float, occupancy: _Occupancy
) -> Spot | None:
    """The mark at the nearest free position, labelled if possible; None if there is no free position.

    A prominent mark is never placed without its label.
    """
    near = [(x, y) for _, x, y in sorted(_positions(column, radius, wanted, height))]
    labelled = (Spot(mark, x, y, radius, True) for x, y in near if prominent or abs(y - wanted) < REACH * height)
    bare = (Spot(mark, x, y, radius, False) for x, y in near if not prominent)
    return next((spot for some in (labelled, bare) for spot in some if occupancy.is_free(_boxes(spot))), None)


def _positions(column: Column, radius: float, wanted: float, height: float) -> Iterator[tuple[float, float, float]]:
    """All positions in the column: distance from the wanted one, x, y; horizontal distance counts a quarter."""
    middle = column.left + column.width / 2
    step_x = max(STEP_X, column.width / MAX_STEPS_X)
    aside = max(0, math.floor((column.width / 2 - min(radius, column.width / 2 - 1)) / step_x))
    lowest = height - radius - LABEL_HEIGHT - GAP
    rows = max(1, math.ceil((lowest - radius) / STEP_Y))
    heights = [round(GAP + radius + row * STEP_Y, 1) for row in range(rows)]
    for x in (round(middle + step * step_x, 1) for step in range(-aside, aside + 1)):
        off = 0.25 * abs(x - middle)
        yield from ((abs(y - wanted) + off, x, y) for y in heights)


def _boxes(spot: Spot) -> list[Box]:
    """The boxes of the circle and of its label, with a gap around them."""
    x, y, r = spot.x, spot.y, spot.radius + GAP
    boxes = [(x - r, y - r, x + r, y + r)]
    if spot.labelled:
        left, top, right, bottom = label_box(spot)
        boxes.append((left - GAP, top, right + GAP, bottom + 1))
    return boxes


def label_box(spot: Spot) -> Box:
    """The box of the label, which is below the circle."""
    half, top = width_of(spot.mark.label) / 2, spot.y + spot.radius + 1
    return spot.x - half, top, spot.x + half, top + LABEL_HEIGHT


def width_of(text: str) -> float:
    """The width in pixels in a bold font; ideographs count twice, combining marks not at all."""
    return sum(map(_letters, text)) * LETTER_WIDTH


def _letters(char: str) -> float:
    if combining(char):
        return 0
    if east_asian_width(char) in "WF":
        return 2
    return 1.7 if char in "MWmw…" else 1.3 if char.isupper() else 1


def short(text: str, end: str = "") -> str:
    """The text, shortened so that it and `end` fit into the width of a label."""
    text = " ".join(_DIRECTIONS.sub("", text).split())
    if width_of(text + end) > LABEL_WIDTH:
        while text and width_of(f"{text}…{end}") > LABEL_WIDTH:
            text = text[:-1]
        text = f"{text.rstrip(BLANK_OR_JOINER)}…"
    return text + end
