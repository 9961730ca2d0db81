"""Reads a result of Google Scholar as it is copied: `[PDF] Title A Vaswani, N Shazeer… - Journal …, 2017 - host`."""

from __future__ import annotations

import re

from shared.bibliography.name_patterns import CAPITAL
from shared.query.question import Citation
from shared.references.journal_in_citation import YEAR
from shared.references.names_in_citation import read_authors

_KIND = re.compile(r"(?:\[[A-Z]{1,8}\] ?){1,2}")  # of a result: `[PDF]`, `[BOOK][B]`
_BETWEEN = re.compile(r" [-–—] ")
_SOURCE = re.compile(rf"(?:(?P<journal>.{{2,200}}), )?(?P<year>{YEAR})")
_NAME = rf"{CAPITAL}{{1,4}} (?:[a-z]{{2,3}} ){{0,2}}{CAPITAL}[\w'’-]+(?: {CAPITAL}[\w'’-]+)?"
_NAMES = re.compile(rf"(?<=\S) ({_NAME}(?:, {_NAME}){{0,20}})(,? ?(?:…|\.\.\.))?$")
_CUT = re.compile(r"…|\.\.\.")
MIN_TITLE = 8  # characters


def read_scholar(line: str) -> Citation | None:
    """The citation; None unless names with initials before them end at a dash before a year, alone or of a journal.

    A journal that is cut short is left out: it would differ from its own name.
    """
    kind = _KIND.match(line)
    parts = _BETWEEN.split(line[kind.end() if kind else 0 :])
    for place, part in enumerate(parts[1:], 1):
        head = " - ".join(parts[:place])
        source, names = _SOURCE.fullmatch(part), _NAMES.search(head)
        if source and names and names.start() >= MIN_TITLE and (kind or names[2] or len(parts) > place + 1):
            journal = source["journal"]
            return Citation(
                title=_CUT.sub("", head[: names.start()]).strip(" .,"), authors=read_authors(names[1]),
                year=int(source["year"]), journal=None if not journal or _CUT.search(journal) else journal,
            )  # fmt: skip
    return None
