"""Identifiers that are typed as a query, alone or among words: what they name is looked up, not searched for."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby

from shared.bibliography.identifiers import DOI_PREFIX, DOI_START
from shared.bibliography.paper_ids import bare_pmid, divided, read_id, scheme_of, value_of
from shared.bibliography.publisher_addresses import assumed_dois, dois_in_addresses
from shared.bibliography.text import fold
from shared.errors import Unprocessable
from shared.query.syntax import All, AnyOf, Leaf, Node, Phrase, Tagged, Words, tidy

MAX_IDENTIFIERS = 20  # of one query
_PIECES = re.compile(r"[\s,;]+")
# `PMID: 123`, `doi 10.1000/x`: the name of the scheme is part of the identifier. `PMC 3855463` is one number.
_NAMED = re.compile(
    r"\b(pmid|pmcid|doi|arxiv|corpusid|s2|openalex|nct)s?(?:\s*:\s*|\s+)(?=[\w.(]\S*\d|\d)"
    r"|\b(pmid|pmcid|doi|arxiv) ?[=#-] ?(?=[0-9]|PMC[0-9])",
    re.IGNORECASE,
)
_PMC = re.compile(r"\b(?:pmcid:)?PMC[\s:]+(?=\d{5})", re.IGNORECASE)
# Addresses and paths that the readers of ids do not know.
_REWRITTEN = (
    (re.compile(r"(?i)(?:https?://)?(?:www\.)?europepmc\.org/(?:article|abstract)/med/(\d{1,9})\S*"), r"PMID:\1"),
    (re.compile(r"(?i)(?:https?://)?(?:www\.)?europepmc\.org/(?:article|abstract)/pmc/(?:pmc)?(\d{3,9})\S*"), r"PMC\1"),
    (re.compile(r"(?<!\S)(?:abs|pdf)/(?=\d{4}\.\d{4,5})"), "arXiv:"),
    (re.compile(r"(?<!\S)(?=\d{4}\.\d{4,5}v\d{1,2}(?!\S))"), "arXiv:"),
    # The stamp on arXiv's first pages; what line breaks part; `PubMed ID 123`.
    (re.compile(r"(?i)(arxiv: ?\d{4}\.\d{4,5}(?:v\d{1,2})?) \[[a-z.-]{2,19}\](?: \d{1,2} [a-z]{3} \d{4})?"), r"\1"),
    (re.compile(r"(?i)\bhttps?: //(?=\S)"), "https://"),
    (re.compile(r"(?i)\]\((?=https?://|10\.\d)"), "] ("),  # a link in Markdown
    (re.compile(rf"(?<![\w.])({DOI_PREFIX}) ?/ ?(?=[^\s/])"), r"\1/"),
    # The name of a download, as `10.7554/eLife.20391.pdf`: hardly any DOI ends so.
    (re.compile(rf"(?i)(?<![\w.])({DOI_START}\S{{2,100}}?)(?:/full)?\.pdf(?!\S)"), r"\1"),
    (re.compile(r"(?i)\bclinicaltrials\.gov[:#]? (?:(?:identifier|id|number|no\.?)[:#,]? ?)?(?=NCT ?\d{8}(?!\d))"), ""),
    (re.compile(r"(?i)\bNCT ?(?=\d{8}(?!\d))"), "NCT"),
    (re.compile(r"(?i)\bdoi(?=10\.\d{4})"), "doi:"),
    (re.compile(r"(?i)[(\[]?\baccessed (?:on )?(?:\d{1,2} \w{3,9} |\w{3,9} \d{1,2}, )\d{4}[)\]]?"), ""),
    (re.compile(r"(?i)\bpii ?[:#]? ?(?=S\d{4}|B97[89])"), ""),
    (re.compile(r"(?i)\bpubmed(?: ?id)?(?: ?[:=#])? ?(?=\d{5,8}(?!\S))"), "PMID:"),
)  # fmt: skip
_UNMISTAKABLE = re.compile(
    rf"(?i){DOI_START}|https?://|www\.|(?:dx\.)?doi\.org/|arxiv\.org/|doi:|pmid:|pmcid:|arxiv:|corpusid:|s2:|openalex:"
    r"|PMC\d{3}|PMC/PMC\d{3}|MED/\d{5}|nct:|NCT\d{8}"
    r"|S\d{4}-?\d{3}[\dX]\(?\d\d|B97[89]\d{10}|1-s2\.0-|[\w./-]*/pii/|[\w./-]*/PIIS\d"
)
_OPENING = "([{<'\"“‘«`*"  # what an identifier among words stands in
_WORDS = ("nct", "pii")  # ids that no source has a field for, so that they stay words of an expression
_BRACKETS = re.compile(r"[()\[\]{}]")
_TAG = re.compile(r"(?i)\[(?:aid|doi|lid|location id)\]\)*$")  # PubMed's: it is a term of an expression
# What a term with a tag for identifiers is, by its first letters; a number alone is a PMID there.
_SCHEMES = {"pmc": "PMC", "pmcid": "PMC"}


@dataclass(frozen=True, slots=True)
class TypedIdentifiers:
    """The identifiers of a query in normal form, the words that remain, and whether it is numbers alone."""

    names: tuple[str, ...]
    rest: str
    only_numbers: bool = False


@lru_cache(maxsize=64)  # several steps of reading a query ask for those of one text
def read_identifiers(text: str) -> TypedIdentifiers:
    """Find the identifiers of a query. A number alone is read as a PMID if it can be one.

    `1706.03762` and a Semantic Scholar id count only where the query consists of identifiers; among words, only forms
    that are nothing else do (a DOI, an address, `PMID:…`, `PMC…`, `arXiv:…`). Numbers behind a PMID are PMIDs. A
    trial's number also stays among the words, since papers about the trial have it in them. Raises Unprocessable for
    more than MAX_IDENTIFIERS.
    """
    pieces = [piece for chunk in _joined(text).split() for piece in divided(chunk, ",;", _goes_on) if fold(piece)]
    if between := _between_or(pieces):
        are_numbers = all(_BRACKETS.sub("", piece).isdecimal() for piece in pieces[::2])
        return TypedIdentifiers(_bounded(between), "", only_numbers=are_numbers)
    if pieces and all(fold(piece).isdecimal() for piece in pieces):
        numbers = filter(None, map(bare_pmid, pieces))
        return TypedIdentifiers(_bounded(f"pmid:{number}" for number in numbers), "", only_numbers=True)
    found: list[str] = []
    words: list[str] = []
    rest: list[str] = []
    for piece in pieces:
        name = _named(piece)
        number = bare_pmid(piece) if found and not words and found[-1].startswith("pmid:") else None
        if name is None and number:
            name = f"pmid:{number}"
        (found if name else words).append(name or piece)
        if not name or scheme_of(name) == "nct":
            rest.append(value_of(name) if name else piece)
    if words and all(read_id(word) and not _TAG.search(word) for word in words):
        return TypedIdentifiers(_bounded(filter(None, map(read_id, pieces))), "")
    return TypedIdentifiers(_bounded(found), (_paired(" ".join(rest)) if words else "") if found else text)


def _between_or(pieces: list[str]) -> list[str]:
    """The ids of `27797938 OR (36107206 OR 31932797)`, `PMID:27797938 OR 36107206`; empty for any other text.

    Each number may be a PMID, and each other piece is an id of papers.
    """
    is_list = len(pieces) % 2 == 1 and len(pieces) > 1 and all(piece in ("OR", "or") for piece in pieces[1::2])
    numbers = [bare_pmid(_BRACKETS.sub("", piece)) for piece in pieces[::2]]
    if not is_list or not any(numbers):
        return []
    names = [f"pmid:{it}" if it else _named(piece) for it, piece in zip(numbers, pieces[::2], strict=True)]
    found = [name for name in names if name and scheme_of(name) not in _WORDS]
    return found if len(found) == len(names) else []


def _paired(text: str) -> str:
    """The words beside identifiers without brackets of which one went with an identifier: `(10.1000/x, Kober)`."""
    is_paired = all(text.count(opening) == text.count(closing) for opening, closing in ("()", "[]", "{}"))
    return text if is_paired else tidy(_BRACKETS.sub(" ", text))


def _goes_on(name: str, behind: str) -> bool:
    """Whether a DOI goes on with the comma or semicolon behind it: in brackets, and at the end of a SICI.

    At any other sign it ends, as in running text: what people paste behind it is a word.
    """
    if name[-3:].upper() == ".CO" and behind.startswith(";2"):
        return True
    doi = name[name.find("10.") :]
    return any(
        doi.count(opening) > doi.count(closing) and behind.count(closing) > behind.count(opening)
        for opening, closing in ("()", "[]", "<>")
    )


def _named(piece: str) -> str | None:
    """The identifier that one piece is, or that an address has in it: `nejm.org/doi/full/10.1056/…`."""
    return read_id(piece) if _UNMISTAKABLE.match(piece.lstrip(_OPENING)) and not _TAG.search(piece) else None


def identifiers_of_terms(leaves: list[Leaf]) -> tuple[str, ...]:
    """The identifiers that all terms of an expression name; empty if one of them is anything else.

    `36107206[pmid]`, `DOI:"10.1084/jem.20212479"`, `EXT_ID:36107206 AND SRC:MED`, `10.1000/a OR 10.1000/b`.
    """
    names = [identifier_of(leaf) for leaf in leaves if not (isinstance(leaf, Tagged) and leaf.field == "subset")]
    return _bounded(filter(None, names)) if names and all(names) else ()


def with_tagged_identifiers(node: Node) -> Node:
    """The tree with each identifier that stands among its words as a term of the field for identifiers.

    `10.1000/a AND tau`, `tau NOT "10.1000/a"`: as words, no engine would find them.
    """
    match node:
        case Words(text):
            typed = read_identifiers(text)
            names = [name for name in typed.names if scheme_of(name) not in _WORDS]
            if not names or typed.only_numbers:
                return node
            parts = [*map(_tagged, names), *([Words(typed.rest)] if fold(typed.rest) else [])]
            return parts[0] if len(parts) == 1 else All(tuple(parts))
        case Phrase(text):
            name = read_id(text) if _UNMISTAKABLE.match(text) else None
            return _tagged(name) if name and scheme_of(name) not in _WORDS else node
        case All(of, none_of):
            return All(tuple(map(with_tagged_identifiers, of)), tuple(map(with_tagged_identifiers, none_of)))
        case AnyOf(of):
            return AnyOf(tuple(map(with_tagged_identifiers, of)))
    return node


def _tagged(name: str) -> Leaf:
    """An identifier in normal form as a term: arXiv's in arXiv's syntax, others as Europe PMC writes them."""
    scheme, value = scheme_of(name), value_of(name)
    if scheme == "arxiv":
        return Tagged("id", value, f"id:{value}", "arxiv")
    return Tagged("id", value, f'{scheme.upper()}:"{value}"', "europe_pmc", phrase=True)


def identifier_of(leaf: Leaf) -> str | None:
    """The identifier in normal form that a term names; None if it names none."""
    text = leaf.text.strip()
    if not isinstance(leaf, Tagged):
        return read_id(text)
    if leaf.field != "id":
        return None
    tag = leaf.written.rpartition("[")[2].rstrip("]") if leaf.syntax == "pubmed" else leaf.written.partition(":")[0]
    if leaf.syntax == "arxiv":
        return read_id(f"arXiv:{text}")
    if text.isdecimal():
        return read_id(f"{_SCHEMES.get(tag.casefold(), 'PMID:')}{text}")
    return read_id(text)


def _joined(text: str) -> str:
    """The text with each identifier as one piece, in a form that its reader knows."""
    for form, rewritten in _REWRITTEN:
        text = form.sub(rewritten, text)
    parts, at = [], 0
    found = sorted((*dois_in_addresses(text), *assumed_dois(text)))
    for (start, end), dois in groupby(found, key=lambda it: it[:2]):  # an address may stand for either of two
        if start >= at:
            end += len(_PIECES.split(text[end:], maxsplit=1)[0])  # what follows the id in the address
            parts += [text[at:start], " ".join(doi for *_, doi in dois)]
            at = end
    return _PMC.sub("PMC", _NAMED.sub(lambda found: f"{found[1] or found[2]}:", "".join([*parts, text[at:]])))


def _bounded(names: Iterable[str]) -> tuple[str, ...]:
    found = tuple(dict.fromkeys(names))
    if len(found) > MAX_IDENTIFIERS:
        message = f"{len(found)} identifiers are more than {MAX_IDENTIFIERS} in one query; open papers with get_papers"
        raise Unprocessable.field("query", message)
    return found
