"""References whose parts and names are all set off by semicolons: `J Doe; K Roe; Title; Journal; 2015; 12; 34-56`."""

from __future__ import annotations

import re

from shared.references.title_words import reads_like_names, reads_like_title

MOST_WORDS = 5  # of one name
FEWEST_PARTS = 4
_NUMBERS = re.compile(r"\D{0,12}\d[\w.() -]{0,30}\.?")


def read_by_semicolons(line: str) -> tuple[str, str, str] | None:
    """The names, the title and the source of such a reference; None if the line is none."""
    parts = [part.strip() for part in line.split("; ")]
    names = 0
    while names < len(parts) and reads_like_names(parts[names]) and len(parts[names].split()) <= MOST_WORDS:
        names += 1
    title, source = (parts[names], parts[names + 1 :]) if names < len(parts) else ("", [])
    if (
        not names
        or len(source) < FEWEST_PARTS - 2
        or not reads_like_title(title)
        or re.search(r"\. [^\W\d_a-z]", title)
    ):
        return None
    if not all(map(_NUMBERS.fullmatch, source[1:])):
        return None
    return "; ".join(parts[:names]), title.strip(" .,"), _place(source)


def _place(source: list[str]) -> str:
    """`Journal; 2015; 12; 34-56` with the signs that journals have between these."""
    journal, *numbers = source
    if len(numbers) > 2:
        return f"{journal}, {', '.join(numbers[:-1])}: {numbers[-1]}"
    return ", ".join(source)
