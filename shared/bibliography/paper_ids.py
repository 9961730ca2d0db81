"""A paper id as one text, `doi:10.1000/x`: the one strict reader of the ids that callers send, in every form.

    scheme      also written as                                                         normal form
    doi         10.1000/X  doi.org/10.1000/X  https://dx.doi.org/10.1000%2FX            doi:10.1000/x
    pmid        PMID: 123  pubmed.ncbi.nlm.nih.gov/123/  MED/36107206                   pmid:123
    pmcid       PMC123  …/pmc/articles/PMC123/  PMC/PMC123                              pmcid:PMC123
    arxiv       1706.03762v7  arXiv:hep-ex/0307015  arxiv.org/abs/…  10.48550/arXiv.…   arxiv:1706.03762
    s2          40 hexadecimal digits  semanticscholar.org/paper/…                      s2:204e3073…
    corpus      CorpusId:13756489                                                       corpus:13756489
    openalex    W2741809807  openalex.org/W…                                            openalex:W2741809807
    pii         S0092-8674(17)30578-0  sciencedirect.com/science/article/pii/…          pii:S0092867417305780
    nct         NCT01234567  clinicaltrials.gov/study/NCT…                                  nct:NCT01234567
    title       our own key of a paper without ids                                      title:<hash>

The whole text must be the id. Of an address that is none of these, the one paper counts that it names, as a publisher's
`nejm.org/doi/full/10.1056/…` does. A number alone is not an id: it may be a PMID as well as a CorpusId.
Sources: DOI Handbook 2.2, arXiv identifier scheme, https://api.semanticscholar.org/api-docs/graph (paper ids).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from urllib.parse import unquote

from shared.bibliography.characters import INVISIBLE, JOINERS, pattern_of
from shared.bibliography.identifiers import (
    ARXIV_DOI,
    Identifiers,
    arxiv_of_doi,
    read_arxiv,
    read_doi,
    read_nct,
    read_openalex,
    read_paper_id,
    read_pmcid,
    read_pmid,
)
from shared.bibliography.pii import pii_in_address, read_pii
from shared.bibliography.preprints import OPENRXIV_PREFIXES
from shared.bibliography.publisher_addresses import doi_of_address

# The field of `Identifiers` -> its scheme, the best key first; the last is never a paper's key.
SCHEMES = {
    "doi": "doi", "pmid": "pmid", "arxiv": "arxiv", "paper_id": "s2", "openalex": "openalex", "nct": "nct",
    "pmcid": "pmcid",
}  # fmt: skip
# The same, and those that one provider reads: Semantic Scholar's other number, and Crossref's `alternative-id`.
NAMED_SCHEMES = {**SCHEMES, "corpus": "corpus", "pii": "pii"}
EXAMPLES = "a DOI, PMID:…, PMC…, arXiv:…, a Semantic Scholar id, CorpusId:…, an OpenAlex W…, NCT…, or one of our keys"
_BARE_PMID = re.compile(r"0*([1-9][0-9]{4,7})", re.ASCII)  # as many digits as those of today and of decades ago have
_BETWEEN_IDS = re.compile(r"[,;]\s+")  # of which each may have blanks: `PMID: 123; PMID: 456`
_BETWEEN_NUMBERS = re.compile(r"[\s,;]+")
MAX_CHARS = 500
MOST_COMMAS = 1_000
MOST_WRITTEN = 5  # ids in an advice
MAX_WRITTEN_CHARS = 3 * MAX_CHARS  # as callers write an id: in an address, percent-encoded
_TITLE = re.compile(r"title:[0-9a-f]{20}")
_CORPUS = re.compile(r"corpus(?: ?id)?(?:\s*:|(?<=id))\s*0*([1-9][0-9]{0,11})", re.IGNORECASE)
_OWN = re.compile(r"(doi|pmid|pmcid|arxiv|s2|openalex|nct)\s*:\s*(.+)", re.IGNORECASE)
# bioRxiv and medRxiv: the version that an address ends with is not part of the DOI.
_VERSION_OF_ADDRESS = re.compile(r"(?<=\d)v\d+(?:\.\w+)*$")
_A_DAY_OF_ARXIV = re.compile(r"\d\d(?:0[1-9]|1[0-2])\.|[a-z-]+(?:\.[a-z]{2})?/\d\d(?:0[1-9]|1[0-2])")
# Without a scheme it has no blank: `pubmed.gov/27797938`, but not `St.Louis/MO. A title, PMID 27797938`.
_ADDRESS = re.compile(
    r"https?://|www\.|(?:dx\.)?doi\.org/|(?:[a-z0-9-]{1,63}\.){1,4}[a-z]{2,63}/(?=\S+\s*\Z)", re.IGNORECASE
)
_LABELLED = re.compile(r"(?:info:|urn:)?doi\b|info:pmid/", re.IGNORECASE)  # `DOI 10.1000/x`, `info:pmid/12345678`
_INVISIBLE = re.compile(f"[{pattern_of(INVISIBLE | JOINERS)}]")
# `?dopt=Abstract` and `#abstract` are not part of an id; the `#` or `?` that ends a SICI is.
_QUERY_OF_ADDRESS = re.compile(r"(?<=[^\s])(?:(?<!;2-)\?[\w=&;%.+-]*|#[a-zA-Z][\w-]*)$")
_LINK = re.compile(r"""\[[^\[\]]*\]\(<?(\S+?)>?(?:\s+["'(][^\n]*)?\)[.,;]?""")  # of Markdown, to its address
_END = ".,;:'\"”’»)]}>`*?! \t\r\n"
_START = "'\"“‘«([{<`* \t\r\n"


def bare_pmid(text: str) -> str | None:
    """The number that a text is, apart from marks around it, if it has as many digits as PMIDs: it may be one."""
    found = _BARE_PMID.fullmatch(text.strip(_START + _END))
    return found[1] if found else None


def bare_pmids(text: str) -> tuple[str, ...]:
    """The numbers that a text consists of, `36107206, 27797938`, if each of them may be a PMID."""
    found = [bare_pmid(part) for part in _BETWEEN_NUMBERS.split(text.strip(_START + _END))]
    numbers = tuple(filter(None, found))
    return numbers if len(numbers) == len(found) else ()


def what_to_write(text: str) -> str:
    """How to write an id in place of a text that is none; numbers alone may be PMIDs."""
    numbers = bare_pmids(text)
    if not numbers:
        return f"write {EXAMPLES}"
    written = ", ".join(f"PMID:{number}" for number in numbers[:MOST_WRITTEN])
    return f"if {'it is a PMID' if len(numbers) == 1 else 'they are PMIDs'}, write {written}"


def read_id(text: str) -> str | None:
    """Read a text as one id. Returns its normal form, or None if the text is not an id or contains more than one."""
    if len(text) > MAX_WRITTEN_CHARS:
        return None
    text = link[1] if (link := _LINK.fullmatch(text.strip())) else text
    bare = _INVISIBLE.sub("", text).strip(_START)
    if _ADDRESS.match(bare):
        bare = _QUERY_OF_ADDRESS.sub("", bare).rstrip("/")
    for candidate in dict.fromkeys((bare, bare.rstrip(_END), unquote(bare).rstrip(_END))):
        if name := _TITLE.fullmatch(candidate.lower()):
            return name[0]
        if corpus := _CORPUS.fullmatch(candidate):
            return f"corpus:{corpus[1]}"
        if pii := read_pii(candidate):
            return f"pii:{pii}"
        found = _read(candidate)
        if found and len(found) <= MAX_CHARS:
            return found if found == text else _without_slash(found)
    named = _named_in(bare) if _ADDRESS.match(bare) or _LABELLED.match(bare) else None
    if not named and " " not in bare and _ADDRESS.match(bare) and (doi := doi_of_address(text)):
        return f"doi:{doi}"
    pii = None if named or " " in bare else pii_in_address(text)
    return named or (f"pii:{pii}" if pii else None)


def ids_of(text: str) -> tuple[str, ...]:
    """The ids of one text, as they are written: a single one, or several with blanks, commas or semicolons between.

    A DOI may have such signs. It ends there only if what follows, up to the next one, is an id of its own or a number
    as long as a PMID: `10.1000/a,b` is one id, `10.1000/a,PMID:1` and `10.1000/a,29618526` are two.
    """
    if text.count(",") + text.count(";") > MOST_COMMAS:  # no request takes as many ids: they are counted, not read
        return tuple(text.replace(",", " ").replace(";", " ").split())
    is_one = read_id(text) is not None
    listed = [part for part in _BETWEEN_IDS.split(text) if part.strip()]
    pieces = [text] if is_one else listed if all(map(_stands_alone, listed)) else text.split()
    found = [part for piece in pieces for part in divided(piece, ",;")]
    return (text,) if is_one and (len(found) == 1 or _LINK.fullmatch(text.strip())) else tuple(found)


def divided(text: str, signs: str, goes_on: Callable[[str, str], bool] | None = None) -> list[str]:
    """The parts between these signs; a sign within an id, which no other id follows, divides nothing.

    `goes_on` says of an id, and of the text from the sign on, whether both can be one id.
    """
    found: list[str] = []
    sign, at = "", 0
    for part in re.split(f"([{signs}])", text):
        at += len(part)
        if part and part in signs:
            sign = part
        elif part.strip() and found and not _stands_alone(part) and read_id(whole := f"{found[-1]}{sign}{part}"):
            if goes_on and read_id(found[-1]) and not goes_on(found[-1], f"{sign}{part}{text[at:]}"):
                found.append(part)
            else:
                found[-1] = whole
        elif part.strip():
            found.append(part)
    return found


def _stands_alone(part: str) -> bool:
    return read_id(part) is not None or bare_pmid(part) is not None


def _named_in(text: str) -> str | None:
    """The one paper that an address names somewhere in it, or that a text names which is nothing but a labelled id."""
    from shared.bibliography.reference_text import read_references  # many expressions, which few ids need

    mentions = read_references(text)
    bare = text.rstrip(_END)
    if len(mentions) != 1 or not (_ADDRESS.match(text) or mentions[0].text in (bare, bare.removeprefix("info:"))):
        return None
    named = f"{NAMED_SCHEMES[mentions[0].kind]}:{mentions[0].id}"
    found = named if mentions[0].kind == "corpus" else _read(named)
    return found if found and len(found) <= MAX_CHARS else None


def _without_slash(name: str) -> str:
    """A DOI without the slash that an address ends with: hardly any DOI does, and the key of one that does stays."""
    return name.rstrip("/") if re.match("doi:[^/]+/+[^/]", name) else name


def _read(text: str) -> str | None:
    if own := _OWN.fullmatch(text):
        scheme = own[1].lower()
        value = _READERS[scheme](own[2])
        if value or scheme != "doi":  # `doi:` also begins what the DOI's own reader knows
            return f"{scheme}:{value}" if value else None
    if text.isdigit() and len(text) < 40:  # as many hexadecimal digits as Semantic Scholar's
        return None
    for scheme, read in _READERS.items():
        if value := read(text):
            return f"{scheme}:{value}"
    return None


def _arxiv(text: str) -> str | None:
    """`1713.00001` has no month."""
    found = read_arxiv(text) or arxiv_of_doi(read_doi(text))
    return found if found and _A_DAY_OF_ARXIV.match(found) else None


def _doi(text: str) -> str | None:
    """Not arXiv's own, which are read as what they name."""
    found = read_doi(text)
    if not found or arxiv_of_doi(found) or any(sign.isspace() for sign in text.strip().removeprefix("doi:")):
        return None
    return _VERSION_OF_ADDRESS.sub("", found) if found.startswith(OPENRXIV_PREFIXES) else found


_READERS: dict[str, Callable[[str], str | None]] = {
    "arxiv": _arxiv,
    "doi": _doi,
    "pmid": read_pmid,
    "pmcid": read_pmcid,
    "s2": read_paper_id,
    "openalex": read_openalex,
    "nct": read_nct,
}


def scheme_of(name: str) -> str:
    """`doi:10.1000/x` -> `doi`."""
    return name.partition(":")[0]


def value_of(name: str) -> str:
    """`doi:10.1000/x` -> `10.1000/x`."""
    return name.partition(":")[2]


def key_of(name: str) -> str:
    """The key of a paper of which only this id is known: `arxiv:1706.03762` -> `doi:10.48550/arxiv.1706.03762`."""
    return f"doi:{ARXIV_DOI}{value_of(name)}" if scheme_of(name) == "arxiv" else name


def id_texts(ids: Identifiers) -> tuple[str, ...]:
    """All ids of a paper as texts, the best first."""
    return tuple(f"{scheme}:{value}" for field, scheme in SCHEMES.items() if (value := getattr(ids, field)))


def identifiers_of(names: Iterable[str]) -> Identifiers:
    """The ids as identifiers; of two with one scheme the first. A CorpusId and a title key are left out."""
    found = {scheme_of(name): value_of(name) for name in reversed(list(names))}
    return Identifiers(**{field: found.get(scheme) for field, scheme in SCHEMES.items()})


def best_id(names: Iterable[str], schemes: Iterable[str]) -> str | None:
    """The id whose scheme comes first in `schemes`; None if no id has one of them."""
    by_scheme = {scheme_of(name): name for name in sorted(names, reverse=True)}
    return next((by_scheme[scheme] for scheme in schemes if scheme in by_scheme), None)
