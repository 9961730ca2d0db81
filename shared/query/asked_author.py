"""The authors of whom papers are asked for: `papers by Yann LeCun on deep learning`."""

from __future__ import annotations

import re
from dataclasses import dataclass

from shared.bibliography.name_patterns import CAPITAL, initials
from shared.bibliography.person_names import PARTICLE
from shared.query.request_words import ADJECTIVES, MANY, VERBS

_AND = re.compile(r",? (?:and|&) ")
_INITIALS = re.compile(initials(3))
_CAPITALISED = rf"{CAPITAL}[^\s,\d]{{0,30}}(?!\d)"  # no name has a digit: `TREM2`, `IL-6`
_PERSON = rf"(?:(?:{PARTICLE}) ){{0,3}}{_CAPITALISED}(?: (?:{_CAPITALISED}|{PARTICLE})){{0,4}}"
# `Deaths by Age and Sex`: by no person.
_GROUPED = r"(?:age|sex|gender|race|ethnicity|country|region|state|year|month|type|sector|discipline|topic) (?:and|&) "
# `studies by country` are by nobody.
_ASKED = re.compile(
    rf"^(?i:(?:{VERBS} )?(?:the )?(?P<named>(?:{ADJECTIVES}){{0,4}}(?:{MANY}|works?|paper|article))"
    r" (?:(?:written |authored )?by) )"
    rf"(?P<name>(?!(?i:{_GROUPED})){_PERSON}(?:(?:,? (?:and|&)|,) {_PERSON}){{0,5}})"
    r"(?: (?:on|about) (?P<about>\S.*)| (?P<coded>[^\W\d_]{1,9}-?\d.*))?$"  # `by Colonna TREM2`
)


@dataclass(frozen=True, slots=True)
class AskedAuthor:
    """The names, as they can be sent as `author`, the subject, and what is said before the names, with its noun."""

    names: str
    about: str
    frame: str
    noun: str


def asked_author(text: str) -> AskedAuthor | None:
    """Read a request in tidy form; None if it asks for nobody's papers."""
    found = _ASKED.match(text)
    if not found:
        return None
    about = found["about"] or found["coded"] or ""
    return AskedAuthor(names_apart(found["name"]), about, text[: found.start("name")], found["named"])


def names_apart(names: str) -> str:
    """`Hinton, LeCun and Bengio` with a semicolon between the names; one name; `Jumper, J.` stays as it is."""
    parts = _AND.split(names)
    people = [name for part in parts for name in part.split(", ")]
    return "; ".join(parts if len(parts) == 1 or any(map(_INITIALS.fullmatch, people)) else people)
