"""A table in GitHub Flavored Markdown, a row a paper; nothing in a title can leave its cell or become markup."""

from __future__ import annotations

import re

from shared.exports.fields import (
    Result,
    Results,
    authors_of,
    field_of,
    has_more_authors,
    id_of,
    is_open,
    web_address,
)

COLUMNS = ("#", "Authors", "Title", "Year", "Venue", "Cites", "DOI", "OA")
AUTHORS_SHOWN = 3
_MARKS = {"retracted": "**RETRACTED** ", "concern": "**EXPRESSION OF CONCERN** ", "corrected": "**CORRECTED** "}
# Markup, entities, formulas, and what becomes a link by itself: addresses, `www.`, e-mail.
_SPECIAL = re.compile(r"[\\`*_\[\]<>|~$@]|&(?=#?\w+;)|:(?=//)|(?<=www)\.", re.I)
_NOT_IN_LINKS = str.maketrans({sign: f"%{ord(sign):02X}" for sign in "()[]*_~$&;'`|\\"})


def markdown_table(results: Results) -> str:
    """The columns # Authors Title Year Venue Cites DOI OA; what is not known is an empty cell."""
    rows = [COLUMNS, ["---"] * len(COLUMNS)]
    rows += [_cells(result, place) for place, result in enumerate(results, start=1)]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in rows)


def escaped(text: str) -> str:
    """The text as Markdown that shows it to the letter, in a cell of a table or elsewhere within a line."""
    return _SPECIAL.sub(r"\\\g<0>", text)


def _cells(result: Result, place: int) -> list[str]:
    mark = _MARKS.get((result.get("retraction") or {}).get("status", ""), "")
    return [
        str(place),
        escaped(_authors(result)),
        mark + escaped(field_of(result, "title") or ""),
        escaped(field_of(result, "year") or ""),
        escaped(field_of(result, "journal") or ""),
        field_of(result, "citation_count") or "",
        _name(result),
        _open_access(result),
    ]


def _authors(result: Result) -> str:
    """The first three; `et al.` where there are more."""
    names = [author.display for author in authors_of(result)]
    more = len(names) > AUTHORS_SHOWN or has_more_authors(result)
    return ", ".join([*names[:AUTHORS_SHOWN], *(["et al."] if more and names else [])])


def _name(result: Result) -> str:
    """The DOI; of a paper without one, our key. Linked where there is an address."""
    name = id_of(result, "doi") or field_of(result, "key") or ""
    return _link(name, result.get("citation_uri"))


def _open_access(result: Result) -> str:
    word = is_open(result) or ""
    return _link(word, (result.get("open_access") or {}).get("url")) if word == "yes" else word


def _link(text: str, url: str | None) -> str:
    address = web_address(url)
    return f"[{escaped(text)}]({address.translate(_NOT_IN_LINKS)})" if address and text else escaped(text)
