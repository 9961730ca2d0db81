"""Whether an author of a record can be the person whom a caller named.

The family names must be equal after folding: without case, accents, apostrophes and hyphens, with `ue` for `ü`. Given
names and initials must not contradict each other: `JA` is `Jennifer`, `J.` and `Jennifer Anne`, but not `John B.`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

from shared.bibliography.paper import Author, MergedPaper, Paper
from shared.bibliography.person_names import PARTICLES, without_suffix
from shared.bibliography.typed_names import PersonName, read_person
from shared.bibliography.words import words_of

# `Mueller`, `Schroeder`, but not `Bauer`: how German vowels are written in ASCII.
_SPELLED_OUT = re.compile(r"(?<![aeiouyq])([aou])e(?=[bcdfghjklmnprstvwxz])")


def is_named(author: Author, person: PersonName) -> bool | None:
    """Whether the author can be this person; None if the record has the family name alone, or another script."""
    if _is_latin(author.display) != _is_latin(person.family):  # 张锋 is Feng Zhang, but no spelling says so
        return None
    if _letters(person.family.rpartition(" ")[2]) not in _letters(author.display):  # of most authors
        return False
    verdicts = [_agrees(known, person) for known in _known(author)]
    return True if True in verdicts else None if None in verdicts else False


def is_by(authors: Sequence[Author], readings: Sequence[PersonName], *, complete: bool) -> bool | None:
    """One author must be the person, in any reading of the name: never one by the family and another by the initials.

    None if the list is not complete, if no record has more than the family name, or has it in the script that was
    typed, and for an ORCID iD: records have names, and the providers that know ORCID iDs are trusted.
    """
    if any(person.orcid for person in readings):
        return None
    verdicts = {is_named(author, person) for author in authors for person in readings}
    if True in verdicts:
        return True
    if False not in verdicts or (None in verdicts and not any(author.given for author in authors)):
        return None
    return False if complete else None


def has_all_authors(paper: Paper | MergedPaper) -> bool:
    """Whether the list of authors is not cut, as far as is known."""
    return paper.author_count is None or len(paper.authors) >= paper.author_count


@lru_cache(maxsize=16384)
def _letters(name: str) -> str:
    """The letters of a name as they are compared, run together."""
    return "".join(_SPELLED_OUT.sub(r"\1", word) for word in words_of(name))


@lru_cache(maxsize=16384)
def _is_latin(text: str) -> bool:
    letters = (sign for sign in text if sign.isalpha() and unicodedata.category(sign) != "Lm")  # an apostrophe is Lm
    return text.isascii() or all(unicodedata.name(sign, "LATIN").startswith("LATIN") for sign in letters)


def _known(author: Author) -> tuple[PersonName, ...]:
    """The readings of a record's author; where the record states the parts, its division is used."""
    if author.family and author.given:
        given = read_person(f"{author.family}, {author.given}")
        family, _ = without_suffix(author.family)
        return tuple(PersonName(family, it.given, it.initials) for it in given[:1])
    return read_person(author.display)


def _agrees(known: PersonName, person: PersonName) -> bool | None:
    if _family(known.family) & _family(person.family):
        if not person.initials and not person.given:
            return True
        return None if not (known.initials or known.given) else _given_agrees(known, person)
    ours, theirs = words_of(person.family), words_of(known.family)
    if len(theirs) > 1 and theirs[:1] == ours and theirs[0] not in PARTICLES and " " in known.family.strip():
        return _given_agrees(known, person)  # García, of García Márquez
    if len(ours) <= len(theirs) or ours[-len(theirs) :] != theirs:
        return False
    middle = ours[: -len(theirs)]  # García Márquez, where the record has `Márquez, Gabriel García`
    given = words_of(known.given or "")
    if given[-len(middle) :] != middle or len(given) == len(middle):
        return False
    first = given[: -len(middle)]
    initials = "".join(word[0] for word in first).upper()
    return _given_agrees(PersonName(known.family, " ".join(first), initials), person)


def _family(name: str) -> frozenset[str]:
    """The forms of a family name that are compared: with and without particles, of a group without its article."""
    words = words_of(name)
    bare = [word for word in words[:-1] if word not in PARTICLES] + words[-1:]
    whole = words[1:] if words[:1] == ["the"] else words
    return frozenset(_letters(" ".join(form)) for form in (whole, bare))


def _given_agrees(known: PersonName, person: PersonName) -> bool:
    """The one's initials begin with the other's, and so do first names that both are known in full."""
    if not (known.initials.startswith(person.initials) or person.initials.startswith(known.initials)):
        return False
    ours, theirs = _first_names(person), _first_names(known)
    if not ours or not theirs:
        return True
    return any(one.startswith(other) or other.startswith(one) for one in ours for other in theirs)


def _first_names(name: PersonName) -> set[str]:
    """The first given name, and all of them run together (`Xiao-Ping` is `Xiaoping`); none if it is only an initial."""
    words = words_of(name.given or "")
    return {words[0], "".join(words)} if words and len(words[0]) > 1 else set()
