"""The identifiers of a paper: read in every form that people and APIs write them in, stored in one.

Every reader returns the normal form, or None when the text holds no such identifier.
Sources: DOI Handbook 2.2 (case-insensitive names), arXiv identifier scheme (old and new style),
NLM PMID and PMCID forms, ClinicalTrials.gov (https://clinicaltrials.gov/data-api/api: NCT and eight digits).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated, Literal
from urllib.parse import quote, unquote

from shared.bibliography.text import fold, unescaped
from shared.canonical_json import digest
from shared.field_ranges import Token

_RESOLVER = re.compile(r"^\s*(?:doi\s*:\s*)?(?:https?://)?(?:(?:dx\.|www\.)?doi\.org/|doi\s*:)?\s*", re.I)
# A registrant code may be divided (ISO 26324; DOI Handbook 2.2.2: `10.1000.10`); bounded, so that a search is linear.
REGISTRANT_CODE = r"[0-9]{4,9}(?:\.[0-9]{1,9}){0,4}"
DOI_PREFIX = rf"10\.{REGISTRANT_CODE}"
DOI_START = f"{DOI_PREFIX}/"
_DOI = re.compile(rf"^{DOI_START}\S+$")
_PMID = re.compile(
    r"^(?:pmid\s*(?::\s*)?|(?:https?://)?(?:www\.)?(?:pubmed\.ncbi\.nlm\.nih\.gov/|ncbi\.nlm\.nih\.gov/pubmed/"
    r"|europepmc\.org/(?:article|abstract)/med/)|med/(?=[0-9]{5}))?"
    r"0*([1-9][0-9]{0,8})/?$",
    re.I,
)
_PMCID = re.compile(r"^(?:pmcid\s*(?::\s*)?|https?://\S*/|pmc/)?pmc\s*0*([1-9][0-9]{0,9})(?:\.[0-9]+)?/?$", re.I)
# The page of an article in PubMed Central, within an address: of today, or as it was until 2024.
PMC_PAGE = r"(?:pmc\.ncbi\.nlm\.nih\.gov|ncbi\.nlm\.nih\.gov/pmc)/articles/(?:pmc)?(\d+)"
_ARXIV = re.compile(
    r"^(?:arxiv\s*:\s*|(?:https?://)?(?:www\.|export\.)?arxiv\.org/(?:abs|pdf|html)/|10\.48550/arxiv\.)?"
    r"([0-9]{4}\.[0-9]{4,5}|[a-z][a-z-]*(?:\.[a-z]{2})?/[0-9]{7})(v[0-9]+)?(?:\.pdf)?$",
    re.I,
)
ARXIV_DOI = "10.48550/arxiv."  # how the DOIs begin that DataCite keeps for arXiv, in normal form
_OPENALEX = re.compile(r"^(?:(?:https?://)?(?:api\.)?openalex\.org/(?:works/)?)?(w[0-9]{2,12})$", re.I)
_NCT = re.compile(
    r"^(?:nct\s*:\s*|(?:https?://)?(?:www\.|classic\.|beta\.)?clinicaltrials\.gov/"
    r"(?:study/|(?:ct2/)?(?:show/|history/)|ct2/show/(?:study|results|record)/|api/v2/studies/))?nct\s?((?!0{8})[0-9]{8})/?$",
    re.I,
)
_NCT_WITHIN = re.compile(r"(?<![a-z0-9])nct\s?((?!0{8})[0-9]{8})(?![0-9])", re.I)
MAX_WRITTEN_NUMBERS = 1_000  # characters of a field with the number of a registration
_S2 = re.compile(r"^(?:(?:https?://)?(?:www\.)?semanticscholar\.org/paper/(?:[^/\s]+/)?|s2:)?([0-9a-f]{40})$", re.I)

# A DOI of 500 characters, each percent-encoded, and a resolver; balancing its brackets takes quadratic time.
MAX_WRITTEN_DOI = 2_000
# A "." after a DOI is far more often the sentence's than the DOI's.
_TRAILING = ".,;:'\"”’»"
# Marks of sentences and of Markdown; a SICI may end in one (`…3.0.CO;2-?`).
_MARKS_BEHIND = "?!`*"

# The names of a paper's ids in the knowledge graph, which stores no registrations of trials.
IdName = Literal["doi", "pmid", "pmcid", "arxiv", "paper_id", "openalex", "crossref", "europe_pmc", "paperclip"]


# Ids in their normal forms. The longest DOI that Crossref lists has some 450 characters.
Doi = Annotated[
    str | None, Token("a DOI in its normal form", lambda text: _DOI.fullmatch(text) and text == text.lower(), 500)
]
Pmid = Annotated[str | None, Token("a PMID", re.compile(r"[1-9][0-9]{0,8}").fullmatch)]
ArxivId = Annotated[str | None, Token("an arXiv id", lambda text: read_arxiv(text) == text)]
AnyName = Token("a name without blanks", re.compile(r"\S+").fullmatch, 600)


@dataclass(frozen=True, slots=True)
class Identifiers:
    """All names of one paper, each in its normal form; None where unknown."""

    doi: Doi = None
    pmid: Pmid = None
    pmcid: Annotated[str | None, Token("a PMCID", re.compile(r"PMC[1-9][0-9]{0,9}").fullmatch)] = None
    arxiv: ArxivId = None
    paper_id: Annotated[str | None, Token("a Semantic Scholar id", re.compile(r"[0-9a-f]{40}").fullmatch)] = None
    openalex: Annotated[str | None, Token("an OpenAlex id", re.compile(r"W[0-9]{1,12}").fullmatch)] = None
    # of a registration alone, never of a paper that names the trial
    nct: Annotated[str | None, Token("an NCT number", re.compile(r"NCT[0-9]{8}").fullmatch)] = None
    crossref: Doi = None
    europe_pmc: Annotated[str | None, AnyName] = None
    paperclip: Annotated[str | None, AnyName] = None


def read_doi(text: str | None) -> str | None:
    """`https://doi.org/10.1000/ABC%3C1&lt;2` -> `10.1000/abc<1<2`: lower case, decoded, no resolver."""
    if not text or len(text) > MAX_WRITTEN_DOI:
        return None
    doi = _without_marks(_decoded(_RESOLVER.sub("", text.strip(), count=1)).strip())
    while doi.endswith((")", "]", ">", "}")) and _unbalanced(doi):
        doi = _without_marks(doi[:-1])
    doi = doi.lower()
    return doi if _DOI.match(doi) and doi.isprintable() else None


def _decoded(text: str) -> str:
    """Percent and entity escapes undone, as often as they were applied (at most twice)."""
    for _ in range(2):
        decoded = unescaped(unquote(text))
        if decoded == text:
            break
        text = decoded
    return text


def _without_marks(text: str) -> str:
    bare = text.rstrip(f"{_TRAILING}{_MARKS_BEHIND}")
    behind = text[len(bare) : len(bare) + 1]
    return f"{bare}{behind}" if bare.endswith(";2-") and behind and behind in _MARKS_BEHIND else bare


def _unbalanced(text: str) -> bool:
    close = text[-1]
    return text.count(close) > text.count({")": "(", "]": "[", ">": "<", "}": "{"}[close])


def read_pmid(text: str | int | None) -> str | None:
    """`PMID: 0123`, `https://pubmed.ncbi.nlm.nih.gov/123/` -> `123`."""
    return _first_group(_PMID, text)


def read_pmcid(text: str | None) -> str | None:
    """`pmc123`, `https://…/PMC123/` -> `PMC123`."""
    number = _first_group(_PMCID, text)
    return f"PMC{number}" if number else None


def read_arxiv(text: str | None) -> str | None:
    """`arXiv:1706.03762v7`, `http://arxiv.org/abs/hep-ex/0307015` -> id without version.

    `math.GT/0309136` -> `math/0309136`: the subject class is not part of an old id, nor of its DOI.
    """
    found = _first_group(_ARXIV, text)
    if not found:
        return None
    archive, slash, number = found.lower().partition("/")
    return f"{archive.partition('.')[0]}/{number}" if slash else archive


def read_openalex(text: str | None) -> str | None:
    """`https://openalex.org/W123` -> `W123`."""
    found = _first_group(_OPENALEX, text)
    return found.upper() if found else None


def read_nct(text: str | None) -> str | None:
    """`nct01234567`, `https://clinicaltrials.gov/study/NCT01234567` -> `NCT01234567`, the registration of a trial."""
    number = _first_group(_NCT, text)
    return f"NCT{number}" if number else None


def registration_keys(numbers: Iterable[str | None]) -> tuple[str, ...]:
    """The keys of the registrations at ClinicalTrials.gov among numbers of any registry, each once.

    Publishers write the name of the registry, a full stop or a second number into the field of one number.
    """
    found = (it[1] for text in numbers if text for it in _NCT_WITHIN.finditer(text[:MAX_WRITTEN_NUMBERS]))
    return tuple(dict.fromkeys(f"nct:NCT{digits}" for digits in found))


def read_paper_id(text: str | None) -> str | None:
    """Semantic Scholar's 40-digit hexadecimal id, bare or in a URL."""
    found = _first_group(_S2, text)
    return found.lower() if found else None


