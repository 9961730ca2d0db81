"""Operators of distance (`NEAR/3`, `adj2`, `N3`), which no source has: papers must have both terms, wherever."""

from __future__ import annotations

import re


def read_distances(text: str, operators: re.Pattern[str], written: str = "AND") -> tuple[str, list[str]]:
    """The text with `written` in place of these operators, and a note on each."""
    notes = [f"{found[0].strip()} as AND, at any distance" for found in operators.finditer(text)]
    return operators.sub(written, text), notes
