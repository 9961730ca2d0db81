"""When an author is a group: a consortium, trial or institution in place of a person.

A name is a group's when it holds a word that names a group, wherever it stands (`Group for the Study of X`). A few of
these words are surnames too (Philip G. Board, Robert F. Service, JoAnn Trial); for them the form of the whole name
decides.
"""

from __future__ import annotations

import re
from functools import cache

from shared.bibliography.name_patterns import CAPITAL, initials

_ORGANISATIONS = frozenset(
    ("academies", "academy", "administration", "agencies", "agency", "alliance", "association", "associations",
     "center", "centers", "centre", "centres", "collaborating", "collaboration", "collaborations", "collaborative",
     "collaborator", "collaborators", "college", "colleges", "commission", "committee", "committees", "consortia",
     "consortium", "council", "department", "departments", "federation", "foundation", "group", "groups", "hospital",
     "hospitals", "initiative", "initiatives", "institute", "institutes", "investigator", "investigators", "ministry",
     "network", "networks", "observatory", "office", "organisation", "organisations", "organization", "organizations",
     "panel", "panels", "societies", "society", "union", "universities", "university")
)  # fmt: skip
_STUDIES = frozenset(("project", "projects", "registry", "registries", "studies", "study", "trialists"))
_SURNAMES_TOO = frozenset(
    ("board", "boards", "bureau", "nations", "service", "services", "team", "teams", "trial", "trials")
)
_GROUP = _ORGANISATIONS | _STUDIES
_ANY = _GROUP | _SURNAMES_TOO
# `L'Hospital` is one word, and a person.
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_INITIALS = initials(3)
# `Trial, J.` and `Service, Robert F.`; `Board PG`; a word that stands alone is the surname of a name in parts.
_SURNAME_FIRST = re.compile(rf"\w+(?:,\s\w[\w.'’-]*(?:\s{_INITIALS})?|\s{_INITIALS})?")
# `Robert F. Service`, `P. G. Board`: an initial before the surname, but not `U.S. Board`.
_SURNAME_LAST = re.compile(rf"(?:.*\s)?(?<!U\.)(?<!U\.\s){CAPITAL}\.?\s\w+")
# `JoAnn Trial`: one given name before the surname. `RECOVERY Trial` and `European Board` are groups, and so is a team
# with one word before it, as many papers on machine learning are signed (`Gemini Team`).
_ONE_GIVEN_NAME = re.compile(r"[A-Z][a-z]+(?:[A-Z][a-z]+)?(?:-[A-Z][a-z]+)?\s(?!(?i:team))\w+")
_HYPHENATED = re.compile(r"\w-\w+$")  # `Anna Smith-Board`
_SCOPE = re.compile(
    r"(?:the|advisory|american|asian|african|british|central|clinical|controlled|editorial|european|federal|forest|"
    r"general|geological|global|health|international|medical|multicent(?:er|re)|national|pilot|public|randomi[sz]ed|"
    r"research|review|royal|safety|scientific|state|steering|united|weather)\s", re.I
)  # fmt: skip
# `Pieter van der Group` is a person, but not `Van Andel Institute`; other particles stand in groups' names as well:
# `Hospital de la Universidad`, `Center zum Group`.
_PARTICLE = re.compile(r"\b(?:van|von)(?:\s(?:de[nr]?|het))?\s\w+$", re.I)
# What titles end in, and so does not distinguish a group from a title.
_ENDS_TITLES = frozenset(
    ("administration", "alliance", "center", "centre", "collaborating", "collaborative", "college", "department",
     "foundation", "hospital", "observatory", "office", "panel", "union")
)  # fmt: skip
_LAST_WORDS = {word for word in _ORGANISATIONS - _ENDS_TITLES if not word.endswith("s")} | {"investigators", "team"}

# `Centers for Disease Control`, `National Institute of Mental Health`; not `Association of Coffee with Mortality`.
_INSTITUTION = (
    r"(?:U\.?S\.? )?(?:Organi[sz]ation for [A-Z]"
    r"|(?:Academy|Cent(?:er|re)s?|Department|Institutes?|Ministry|Office|University"
    r"|(?:[A-Z][a-z]{1,12}an|British|International|Joint|National|Royal) (?:[A-Z][a-z]{1,20} ){0,3}"
    r"(?:Academ(?:y|ies)|Association|Cent(?:er|re)s?|College|Commission|Committee|Council|Institutes?|Society|Union))"
    r" (?:of|for|on) [A-Z])"
)


def is_group(name: str) -> bool:
    """Whether an author's name, in any order of its parts, is a group's."""
    if name.isascii() and name.isalpha() and name.lower() not in _ANY:  # most family names: one word
        return False
    words = _WORD.findall(name.lower())
    if _ANY.isdisjoint(words):
        return False
    if words[-1] in _ANY and _PARTICLE.search(name):
        return False
    return not _GROUP.isdisjoint(words) or not _is_person(name, words)


def _is_person(name: str, words: list[str]) -> bool:
    """Whether a name whose only group word may be a surname has the form of a person's."""
    if words[0] in _SURNAMES_TOO:
        return _SURNAME_FIRST.fullmatch(name) is not None
    if words[-1] not in _SURNAMES_TOO:
        return False
    if _SURNAME_LAST.fullmatch(name) or _HYPHENATED.search(name):
        return True
    return _ONE_GIVEN_NAME.fullmatch(name) is not None and not _SCOPE.match(name)


def begins_as_institution(text: str) -> bool:
    """Whether a text begins with an institution and what it is for: titles in capitals have such words as well."""
    return _institution().match(text) is not None


@cache
def _institution() -> re.Pattern[str]:
    """Compiled for references alone: searches import this module too."""
    return re.compile(_INSTITUTION)


def ends_in_group(text: str) -> bool:
    """Whether a piece of a reference ends as groups' names do and titles seldom do.

    Narrower than `is_group`, because it must distinguish a group from a title and not from a person: `A randomized
    controlled trial`, `Graph attention networks` and `Care of children in hospital` are titles.
    """
    words = _WORD.findall(text.lower())
    return bool(words) and words[-1] in _LAST_WORDS
