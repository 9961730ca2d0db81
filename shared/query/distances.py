"""Operators of distance (`NEAR/3`, `adj2`, `N3`), which no source has: papers must have both terms, wherever."""

from __future__ import annotations

import re

# EBSCOhost's `N3` and `W5`, which are words of chemistry and oncology, too: only beside a truncated word, and between
# two phrases or groups.
_EBSCO = (
    r"(?<=\* )[NW][0-9]{1,2}(?= (?!(?:AND|OR|NOT)\b)[\w(\ue000])|(?<=\w )[NW][0-9]{1,2}(?= \(*[^\W\d_]+\*)"
    r"|(?<=[)\ue001] )[NW][0-9]{1,2}(?= [(\ue000])"
)
NEAR = re.compile(
    rf"{_EBSCO}|(?<!\S)(?:adj[0-9]{{1,2}}|ADJ[0-9]{{0,2}}|(?<=\S )NEAR[0-9]{{1,2}}"
    r"|(?:NEAR|ONEAR|NEXT|W|PRE|near|onear|next|w|pre)/[0-9]{1,2}"
    r"|AROUND ?\([0-9]{1,2}\))(?!\S)"
)
FAR = re.compile("\ue000([0-9]+)\ue001~[0-9]{1,3}(?!\\w)")  # Lucene's `"tau amyloid"~3`, a phrase that is held
# In the fields of the Web of Science.
NEAR_OR_SAME = re.compile(rf"{NEAR.pattern}|(?<!\S)(?:NEAR|SAME)(?!\S)|(?<=[\w)*\ue001] )near(?= [\w(\ue000])")
ADJACENT = re.compile(r"(?<=[\w)*$\ue001] )adj(?= [\w(\ue000])")  # beside Ovid's fields; `adj` alone is a word


def read_distances(text: str, operators: re.Pattern[str], written: str = "AND") -> tuple[str, list[str]]:
    """The text with `written` in place of these operators, and a note on each."""
    notes = [f"{found[0].strip()} as AND, at any distance" for found in operators.finditer(text)]
    return operators.sub(written, text), notes