def _first_group(pattern: re.Pattern[str], text: str | int | None) -> str | None:
    match = pattern.match(str(text).strip()) if text is not None else None
    return match.group(1) if match else None


def arxiv_of_doi(doi: str | None) -> str | None:
    """The arXiv id inside a DataCite DOI of arXiv (`10.48550/arXiv.<id>`), else None."""
    return read_arxiv(doi) if doi and doi.startswith(ARXIV_DOI) else None


def best_doi(ids: Identifiers) -> str | None:
    """The DOI of a paper; where none is known, the one that arXiv registers for each of its ids.

    Source: https://info.arxiv.org/help/doi.html.
    """
    return ids.doi or (ARXIV_DOI + ids.arxiv if ids.arxiv else None)


def citation_uri(ids: Identifiers) -> str | None:
    """The one address under which a paper is cited: a function of its ids alone (docs/graph.md)."""
    if doi := best_doi(ids):
        # RFC 3986: characters that a path may hold stay as they are, so the URI remains readable.
        return "https://doi.org/" + quote(doi, safe="/:;()!$&'*+,=@-._~")
    if ids.pmid:
        return f"https://pubmed.ncbi.nlm.nih.gov/{ids.pmid}"
    if ids.paper_id:
        return f"https://www.semanticscholar.org/paper/{ids.paper_id}"
    if ids.openalex:
        return f"https://openalex.org/{ids.openalex}"
    if ids.nct:
        return f"https://clinicaltrials.gov/study/{ids.nct}"
    return None


def pmc_address(pmcid: str) -> str:
    """The page of PubMed Central with the free text of a paper."""
    return f"https://pmc.ncbi.nlm.nih.gov/articles/{pmcid}/"


def paper_key(ids: Identifiers, title: str | None, year: int | None = None) -> str:
    """The short form of the best id; a paper with none is named by a hash of its folded title and year.

    An arXiv id and its DOI are one key, the DOI.
    """
    named = (
        ("doi", best_doi(ids)),
        ("pmid", ids.pmid),
        ("s2", ids.paper_id),
        ("openalex", ids.openalex),
        ("nct", ids.nct),
    )
    for scheme, value in named:
        if value:
            return f"{scheme}:{value}"
    folded = f"{fold(title or '')}|{year or ''}"
    return "title:" + digest(folded, 20)


def reference_keys(cited: Iterable[Identifiers]) -> tuple[str, ...]:
    """The keys of what a paper cites, in its order, each once; a reference without an id has none."""
    keys = (paper_key(ids, None) for ids in cited)
    return tuple(dict.fromkeys(key for key in keys if not key.startswith("title:")))
