"""Ids other than DOIs in a text: PMIDs, PMCIDs, arXiv, Semantic Scholar and OpenAlex ids, by label, address or form."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Literal

from shared.bibliography.identifiers import read_arxiv, read_openalex, read_paper_id, read_pmcid, read_pmid

Kind = Literal["doi", "pmid", "pmcid", "arxiv", "paper_id", "openalex", "corpus"]
Found = tuple[int, int, Kind, str]  # start and end in the text, kind and id
_FLAGS = re.IGNORECASE | re.ASCII | re.VERBOSE
# Between a label and its id: `: `, ` = {`, `": "`, `:** `.
TO = r"""["'*_`]{0,3}[ ]{0,2}(?:[:：=|\#/-]["'*_`]{0,3}\s{0,2})?["'*_`{]{0,3}"""
# As TO, with brackets, tags and words: for ids whose form leaves no doubt.
_NEAR = r"""(?:[\s"'*_`:：=\#|/(){}\[\]\\>.,•-]|<b>|</b>|preprint|e-?print|paper|identifier|ids?\b|is\b){0,10}"""
_AND = r"""(?=\s{0,2}(?:[,;/&+|、，；和"*•-]|(?:and|or|und|et|y)\b))(?:[\s,;/&+|、，；和"*•-]|and|or|und|et|y){1,8}"""
_NAME = r"(?<![a-z0-9])"
_WEB = r"(?<![a-z0-9-])(?:https?://)?(?:(?:www|m|export|api|explore)\.)?"
_EUROPE_PMC = r"europepmc(?:\.org)?/(?:[a-z]{1,12}/){0,3}"
_END = r"(?![0-9a-z]|\.[0-9]|[ ](?:abstracts|articles|citations|hits|papers|records|results)\b)"
_LONG = rf"(?P<id>[1-9][0-9]{{5,7}}){_END}"
_ANY = rf"0{{0,8}}(?P<id>[1-9][0-9]{{0,8}}){_END}(?![, ][0-9]{{3}}(?![0-9]))"
_CORPUS = rf"0{{0,8}}(?P<id>[1-9][0-9]{{0,11}}){_END}(?![, ][0-9]{{3}}(?![0-9]))"
_ATTRIBUTE = r"""(?:pub-id-type|idtype)\s?=\s?["']"""
_META = r"""(?<![a-z0-9-])name\s{0,2}=\s{0,2}["']citation_pmid["']"""
_CONTENT = r"""(?<![a-z0-9-])content\s{0,2}=\s{0,2}["']\s{0,2}"""
_PMC = rf"0{{0,8}}(?P<id>[1-9][0-9]{{0,8}})(?:\.[0-9]{{1,2}})?{_END}"
_YYMM = r"[0-9]{2}(?:0[1-9]|1[0-2])"
_OLD = rf"(?:\.[a-z]{{2}})?/{_YYMM}[0-9]{{3}}"
_VERSION = rf"(?:v[0-9]{{1,2}})?(?:\.pdf)?{_END}"
_ARXIV = rf"(?P<id>{_YYMM}\.[0-9]{{4,5}}|[a-z]{{1,8}}(?:-[a-z]{{2,8}})?{_OLD}){_VERSION}"
_ARCHIVE = "(?:astro-ph|cond-mat|gr-qc|hep-(?:ex|lat|ph|th)|math-ph|nucl-(?:ex|th)|quant-ph|q-(?:alg|bio)|alg-geom)"
# Kind, words one of which is in every id of this form, in small letters; form; form of the further ids in a list.
_FORMS: tuple[tuple[Kind, str, str, str], ...] = (
    ("pmid", "pmids", rf"{_NAME}PMIDs{TO}{_ANY}",
        rf"(?:(?:{_AND}|\s{{1,3}})(?=[0-9]{{6}})|[ ]?(?:[,;、][ ]?(?:and[ ])?|and[ ]|&[ ])){_ANY}"),
    ("pmid", "pmid", rf"{_NAME}PMID{TO}{_ANY}", _AND + _LONG),
    ("pmid", "pmid pubmed", rf"{_NAME}(?:PMIDs?|PubMed){_NEAR}{_LONG}", _AND + _LONG),
    ("pmid", "[pmid] [uid]", r"(?<![0-9.])(?P<id>[1-9][0-9]{0,7})[ ]?\[(?:pmid|uid)\]", ""),
    ("pmid", "pm pubmed", rf"""{_WEB}(?:pubmed\.(?:ncbi\.nlm\.nih\.gov|gov|com)/|ncbi\.nlm\.nih\.gov/(?:m/)?pubmed/
        |ncbi\.nlm\.nih\.gov/pmc/articles/pmid/|{_EUROPE_PMC}med/)(?:\?term=)?{_ANY}""", ""),
    ("pmid", "pmid pubmed",
        rf"""(?:{_ATTRIBUTE}(?:pmid|pubmed)["'][^<>]{{0,100}}|<pmid[ ][^<>]{{1,100}})>\s{{0,20}}{_ANY}""", ""),
    ("pmid", "pmid", rf"{_META}\s{{1,5}}{_CONTENT}{_ANY}", ""),
    ("pmid", "pmid", rf"""{_CONTENT}{_ANY}\s{{0,2}}["']\s{{1,5}}{_META}""", ""),
    ("pmcid", "pmc", rf"""{_ATTRIBUTE}pmc(?:id)?["'][^<>]{{0,100}}>\s{{0,20}}(?:PMC)?{_PMC}""", ""),
    ("pmcid", "pmc", rf"{_NAME}PMC(?:(?=[0-9]{{5}})|{TO}(?=[0-9]{{6}})|[ -]?IDs?{TO}(?:PMC[ ]?)?){_PMC}", ""),
    ("pmcid", "pmc", rf"""{_WEB}(?:(?:pmc\.ncbi\.nlm\.nih\.gov|ncbi\.nlm\.nih\.gov/pmc)/articles/|{_EUROPE_PMC}(?=PMC))
        (?:PMC/?){{0,2}}{_PMC}""", ""),
    ("arxiv", "arxiv arχiv eprint", rf"{_NAME}(?:ar[xχ]iv(?:\.org)?{_NEAR}|eprint{TO}){_ARXIV}", _AND + _ARXIV),
    ("arxiv", "/", rf"(?<![a-z0-9/.-])(?P<id>{_ARCHIVE}{_OLD}){_VERSION}", ""),
    ("arxiv", "xiv.org ar5iv xxx.lanl huggingface", rf"""{_WEB}(?:(?:arxiv|ar5iv|ar5iv\.labs\.arxiv|alphaxiv)\.org
        /[a-z-]{{2,8}}/|xxx\.lanl\.gov/[a-z]{{3}}/|huggingface\.co/papers/){_ARXIV}""", ""),
    ("paper_id", "semanticscholar s2 paper", rf"""(?:{_WEB}semanticscholar\.org/(?:graph/)?(?:v1/)?(?:paper|reader)/
        (?:[^/\s"'<>]{{1,300}}/)?|{_NAME}(?:s2|paper_?id){TO})(?P<id>[0-9a-f]{{40}})(?![0-9a-z])""", ""),
    ("corpus", "corpus s2cid", rf"(?:{_WEB}semanticscholar\.org/|{_NAME})(?:corpus_?id|s2cid){TO}{_CORPUS}", ""),
    ("corpus", "corpus",
        rf"""{_NAME}corpus[ -]ids?["'*_`]{{0,3}}[ ]{{0,2}}[:：=\#|](?:[ "'*_`]|</b>){{0,5}}{_CORPUS}""", ""),
    ("openalex", "openalex",
        rf"(?:{_WEB}openalex\.org/(?:works/)?|{_NAME}openalex{_NEAR})(?P<id>W[0-9]{{2,12}}){_END}", ""),
)  # fmt: skip
_COMPILED = [
    (kind, needed.split(), re.compile(form, _FLAGS), re.compile(more or "(?!)", _FLAGS))
    for kind, needed, form, more in _FORMS
]
_READERS: dict[Kind, Callable[[str], str | None]] = {
    "pmid": read_pmid, "pmcid": lambda number: read_pmcid(f"PMC{number}"), "arxiv": read_arxiv,
    "paper_id": read_paper_id, "openalex": read_openalex, "corpus": str,
}  # fmt: skip


def labelled_ids(text: str) -> Iterator[Found]:
    """Each id of a text in which escapes are undone; not in order of place, and some lie inside others."""
    small = text.lower()
    for kind, needed, form, more in _COMPILED:
        for first in form.finditer(text) if any(word in small for word in needed) else ():
            found: re.Match[str] | None = first
            while found:
                if name := _READERS[kind](found["id"]):
                    yield (found.start() if found is first else found.start("id"), found.end(), kind, name)
                found = more.match(text, found.end())
