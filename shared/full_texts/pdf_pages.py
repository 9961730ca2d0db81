"""The text that was read of the pages of a PDF. Nothing here imports the parser, which a child process alone needs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

WORD_GAP = 0.17  # of the font size: wider than kerning, narrower than the narrowest blank of a justified line

ENCRYPTED = "is encrypted"
TOO_LONG = "takes too long to read"


class UnreadablePdf(Exception):
    """The message continues "… sent a PDF that"."""


class TextRun(NamedTuple):
    """A piece of text without a gap. `x`, `y` and `end` are points from the lower left corner; `y` is the baseline."""

    text: str
    x: float
    y: float
    end: float
    size: float
    is_bold: bool


@dataclass(slots=True)
class PdfPages:
    """The pages that could be read, by their numbers; `is_cut` if some could not, or there are more than are read."""

    pages: dict[int, Sequence[TextRun]] = field(default_factory=dict)
    is_cut: bool = False
