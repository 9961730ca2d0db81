"""Field tags that callers write in the languages of PubMed, Europe PMC and arXiv, and the field that each names.

    PubMed       TREM2[tiab]   "Alzheimer Disease"[Mesh]   2015:2020[dp]      https://pubmed.ncbi.nlm.nih.gov/help/
    Europe PMC   TITLE:TREM2   AUTH:"Doudna JA"   PUB_YEAR:[2015 TO 2020]     https://europepmc.org/searchsyntax
    arXiv        ti:attention  au:vaswani  cat:cs.CL            https://info.arxiv.org/help/api/user-manual.html

A name that is none of these is not a tag: `Alzheimer:` and `[18F]` are words.
"""

from __future__ import annotations

import re
from typing import Literal

TagSyntax = Literal["pubmed", "europe_pmc", "arxiv"]
# What a tagged term is about. Terms of the last four are nothing to search for in texts.
Field = Literal[
    "title", "abstract", "title_abstract", "author", "journal", "mesh", "keyword", "affiliation", "all_text",
    "date", "type", "language", "category", "subset", "id", "citations",
]  # fmt: skip
FILTER_FIELDS = frozenset(("date", "type", "language", "category", "subset", "id", "citations"))

_PUBMED: dict[str, Field] = {
    **dict.fromkeys(("ti", "title"), "title"),
    **dict.fromkeys(("tiab", "title/abstract", "ot", "other term"), "title_abstract"),
    **dict.fromkeys(("ab", "abstract"), "abstract"),
    **dict.fromkeys(("au", "author", "1au", "first author", "author - first", "lastau", "last author", "author - last",
                     "fau", "full author name", "auid", "author - identifier", "author identifier"), "author"),
    **dict.fromkeys(("ta", "journal", "jour", "journal title abbreviation"), "journal"),
    **dict.fromkeys(("mh", "mesh", "mesh terms", "majr", "mesh major topic", "sh",
                     "mesh subheading", "nm", "supplementary concept", "pa", "pharmacological action"), "mesh"),
    **dict.fromkeys(("ad", "affiliation"), "affiliation"),
    **dict.fromkeys(("tw", "text", "text word", "text words", "all", "all fields"), "all_text"),
    **dict.fromkeys(("dp", "pdat", "date - publication", "publication date", "edat", "date - entry", "crdt",
                     "date - create", "ppdat", "epdat", "year"), "date"),
    **dict.fromkeys(("pt", "ptyp", "publication type"), "type"),
    **dict.fromkeys(("la", "lang", "language"), "language"),
    **dict.fromkeys(("sb", "subset", "filter"), "subset"),
    **dict.fromkeys(("pmid", "uid", "aid", "doi", "lid", "pmc", "pmcid"), "id"),
}  # fmt: skip
_EUROPE_PMC: dict[str, Field] = {
    "title": "title", "abstract": "abstract", "title_abs": "title_abstract", "auth": "author", "author": "author",
    "authors": "author", "authorid": "author", "journal": "journal",
    "mesh": "mesh", "kw": "keyword", "keyword": "keyword",
    "aff": "affiliation", "body": "all_text", "first_pdate": "date", "e_pdate": "date", "p_pdate": "date",
    "pub_year": "date", "year": "date", "year_published": "date",
    "pub_type": "type", "lang": "language", "language": "language", "src": "subset",
    "open_access": "subset", "has_abstract": "subset", "has_ft": "subset", "in_epmc": "subset", "issn": "subset",
    "ext_id": "id", "doi": "id", "pmcid": "id", "pmid": "id", "cited": "citations", "cites": "citations",
}  # fmt: skip
_ARXIV: dict[str, Field] = {
    "ti": "title", "abs": "abstract", "au": "author", "jr": "journal", "cat": "category", "all": "all_text",
    "co": "subset", "rn": "subset", "id": "id", "submitteddate": "date",
}  # fmt: skip
_PROXIMITY = re.compile(r":~\d{1,4}$")


def pubmed_field(tag: str) -> Field | None:
    """The field of a tag in square brackets; None if PubMed has no such tag."""
    name = " ".join(_PROXIMITY.sub("", tag.casefold()).split()).replace(": ", ":")
    bare = name.removesuffix(":noexp")
    field = _PUBMED.get(bare)
    return field if bare == name or field == "mesh" else None


def prefix_field(name: str) -> tuple[TagSyntax, Field] | None:
    """The syntax and field of the name before a colon; None if neither Europe PMC nor arXiv has such a field."""
    folded = name.casefold()
    if folded in _ARXIV:
        return "arxiv", _ARXIV[folded]
    return ("europe_pmc", _EUROPE_PMC[folded]) if folded in _EUROPE_PMC else None
