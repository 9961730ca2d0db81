"""Names that come as one text: which part is the family name, and what is not a person at all."""

from __future__ import annotations

import re
from collections.abc import Iterable

from shared.bibliography.group_authors import is_group
from shared.bibliography.paper import Author
from shared.bibliography.surnames import EASTERN
from shared.bibliography.text import fold

# Words that belong to the family name behind them.
PARTICLES = frozenset(
    ("af", "al", "bin", "da", "dal", "dalla", "das", "de", "del", "della", "dello", "den", "der", "des", "di", "do",
     "dos", "du", "el", "het", "ibn", "la", "las", "le", "lo", "los", "te", "ten", "ter", "van", "vom", "von", "zu",
     "zum", "zur")
)  # fmt: skip
_HET = "(?:[Vv]an)?['’]t"  # Dutch `het`: van 't Veer, van't Veer
# One of them, as part of an expression; and those before a family name, with the blank behind each.
PARTICLE = "|".join(sorted(PARTICLES))
PARTICLES_BEFORE = rf"(?:(?:{_HET}|{PARTICLE})\s){{0,3}}"
# With a capital these are given names as well, or family names of their own: Bin, Da Thi Do, Rina Das, Te Ahu.
_LOWER_CASE_ONLY = frozenset(("af", "bin", "das", "do", "ibn", "te"))
_CAPITALISED = [*sorted(particle.capitalize() for particle in PARTICLES - _LOWER_CASE_ONLY), r"St\.?"]

_ORDINALS = {"2nd": "II", "3rd": "III", "4th": "IV"}  # as MEDLINE writes them
_NUMBERS = ("II", "III", "IV")
_SUFFIXES = ("Jr", "Jr.", "Sr", "Sr.", *_NUMBERS, *_ORDINALS)
# Before initials: `Mohr III FW`.
NUMBER_BEFORE_INITIALS = rf"(?:{'|'.join(_NUMBERS)}) "


def _family_pattern(particles: Iterable[str]) -> re.Pattern[str]:
    """The last word, with the particles before it and a suffix behind it."""
    suffixes = "|".join(map(re.escape, _SUFFIXES))
    return re.compile(rf"(?<= )(?:(?:{'|'.join(particles)}) )*\S+(?: (?:{suffixes}))?$")


_FAMILY = _family_pattern([_HET, *sorted(PARTICLES)])
_FAMILY_WITH_CAPITALS = _family_pattern([_HET, *sorted(PARTICLES), *_CAPITALISED])  # Sandro Da Mesquita, Robert De Niro
# No family name has these forms. Two bare capitals may be one (`Yan LI`), or belong to a firm (`Bayer AG`).
_INITIALS_LAST = re.compile(r"(?<=[^\W\d_]{2}) ((?:[^\W\d_]\. ?){1,5}|(?:[^\W\d_]\.?[-\u2010\u2011]){1,5}[^\W\d_]\.?)$")


def read_name(text: str | None) -> Author | None:
    """`Laurens van der Maaten`, `Maaten, Laurens van der`, `Ivanov A.V.` or a group's name; None without a name.

    Several commas are not a person's name in either order and stay one text, save one before `Jr.`.
    """
    name = " ".join((text or "").split()).strip(" ,:;")
    if not name:
        return None
    if is_group(name):
        return Author(name=name)
    family, comma, given = name.partition(", ")
    if comma:
        return _read_parts(name, family, given)
    initials = _INITIALS_LAST.search(name)
    if initials and initials[1].isupper():
        return Author(family=name[: initials.start()], given=initials[1])
    # In Chinese and Vietnamese names such words are syllables of the given name: Nguyen Van Anh, Xiao Di Wang.
    is_eastern = any(fold(word) in EASTERN for word in (name.partition(" ")[0], name.rpartition(" ")[2]))
    last = (_FAMILY if is_eastern else _FAMILY_WITH_CAPITALS).search(name)
    return Author(family=last[0], given=name[: last.start()].strip()) if last else Author(name=name)


def _read_parts(name: str, family: str, given: str) -> Author:
    """`Gates, Henry Louis`, or with `, Jr.` behind it; `Henry Louis Gates, Jr.`; in `Petrov, IV` initials."""
    rest, _, last = given.rpartition(" ")
    if last not in _SUFFIXES or not (rest or last[1] == "r"):
        return Author(name=name) if "," in given else Author(family=family, given=given)
    person = Author(family=family, given=rest.rstrip(",")) if rest else read_name(family)
    if person is None or "," in (person.given or ""):
        return Author(name=name)
    return Author(family=add_suffix(person.family or family, last), given=person.given)


def add_suffix(family: str, suffix: str | None) -> str:
    """`King` and `Jr.` -> `King Jr.`: a family name has its suffix behind it, once. A degree is left out."""
    known = _ORDINALS.get(suffix or "", suffix)
    return f"{family} {known}" if known in _SUFFIXES and not without_suffix(family)[1] else family


def without_suffix(family: str) -> tuple[str, str | None]:
    """`King Jr.` -> `King` and `Jr.`; `King` and None."""
    name, _, last = family.rpartition(" ")
    return (name, last) if name and last in _SUFFIXES else (family, None)
