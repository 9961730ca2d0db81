"""The author whom the words of a query name by a cue, which makes it the filter `author`.

    0000-0002-1825-0097 CRISPR, https://orcid.org/0000-0002-1825-0097     an ORCID iD
    Smith et al 2019 microglia, microglia (Smith et al., 2019)            a citation, with its year
    papers by Jennifer Doudna about CRISPR, CRISPR papers by Doudna       a request
    papers by Ugur Sahin and Özlem Türeci                                 several people
    CRISPR by Jennifer Doudna, Jennifer Doudna's papers on CRISPR         both names
    what has Jennifer Doudna published on CRISPR

A name without a cue stays a word: `Doudna CRISPR`. So does what may be the title of a reference, or its journal.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from shared.bibliography.name_patterns import CAPITAL, ET_AL, OTHERS, OTHERS_IN_PRINT
from shared.bibliography.orcid import find_orcids
from shared.bibliography.person_names import PARTICLE, PARTICLES
from shared.bibliography.stop_words import STOP_WORDS
from shared.bibliography.typed_names import read_person
from shared.query.asked_author import names_apart
from shared.query.filters_in_words import filters_in_words
from shared.query.parser import is_expression
from shared.query.pasted_text import PRINTED_REFERENCE
from shared.query.syntax import tidy

MAX_CHARS = 300  # of a wording that may name its author
_MOST_WORDS = 10  # beside a name; a citation with more is a printed reference
_WORD = rf"{CAPITAL}[\w'’.-]{{0,30}}"
_NAME = rf"(?:(?:{PARTICLE}) ){{0,3}}{_WORD}(?: (?:{_WORD}|{PARTICLE})){{0,4}}"
_BOTH_NAMES = rf"{_WORD}(?: (?:{_WORD}|{PARTICLE})){{1,4}}"
_NAMES = rf"{_NAME}(?:(?:,? (?:and|&)|,) {_NAME}){{0,5}}"
_PAPERS = "(?i:papers|articles|studies|publications|preprints|works?|research|literature)"
_YEAR = r"(?:,? \(?(?P<year>(?:19|20)[0-9]{2})[a-z]?\)?)?"
# `Measles and others` may be a subject, but not before a year.
_MORE = rf"(?:{ET_AL}\.?|(?:{OTHERS}|{OTHERS_IN_PRINT})\.?(?=,? \(?(?:19|20)[0-9]{{2}}))"
_CITED = rf"(?P<name>[^\W\d_][\w'’-]{{1,30}}(?:(?:,| and| &)? [^\W\d_][\w'’.-]{{0,30}}){{0,5}}),? {_MORE}{_YEAR}"
_CITED_FIRST = re.compile(rf"\(?{_CITED}[.,:;)]*(?: (?:(?:on|about) )?(?P<about>\S.*))?")
_CITED_LAST = re.compile(rf"(?P<about>\S.*?),? (?:by )?[(\[]?{_CITED}[)\].]*")
_FORMS = (
    re.compile(rf"(?P<about>\S.*) {_PAPERS} (?:(?i:written|authored) )?(?i:by) (?P<name>{_NAMES})[.?!]?"),
    re.compile(rf"(?P<about>\S.*) (?i:(?:written |authored )?by) (?P<name>{_BOTH_NAMES})[.?!]?"),
    re.compile(
        rf"(?P<name>{_BOTH_NAMES})['’]s? (?:(?P<topic>\S.*) )?{_PAPERS}(?: (?i:on|about) (?P<about>\S.*?))?[.?!]?"
    ),
    re.compile(
        rf"(?i:what (?:has|have|did)) (?P<name>{_NAMES}) (?i:published?|written|write)"
        r"(?: (?i:on|about) (?P<about>\S.*?))?[.?!]?"
    ),
)
_HERE = "<orcid>"  # in the place of an ORCID iD
_AROUND = re.compile(
    rf"(?:{_PAPERS} )?(?:(?<!\S)(?i:by|with|of|from|author|written by|orcid) )*{_HERE}(?: (?i:on|about)(?!\S))?"
)
_ABOUT_A_PAPER = re.compile(r"(?i)(?:comments?|reply|replies|response|correction|erratum|rebuttal|letter)\b")
_YEAR_ALONE = re.compile(r"(?<!\S)\(?(?:19|20)\d\d\)?[.,]?(?!\S)")
_JOURNAL_WORD = re.compile(r"[A-Z][a-z]+\.?|[A-Z]{2,5}")
_TITLE_CASE = re.compile(r"[A-Z][a-z]+")


@dataclass(frozen=True, slots=True)
class PersonInWords:
    """The author, as it can be sent as `author`, the year of a citation, and the other words; "" without any."""

    author: str
    rest: str
    year: str | None = None


@lru_cache(maxsize=1024)
def person_in_words(text: str) -> PersonInWords | None:
    """Read a wording in tidy form; None if it names nobody by a cue, is an expression, or is longer than MAX_CHARS."""
    if len(text) > MAX_CHARS or '"' in text or is_expression(text):
        return None
    return _by_orcid(text) or _cited(text) or _asked_for(text) or _by_form(text)


def _by_orcid(text: str) -> PersonInWords | None:
    found = find_orcids(text)
    if len(found) != 1:
        return None
    rest = tidy(_AROUND.sub(" ", text.replace(found[0][0], _HERE)))
    return PersonInWords(found[0][1], rest if any(map(str.isalnum, rest)) else "")


def _cited(text: str) -> PersonInWords | None:
    found = _CITED_FIRST.fullmatch(text) or _CITED_LAST.fullmatch(text)
    if not found or not _is_name(found["name"], cited=found["year"] is not None):
        return None
    about = found["about"] or ""
    words = [word.strip(".,") for word in about.split() if word.strip(".,").casefold() not in STOP_WORDS]
    is_journal = bool(words) and all(map(_JOURNAL_WORD.fullmatch, words))
    if len(words) > _MOST_WORDS or is_journal or _ABOUT_A_PAPER.match(about):
        return None
    if PRINTED_REFERENCE.search(about) or _YEAR_ALONE.search(about):
        return None
    return PersonInWords(_first_names(found["name"]), about, found["year"])


def _first_names(names: str) -> str:
    """`Watson, Crick and Wilkins` -> all of them; `Jumper J` and `Jumper, J.` are one."""
    return re.sub(r" (?:and|&) ", "; ", names)


def _is_name(text: str, *, cited: bool) -> bool:
    """Whether this is written as names are: with capitals, or, cited with a year, one word in small letters."""
    words = text.replace(",", " ").split()
    named = [word for word in words if word not in ("and", "&")]
    capitals = all(word[0].isupper() or word in PARTICLES for word in named)
    return bool(read_person(text)) and (capitals or (cited and len(named) == 1))


def _asked_for(text: str) -> PersonInWords | None:
    """`papers by Jennifer Doudna about CRISPR`; with years, which are another filter, only beside a subject."""
    asked = filters_in_words(text)
    if not asked.author or (asked.years.words and not asked.subject):
        return None
    return PersonInWords(asked.author, tidy(f"{asked.subject} {asked.years.words}"))


def _by_form(text: str) -> PersonInWords | None:
    for form in _FORMS:
        found = form.fullmatch(text)
        if not found:
            continue
        parts = found.groupdict()
        about = " ".join(filter(None, (parts.get("topic"), parts.get("about"))))
        others = about.split()[1:]
        if not any(map(_TITLE_CASE.fullmatch, others)) and ":" not in about:  # else the whole is a title
            name = found["name"].rstrip(".?!") if " " not in found["name"] else found["name"]
            return PersonInWords(names_apart(name), about)
    return None
