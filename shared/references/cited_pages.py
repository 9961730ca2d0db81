"""Compares all pages that are cited with a paper's: the judgement needs the first one only, a correction the last too.

An abbreviated last page, as MEDLINE cites it, is the whole one: `117-27` is 117-127. A letter that some sources leave
out, as in `S51`, does not count, except for the `e` of an electronic page before a range of printed ones.
"""

from __future__ import annotations

import re
from dataclasses import replace
from enum import Enum

from shared.query.question import Citation
from shared.references.judgement import Candidate

MAX_CHARS = 100
FIRST_ALONE = "only the first page was compared"
_PAGE = r"([a-z]{0,4})(\d{1,9})[a-z]?"
_SUPPLEMENT = r"(?:[.,]? ?e\d{1,9}(?:-e?\d{1,9})?)?"  # `1061-1071.e5`: pages of the electronic edition alone
_PAGES = re.compile(rf"(?:pp?\.? ?)?{_PAGE}(?:-{_PAGE})?{_SUPPLEMENT}\.?")
_DASHES = re.compile(r" ?[-\u2010-\u2015\u2212]{1,3} ?")


class SamePages(Enum):
    """How the cited pages compare with the paper's."""

    ALL = "the same pages"
    FIRST = "the first page alone could be compared"
    NO = "the first or the last page differs"


def compare_pages(cited: str, found: str) -> SamePages:
    """Compare the cited pages with those of a record; what is not a range, such as `117-20, 125`, by its first page."""
    cited, found = _evened(cited), _evened(found)
    ours, theirs = _PAGES.fullmatch(cited), _PAGES.fullmatch(found)
    if cited == found or not ours or not theirs:
        return SamePages.ALL if cited == found else SamePages.FIRST
    (first, last), (true_first, true_last) = _range(ours), _range(theirs)
    electronic = ours[1] == "e", theirs[1] == "e"
    if first != true_first or (electronic[0] != electronic[1] and (ours[4] or theirs[4])):
        return SamePages.NO
    if true_last is not None and true_last < true_first:
        true_last = None  # the source has it wrong
    lasts = [first if it is None and other == first else it for it, other in ((last, true_last), (true_last, last))]
    if lasts[0] == lasts[1]:
        return SamePages.ALL
    return SamePages.FIRST if None in lasts else SamePages.NO


def with_all_pages(citation: Citation, candidate: Candidate) -> Candidate:
    """The candidate as it is shown: its pages differ if a page other than that by which it was judged does."""
    if same_pages(citation, candidate) is not SamePages.NO:
        return candidate
    agrees = tuple(name for name in candidate.agrees if name != "pages")
    behind = tuple(name for name in candidate.differs if name == "id")
    differs = tuple(name for name in candidate.differs if name != "id")
    return replace(candidate, agrees=agrees, differs=(*differs, "pages", *behind))


def same_pages(citation: Citation, candidate: Candidate) -> SamePages | None:
    """How the pages compare with those of a paper that was judged to stand on them; None if either has none.

    They agree if they are those of one of its records.
    """
    pages = candidate.paper.pages
    if "pages" not in candidate.agrees or not citation.pages or not pages:
        return None
    compared = compare_pages(citation.pages, pages)
    is_other = compared is SamePages.NO and any(
        it.pages and compare_pages(citation.pages, it.pages) is SamePages.ALL for it in candidate.paper.records
    )
    return SamePages.ALL if is_other else compared


def _evened(pages: str) -> str:
    return _DASHES.sub("-", " ".join(pages[:MAX_CHARS].casefold().split()))


def _range(pages: re.Match[str]) -> tuple[int, int | None]:
    """The first and the last page as numbers; `139-54` ends at 154."""
    first, last = pages[2], pages[4]
    if last is None:
        return int(first), None
    return int(first), int(first[: max(0, len(first) - len(last))] + last)
