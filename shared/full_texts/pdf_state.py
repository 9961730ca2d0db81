"""The graphics state of a PDF page, as far as it says where text stands, how large it is and whether it can be seen.

Source: ISO 32000-2, 8.4 (graphics state), 8.6 (colour), 9.3 (text state), 9.4 (text objects).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

Matrix = tuple[float, float, float, float, float, float]
Counted = Literal["light", "ink", "other"]  # what the numbers of a colour are amounts of
IDENTITY: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
# Below this many points nobody reads a text; indices of indices have four.
SMALLEST_SIZE = 2.0
_WHITE, _NO_INK = 0.95, 0.05  # of each part of a colour, from 0 to 1
_INVISIBLE_MODES = (3, 7)  # neither filled nor stroked
MAX_NUMBER = 1e6  # larger ones are not places on a page


def product(first: Matrix, then: Matrix) -> Matrix:
    """The transformation that applies `first`, then `then`."""
    a, b, c, d, e, f = first
    g, h, i, j, k, m = then
    return (a * g + b * i, a * h + b * j, c * g + d * i, c * h + d * j, e * g + f * i + k, e * h + f * j + m)


def turned(
    degrees: int, left: float, lower: float, right: float, upper: float
) -> tuple[Matrix, tuple[float, float, float, float]]:
    """The page as it is shown, turned clockwise: the transformation of its content, and its edges."""
    match degrees % 360:
        case 90:
            return (0.0, -1.0, 1.0, 0.0, -lower, right), (0.0, 0.0, upper - lower, right - left)
        case 180:
            return (-1.0, 0.0, 0.0, -1.0, right, upper), (0.0, 0.0, right - left, upper - lower)
        case 270:
            return (0.0, 1.0, -1.0, 0.0, upper, -left), (0.0, 0.0, upper - lower, right - left)
    return IDENTITY, (left, lower, right, upper)


def numbers(operands: Sequence[object]) -> list[float]:
    """The operands that are numbers, within bounds that keep products finite."""
    found = [float(it) for it in operands if isinstance(it, int | float)]
    return [min(max(it, -MAX_NUMBER), MAX_NUMBER) if math.isfinite(it) else 0.0 for it in found]


def matrix_of(operands: Sequence[object]) -> Matrix:
    """Six numbers as a matrix; the identity for anything else."""
    found = numbers(operands)
    return (found[0], found[1], found[2], found[3], found[4], found[5]) if len(found) == 6 else IDENTITY


@dataclass(slots=True)
class GraphicsState:
    """What `q` saves and `Q` restores. `font` is a name of the resources."""

    place: Matrix = IDENTITY
    font: str = ""
    size: float = 0.0
    char_space: float = 0.0
    word_space: float = 0.0
    stretch: float = 1.0
    leading: float = 0.0
    rise: float = 0.0
    mode: int = 0
    counts: Counted = "light"
    is_white: bool = False
    is_transparent: bool = False

    def saved(self) -> GraphicsState:
        """A copy, which later operators do not change."""
        return replace(self)

    def set_number(self, operator: bytes, operands: Sequence[object]) -> None:
        """Apply an operator of the text state that has one number; without one it changes nothing."""
        value = next(iter(numbers(operands)), None)
        if value is None:
            return
        match operator:
            case b"Tc":
                self.char_space = value
            case b"Tw":
                self.word_space = value
            case b"Tz":
                self.stretch = value / 100
            case b"TL":
                self.leading = value
            case b"Ts":
                self.rise = value
            case b"Tr":
                self.mode = int(value)

    def set_space(self, space: str, parts: int = 0) -> None:
        """Apply `cs`: the family of a colour space, and how many parts the colours of an ICC profile have.

        Any space begins with black, or with all inks.
        """
        lights = space in ("/DeviceGray", "/DeviceRGB", "/CalGray", "/CalRGB", "/G", "/RGB") or parts in (1, 3)
        inks = space in ("/DeviceCMYK", "/Separation", "/DeviceN", "/CMYK") or parts == 4
        self.counts = "light" if lights else "ink" if inks else "other"
        self.is_white = False

    def set_colour(self, operator: bytes, operands: Sequence[object]) -> None:
        """Apply an operator of the fill colour: white is what all lights, or no ink, print."""
        if operator in (b"g", b"rg", b"k"):
            self.counts = "ink" if operator == b"k" else "light"
        parts = numbers(operands)
        is_light = bool(parts) and self.counts == "light" and min(parts) >= _WHITE
        self.is_white = is_light or (bool(parts) and self.counts == "ink" and max(parts) <= _NO_INK)

    def shows(self, on_page: Matrix) -> bool:
        """Whether text that begins at `on_page` is seen: with ink, of a size to read, and upright.

        Rotated text is a stamp at the margin, or a label of an axis.
        """
        a, b, _, d, _, _ = on_page
        is_upright = a > 0 and d > 0 and abs(b) < 0.05 * a
        has_ink = self.mode not in _INVISIBLE_MODES and not self.is_white and not self.is_transparent
        return is_upright and has_ink and self.size * d >= SMALLEST_SIZE


@dataclass(slots=True)
class TextPlace:
    """The text matrix and the matrix of the line, which `BT` begins anew."""

    text: Matrix = IDENTITY
    line: Matrix = IDENTITY

    def begin(self) -> None:
        """`BT`."""
        self.text = self.line = IDENTITY

    def set(self, matrix: Matrix) -> None:
        """`Tm`."""
        self.text = self.line = matrix

    def move(self, x: float, y: float) -> None:
        """`Td`: from the start of the line."""
        self.text = self.line = product((1.0, 0.0, 0.0, 1.0, x, y), self.line)

    def advance(self, x: float) -> None:
        """Behind a glyph, or by a number of `TJ`."""
        self.text = product((1.0, 0.0, 0.0, 1.0, x, 0.0), self.text)
