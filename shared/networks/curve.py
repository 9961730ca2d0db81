"""The curve of a citation in a picture: a Bézier curve that avoids the papers between its ends."""

from __future__ import annotations

import math
import operator
from collections.abc import Iterable, Sequence

from shared.networks.layout import Spot

# The vertical offsets of a curve that are tried to avoid papers, in pixels, the preferred first.
LIFTS = (0, -20, 20, -40, 40, -56, 56)
CURVE_STEPS = 24

Point = tuple[float, float]


def curve(source: Spot, target: Spot, obstacles: Iterable[Spot] = ()) -> tuple[Point, Point, Point, Point]:
    """The control points of a curve between the edges of two spots; it crosses as few obstacles as possible.

    It leaves and arrives horizontally. Within a column it bends to the left.
    """
    way = 1 if target.x > source.x else -1
    end_way = way if target.x != source.x else 1
    start, end = source.x + way * source.radius, target.x - end_way * (target.radius + 1)
    bow = max(28.0, abs(end - start) * 0.45)
    low, high = sorted((start, end))
    between = [
        spot for spot in obstacles if low - bow < spot.x < high + bow and spot.mark not in (source.mark, target.mark)
    ]
    ways = [
        (
            (start, source.y),
            (start + way * bow, source.y + lift),
            (end - end_way * bow, target.y + lift),
            (end, target.y),
        )
        for lift in LIFTS
    ]
    best = min(ways, key=lambda points: _crossed(points, between))
    one, two, three, four = ((round(x, 1), round(y, 1)) for x, y in best)
    return one, two, three, four


def _crossed(curve: Sequence[Point], spots: Sequence[Spot]) -> int:
    """How many spots a curve crosses."""
    steps = [step / CURVE_STEPS for step in range(CURVE_STEPS + 1)] if spots else []
    weights = [((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t**2 * (1 - t), t**3) for t in steps]
    points = [tuple(sum(map(operator.mul, four, axis)) for axis in zip(*curve, strict=True)) for four in weights]
    return sum(any(math.dist(point, (spot.x, spot.y)) < spot.radius + 4 for point in points) for spot in spots)
