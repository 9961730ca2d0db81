"""Whether the title and the fields of a reference can mean one paper only."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from shared.references.cited_fields import OtherField
from shared.references.cited_title import Named, Naming

DISTINCTIVE_WEIGHT = 4  # significant words; with fewer, two papers may well have the same title
LONG_WEIGHT = 8  # with as many, two papers with one title and place are one
_PLACE = frozenset(("volume", "pages"))
WHOLE_PLACE = frozenset(("authors", "year", "journal", *_PLACE))


class Comparison(NamedTuple):
    """How a reference compares with one paper, apart from what is reported of it."""

    named: Named
    given: frozenset[OtherField]  # the fields that the reference has
    agrees: frozenset[OtherField]  # an adjacent year among them
    differs: frozenset[OtherField]
    same_year: bool  # the very year

    @property
    def is_proven(self) -> bool:
        """Whether no other paper can be meant."""
        if not self.named.naming:
            # A volume is a year's: only the page tells an author's papers in one apart.
            page = "pages" in self.agrees or "pages" not in self.given
            return page and {"journal", "year", "authors"} <= self.agrees
        match self.named.naming:
            case Naming.BEGINNING:
                return False
            case Naming.WRONG_WORD | Naming.GARBLED:  # then the place and the author name the paper
                return {"authors", "journal", *_PLACE} <= self.agrees and not self.differs
            case Naming.PART:  # the place tells the parts apart
                return {"authors", *_PLACE} <= self.agrees and not self.differs
            case Naming.CUT:
                return "authors" in self.agrees and len(self.agrees) > 1 and not self.differs
            case Naming.LONGER:
                return self._has_added_subtitle
        return self._has_title_of_its_own if self.named.title.generic else self._agrees_beside_title

    @property
    def is_possible(self) -> bool:
        """Whether the reference can mean the paper at all."""
        if self.is_proven:
            return True
        match self.named.naming:
            case Naming.WRONG_WORD:
                return False
            case Naming.GARBLED:
                return {"authors", "year"} <= self.agrees and not self.differs
            case Naming.BEGINNING:
                return "authors" in self.agrees
            case Naming.LONGER:
                return "authors" in self.agrees and len(self.agrees) > 1 and not self.differs
            case Naming.CUT:
                return "authors" in self.agrees or (len(self.agrees) > 1 and not self.differs)
        return bool(self.named.naming)

    @property
    def _is_distinctive(self) -> bool:
        return self.named.title.weight >= DISTINCTIVE_WEIGHT and not self.named.title.generic

    @property
    def _has_added_subtitle(self) -> bool:
        if self.differs:
            return False
        placed = "authors" in self.agrees and (not _PLACE.isdisjoint(self.agrees) or len(self.agrees) > 2)
        return placed or (self.named.title.weight >= LONG_WEIGHT and len(self.agrees) > 1)

    @property
    def _has_title_of_its_own(self) -> bool:
        """Of `Editorial` and the like, which many pieces have."""
        return len(self.agrees) > 1 and not {"authors", "pages"}.isdisjoint(self.agrees) and not self.differs

    @property
    def _agrees_beside_title(self) -> bool:
        """Real titles with invented authors and years are common in invented references: both at once prove nothing."""
        if not self.given and not self.agrees:
            return self._is_distinctive and self.named.naming is Naming.EQUAL
        if "authors" in self.agrees and self._is_distinctive:
            return True
        if "authors" in self.differs and not (self.same_year and {"journal", *_PLACE} & self.agrees):
            return False
        if "year" in self.differs and "authors" in self.given - self.agrees:
            return False
        if len(self.differs) > 1 and len(self.agrees) <= len(self.differs):
            return False
        fewest = 1 if self._is_distinctive and self.named.naming is not Naming.SPELLED else 2
        return len(self.agrees) >= fewest


def fits_without_title(agrees: Collection[str], differs: Collection[str]) -> bool:
    """Whether a reference without a title may mean a paper at all."""
    return len(agrees) > 2 and not differs and not _PLACE.isdisjoint(agrees)
