"""What publishers deposit with Crossref besides the citation itself: ISSN, links, licences, print and online dates.

The shares are those of 503 works in recorded answers of 2022 to 2026 (`tests/unit/sandbox/test_crossref_shares.py`).
Which paper has what follows a fixed rule on its DOI. Names and numbers of members are Crossref's own.
"""

from __future__ import annotations

import zlib
from datetime import UTC, datetime
from typing import Any

from infra.local.sandbox.facts import Fact
from shared.bibliography.pii import read_pii

# DOI prefix -> the member's number and name.
MEMBERS = {
    "10.1002": ("311", "Wiley"), "10.1007": ("297", "Springer Science and Business Media LLC"),
    "10.1016": ("78", "Elsevier BV"), "10.1038": ("297", "Springer Science and Business Media LLC"),
    "10.1101": ("246", "openRxiv"), "10.1111": ("311", "Wiley"),
    "10.1126": ("221", "American Association for the Advancement of Science (AAAS)"),
    "10.1093": ("286", "Oxford University Press (OUP)"), "10.1371": ("340", "Public Library of Science (PLoS)"),
    "10.1186": ("297", "Springer Science and Business Media LLC"),
}  # fmt: skip
PIIS = {"10.1016/j.cell.2017.05.018": "S0092867417305780"}  # where it is not in the DOI
_SMALL_MEMBERS = 30_000  # numbers from here on are invented, for members that the table lacks
_FIRST_DEPOSIT = "2002-07-26"  # older papers were deposited later than they appeared
_INDEXED = "2026-06-15"


def share(fact: Fact, element: str, percent: float) -> bool:
    """Whether a paper is among this share of papers that have the element."""
    return zlib.crc32(f"{element}|{fact.doi}".lower().encode()) % 1000 < percent * 10


def member_of(doi: str) -> tuple[str, str]:
    """The number and the name of the member that registered a DOI."""
    prefix = doi.partition("/")[0]
    return MEMBERS.get(prefix, (str(_SMALL_MEMBERS + zlib.crc32(prefix.encode()) % 5000), f"Publisher of {prefix}"))


def date_of(date: str) -> dict[str, Any]:
    """`2005-10` as `{"date-parts": [[2005, 10]]}`; without a date `[[null]]`."""
    parts: list[int | None] = [int(part) for part in date.split("-") if part]
    return {"date-parts": [parts or [None]]}


def time_of(date: str) -> dict[str, Any]:
    """A day in the three forms in which Crossref states a time: parts, ISO 8601 and milliseconds."""
    moment = datetime.fromisoformat(date).replace(tzinfo=UTC)
    written = f"{moment:%Y-%m-%dT%H:%M:%SZ}"
    return {**date_of(date), "date-time": written, "timestamp": round(moment.timestamp() * 1000)}


def deposit_of(fact: Fact, issued: str) -> dict[str, Any]:
    """The elements that a deposit adds to a record; one without a value is None or an empty list."""
    number, name = member_of(fact.doi or "")
    created = max(_FIRST_DEPOSIT, min((issued + "-01-01")[:10] if issued else _FIRST_DEPOSIT, _INDEXED))
    article = fact.type != "preprint"
    issn = [fact.issn] if article and fact.issn and share(fact, "issn", 97) else []
    return {
        "indexed": {**time_of(_INDEXED), "version": "3.54.5"},
        "created": time_of(created),
        "deposited": time_of(max(created, f"20{10 + zlib.crc32((fact.doi or '').encode()) % 16}-03-01")),
        "publisher": name,
        "alternative-id": list(filter(None, [_pii(fact.doi or "")])),
        "member": number,
        "content-domain": {"domain": [], "crossmark-restriction": False},
        "source": "Crossref",
        "ISSN": issn,
        "issn-type": [{"value": value, "type": "electronic"} for value in issn],
        "short-container-title": _short_title(fact) if article and share(fact, "short", 66) else [],
        "link": _links(fact) if share(fact, "link", 86) else [],
        "license": _licences(fact, issued),
        **(_print_and_online(fact, issued) if article and issued else {}),
    }


def _pii(doi: str) -> str | None:
    """The PII that the publisher deposits as well: the DOI's own (`10.1016/S…`), or that of the table."""
    return read_pii(doi.partition("/")[2]) or PIIS.get(doi.lower())


def _print_and_online(fact: Fact, issued: str) -> dict[str, Any]:
    """Of ten papers four have a date of print, three one of appearance online, and two have both."""
    number = zlib.crc32(f"dates|{fact.doi}".lower().encode()) % 100
    date = date_of(issued)
    return {"published-print": date if number < 68 else None, "published-online": date if 42 <= number < 95 else None}


def _short_title(fact: Fact) -> list[str]:
    """The journal's name with words cut to four letters, as abbreviations are made."""
    words = (fact.journal or "").split()
    short = [word if len(word) < 6 else f"{word[:4]}." for word in words if word.lower() not in ("of", "the", "and")]
    return [" ".join(short)] if words else []


def _links(fact: Fact) -> list[dict[str, str]]:
    doi = (fact.doi or "").lower()
    shapes = (("similarity-checking", "unspecified"), ("text-mining", "application/pdf"))
    return [
        {"URL": f"https://publisher.example/{doi}", "content-type": kind, "content-version": "vor",
         "intended-application": use}
        for use, kind in shapes[: 1 + share(fact, "mining", 50)]
    ]  # fmt: skip


def _licences(fact: Fact, issued: str) -> list[dict[str, Any]]:
    """Creative Commons for open papers; for most others the publisher's terms of text mining, which are no licence."""
    start = {"start": date_of(issued), "delay-in-days": 0}
    if fact.is_open_access:
        by = {**start, "URL": "https://creativecommons.org/licenses/by/4.0/"}
        return [{**by, "content-version": version} for version in ("tdm", "vor")]
    if not share(fact, "licence", 65):
        return []
    return [
        {**start, "content-version": "tdm", "URL": f"https://publisher.example/terms/{member_of(fact.doi or '')[0]}"}
    ]
