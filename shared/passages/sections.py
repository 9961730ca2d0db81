"""How much a passage counts by its section: findings before methods, and methods before acknowledgements."""

from __future__ import annotations

import re
from collections.abc import Sequence

from shared.bibliography.full_text import Kind

# Headings in the languages that most open texts are in; the first that fits decides.
_HEADINGS: tuple[tuple[float, re.Pattern[str]], ...] = (
    (0.5, re.compile(
        r"acknowledg|agradecim|remerciem|danksag|funding|financia|competing|conflict|interest|author contrib|ethic|"
        r"abbreviat|supplement|appendi|references|bibliogra|referencias|literatur", re.I)),
    (0.85, re.compile(r"method|material|métod|matériel|statistic|data collection|procedure|participants", re.I)),
    (1.0, re.compile(
        r"result|finding|conclu|discuss|discus|abstract|summary|resum|résum|zusammenf|ergebnis|limitation|"
        r"implication", re.I)),
)  # fmt: skip
OTHER = 0.95
# Short pieces that repeat their paragraphs, or say little without them.
_KINDS: dict[Kind, float] = {"formula": 0.7, "code": 0.6, "footnote": 0.9, "figure": 0.9, "table": 0.95}


def section_weight(path: Sequence[str], kind: Kind) -> float:
    """A factor from 0 to 1. The innermost heading that says what its section holds decides."""
    by_heading = next(
        (weight for heading in reversed(path) for weight, pattern in _HEADINGS if pattern.search(heading)), OTHER
    )
    return by_heading * _KINDS.get(kind, 1.0)
