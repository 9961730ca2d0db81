"""Where a picture of the graph has everything: years from left to right, every label in a cell of its own. Pure.

Each column is a year or a span of years; before them a column for papers whose year is not known, after them one for
contexts. A column holds first what is labelled, a cell each, then the rest, packed closely. So labels cannot overlap.
Within a column all stand near what they are joined to (the barycentre method), ties in the order of their keys.
"""

from __future__ import annotations

import math
import operator
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

# Labelled are the few papers where most lines meet, then the largest.
LABELS, HUBS, CONTEXT_LABELS = 40, 5, 10
CELL_WIDTH, CELL_HEIGHT = 112, 46
CELLS_DOWN = 10  # more labels than that stand side by side
DOT_PITCH = 20
LEAST_RADIUS, MOST_RADIUS, DOT_RADIUS, CONTEXT_RADIUS = 4.0, 13.0, 7.0, 9.0
HEADER, MARGIN = 44, 16
SPANS = (1, 2, 5, 10, 20, 50, 100, 1000)  # of years in a column
COLUMNS_OF_YEARS = 9
SWEEPS = 6
# How far a line may rise or sink to go around what is in its way, the best first.
LIFTS = (0, -20, 20, -40, 40, -56, 56)
CURVE_STEPS = 24

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Mark:
    """What is drawn for a paper or a context; those with more weight are larger, or at least labelled."""

    name: str
    label: str
    tooltip: str
    weight: float
    year: int | None = None
    is_context: bool = False


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


@dataclass(frozen=True, slots=True)
class _Stack:
    """The marks of one column; `large` are labelled."""

    title: str
    left: float
    lanes: int
    large: list[Mark]
    small: list[Mark]

    @property
    def width(self) -> int:
        return self.lanes * CELL_WIDTH

    @property
    def height(self) -> int:
        rows = math.ceil(len(self.large) / self.lanes), math.ceil(len(self.small) / self.dots)
        return rows[0] * CELL_HEIGHT + rows[1] * DOT_PITCH

    @property
    def dots(self) -> int:
        """How many that are not labelled stand side by side."""
        return (self.width - DOT_PITCH) // DOT_PITCH


def layout(marks: Iterable[Mark], lines: Iterable[tuple[str, str]]) -> Layout:
    """A place for each mark; `lines` join two of them by their names."""
    ordered = sorted(marks, key=lambda mark: (-mark.weight, mark.name))
    joined = defaultdict(list)
    for one, other in sorted(lines):
        joined[one].append(other)
        joined[other].append(one)
    stacks = _stacks(ordered, _labelled(ordered, joined))
    height = max((stack.height for stack in stacks), default=CELL_HEIGHT)
    most = max((mark.weight for mark in ordered if not mark.is_context), default=0.0)
    for _ in range(SWEEPS):
        heights = {name: spot.y for name, spot in _spots(stacks, height, most).items()}
        for stack in stacks:
            for some in (stack.large, stack.small):
                some.sort(key=lambda mark: (_mean_height(mark, joined, heights), mark.name))
    columns = [Column(stack.title, stack.left, stack.width) for stack in stacks]
    width = 2 * MARGIN + max(sum(stack.width for stack in stacks), CELL_WIDTH)
    return Layout(width, HEADER + height + MARGIN, columns, _spots(stacks, height, most))


def _mean_height(mark: Mark, joined: Mapping[str, Sequence[str]], heights: Mapping[str, float]) -> float:
    others = [heights[name] for name in joined.get(mark.name, ()) if name in heights] or [heights[mark.name]]
    return round(sum(others) / len(others), 3)


def _labelled(ordered: Sequence[Mark], joined: Mapping[str, Sequence[str]]) -> set[str]:
    papers = [mark.name for mark in ordered if not mark.is_context]
    hubs = sorted(papers, key=lambda name: -len(joined.get(name, ())))[:HUBS]
    contexts = [mark.name for mark in ordered if mark.is_context]
    return {*list(dict.fromkeys([*hubs, *papers]))[:LABELS], *contexts[:CONTEXT_LABELS]}


