"""The order of the parts of a name: which words are the family name, by initials, particles and known names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from shared.bibliography.person_names import PARTICLES
from shared.bibliography.surnames import EASTERN, HUNGARIAN, HUNGARIAN_GIVEN, IBERIAN, ONE_LETTER, SHORT, looks_eastern
from shared.bibliography.text import fold


class Word(NamedTuple):
    """A word of a name, or a family name with its particles; `sure`: whether it can only be what it is taken for."""

    text: str
    initials: bool = False
    sure: bool = True
    particle: bool = False


Words = Sequence[Word]
Reading = tuple[Words, Words]  # of the family name and of what is given
_JOINING = ("y", "e")
SHORT_PARTICLES = ("'t", "'T", "St")  # Laura van 't Veer, Jill St. John; in another case they are initials
_SIMILAR_RANKS = 8  # of two family names that are about equally frequent, neither is the likelier one


def by_comma(family: Words, given: Words) -> list[Reading]:
    """`Maaten, Laurens van der`; but `Doudna JA, Charpentier E` are two people."""
    another = len(given) > 1 and given[-1].initials and not given[0].initials
    if len(family) > 1 and family[-1].initials and (family[-1].sure or another):
        return in_order(family)
    end = len(given)
    while end and _is_particle(given[end - 1]):
        end -= 1
    if not end:  # `Le, Do`
        return [(family, given)]
    family, given = [*given[end:], *family], given[:end]
    if given[0].sure or not given[0].initials or not given[0].text.istitle():
        return [(family, given)]
    return [(family, [given[0]._replace(initials=False), *given[1:]]), (family, given)]  # Zhang, Ji


def _is_particle(word: Word) -> bool:
    return (word.text in SHORT_PARTICLES or fold(word.text) in PARTICLES) and not word.initials


def in_order(words: Words) -> list[Reading]:
    """Names without a comma: `Doudna JA`, `J. A. Doudna`, `Zhang Feng`."""
    units = _units(words)
    if len(units) == 1:
        if len(words) == 1:
            return [(units, ())]
        both: list[Reading] = [(units, ()), (words[1:], words[:1])]  # Di Lena, Bin Wu
        return both[:1] if len(words) > 2 else both[::-1] if fold(words[1].text) in EASTERN else both
    loud = [unit for unit in units if unit.text.isupper() and len(unit.text) > 3 and not unit.initials]
    if len(loud) == 1 and not all(unit.text.isupper() for unit in units):
        return [(loud, [unit for unit in units if unit is not loud[0]])]
    if all(unit.initials for unit in units) and any(unit.sure for unit in units):  # V. Re
        units = [unit if unit.sure else unit._replace(initials=False) for unit in units]
    readings = _by_initials(units)
    for place in (-1, 0):
        if not units[place].sure:
            other = [*units]
            other[place] = units[place]._replace(initials=not units[place].initials)
            readings[2:2] = _by_initials(other)[:2]
    return readings


def _units(words: Words) -> list[Word]:
    """The words, each particle joined to the family name behind it."""
    end = len(words)
    while end > 1 and _is_particle(words[end - 1]):
        end -= 1
    last = words[-1].text
    single = end > 1 and words[end - 1].initials and last.islower() and last not in SHORT
    if len(words) - end > 1 or (end < len(words) and single):  # `Maaten L van der`, but `Sarah B. Das`
        words = [*words[end:], *words[:end]]
    units: list[Word] = []
    before: list[str] = []
    for place, word in enumerate(words):
        behind = words[place + 1] if place + 1 < len(words) else None
        if behind is not None and _is_particle(word) and not (behind.initials and behind.sure):
            before.append(word.text)
        elif units and behind is not None and word.initials and not word.sure and word.text in _JOINING:
            before = [units.pop().text, word.text]  # Ramón y Cajal
        elif before:
            units.append(Word(" ".join([*before, word.text]), particle=True))
            before = []
        else:
            units.append(word)
    return units


def _by_initials(units: Words) -> list[Reading]:
    """The readings, by where the initials stand."""
    at = [place for place, unit in enumerate(units) if unit.initials]
    if len(at) == len(units):  # E W: Weinan E
        return [(units[:1], units[1:]), (units[-1:], units[:-1])]
    if not at:
        return _of_names(units)
    if at[0] > 0 and at[-1] == len(units) - 1:
        names = units[: at[0]]
        behind = [(names, units[at[0] :]), (names[:1], units[1:])]  # Garcia Marquez G, Doudna Jennifer A
        if len(units) == 2 and fold(units[1].text) in ONE_LETTER:
            behind.append((units[-1:], names))  # Weinan E
        return behind
    last = at[-1]
    if last == len(units) - 1:
        return [([unit for unit in units if not unit.initials], [unit for unit in units if unit.initials])]
    return _behind_initials(units[: last + 1], units[last + 1 :])


def _behind_initials(given: Words, names: Words) -> list[Reading]:
    """`J. Craig Venter` and `G. Garcia Marquez`: one family name or two."""
    for place, name in enumerate(names):
        if name.particle:
            return [(names[place:], [*given, *names[:place]])]
    last, both = (names[-1:], [*given, *names[:-1]]), (names, given)
    if len(names) == 1:
        return [both]
    two = fold(names[-2].text) in IBERIAN or not all(word.initials for word in given)
    return [both, last] if two else [last, both]


def _of_names(units: Words) -> list[Reading]:
    """Names without initials."""
    last, first = (units[-1:], units[:-1]), (units[:1], units[1:])
    if fold(units[0].text) in EASTERN and len(units) > 1 and units[1].particle:  # Nguyen Van Anh
        return [first, (units[1:], units[:1])]
    for place, unit in enumerate(units):
        if unit.particle:
            return [first] if place == 0 else [(units[place:], units[:place]), first]
    if len(units) == 2:
        return [first, last] if _is_family_first(units[0].text, units[1].text) else [last, first]
    if _is_family_first(units[0].text, " ".join(unit.text for unit in units[1:])):
        return [first, last]
    last_two, first_two = (units[-2:], units[:-2]), (units[:2], units[2:])
    if fold(units[0].text) in IBERIAN and fold(units[-1].text) not in IBERIAN:
        return [first_two, last, last_two]
    return [last_two, last, first] if fold(units[-2].text) in IBERIAN else [last, last_two, first]


def _is_family_first(one: str, other: str) -> bool:
    """Whether the first of two names is the family name: Zhang Feng, Nguyen Anh, Nagy László."""
    ours, theirs = fold(one), fold(other)
    if ours in HUNGARIAN and theirs.partition(" ")[0] in HUNGARIAN_GIVEN:
        return True
    if ours not in EASTERN or not (looks_eastern(theirs) or "-" in other):
        return False
    last = theirs.rpartition(" ")[2]
    return last not in EASTERN or EASTERN[ours] + _SIMILAR_RANKS <= EASTERN[last]
