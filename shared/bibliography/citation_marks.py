"""The marks with which a text cites the entries of its bibliography by numbers: `[1]`, `[2, 3]`, `[4–6]`."""

from __future__ import annotations

import re
from collections.abc import Iterator

_MARK = re.compile(r"\[(\d{1,4}(?:\s?[,;–-]\s?\d{1,4}){0,40})\]")
_NUMBER = re.compile(r"([–-])?\s?(\d{1,4})")
_MOST_IN_A_RANGE = 50


def numbers_in_marks(text: str) -> Iterator[int]:
    """The numbers in all marks of a text, with those between the ends of a range."""
    for mark in _MARK.finditer(text):
        last = 0
        for part in _NUMBER.finditer(mark[1]):
            number = int(part[2])
            is_range = part[1] and 0 < last < number
            yield from range(last + 1, min(number, last + _MOST_IN_A_RANGE) + 1) if is_range else (number,)
            last = number