def _stacks(ordered: Sequence[Mark], large: Collection[str]) -> list[_Stack]:
    years = sorted({mark.year for mark in ordered if mark.year is not None})
    span = next((it for it in SPANS if len({year // it for year in years}) <= COLUMNS_OF_YEARS), SPANS[-1])
    parts: defaultdict[tuple[int, int], list[Mark]] = defaultdict(list)
    for mark in ordered:
        at = (2, 0) if mark.is_context else (0, 0) if mark.year is None else (1, mark.year // span)
        parts[at].append(mark)
    stacks: list[_Stack] = []
    left = float(MARGIN)
    for (part, _), some in sorted(parts.items()):
        labelled = [mark for mark in some if mark.name in large]
        lanes = max(1, math.ceil(len(labelled) / CELLS_DOWN))
        rest = [mark for mark in some if mark.name not in large]
        stacks.append(_Stack(_title(part, some), left, lanes, labelled, rest))
        left += stacks[-1].width
    return stacks


def _title(part: int, marks: Sequence[Mark]) -> str:
    if part != 1:
        return "year unknown" if part == 0 else "cited or shown in"
    years = [mark.year for mark in marks if mark.year is not None]
    return str(min(years)) if min(years) == max(years) else f"{min(years)}–{max(years)}"


def _spots(stacks: Sequence[_Stack], height: float, most: float) -> dict[str, Spot]:
    """Each stack in the middle of the height; in a cell the mark stands above its label."""
    spots = {}
    for stack in stacks:
        top = HEADER + (height - stack.height) / 2
        for number, mark in enumerate(stack.large):
            row, lane = divmod(number, stack.lanes)
            x, y = stack.left + (lane + 0.5) * CELL_WIDTH, top + row * CELL_HEIGHT + MOST_RADIUS + 2
            spots[mark.name] = Spot(mark, x, y, _radius(mark, most), labelled=True)
        top += math.ceil(len(stack.large) / stack.lanes) * CELL_HEIGHT
        for number, mark in enumerate(stack.small):
            row, place = divmod(number, stack.dots)
            inset = (stack.width - min(stack.dots, len(stack.small)) * DOT_PITCH) / 2
            x, y = stack.left + inset + (place + 0.5) * DOT_PITCH, top + (row + 0.5) * DOT_PITCH
            spots[mark.name] = Spot(mark, x, y, min(_radius(mark, most), DOT_RADIUS), labelled=False)
    return spots


def _radius(mark: Mark, most: float) -> float:
    """A paper's area grows with its weight; contexts are of one size."""
    if mark.is_context:
        return CONTEXT_RADIUS
    share = mark.weight / most if most else 0.0
    return round(math.sqrt(LEAST_RADIUS**2 + share * (MOST_RADIUS**2 - LEAST_RADIUS**2)), 1)


def curve(source: Spot, target: Spot, obstacles: Iterable[Spot] = ()) -> tuple[Point, Point, Point, Point]:
    """The Bézier curve of a line, edge to edge: it leaves and arrives sideways, and keeps off as many spots as it can.

    Within a column it bows out to the left.
    """
    way = 1 if target.x > source.x else -1
    end_way = way if target.x != source.x else 1
    start, end = source.x + way * source.radius, target.x - end_way * (target.radius + 1)
    bow = max(28.0, abs(end - start) * 0.45)
    low, high = sorted((start, end))
    between = [it for it in obstacles if low - bow < it.x < high + bow and it.mark not in (source.mark, target.mark)]
    ways = [
        (
            (start, source.y),
            (start + way * bow, source.y + lift),
            (end - end_way * bow, target.y + lift),
            (end, target.y),
        )
        for lift in LIFTS
    ]
    best = min(ways, key=lambda points: _met(points, between))
    one, two, three, four = ((round(x, 1), round(y, 1)) for x, y in best)
    return one, two, three, four


def _met(curve: Sequence[Point], spots: Sequence[Spot]) -> int:
    """How many spots a curve runs into."""
    steps = [step / CURVE_STEPS for step in range(CURVE_STEPS + 1)] if spots else []
    weights = [((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t**2 * (1 - t), t**3) for t in steps]
    points = [tuple(sum(map(operator.mul, four, axis)) for axis in zip(*curve, strict=True)) for four in weights]
    return sum(any(math.dist(point, (it.x, it.y)) < it.radius + 4 for point in points) for it in spots)
