"""ORCID iDs: `0000-0002-1825-0097`, alone or in an address, with the check character of ISO 7064 MOD 11-2.

Source: https://support.orcid.org/hc/en-us/articles/360006897674 (structure of the ORCID identifier).
"""

from __future__ import annotations

import re

_WRITTEN = re.compile(
    r"(?:(?:https?://)?(?:www\.)?orcid\.org/|\borcid(?: ?id)? ?[:#]? ?)?"
    r"(?<![\w-])([0-9]{4}-[0-9]{4}-[0-9]{4}-[0-9]{3}[0-9X])(?![\w-])/?",
    re.I | re.A,
)


def read_orcid(text: str) -> str | None:
    """The ORCID iD that a text is, in normal form; None for anything else, and for one with a wrong check character."""
    found = _WRITTEN.fullmatch(text.strip())
    return found[1].upper() if found and has_check_character(found[1]) else None


def find_orcids(text: str) -> list[tuple[str, str]]:
    """Each ORCID iD in a text as it is written, with its address, and in normal form."""
    return [(found[0], found[1].upper()) for found in _WRITTEN.finditer(text) if has_check_character(found[1])]


def has_check_character(orcid: str) -> bool:
    """Whether the last character is the one that the others call for."""
    total = 0
    for digit in orcid.replace("-", "")[:-1]:
        total = (total + int(digit)) * 2
    return "0123456789X"[(12 - total % 11) % 11] == orcid[-1].upper()
