"""The formats that results are exported in, and which of them a caller wants (RFC 9110, 12.5.1)."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from shared.exports.bibtex import bibtex
from shared.exports.csl_json import csl_json
from shared.exports.csv_table import csv_table
from shared.exports.fields import Results
from shared.exports.markdown import markdown_table
from shared.exports.ris import ris


@dataclass(frozen=True, slots=True)
class Format:
    """A format: its name in `?format=`, its media type, its files' extension, its writer and its comments."""

    name: str
    media_type: str
    extension: str
    write: Callable[[Results], str]
    comment: str | None = None  # a line that readers pass over, with `{}` for its text


# BibTeX and RIS have no registered type; these are the ones that https://doi.org serves. The others are RFC 7763 and
# 7764, the IANA registry, RFC 4180 and 7111.
FORMATS = {
    it.name: it
    for it in (
        Format("markdown", "text/markdown; charset=utf-8; variant=GFM", "md", markdown_table, "<!-- {} -->"),
        Format("bibtex", "application/x-bibtex; charset=utf-8", "bib", bibtex, "% {}"),
        Format("ris", "application/x-research-info-systems; charset=utf-8", "ris", ris),
        Format("csl-json", "application/vnd.citationstyles.csl+json", "json", csl_json),
        Format("csv", "text/csv; charset=utf-8; header=present", "csv", csv_table),
    )
}

_TOKEN = r"[!#$%&'*+.^`|~\w-]+"  # noqa: S105
_VALUE = rf'{_TOKEN}|"(?:[^"\\]|\\.)*"'
# Possessive, so that a header made for it takes no time.
_RANGE = re.compile(rf"\s*({_TOKEN})/({_TOKEN})((?:\s*;\s*(?:{_TOKEN}\s*=\s*(?:{_VALUE}))?)*+)\s*", re.A)
_PARAMETER = re.compile(rf"({_TOKEN})\s*=\s*({_VALUE})", re.A)
_QUALITY = re.compile(r"0(?:\.\d{0,3})?|1(?:\.0{0,3})?")
# A comma that stands in quotes parts nothing.
_MEMBER = re.compile(r'(?:[^,"]|"(?:[^"\\]|\\.)*"|")+')


@dataclass(frozen=True, slots=True)
class _MediaRange:
    type: str
    subtype: str
    parameters: frozenset[tuple[str, str]]
    quality: float = 1.0

    def precision(self, offer: _MediaRange) -> tuple[bool, bool, int] | None:
        """How exactly the range names what is offered; None when it does not mean it."""
        if self.type not in ("*", offer.type) or self.subtype not in ("*", offer.subtype):
            return None
        if not self.parameters <= offer.parameters:
            return None
        return self.type != "*", self.subtype != "*", len(self.parameters)


def format_for(accept: str | None) -> Format | None:
    """The format that an `Accept` header asks for; None when it asks for something else. No header takes the first."""
    chosen = negotiated(accept, [it.media_type for it in FORMATS.values()])
    return next((it for it in FORMATS.values() if it.media_type == chosen), None)


def negotiated(accept: str | None, offered: Sequence[str]) -> str | None:
    """The media type that the header likes best, of equals the one offered first; None when it likes none.

    The most exact range decides about a type. What cannot be read in the header is passed over; a header without
    anything that can be read accepts everything, as none does.
    """
    ranges = [found for member in _MEMBER.findall(accept or "") if (found := _media_range(member))]
    if not ranges:
        return offered[0] if offered else None
    liked = [(_quality(ranges, offer), offer) for offer in offered]
    best = max((quality for quality, _ in liked), default=0.0)
    return next((offer for quality, offer in liked if quality == best), None) if best else None


def _quality(ranges: Sequence[_MediaRange], offered: str) -> float:
    offer = _media_range(offered)
    if offer is None:
        raise ValueError(f"{offered!r} is not a media type")
    meant = [(precision, it.quality) for it in ranges if (precision := it.precision(offer)) is not None]
    return max(meant, default=(None, 0.0), key=lambda found: found[0] or (False, False, 0))[1]


def _media_range(text: str) -> _MediaRange | None:
    """`text/csv;header=present;q=0.5`; what follows `q` belongs to no media type."""
    found = _RANGE.fullmatch(text)
    if not found or (found[1] == "*" and found[2] != "*"):
        return None
    parameters: set[tuple[str, str]] = set()
    for name, value in _PARAMETER.findall(found[3]):
        plain = re.sub(r"\\(.)", r"\1", value[1:-1]) if value.startswith('"') else value
        if name.lower() == "q":
            return _weighed(found, parameters, plain)
        parameters.add((name.lower(), plain.lower()))
    return _weighed(found, parameters, "1")


def _weighed(found: re.Match[str], parameters: set[tuple[str, str]], quality: str) -> _MediaRange | None:
    if not _QUALITY.fullmatch(quality):
        return None
    return _MediaRange(found[1].lower(), found[2].lower(), frozenset(parameters), float(quality))
