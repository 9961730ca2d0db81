r"""References whose names are lists of initials and family names, with or without a title, as physicists write them.

    A. Doe, B. Roe, Phys. Rev. Lett. 100, 012345 (2008)            APS, AIP: no title
    A. Doe et al. (XYZ Collaboration), Phys. Lett. B 716 (2012) 1  Elsevier's: the year before the page
    Doe, A. et al. Phys. Rev. Lett. 100, 012345 (2008)             Nature, before it had titles
    Doe A, Roe B 1998 Astron. J. 116 1009                          IOP: the year behind the names
    A. Doe, B. Roe, Title, Phys. Rev. Lett. 100, 012345 (2008)     with a title
    A. Doe, B. Roe, Title. Science 100, 12-34 (2008)               the title as a sentence
    A. Doe, Title, 2nd ed. (Wiley, New York, 2005)                 a book
    A. Doe, Title, 2nd ed. New York: Wiley, 2005                   a book, IEEE
    A. Doe, Title, second ed., Wiley, New York, 2005               a book, Elsevier
    Doe, A. and B. Roe, Title. Science, 2008. 100(1): p. 12-34     EndNote, if no style is chosen

Of several places (`Phys. Rev. 77, 3865 (1996); 78, 1396 (1997)`) the first counts: the others are errata, translations
and second publications. Sources: the style guides of AIP, APS, IOP and the AAS.
"""

from __future__ import annotations

import re

from shared.bibliography.group_authors import is_group
from shared.bibliography.journal_names import known_journal
from shared.bibliography.name_patterns import CAPITAL, OTHERS, initials
from shared.bibliography.person_names import PARTICLES_BEFORE
from shared.bibliography.stop_words import STOP_WORDS
from shared.references.journal_in_citation import PLACE, YEAR, YEAR_IN_BRACKETS
from shared.references.title_end import title_and_source
from shared.references.title_words import (
    begins_with_sentence,
    reads_like_names,
    reads_like_title,
    reads_like_whole_title,
)

Parts = tuple[str, str | None, str]  # names, title, source

MOST_WORDS = 9  # of a journal's name
_FAMILY = (
    rf"{PARTICLES_BEFORE}[^\W\d_a-z][^\s,.()\[\]:;]{{0,40}}"
    r"(?: (?!and\b|et\b|&)[^\W\d_a-z][^\s,.()\[\]:;]{1,40}){0,2}"
)
_BETWEEN = r"(?:,? and |,? & |, )"
_GROUP = r"(?: ?[(\[][^\d;:.()\[\]]{3,80}[)\]])"
_MORE = rf"(?:,? {OTHERS}\.?)?{_GROUP}?"
_INITIALS_FIRST = rf"(?:{CAPITAL}[a-z]?\.[ -]?){{1,5}}{_FAMILY}"
_INITIALS_LAST = rf"{_FAMILY},? {initials(4)}(?<! )(?![^\W\d_])"
_NAMES = re.compile(
    rf"{_INITIALS_FIRST}(?:{_BETWEEN}{_INITIALS_FIRST}){{0,30}}(?:,? {OTHERS}\.?{_GROUP}?,? |{_GROUP},? |, )"
)
_FAMILIES_FIRST = re.compile(
    rf"{_INITIALS_LAST}(?:{_BETWEEN}{_INITIALS_LAST}){{0,30}}(?:,? {OTHERS}\.?{_GROUP}?,? |{_GROUP}?(?:, |(?<=\.) ))"
)
_NAMES_AND_YEAR = re.compile(
    rf"((?:(?:[^\W\d_a-z][\w-]{{1,20}} ){{1,4}}Collaboration, )?"
    rf"{_INITIALS_LAST}(?:{_BETWEEN}{_INITIALS_LAST}){{0,30}}{_MORE}),? \(?({YEAR})[a-z]?\)?,? (?=[^\W\d_a-z])"
)
_LAST_NAME = re.compile(rf"(?:and |& )?{_INITIALS_FIRST}\Z")  # behind a comma: `J. Doe, K. Roe. Title: …, 2010`
_ONE_NAME = re.compile(rf"[^\W\d_a-z][^\W\d_]+ (?:{CAPITAL}\.?){{1,3}}")
_JOURNAL = r"([^\W\d_a-z](?:[^\d,;()\[\]“”\"]|\((?=[A-Z][a-z]+\))|(?<=[a-z])\)){0,90}?)"
_VOLUME = r"(?:vol\. )?([A-Z]?\d{1,4}[A-Z]?)"
_PAGES = r"(?:pp?\. ?)?([A-Z]{0,2}\d{1,9}[A-Za-z]?(?:\s?[-–]\s?[A-Z]{0,2}\d{1,9})?)(?:\([A-Z]\))?"
_ISSUE = r"(?: ?\([^()\s]{1,9}\)|, no\. [\w-]{1,9})?"
_PLACES = (
    re.compile(rf"{_JOURNAL},? ?{_VOLUME}{_ISSUE}, {_PAGES},? \(({YEAR})\)"),
    re.compile(rf"{_JOURNAL},? ?{_VOLUME}{_ISSUE},? \(({YEAR})\),? {_PAGES}"),
    re.compile(rf"{_JOURNAL},? ({YEAR}), {_VOLUME}{_ISSUE}, {_PAGES}"),
)
_PLACE_BEHIND_YEAR = re.compile(rf"{_JOURNAL},? {_VOLUME}{_ISSUE},? {_PAGES}(?=[\s.,;]|$)")
_WORD = re.compile(r"\b[a-z]{4}")  # as abbreviated journals and names have none
_ABBREVIATION = re.compile(r", [A-Z][a-z]{0,7}\Z")  # of a journal that begins behind a comma: `Title, Phys. Rev.`
_EDITION = r", (?:\d{1,2}(?:st|nd|rd|th)|[Rr]ev(?:ised|\.)|second|third|f(?:our|if)th|sixth) ed(?:ition|n|\b)"
_CITY = r"[^\W\d_a-z][\w.’'-]{0,20}(?:,? (?:(?:am|on|upon) )?[^\W\d_a-z][\w.’'-]{0,20}){0,4}"  # `New York, NY`
_BOOK = re.compile(
    rf"([^()]{{4,300}}?)(?:(?:{_EDITION}\.?)?,? \([^()]{{2,80}}, (?={YEAR}\))"
    rf"|(?:{_EDITION})?\. {_CITY}: [^\d:()]{{2,80}}, (?={YEAR}\b(?!, \d))"
    rf"|{_EDITION}\.?, [^\d:()]{{2,80}}, (?={YEAR}\b))({YEAR})\)?"
)
_TURNED_FIRST = re.compile(rf"({_INITIALS_LAST}(?:(?:,|,? and) {_INITIALS_FIRST}){{0,30}}(?:, {OTHERS}\.?)?), ")
_PLACE_OF_ENDNOTE = re.compile(
    rf"[^\d]{{2,120}}, {YEAR}\. [^\s:]{{1,12}}(?: ?\([^()]{{1,25}}\))?: p\. |(?:[^\s.]{{1,9}} ed\. )?{YEAR}, [^\W\d_]"
)
_GROUP_BESIDE = re.compile(r" ?[(\[]([^\d;:.()\[\]]{3,80})[)\]]")


