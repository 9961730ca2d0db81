"""Parses the names in a printed reference: the text before its title."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from shared.bibliography.group_authors import is_group
from shared.bibliography.name_patterns import CAPITAL, ET_AL, OTHERS, initials
from shared.bibliography.paper import Author
from shared.bibliography.person_names import NUMBER_BEFORE_INITIALS, PARTICLE, PARTICLES_BEFORE, read_name
from shared.references.journal_in_citation import ANY_YEAR, PLACE, YEAR_IN_BRACKETS
from shared.references.title_words import reads_like_names

_INITIALS = re.compile(initials(5))
# Of a text whose white space is single blanks: `\s*` in its place would make a row of blanks quadratic.
_OTHERS = re.compile(rf",? ?(?:{OTHERS}\.?|\.\.\.|…)", re.I)
_OMITTED = re.compile(r",? ?(?:…|\. ?\. ?\.) ?(?=[^\W\d_])")  # APA: `Roe, K., … Poe, E.`

# `Doe, J. Erratum`, `Doe J, et al. Erratum`: the title has begun before its colon.
_WORD_BEHIND_NAMES = re.compile(
    rf"(?:,\s(?:{CAPITAL}[.-]?\s?){{0,3}}{CAPITAL}\.|{ET_AL}\.)\s(?![JS]r\b)[^\W\d_a-z](?:[^\W\d_]|-)+\W*\Z"
)

_END_OF_NAMES = re.compile(r"[^\W\d_A-Z]{3}\. [^\W\d_a-z][^\W\d_]{2}")  # `Gleick, James. Chaos`

_YEAR = re.compile(rf"{ANY_YEAR.pattern}(?! [^\W\d_a-z])")  # not that of `GBD 2019 Collaborators`
_FAMILY_ALONE = re.compile(rf"{PARTICLES_BEFORE}\S+")  # `van der Maaten`
# Not `Wei ZHANG`: so many capitals are a family name. In `Mohr III FW` it has a suffix.
_INITIALS_LAST = re.compile(rf"([^,.]{{2,200}}?) (?!{CAPITAL}{{4}}|{NUMBER_BEFORE_INITIALS})({initials(5)})")
_INITIALS_ALONE = re.compile(rf"(?:{CAPITAL}\.[ -]?){{1,4}}")
# A whole name: no title, as `van der Waals forces`.
_PARTICLE_FIRST = re.compile(
    rf"(?:(?:{PARTICLE})\s){{1,3}}[^\W\d_a-z][\w'’-]+(?:[,;.]|\s(?:and|&)\s[^\W\d_a-z]|,?\s{ET_AL}|\Z)"
)
_WITH_OTHERS = re.compile(rf"[^\W\d_a-z][^\d.:;]{{1,60}}?,? {ET_AL}")

# `National Academies of Sciences, Engineering, and Medicine`, `Department of Health, Office of the Surgeon General`
_GROUP_WITH_COMMAS = re.compile(
    r"[^,;]{3,80} (?:of|for|on) [^,;]{3,80}(?:(?:, [^\W\d_a-z][^\W\d_A-Z]{3,20}){1,5},? (?:and|&) "
    r"[^\W\d_a-z][^\W\d_A-Z]{3,20}(?: [^\W\d_a-z][^\W\d_A-Z]{2,20}){0,2}"
    r"|, (?:Bureau|Cent(?:er|re)|Department|Directorate-General|Division|Institute|Office) (?:of|for) [^,;]{3,80})"
)

# `Diederik P.`, behind which `Kingma and Jimmy Ba. Adam: a method` goes on with names and ends with a title.
_NAME_AND_TITLE = re.compile(
    rf"[^\W\d_a-z][\w’'-]{{1,30}},? and (?:[^\W\d_a-z][\w’'-]{{1,30}} |{CAPITAL}\. ){{1,3}}"
    rf"[^\W\d_a-z][\w’'-]{{1,30}}\. ([^.?!]{{8,300}})[.?!] [^\W\d_]"
)
_UMLAUTS = str.maketrans(
    {"ä": "ae", "ö": "oe", "ü": "ue", "ø": "oe", "å": "aa", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "Ø": "Oe", "Å": "Aa"}
)


def without_umlauts(text: str) -> str:
    """The text as it is written where umlauts are missing: `Mueller` for `Müller`."""
    return text if text.isascii() else unicodedata.normalize("NFC", text).translate(_UMLAUTS)


def read_author(text: str) -> Author | None:
    """An author as lists write one: `Kober DL`, `Kober, D. L.`, `Daniel L. Kober`, a group; None if there is none."""
    name = _OTHERS.sub("", " ".join(text.split())).strip(" ,;&")
    initials_last = _INITIALS_LAST.fullmatch(name)
    if initials_last and not is_group(name):
        return Author(family=initials_last[1], given=initials_last[2])
    return read_name(name)


def read_authors(names: str) -> tuple[str, ...]:
    """Each name as written; initials stay with the family name that they follow."""
    names = _YEAR.sub("", YEAR_IN_BRACKETS.sub("", _OTHERS.sub("", _OMITTED.sub(", ", names))))
    people, semicolon, behind = names.strip(" .,;:(").partition("; ")
    if semicolon and "," in people and "," not in behind and (people.count(",") > 1 or is_group(behind)):
        return (*read_authors(people), behind)  # `Doe J, Roe K; XYZ Group`
    if _is_whole_group(names):
        return (names.strip(" .,;:("),)
    text = re.sub(r",?\s+(?:&|and|und|y|et|og|och|ve|en|és)\s+|(?<=\.)\s+e\s+", ", ", names).strip(" .,;:(")
    pieces = [piece for piece in re.split(r"\s*;\s+" if ";" in text else r"\s*,\s+", text) if piece]
    group = [pieces.pop(0)] if pieces[1:] and ";" not in text and is_group(pieces[0]) else []
    if len(pieces) > 1 and ";" not in text:
        if all(_INITIALS.fullmatch(piece) for piece in pieces[1::2]) and not _INITIALS.fullmatch(pieces[0]):
            pieces = [", ".join(pieces[at : at + 2]) for at in range(0, len(pieces), 2)]
        elif _FAMILY_ALONE.fullmatch(pieces[0]) or _INITIALS_ALONE.fullmatch(pieces[1]) or _has_given_alone(pieces):
            pieces = [", ".join(pieces[:2]), *pieces[2:]]  # MLA and Chicago turn only the first
    return tuple(piece for piece in (*group, *pieces) if any(letter.isalpha() for letter in piece))[:50]


def _has_given_alone(pieces: Sequence[str]) -> bool:
    """Whether the second of these is a given name, which cannot stand alone: `García Márquez, Gabriel`."""
    first, second = pieces[0], pieces[1]
    is_family = first.replace(" ", "").isalpha() and not _INITIALS.fullmatch(first.rpartition(" ")[2])
    return is_family and second.istitle() and second.isalpha() and not is_group(first)


def _is_whole_group(text: str) -> bool:
    """Whether all of it is the name of a group with `and` in it: `Food and Drug Administration`."""
    text = text.strip(" .,;:(").removeprefix("U.S. ")
    if _GROUP_WITH_COMMAS.fullmatch(text):
        return is_group(text)
    before, joint, behind = text.partition(" and ")
    is_one = joint and "," not in text and ";" not in text and not behind.startswith("the ")
    is_one = is_one and (is_group(before) or is_group(behind))  # not `Robert F. Service and Jane Doe`
    return bool(is_one) and not _INITIALS.fullmatch(before.rpartition(" ")[2]) and "." not in before


def names_go_on(before: str, sentence: str) -> bool:
    """Whether a name goes on behind an initial: `E. L.` and `Kaplan`, `Doe J.` and `van der Roe`, `Roe et al`."""
    goes_on = _INITIALS_ALONE.fullmatch(f"{before}.") or _PARTICLE_FIRST.match(sentence)
    return bool(goes_on) or (_WITH_OTHERS.fullmatch(sentence) is not None and reads_like_names(sentence))


def name_goes_on(before: str, rest: str) -> bool:
    """Whether the family name of the last person but one, and then the last one and a title, follow an initial.

    A year behind the title would make it a journal: `Doe J. Sleep and Memory Loss. Journal of sleep research. 2015`.
    """
    found = _NAME_AND_TITLE.match(rest)
    if not found or found[1].startswith("In ") or PLACE.search(found[1]):
        return False
    is_turned = _INITIALS_ALONE.fullmatch(f"{before.rpartition(', ')[2]}.")  # `Doe, J.`
    return not is_turned and bool(re.search(r"\b[a-z]{4}", found[1]))


def are_names_before_colon(text: str) -> bool:
    """Whether it is a list of names as some styles set before a colon: `Doe JA, Roe K` (BMC), `Doe, J. A.` (SIST)."""
    if _WORD_BEHIND_NAMES.search(text) or _END_OF_NAMES.search(text):
        return False
    if is_group(text.rpartition(". ")[0]):  # `R Core Team. R`
        return False
    text = _OTHERS.sub("", text)
    if any(letter.isdigit() for letter in text) or not reads_like_names(text):
        return False
    names = re.sub(r",? (?:und|and|&) ", ", ", text).strip(" ,;").split(", ")
    if ";" in text or (len(names) == 2 and len(text.split()) < 4 and "." not in names[0]):
        return True
    if re.search(r"(?:^|[\s.])[A-Z]{4,}$", names[-1]):
        return False  # `RETAIN: An Interpretable Model`
    pairs = len(names) % 2 == 0 and all(_INITIALS.fullmatch(name) for name in names[1::2])
    return pairs or all(_INITIALS.fullmatch(name.split(" ")[-1]) for name in names)
