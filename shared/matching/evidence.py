"""How two records compare, point by point: each point agrees, differs or is not known, and the rules decide.

Costly points are computed when a rule first asks for them: most pairs are settled without.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from functools import lru_cache

from rapidfuzz import fuzz

from shared.bibliography.journals import JournalMatch, compare_journals
from shared.matching.computed_once import computed_once
from shared.matching.features import Features, Name
from shared.matching.title_likeness import SAME_SPELLING, leads_into, nearest_titles


class Authorship(IntEnum):
    """How far two lists of authors agree."""

    OTHER = 0
    FEW = 1
    SHARED = 2  # half of the shorter list or more
    FIRST = 3  # and the same first author


class FieldEvidence:
    """Two records side by side, but for their titles; authors and journals are compared when a rule asks for them."""

    def __init__(self, a: Features, b: Features) -> None:
        self.a = a
        self.b = b

    @property
    def years_apart(self) -> int | None:
        """How many years lie between them."""
        return abs(self.a.year - self.b.year) if self.a.year and self.b.year else None

    @property
    def volume(self) -> bool | None:
        """Whether they are in volumes of one number."""
        return _agree(self.a.volume, self.b.volume)

    @property
    def issue(self) -> bool | None:
        """Whether they are in issues of one number."""
        return _agree(self.a.issue, self.b.issue)

    @property
    def page(self) -> bool | None:
        """Whether they stand on one page."""
        return _same_page(self.a, self.b)

    @property
    def doi(self) -> bool | None:
        """Whether they have one DOI."""
        return _agree(self.a.doi, self.b.doi)

    @computed_once
    def authors(self) -> Authorship | None:
        """None when a list is missing, or when they are written in two scripts."""
        if not self.a.names or not self.b.names:
            return None
        if self.a.names[0] == self.b.names[0]:  # written alike, as they mostly are
            return Authorship.FIRST
        if _latin(self.a.names[0]) != _latin(self.b.names[0]):
            return None
        return _authorship(self.a, self.b)

    @computed_once
    def journals(self) -> JournalMatch | None:
        """How the names of the journals compare; None when one is missing."""
        a, b = self.a.paper.journal, self.b.paper.journal
        return compare_journals(a, b) if a and b else None

    @property
    def journal(self) -> bool | None:
        """Whether the journals agree; None when one is missing or the names leave it open.

        A shorter name agrees (`Nature` and `Nature Communications`, `VLDB`): sources cut names, and a journal never
        joins two records without their titles and authors.
        """
        match = self.journals
        return None if match in (None, JournalMatch.UNKNOWN) else match is not JournalMatch.DIFFERENT

    @property
    def authors_agree(self) -> bool:
        """Whether half of the shorter list of authors is in the other list."""
        return self.authors is not None and self.authors >= Authorship.SHARED

    @property
    def full_citation(self) -> bool:
        """Whether they stand in one volume on one page; of two journals that says nothing."""
        one_volume = self.a.volume is not None and self.a.volume == self.b.volume
        return one_volume and bool(self.page) and self.journal is not False

    @property
    def other_version(self) -> bool:
        """One is a preprint and the other is not."""
        return self.a.preprint != self.b.preprint


class Evidence(FieldEvidence):
    """Two records side by side, with those forms of their titles that are nearest."""

    def __init__(self, a: Features, b: Features) -> None:
        super().__init__(a, b)
        self.title, self._title_a, self._title_b = nearest_titles(a.titles, b.titles)

    @property
    def weight(self) -> int:
        """Words that mean something in the shorter title."""
        return min(self._title_a.weight, self._title_b.weight)

    @property
    def generic(self) -> bool:
        """Whether one of the titles recurs over other pieces."""
        return self._title_a.generic or self._title_b.generic

    @property
    def led_into(self) -> bool:
        """One title is of a piece about the other's subject: `Design of X`."""
        return leads_into(self._title_a, self._title_b)

    @property
    def one_plan(self) -> bool:
        """Only one title is of a plan: a trial's protocol has the title of its results, with such a word more."""
        return _PLANS.isdisjoint(self._title_a.words) != _PLANS.isdisjoint(self._title_b.words)

    @property
    def same_numbers(self) -> bool:
        """Whether all numbers of the titles agree; asked first, since they mostly do."""
        return self._title_a.numbers == self._title_b.numbers and self._title_a.parts == self._title_b.parts

    @property
    def other_number(self) -> bool:
        """A number stands in one title where another number stands in the other: phase 2 and phase 3."""
        a, b = self._title_a, self._title_b
        return bool(a.numbers - b.numbers and b.numbers - a.numbers) and a.compact != b.compact

    @property
    def other_part(self) -> bool:
        """Part I against Part II."""
        a, b = self._title_a, self._title_b
        return bool(a.parts - b.numbers and b.parts - a.numbers)

    @property
    def one_part(self) -> bool:
        """Part II against a title without part."""
        a, b = self._title_a, self._title_b
        return bool(a.parts - b.numbers or b.parts - a.numbers) and a.compact != b.compact

    @property
    def other_kind(self) -> bool:
        """By its title one is a reply, comment, erratum or retraction notice; the other is not, or is another."""
        return self._title_a.kinds != self._title_b.kinds

    @property
    def other_type(self) -> bool:
        """By its type one is an erratum or retraction notice and the other a paper, and the titles do not tell."""
        a, b = self.a.kind, self.b.kind
        return a is not None and b is not None and a != b and not self._title_a.kinds

    @property
    def translated(self) -> bool:
        """One of the titles is a translation, or they are in two languages or scripts.

        MEDLINE states the language of the text beside a title in English.
        """
        if self.a.translated or self.b.translated:
            return True
        languages = {self.a.paper.language, self.b.paper.language} - {None}
        if len(languages) > 1 or self._title_a.compact.isascii() != self._title_b.compact.isascii():
            return True
        in_english = [not _ENGLISH.isdisjoint(title.words) for title in (self._title_a, self._title_b)]
        return bool(languages - {"en"}) and in_english[0] != in_english[1]