def read_by_initials(line: str) -> Parts | None:
    """The names, the title if there is one, and the source of such a reference; None if the line is none."""
    if "“" in line:
        return None
    behind_year = _NAMES_AND_YEAR.match(line)
    if behind_year and (place := _PLACE_BEHIND_YEAR.match(line, behind_year.end())) and _is_journal(place[1]):
        return behind_year[1], None, f"{_bare(place[1])} {place[2]}, {place[3]} ({behind_year[2]})"
    turned_first = _TURNED_FIRST.match(line)
    if turned_first:
        title, source = title_and_source(line[turned_first.end() :])
        if title and _PLACE_OF_ENDNOTE.match(source):
            return turned_first[1], title, source
    names = _NAMES.match(line)
    if not names:
        families_first = _FAMILIES_FIRST.match(line)
        return _untitled(line, families_first) if families_first else None
    parts = _untitled(line, names) or _titled(line, names) or _sentence(line, names) or _book(line, names)
    beside = _GROUP_BESIDE.search(names[0])
    if parts is None or (beside and not is_group(beside[1])):
        return None
    return _GROUP_BESIDE.sub("", parts[0]), *parts[1:]


def has_no_title(line: str) -> bool:
    """Whether a reference is surely one without a title: names and the place in a journal, and nothing else."""
    parts = read_by_initials(line)
    return parts is not None and parts[1] is None and not parts[2].startswith("in ")


def _untitled(line: str, names: re.Match[str]) -> Parts | None:
    for pattern in _PLACES:
        found = pattern.match(line, names.end())
        if found and _is_journal(found[1]):
            return names[0].rstrip(), None, found[0]
    return None


def _titled(line: str, names: re.Match[str]) -> Parts | None:
    place = PLACE.search(line, names.end()) or YEAR_IN_BRACKETS.search(line, names.end())
    if not place:
        return None
    title, comma, journal = line[names.end() : place.start()].rpartition(", ")
    is_short = _WORD.search(title) and known_journal(_bare(journal))
    if not comma or not journal.strip() or not (is_short or reads_like_whole_title(title)) or ". " in title:
        return None
    if begins_with_sentence(journal):
        return None
    return names[0], title, f"{journal}{line[place.start() :]}"


def _sentence(line: str, names: re.Match[str]) -> Parts | None:
    """A title that ends as a sentence, as Science has it."""
    title, source = title_and_source(line[names.end() :])
    if not title or not (PLACE.search(source) or YEAR_IN_BRACKETS.search(source)):
        return None
    return None if "." in title or not _WORD.search(title) or _ABBREVIATION.search(title) else (names[0], title, source)


def _book(line: str, names: re.Match[str]) -> Parts | None:
    found = _BOOK.match(line, names.end())
    if not found or PLACE.search(found[1]) or _LAST_NAME.match(found[1]):
        return None
    if found[1].startswith("in "):
        return names[0], None, f"{found[1]} ({found[2]}){line[found.end() :]}"
    return names[0], found[1], f"({found[2]})"


def _is_journal(text: str) -> bool:
    """Whether it is the name of a journal and nothing else, such as the title of the paper before it."""
    name = _bare(text)
    words = re.findall(r"[^\W\d_]+", name)
    if not words or len(words) > MOST_WORDS or reads_like_title(name):
        return False
    if any(word.islower() and word not in STOP_WORDS for word in words):
        return False
    before, stop, journal = name.rpartition(". ")
    return not (stop and " " in before and "." not in before and known_journal(journal)) and not _are_names(name)


def _are_names(text: str) -> bool:
    """`Doe A` in the place of a journal."""
    return reads_like_names(text) and _ONE_NAME.fullmatch(text) is not None and not known_journal(text)


def _bare(text: str) -> str:
    return text.strip(" ,.;")
