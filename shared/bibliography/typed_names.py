"""The names of people as callers type them: in any order of their parts, in any case, with or without dots.

`Doudna JA`, `J. A. Doudna` and `Doudna, Jennifer A.` name one person. Where a name can be read in several ways (`Zhang
Feng`), there are several readings, the likeliest first. A group (`UK Biobank`) is one name without parts.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

from shared.bibliography.group_authors import is_group
from shared.bibliography.name_order import SHORT_PARTICLES, Word, Words, by_comma, in_order
from shared.bibliography.name_patterns import OTHERS
from shared.bibliography.orcid import read_orcid
from shared.bibliography.person_names import PARTICLES
from shared.bibliography.surnames import SHORT, SHORT_GIVEN, TWO_CHARACTERS
from shared.bibliography.text import fold
from shared.bibliography.words import UNSPACED

MAX_READINGS = 3


@dataclass(frozen=True, slots=True)
class PersonName:
    """One reading: `family` as written, `initials` in capitals, `given` None if only initials are known.

    Of a group, of a name of one word, and of an ORCID iD, `family` is all, and `initials` is "".
    """

    family: str
    given: str | None = None
    initials: str = ""

    @property
    def pubmed(self) -> str:
        """As MEDLINE indexes it: `Doudna JA`; the family name alone where no initial is known."""
        return f"{self.family} {self.initials}".strip()

    @property
    def display(self) -> str:
        """The given names or initials first: `Jennifer A Doudna`, `J A Doudna`."""
        return f"{self.given or ' '.join(self.initials)} {self.family}".strip()

    @property
    def orcid(self) -> str | None:
        """The ORCID iD that stands for the name."""
        return read_orcid(self.family) if self.given is None else None

    @property
    def of_group(self) -> bool:
        """Whether this is a group's name."""
        return self.given is None and not self.initials and _names_group(self.family)


_APOSTROPHES = str.maketrans(dict.fromkeys("’‘ʼ´`′", "'"))
_MARKS = re.compile(r"[\"“”„«»;:()\[\]{}<>|*?!]")
_OTHERS = re.compile(rf",? ?{OTHERS}\.?,?$", re.IGNORECASE)
_DEGREE = re.compile(r"m\.?d|ph\.? ?d|d\.?phil|m\.?sc|b\.?sc|m\.?p\.?h|[js]r|i{2,3}|iv|[23]rd|2nd", re.I)
_OF_GROUPS = frozenset(("and", "for", "of", "on", "&"))
_TITLES = frozenset(("dr", "prof", "professor"))
_NUMERALS = frozenset(("ii", "iii", "iv"))
_BEGINS = re.compile(r"(?<![^\W\d_])[^\W\d_]")  # a letter that follows none: also behind a hyphen or apostrophe
_PARTS = re.compile(r"[ -]")
_VOWEL = re.compile(r"[aeiouy]")


@lru_cache(maxsize=4096)
def read_person(text: str) -> tuple[PersonName, ...]:
    """The readings of a typed name, the likeliest first, at most three; none if it has no letter.

    Of several names with a comma or semicolon between them, and of `Smith et al.`, the first with a letter is read.
    """
    names = unicodedata.normalize("NFKC", text).translate(_APOSTROPHES).split(";")
    if orcid := read_orcid(names[0]):
        return (PersonName(orcid),)
    text = next((name for name in names if any(map(str.isalpha, name))), "")
    name = _OTHERS.sub("", " ".join(_MARKS.sub(" ", text).split())).strip(" ,.-")
    if not any(map(str.isalpha, name)):
        return ()
    if _names_group(name):
        return (PersonName(name),)
    if UNSPACED.search(name) or "\uac00" <= name[0] <= "\ud7a3":
        return _unspaced(name)
    plain = name.islower() or name.isupper()
    name = name.replace("an't ", "an 't ").replace("AN'T ", "AN 'T ")  # van't Veer
    parts = [part for part in (part.lstrip(" .-").rstrip(" .-'") for part in name.split(",")) if part.strip("'")]
    words = [_words(parts[0], plain)]
    words += [_words(part, plain) for part in parts[1:] if not _is_added(part, len(words[0]))]
    found = by_comma(words[0], words[1]) if len(words) > 1 else in_order(words[0])
    readings = dict.fromkeys(_person(family, given, plain) for family, given in found if family)
    return tuple(readings)[:MAX_READINGS] or (PersonName(name),)


def _is_added(part: str, words_before: int) -> bool:
    """Whether a part behind a comma is a degree or suffix; `Eddy, SR` and `Weston, MD` are initials."""
    initials = words_before == 1 and len(part) == 2 and (part.isupper() or part in ("md", "sr"))
    return _DEGREE.fullmatch(part) is not None and not initials


