"""The rules for pieces under a title that recurs: by the title alone, `Editorial` is not a paper's name."""

from __future__ import annotations

from shared.bibliography.journals import JournalMatch
from shared.matching.evidence import Evidence


def other_place(e: Evidence) -> str | None:
    """Whether anything differs that could name the piece: DOI, journal, volume, issue, page, year or authors."""
    if not e.generic:
        return None
    differs = False in (e.doi, e.volume, e.issue, e.page, e.journal) or e.years_apart
    return "recurring title, other citation" if differs or (e.authors is not None and not e.authors_agree) else None


def recurring_title(e: Evidence) -> str | None:
    """Without an id, only the whole citation tells that two records are of one piece."""
    if not e.generic or other_place(e):
        return other_place(e)
    known = e.authors if e.journals is None else e.journals is JournalMatch.SAME and (e.authors or e.issue)
    return None if e.full_citation and e.years_apart == 0 and known else "recurring title, too little to tell"
