"""Where a picture of a citation network has everything: years from left to right, papers near what they cite. Pure.

Every year that has papers is a column, as wide as these need; papers without a year stand before all. The heights come
from the barycentre method in one dimension: again and again a paper moves halfway to the middle of its neighbours, and
all are spread evenly. Then the papers are placed one by one, the first ones first, each with its label at the nearest
place that is still free. So nothing overlaps; where it is crowded the later ones have no label, and the picture grows
when there is no room at all.
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
# Of a small letter in the widest of the fonts of the pictures.
LETTER_WIDTH = 7.0
LABEL_WIDTH, LABEL_HEIGHT = 116, 14
LEAST_RADIUS, MOST_RADIUS, LEAST_KEPT_RADIUS = 4.5, 17.0, 10.0
# Half a label stands out at either side of the years.
SIDE = MARGIN + LABEL_WIDTH / 2
LEAST_WIDTH, MOST_WIDTH = 720, 1390
LEAST_HEIGHT, GROWTH = 240, 48
# How much of the area papers and labels may fill, what is left free besides (square pixels), and the picture's form.
FILLED, FREE, ASPECT = 0.5, 60_000, 2.1
LEAST_COLUMN = 36.0
NO_YEAR = "no year"
SWEEPS = 30
# The grid of what is free, and the steps in which a place is sought, in so many lanes of a column at most.
CELL, STEP_X, STEP_Y, LANES = 4, 12, 8, 16
# How far from its place a paper may be moved for its label.
REACH = 0.45
GAP = 3
# Marks that would turn the year around; and what must not be the last of a text that was cut.
_DIRECTIONS = re.compile(f"[{pattern_of(DIRECTIONS)}]")
BLANK_OR_JOINER = " \u200d"

Box = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Mark:
    """What is drawn for a paper; those with more weight are larger."""

    name: str
    label: str
    tooltip: str
    weight: float
    year: int | None = None


@dataclass(frozen=True, slots=True)
class Spot:
    """A mark with its centre; not all are labelled."""

    mark: Mark
    x: float
    y: float
    radius: float
    labelled: bool


@dataclass(frozen=True, slots=True)
class Column:
    """A part of the width and what is in it."""

    title: str
    left: float
    width: float


@dataclass(frozen=True, slots=True)
class Layout:
    """The whole picture's size, its columns from left to right, and its spots by name."""

    width: float
    height: float
    columns: Sequence[Column]
    spots: Mapping[str, Spot]


class _Ground:
    """What of the area is taken: a bit a cell, an integer a row of cells."""

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


def timeline(marks: Sequence[Mark], lines: Iterable[tuple[str, str]], kept: Collection[str] = ()) -> Layout:
    """A place for each mark, the most important given first; those in `kept` are all labelled.

    A mark's weight, 0–1, is its share of the greatest area. `lines` join two marks by their names.
    """
    heights = _heights([mark.name for mark in marks], lines)
    radii = {mark.name: _radius(mark, mark.name in kept) for mark in marks}
    needs = {mark.name: (max(width_of(mark.label), 2 * radii[mark.name]) + 8) * _depth(mark, radii) for mark in marks}
    area = sum(needs.values()) / FILLED + FREE
    width = min(MOST_WIDTH - 2 * SIDE, max(LEAST_WIDTH - 2 * SIDE, math.sqrt(area * ASPECT)))
    columns = _columns(marks, needs, width)
    height = max(LEAST_HEIGHT, area / width)
    ground = _Ground()
    spots: dict[str, Spot] = {}
    by_year = {mark.name: columns[mark.year] for mark in marks}
    for mark in sorted(marks, key=lambda mark: mark.name not in kept):
        spot = None
        while spot is None:
            wanted = heights[mark.name] * height
            spot = _placed(mark, mark.name in kept, by_year[mark.name], radii[mark.name], wanted, height, ground)
            height += 0 if spot else GROWTH
        ground.take(_boxes(spot))
        spots[mark.name] = spot
    return Layout(round(width + 2 * SIDE), math.ceil(height), list(columns.values()), spots)


def _radius(mark: Mark, kept: bool) -> float:
    radius = math.sqrt(LEAST_RADIUS**2 + mark.weight * (MOST_RADIUS**2 - LEAST_RADIUS**2))
    return round(max(radius, LEAST_KEPT_RADIUS if kept else 0), 1)


def _depth(mark: Mark, radii: Mapping[str, float]) -> float:
    return 2 * radii[mark.name] + LABEL_HEIGHT + 8


