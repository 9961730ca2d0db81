"""Identifiers that are typed as a query, alone or among words: what they name is looked up, not searched for."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from shared.bibliography.paper_ids import read_id
from shared.bibliography.publisher_addresses import dois_in_addresses
from shared.bibliography.text import fold
from shared.errors import Unprocessable
from shared.query.syntax import AnyOf, Node, Phrase, Tagged, Words

MAX_IDENTIFIERS = 20  # of one query
_PIECES = re.compile(r"[\s,;]+")
# `PMID: 123`, `doi 10.1000/x`: the name of the scheme is part of the identifier.
_NAMED = re.compile(r"\b(pmid|pmcid|doi|arxiv|corpusid|s2|openalex)s?(?:\s*:\s*|\s+)(?=[\w.(])", re.IGNORECASE)
_SPACED_PMC = re.compile(r"\bPMC(?:\s*:\s*|\s+)(?=\d{5})", re.IGNORECASE)
_NUMBER = re.compile(r"0*[1-9][0-9]{4,7}")  # of as many digits as PMIDs of today and of decades ago have
_UNMISTAKABLE = re.compile(
    r"(?i)10\.\d{4,9}/|https?://|www\.|doi:|pmid:|pmcid:|arxiv:|corpusid:|s2:|openalex:|PMC\d{3}|\d{4}\.\d{4,5}v\d"
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
    that are nothing else do (a DOI, an address, `PMID:…`, `PMC…`, `arXiv:…`, `1706.03762v5`). Raises Unprocessable if
    the query is more identifiers than can be looked up.
    """
    joined = _NAMED.sub(lambda found: f"{found[1]}:", _SPACED_PMC.sub("PMC", text))
    pieces = [piece for piece in _PIECES.split(joined) if fold(piece)]
    if pieces and all(fold(piece).isdecimal() for piece in pieces):
        return TypedIdentifiers(_bounded(f"pmid:{int(it)}" for it in pieces if _NUMBER.fullmatch(it)), "", True)
    of_pmids = any(piece[:5].casefold() == "pmid:" for piece in pieces)  # `PMID 36107206, 19302484`
    names = [f"pmid:{int(it)}" if of_pmids and _NUMBER.fullmatch(it) else _read(it) for it in pieces]
    if names and all(names):
        return TypedIdentifiers(_bounded(filter(None, names)), "")
    found: list[str] = []
    words: list[str] = []
    for piece in pieces:
        name = _read(piece) if _UNMISTAKABLE.match(piece) and len(found) < MAX_IDENTIFIERS else None
        (found if name else words).append(name or piece)
    return TypedIdentifiers(tuple(dict.fromkeys(found)), " ".join(words) if found else text)


def tagged_identifiers(node: Node) -> tuple[str, ...]:
    """The identifiers of an expression that is nothing else: `36107206[pmid] OR DOI:"10.1084/jem.20212479"`."""
    parts = node.of if isinstance(node, AnyOf) else (node,)
    names = [_of_term(part) for part in parts]
    return _bounded(filter(None, names)) if all(names) else ()


def _of_term(node: Node) -> str | None:
    """What a term names: a number only with a field tag, of however few digits."""
    if isinstance(node, Tagged) and node.field == "id":
        return f"pmid:{int(node.text)}" if re.fullmatch("0*[1-9][0-9]{0,7}", node.text) else _read(node.text)
    return _read(node.text) if isinstance(node, Words | Phrase) else None


def _bounded(names: Iterable[str]) -> tuple[str, ...]:
    """The names without duplicates. Raises Unprocessable if there are more than MAX_IDENTIFIERS."""
    distinct = tuple(dict.fromkeys(names))
    if len(distinct) > MAX_IDENTIFIERS:
        message = f"names {len(distinct)} papers, of which one query can hold {MAX_IDENTIFIERS}; /v1/papers takes more"
        raise Unprocessable.field("query", message)
    return distinct


def _read(piece: str) -> str | None:
    """An identifier, or the DOI that a publisher's address contains in part."""
    found = read_id(piece)
    if found or "/" not in piece:
        return found
    return next((f"doi:{doi}" for start, _, doi in dois_in_addresses(piece) if start == 0), None)
