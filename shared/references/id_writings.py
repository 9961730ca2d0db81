"""Other ways to read the DOI of a reference: with a blank or a line break inside it, or with marks behind it.

    10.1038/nature 21029    10 . 1038 / nature21029    10.1186/1750-1326-8-⏎19      as copied from a PDF
    10.1038/nature21029?utm_source=…    10.1038/nature21029</a>                     in the field of a DOI
    10.7554/eLife.20391.pdf   10.1084/jem.20212479/full.pdf                         with the ending of its file
    www.jstor.org/stable/2346178    ssrn.com/abstract=3548411                       in the words of an address

Whether what follows a blank belongs to the DOI cannot be seen: each reading is one that the sources may confirm
(`shared.references.reference_queries`), and none that no source knows is used.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from shared.bibliography.identifiers import REGISTRANT_CODE
from shared.bibliography.paper_ids import NAMED_SCHEMES
from shared.bibliography.publisher_addresses import assumed_dois
from shared.bibliography.reference_text import read_references
from shared.papers.reference_request import Reference
from shared.query.question import Citation

MOST_READINGS = 4  # of one reference, the longest
MOST_PIECES = 9
_START = re.compile(rf"(?<![\w.])10\s{{0,2}}\.\s{{0,2}}({REGISTRANT_CODE})\s{{0,2}}/\s{{0,9}}", re.ASCII)
_PIECE = re.compile(r"[a-z0-9._:/()-]{1,100}", re.ASCII | re.IGNORECASE)
_GAP = re.compile(r"\s{1,8}")
_FILE_ENDING = re.compile(r"(?:/[a-z]{1,12})?\.(?:pdf|full|html?|xml|epub)\Z")  # of a normalised name
_NO_PIECE = re.compile(r"10\.\d{4}|(?:https?|doi|pmid|pmc|pmcid|arxiv|issn|isbn)\b|www\.", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Writing:
    """One reading of a reference's DOI: its normalised name, and the reference with the DOI written so."""

    name: str
    citation: Citation

    def replaces(self, name: str) -> bool:
        """Whether an id of the reference is this DOI cut short, or this DOI with what stands behind it."""
        return name.startswith(self.name) or self.name.startswith(name)


def writings_of(reference: Reference, names: tuple[str, ...]) -> tuple[Writing, ...]:
    """The other readings of its DOIs, the longest first; `names` are the ids that were read as they stand."""
    citation = reference.citation
    found = [Writing(name, replace(citation, text=text)) for name, text in _readings(citation.text or "")]
    found += [Writing(_FILE_ENDING.sub("", name), citation) for name in names if _FILE_ENDING.search(name)]
    found += [Writing(name, citation) for it in (citation.text or "", *reference.ids) for name in assumed_names(it)]
    for field in reference.ids:
        named = _names(field)
        marked = named if len(named) == 1 else []
        found += [Writing(name, citation) for name in (*marked, *(name for name, _ in _readings(field)))]
    others = {writing.name: writing for writing in found if writing.name not in names}
    return tuple(sorted(others.values(), key=lambda it: -len(it.name))[:MOST_READINGS])


def _readings(text: str) -> Iterator[tuple[str, str]]:
    """For each end that a DOI with a blank inside or behind it may have: its name, and the text with it joined."""
    for start in _START.finditer(text):
        doi, joined, end = f"10.{start[1]}/", f"10.{start[1]}/", start.end()
        is_spaced = doi != start[0]
        for number in range(MOST_PIECES):
            gap = _GAP.match(text, end) if number else None
            piece = _PIECE.match(text, gap.end() if gap else end)
            if not piece or (number and (not gap or _NO_PIECE.match(piece[0]))):
                break
            joined, end = joined + piece[0], piece.end()
            if (number or is_spaced) and any(map(str.isdigit, piece[0])):
                yield from ((name, text[: start.start()] + joined + text[end:]) for name in _names(f"doi:{joined}")[:1])


def assumed_names(text: str) -> list[str]:
    """The names of the DOIs that papers with the addresses in a text have, if they have one by their server's rule."""
    return list(dict.fromkeys(f"doi:{doi}" for *_, doi in assumed_dois(text)))


def _names(text: str) -> list[str]:
    """The names of the DOIs that a text has."""
    return list(dict.fromkeys(f"{NAMED_SCHEMES[it.kind]}:{it.id}" for it in read_references(text) if it.kind == "doi"))