def _heights(names: Sequence[str], lines: Iterable[tuple[str, str]]) -> dict[str, float]:
    """From 0 to 1, evenly spread, the joined ones near each other."""
    joined: defaultdict[str, list[str]] = defaultdict(list)
    for one, other in sorted(lines):
        joined[one].append(other)
        joined[other].append(one)
    order = sorted(names)
    for _ in range(SWEEPS):
        at = {name: place / len(order) for place, name in enumerate(order)}
        aims = {name: (at[name] + _mean([at[other] for other in joined[name]], at[name])) / 2 for name in order}
        order.sort(key=lambda name: (round(aims[name], 9), name))
    return {name: (place + 0.5) / len(order) for place, name in enumerate(order)}


def _mean(values: Sequence[float], otherwise: float) -> float:
    return sum(values) / len(values) if values else otherwise


def _columns(marks: Iterable[Mark], needs: Mapping[str, float], width: float) -> dict[int | None, Column]:
    """A column a year, those without first; each has a little, and of the rest what its papers need."""
    ordered = sorted(marks, key=lambda mark: (mark.year is not None, mark.year or 0))
    parts = {year: sum(needs[mark.name] for mark in some) for year, some in groupby(ordered, lambda mark: mark.year)}
    least = min(LEAST_COLUMN, 0.6 * width / max(1, len(parts)))
    rest, total = width - least * len(parts), sum(parts.values())
    columns: dict[int | None, Column] = {}
    left = SIDE
    for year, part in parts.items():
        wide = least + rest * part / total
        columns[year] = Column(NO_YEAR if year is None else str(year), round(left, 1), round(wide, 1))
        left += wide
    return columns


def _placed(
    mark: Mark, kept: bool, column: Column, radius: float, wanted: float, height: float, ground: _Ground
) -> Spot | None:
    """At the nearest free place: labelled, else (unless it must be kept) without a label; None when there is none."""
    near = [(x, y) for _, x, y in sorted(_places(column, radius, wanted, height))]
    labelled = (Spot(mark, x, y, radius, True) for x, y in near if kept or abs(y - wanted) < REACH * height)
    bare = (Spot(mark, x, y, radius, False) for x, y in near if not kept)
    return next((spot for some in (labelled, bare) for spot in some if ground.is_free(_boxes(spot))), None)


def _places(column: Column, radius: float, wanted: float, height: float) -> Iterator[tuple[float, float, float]]:
    """How far off, x and y; sideways counts for less."""
    middle = column.left + column.width / 2
    step_x = max(STEP_X, column.width / LANES)
    aside = max(0, math.floor((column.width / 2 - min(radius, column.width / 2 - 1)) / step_x))
    lowest = height - radius - LABEL_HEIGHT - GAP
    rows = max(1, math.ceil((lowest - radius) / STEP_Y))
    heights = [round(GAP + radius + row * STEP_Y, 1) for row in range(rows)]
    for x in (round(middle + step * step_x, 1) for step in range(-aside, aside + 1)):
        off = 0.25 * abs(x - middle)
        yield from ((abs(y - wanted) + off, x, y) for y in heights)


def _boxes(spot: Spot) -> list[Box]:
    """Of the circle and its label, with some air."""
    x, y, r = spot.x, spot.y, spot.radius + GAP
    boxes = [(x - r, y - r, x + r, y + r)]
    if spot.labelled:
        left, top, right, bottom = label_box(spot)
        boxes.append((left - GAP, top, right + GAP, bottom + 1))
    return boxes


def label_box(spot: Spot) -> Box:
    """Where the label is, below its circle."""
    half, top = width_of(spot.mark.label) / 2, spot.y + spot.radius + 1
    return spot.x - half, top, spot.x + half, top + LABEL_HEIGHT


def width_of(text: str) -> float:
    """In pixels, in bold letters: ideographs count twice, marks upon other letters not at all."""
    return sum(map(_letters, text)) * LETTER_WIDTH


def _letters(sign: str) -> float:
    if combining(sign):
        return 0
    if east_asian_width(sign) in "WF":
        return 2
    return 1.7 if sign in "MWmw…" else 1.3 if sign.isupper() else 1


def short(text: str, end: str = "") -> str:
    """Cut to the width of a label, the end kept whole."""
    text = " ".join(_DIRECTIONS.sub("", text).split())
    if width_of(text + end) > LABEL_WIDTH:
        while text and width_of(f"{text}…{end}") > LABEL_WIDTH:
            text = text[:-1]
        text = f"{text.rstrip(BLANK_OR_JOINER)}…"
    return text + end