def _names_group(name: str) -> bool:
    words = name.lower().split()
    joined = words[0] == "the" or not _OF_GROUPS.isdisjoint(words[1:-1])  # but `Lebedev ON`
    return is_group(name) or joined or any(map(str.isdigit, name)) or "biobank" in words


def _unspaced(name: str) -> tuple[PersonName, ...]:
    """Chinese, Japanese and Korean names, the family first: of one character, or in Japanese mostly of two."""
    family, _, given = name.replace(",", " ").partition(" ")
    if given:
        return (PersonName(family, "".join(given.split())),)
    if not 2 <= len(name) <= 6:
        return (PersonName(name),)
    kana = any("\u3040" <= sign <= "\u30ff" for sign in name)
    two_first = len(name) > 3 or kana or name[:2] in TWO_CHARACTERS
    lengths = (1,) if len(name) == 2 else (2, 1) if two_first else (1, 2)
    return tuple(PersonName(name[:length], name[length:]) for length in lengths)


def _words(part: str, plain: bool) -> list[Word]:
    """The words of a part between commas; `plain`: the case of its letters says nothing."""
    found: list[Word] = []
    for written in part.split():
        pieces = [piece for it in written.split(".") if (piece := it if it in SHORT_PARTICLES else it.strip("-'"))]
        for piece in pieces:
            found.append(_word(piece, plain, dotted="." in written, first=not found))
    if len(found) > 2 and fold(found[0].text) in _TITLES:
        found = found[1:]
    return _without_suffix(found, plain)


def _without_suffix(words: list[Word], plain: bool) -> list[Word]:
    """The words without `Jr.` or `III`; but `Johnson JR`, `Ivanov IV` and, in one case, `stone da` have initials."""
    last = fold(words[-1].text) if words else ""
    capitals = bool(words) and words[-1].text.isupper() and not plain
    if (last in _NUMERALS and len(words) > 2) or (
        last in ("jr", "sr") and not capitals and (len(words) > 2 or words[-1].text == "Jr")
    ):
        return words[:-1]
    if len(words) == 2 and plain and len(last) == 2 and last in PARTICLES - SHORT:
        return [words[0], words[1]._replace(initials=True)]
    return words


def _word(text: str, plain: bool, *, dotted: bool, first: bool) -> Word:
    """Whether a word is initials: by dots, capitals and length, else by what short words mostly are."""
    if text in SHORT_PARTICLES:
        return Word(text, sure=False)
    folded = fold(text).replace(" ", "")
    short = len(folded) <= 3 and text.isalpha()
    if len(folded) <= 1 or all(len(piece) == 1 for piece in text.split("-")):
        joins = text in ("y", "e") and not (plain or dotted or first)  # Ramón y Cajal
        return Word(text, initials=True, sure=not joins)
    capitals = text.isupper() and not plain and (short or (len(folded) == 4 and not _VOWEL.search(folded)))
    if capitals or (dotted and short and (plain or text.isupper())):
        return Word(text, initials=True, sure=dotted or folded not in SHORT)
    if not short or dotted:
        return Word(text)
    if folded in SHORT or (first and folded in SHORT_GIVEN):
        return Word(text, sure=False)
    if folded in PARTICLES:
        return Word(text, sure=False)
    without_vowel = not _VOWEL.search(folded)
    return Word(text, initials=len(folded) == 2 or without_vowel, sure=without_vowel)


def _person(family: Words, given: Words, plain: bool) -> PersonName:
    initials = "".join(
        word.text.replace("-", "")
        if word.initials
        else "".join(piece.lstrip("'")[:1] for piece in _PARTS.split(word.text))
        for word in given
        if plain or len(given) == 1 or word.text not in PARTICLES  # Leandro de Jesus
    )
    texts = [
        " ".join(word.text.replace("-", "")).upper() if word.initials else _cased(word.text, plain) for word in given
    ]
    in_full = any(not word.initials for word in given)
    alone = not given and len(family) == 1 and family[0].text.isupper()  # WHO
    return PersonName(
        family=" ".join(word.text if alone else _cased(word.text, plain) for word in family),
        given=" ".join(texts) if in_full else None,
        initials=initials.upper(),
    )


def _cased(text: str, plain: bool) -> str:
    """A name in its usual case, where the typed one says nothing: `van der Maaten`, `O'Brien`."""
    if not plain and not (text.isupper() and len(text) > 3):
        return text
    return " ".join(
        word.lower()
        if (word.lower() in PARTICLES or word == "'T") and " " in text
        else _BEGINS.sub(lambda it: it[0].upper(), word.lower())
        for word in text.split()
    )
