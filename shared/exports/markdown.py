"""A table in GitHub Flavored Markdown, a row a paper; nothing in a title can leave its cell or become markup."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from shared.exports.fields import (
    Results,
    authors_of,
    field_of,
    has_more_authors,
    id_of,
    is_open,
    open_access_of,
    retraction_of,
    web_address,
)

if TYPE_CHECKING:
    from shared.answers.search import StoredPaper

COLUMNS = ("#", "Authors", "Title", "Year", "Venue", "Cites", "DOI", "OA")
AUTHORS_SHOWN = 3
_MARKS = {"retracted": "**RETRACTED** ", "concern": "**EXPRESSION OF CONCERN** ", "corrected": "**CORRECTED** "}
# Markup, entities, formulas, and what becomes a link by itself: addresses, `www.`, e-mail.
_SPECIAL = re.compile(r"[\\`*_\[\]<>|~$@]|&(?=#?\w+;)|:(?=//)|(?<=www)\.", re.I)
_NOT_IN_LINKS = str.maketrans({sign: f"%{ord(sign):02X}" for sign in "()[]*_~$&;'`|\\"})


def markdown_table(results: Results) -> str:
    """The columns # Authors Title Year Venue Cites DOI OA; unknown values are empty cells."""
    rows = [COLUMNS, ["---"] * len(COLUMNS)]
    rows += [_cells(paper, place) for place, paper in enumerate(results, start=1)]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in rows)


def escaped(text: str) -> str:
    """The text as Markdown that shows it to the letter, in a cell of a table or elsewhere within a line."""
    return _SPECIAL.sub(r"\\\g<0>", text)


def _cells(paper: StoredPaper, place: int) -> list[str]:
    mark = _MARKS.get(retraction_of(paper)["status"], "")
    return [
        str(place),
        escaped(_authors(paper)),
        mark + escaped(field_of(paper, "title") or ""),
        escaped(field_of(paper, "year") or ""),
        escaped(field_of(paper, "journal") or ""),
        field_of(paper, "citation_count") or "",
        _name(paper),
        _open_access(paper),
    ]


def _authors(paper: StoredPaper) -> str:
    """The first three; `et al.` where there are more."""
    names = [author.display for author in authors_of(paper)]
    more = len(names) > AUTHORS_SHOWN or has_more_authors(paper)
    return ", ".join([*names[:AUTHORS_SHOWN], *(["et al."] if more and names else [])])


def _name(paper: StoredPaper) -> str:
    """The DOI; of a paper without one, our key. Linked where there is an address."""
    name = id_of(paper, "doi") or field_of(paper, "key") or ""
    return _link(name, paper.get("citation_uri"))


def _open_access(paper: StoredPaper) -> str:
    word = is_open(paper) or ""
    return _link(word, open_access_of(paper).get("url")) if word == "yes" else word


def _link(text: str, url: str | None) -> str:
    address = web_address(url)
    return f"[{escaped(text)}]({address.translate(_NOT_IN_LINKS)})" if address and text else escaped(text)
