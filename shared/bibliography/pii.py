"""Publisher Item Identifiers (PII), which Elsevier's addresses and PubMed's citations have instead of a DOI.

    S0092-8674(17)30578-0, S0092867417305780     S, ISSN, year, number, check character
    0092867494904002                             the same before 1995; only in addresses and behind `pii:`
    B9780128042915000010                         B, ISBN, number, check character

Crossref has them without signs, as `alternative-id`. A number alone is only read with S or B and a valid ISSN or ISBN.
"""

from __future__ import annotations

import re
from urllib.parse import unquote

_SERIAL = r"S?(?P<issn>[0-9]{4}-?[0-9]{3}[0-9X])\(?(?P<year>[0-9]{2})\)?(?P<item>[0-9]{5})-?(?P<check>[0-9X])"
_BOOK = r"B(?P<isbn>97[89][0-9]{10})(?P<chapter>[0-9]{5})(?P<last>[0-9X])"
_WHOLE = re.compile(rf"(?:pii[\s:]{{0,9}})?(?P<value>{_SERIAL}|{_BOOK})", re.I | re.A)
# `/pii/S0092867417305780`, `cell.com/cell/fulltext/S0092-8674(17)30578-0`, `/PIIS2214-109X(20)30229-1`, and names of
# files: `1-s2.0-S0092867417305780-main.pdf`.
_IN_ADDRESS = re.compile(
    rf"(?:/pii/|(?:[/=](?:pii)?|1-s2\.0-)(?=[SB]))(?P<value>{_SERIAL}|{_BOOK})(?![0-9a-z])", re.I | re.A
)


def read_pii(text: str) -> str | None:
    """The PII that a text is, without signs and in capitals; None if it is none."""
    found = _WHOLE.fullmatch(text)
    named = found and (found["value"][0] in "SsBb" or found.start("value"))
    return _normal(found) if found and named else None


def pii_in_address(address: str) -> str | None:
    """The PII that an address, or the name of a file, has in it; None without one."""
    read = map(_normal, _IN_ADDRESS.finditer(unquote(address)))
    return next(filter(None, read), None)


def _normal(found: re.Match[str]) -> str | None:
    value = re.sub(r"[()-]", "", found["value"]).upper()
    if found["isbn"]:
        weighted = sum(int(digit) * (3 if place % 2 else 1) for place, digit in enumerate(found["isbn"]))
        return value if weighted % 10 == 0 else None
    digits = found["issn"].replace("-", "").upper()
    return value if sum((8 - place) * _digit(it) for place, it in enumerate(digits)) % 11 == 0 else None


def _digit(sign: str) -> int:
    return 10 if sign == "X" else int(sign)
