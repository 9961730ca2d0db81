"""Printed references whose title stands in quotation marks: MLA, Chicago, IEEE, and sentences that name a paper."""

from __future__ import annotations

import re

from shared.bibliography.journal_names import known_journal
from shared.references.journal_in_citation import YEAR
from shared.references.title_words import ends_quotation, reads_like_names, reads_like_title

_QUOTED = re.compile(r"[“\"«„]\s?([^“”\"«»]{8,500})[”\"»“]|(?<!\w)[‘']((?:[^‘’']|(?<=\w)[’'](?=\w)){12,500})[’'](?!\w)")
# `“Title” (Doe and Roe, 2005, Journal)`, `“Title”, Doe J, 2005`; in a row of a table `"Title","Doe, J","Journal",2005`.
_NAMES_BEHIND = re.compile(
    rf"[\s,.:(\[–—-]{{1,5}}(?:([^()\"\d]{{2,300}}?),? [(\[]?(?={YEAR}\b)|\"([^\"\d]{{2,600}})\",)"
)
_YEAR_AT_START = re.compile(rf"\A{YEAR}[a-z]?[)\],.:; ]*")
_GOES_ON = re.compile(r": ([^.?!]{10,300})[.?!]")  # `“Mini-mental state”: A practical method for grading …`
_BY = re.compile(r"[ ,.]{0,3}by ([^()\d]{2,200}?)(?:,? in |, | ?\()(?=[^()]{0,100}\(?\d)")
# `“Title” published in Journal`, `“Title”, which appeared in Journal`; not `“Title” in Journal clubs`.
_PUBLISHED = re.compile(r"[ ,.]{0,3}(?:which )?(?:was )?(?:published|appeared|printed) in (?=[a-z]?[^\W\d_a-z])")


def read_quoted(line: str) -> tuple[str, str, str] | None:
    """The same of a reference with its title in quotation marks, after names and a year and before the source."""
    found = _QUOTED.search(line)
    if not found:
        return None
    title, before, behind = (
        found[1] or found[2],
        line[: found.start()],
        _PUBLISHED.sub(". ", line[found.end() :], count=1),
    )
    begun = not before.strip() or re.search(r"(?:[.,)]|\):|\d|\bal|[^\W\d_][^\W\d_]:)\s*$", before)
    ended = re.search(r"[.,?!;]\s*$", title) or re.match(r"\s*[.,;:(]", behind) or ends_quotation(behind)
    goes_on = _GOES_ON.match(behind)
    if goes_on and reads_like_title(goes_on[1]):
        return None
    if not begun or not ended or not reads_like_names(before):
        return None
    if not before.strip() and (names := _BY.match(behind)) and reads_like_names(names[1]):
        return names[1], title.strip(" .,"), behind[names.end() :]
    if not before.strip() and (cited := _names_behind(behind)):
        return cited[0], title.strip(" .,"), cited[1]
    return before, title.strip(" .,"), behind.lstrip(" .,")


def _names_behind(behind: str) -> tuple[str, str] | None:
    """The names that follow a title at once, and the rest; not a journal in their place."""
    found = _NAMES_BEHIND.match(behind)
    names = found and (found[1] or found[2])
    if not found or not names or known_journal(names) or not reads_like_names(names):
        return None
    return names, _YEAR_AT_START.sub("", behind[found.end() :].replace('",', ", ").replace('"', ""), count=1).lstrip(
        " ,."
    )
