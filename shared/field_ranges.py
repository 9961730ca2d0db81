"""The ranges and lengths that a field may declare for data from outside; `shared.field_checks` holds them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Text:
    """A text for people; a longer one is cut, and half a character (a lone surrogate) is replaced by U+FFFD."""

    longest: int  # characters


@dataclass(frozen=True, slots=True)
class Token:
    """A text for machines, such as an identifier; one that is longer or not accepted does not fit."""

    name: str  # completes "not …"
    accepts: Callable[[str], object]
    longest: int = 500


@dataclass(frozen=True, slots=True)
class Between:
    """A number in this range; True, NaN and Infinity are none."""

    least: float
    most: float


@dataclass(frozen=True, slots=True)
class OneOf:
    """One of these texts."""

    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AtMost:
    """A list of at most this many items; the others are left out."""

    count: int
