"""Several people in one text, as callers type them: `Smith J; Jones K`, `Smith J, Jones K and Brown L`.

A semicolon, `and` and `&` divide people. A comma does only where each side is a person with both names, because it also
stands between the family and the given name of one: `Doudna, Jennifer A.`.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from shared.bibliography.group_authors import is_group
from shared.bibliography.name_patterns import OTHERS, initials
from shared.bibliography.orcid import read_orcid
from shared.bibliography.text import fold
from shared.bibliography.typed_names import PersonName, read_person

MAX_PEOPLE = 10
_DIVIDED = re.compile(r"[;；]| & | and |, ?and ", re.IGNORECASE)
_OTHERS = re.compile(rf",? ?{OTHERS}\.?", re.IGNORECASE)
_INITIALS = re.compile(initials(3))
_SMALL_INITIALS = re.compile(r"(?:[^\W\d_]\. ?){1,3}|[^\W\d_]")
_ADDED = re.compile(r"m\.?d\.?|ph\.? ?d\.?|[js]r\.?|i{2,3}|iv", re.IGNORECASE)
_CONNECTED = ("of", "for", "on", "the")  # words of groups' names: `Department of Health and Human Services`


@lru_cache(maxsize=1024)
def read_people(text: str) -> tuple[tuple[PersonName, ...], ...]:
    """The readings of each person's name, the likeliest first; a group is one."""
    text = " ".join(_OTHERS.sub("", unicodedata.normalize("NFC", text)).split())
    found = (read_person(name) for part in _divided(text) for name in _of_commas(part))
    return tuple(dict.fromkeys(readings for readings in found if readings))


def may_be_several(text: str) -> bool:
    """Whether a text that was read as one person has a comma that may divide two: `Jennifer Doudna, Feng Zhang`."""
    parts = [part.strip() for part in text.split(",") if part.strip()]
    return len(read_people(text)) == 1 and len(parts) > 1 and all(map(_is_whole, parts))


def _divided(text: str) -> list[str]:
    """The parts between semicolons, `and` and `&`; the name of a group with an `and` in it is one part."""
    parts = [part.strip(" ,") for part in _DIVIDED.split(text)]
    parts = [part for part in parts if any(map(str.isalpha, part)) or read_orcid(part)]
    in_group = is_group(text) or not set(_CONNECTED).isdisjoint(text.lower().split())
    return [text] if in_group and ";" not in text else parts


def _of_commas(text: str) -> list[str]:
    """The people of a list with commas; one alone if the commas may stand within a name."""
    parts = [part.strip() for part in text.split(",") if part.strip()]
    parts = parts[:1] + [part for part in parts[1:] if not _ADDED.fullmatch(part)] if len(parts) != 2 else parts
    if len(parts) < 2 or is_group(text):
        return [text]
    if all(map(_has_initials, parts)) or (len(parts) > 2 and all(map(_is_whole, parts))):
        return parts
    pairs = list(zip(parts[::2], parts[1::2], strict=False))
    if len(parts) > 3 and len(parts) % 2 == 0 and all(_are_initials(second) for _, second in pairs):
        return [f"{family}, {initials}" for family, initials in pairs]  # Smith, J., Jones, K.
    single = [part for part in parts if " " not in part and len(fold(part)) > 2]
    return parts if len(parts) > 2 and len(single) == len(parts) else [text]


def _has_initials(name: str) -> bool:
    """Whether a name has initials before or behind a family name: `Smith JA`, `J. A. Smith`."""
    words = name.split()
    return len(words) > 1 and any(
        _are_initials(" ".join(part)) and len(fold("".join(rest))) > 1
        for part, rest in ((words[-1:], words[:-1]), (words[:1], words[1:]))
    )


def _are_initials(text: str) -> bool:
    """Also in small letters, then with a dot behind each or one alone: `ja` may be a name."""
    return bool(_INITIALS.fullmatch(text) or (text.islower() and _SMALL_INITIALS.fullmatch(text)))


def _is_whole(name: str) -> bool:
    """Whether a name has two words or more."""
    return len(name.split()) > 1
