"""Identifiers that are typed as a query, alone or among words: what they name is looked up, not searched for."""

from __future__ import annotations

import re
from dataclasses import dataclass

from shared.bibliography.paper_ids import read_id
from shared.bibliography.text import fold

MAX_IDENTIFIERS = 20  # of one query
_PIECES = re.compile(r"[\s,;]+")
# `PMID: 123`, `doi 10.1000/x`: the name of the scheme is part of the identifier.
_NAMED = re.compile(r"\b(pmid|pmcid|doi|arxiv|corpusid|s2|openalex)(?:\s*:\s*|\s+)(?=[\w.(])", re.IGNORECASE)
_NUMBER = re.compile(r"0*[1-9][0-9]{4,7}")  # of as many digits as PMIDs of today and of decades ago have
_UNMISTAKABLE = re.compile(
    r"(?i)10\.\d{4,9}/|https?://|www\.|doi:|pmid:|pmcid:|arxiv:|corpusid:|s2:|openalex:|PMC\d{3}"
)


@dataclass(frozen=True, slots=True)
class TypedIdentifiers:
    """The identifiers of a query in normal form, the words that remain, and whether it is numbers alone."""

    names: tuple[str, ...]
    rest: str
    only_numbers: bool = False


def read_identifiers(text: str) -> TypedIdentifiers:
    """Find the identifiers of a query. A number alone is read as a PMID if it can be one.

    `1706.03762` and a Semantic Scholar id count only where the query consists of identifiers; among words, only forms
    that are nothing else do (a DOI, an address, `PMID:…`, `PMC…`, `arXiv:…`).
    """
    joined = _NAMED.sub(lambda found: f"{found[1]}:", text)
    pieces = [piece for piece in _PIECES.split(joined) if fold(piece)]
    if pieces and all(fold(piece).isdecimal() for piece in pieces):
        return TypedIdentifiers(tuple(f"pmid:{int(it)}" for it in pieces if _NUMBER.fullmatch(it)), "", True)
    names = [read_id(piece) for piece in pieces[: MAX_IDENTIFIERS + 1]]
    if names and all(names) and len(pieces) <= MAX_IDENTIFIERS:
        return TypedIdentifiers(tuple(dict.fromkeys(filter(None, names))), "")
    found: list[str] = []
    words: list[str] = []
    for piece in pieces:
        name = read_id(piece) if _UNMISTAKABLE.match(piece) and len(found) < MAX_IDENTIFIERS else None
        (found if name else words).append(name or piece)
    return TypedIdentifiers(tuple(dict.fromkeys(found)), " ".join(words) if found else text)