_ENGLISH = frozenset(("and", "of", "the", "with"))
_PLANS = frozenset(("protocol", "rationale"))
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def _agree(a: str | None, b: str | None) -> bool | None:
    return None if a is None or b is None else a == b


def _same_page(a: Features, b: Features) -> bool | None:
    """Whether both begin (or, failing that, end) on the same page; `S51` and `51` agree."""
    if a.page and a.page == b.page:  # of most pairs
        return True
    if a.last_page and b.last_page and (a.last_page == b.last_page or not a.page or not b.page):
        return True if a.last_page.endswith(b.last_page) or b.last_page.endswith(a.last_page) else None
    if a.page is None or b.page is None:
        return None
    if a.page == b.page:
        return True
    return a.page.lstrip(_LETTERS) == b.page.lstrip(_LETTERS) and a.page.isdigit() != b.page.isdigit()


def _authorship(a: Features, b: Features) -> Authorship:
    first_a, first_b = a.names[0], b.names[0]
    if _same_person(first_a, first_b):
        return Authorship.FIRST
    if not a.families.isdisjoint(b.families):
        fewer = min(len(a.names), len(b.names))
        return Authorship.SHARED if 2 * _shared_names(a.names, b.names) >= fewer else Authorship.FEW
    # A name misspelled; given and family names in each other's place; compound names cut.
    if first_a.initial == first_b.initial and fuzz.ratio(first_a.family, first_b.family) >= SAME_SPELLING:
        return Authorship.SHARED
    words_a, words_b = _all_words(a.names), _all_words(b.names)
    if 2 * len(words_a & words_b) >= min(len(words_a), len(words_b)) > 0:
        return Authorship.SHARED
    return Authorship.OTHER


def _same_person(a: Name, b: Name) -> bool:
    """Particles come and go: Quintrec and Le Quintrec."""
    if _agree(a.initial, b.initial) is False:
        return False
    if a.family == b.family:
        return True
    return min(len(a.family), len(b.family)) > 4 and (a.family.endswith(b.family) or b.family.endswith(a.family))


def _shared_names(a: Sequence[Name], b: Sequence[Name]) -> int:
    """How many of the names of the one list are in the other; J. Wang is not L. Wang."""
    initials: dict[str, set[str | None]] = {}
    for name in b:
        initials.setdefault(name.family, set()).add(name.initial)
    return sum(
        1
        for name in a
        if (known := initials.get(name.family)) and (name.initial is None or not known.isdisjoint((None, name.initial)))
    )


def _latin(name: Name) -> bool:
    return name.family.isascii() or any(letter in _LETTERS for letter in name.family)


@lru_cache(maxsize=4096)  # one list is compared with many
def _all_words(names: tuple[Name, ...]) -> frozenset[str]:
    return frozenset().union(*[name.words for name in names])
