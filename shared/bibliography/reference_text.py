"""Which papers a text names: DOIs, PMIDs, PMCIDs, arXiv, Semantic Scholar and OpenAlex ids as people write them.

A text is read twice: first its escapes are undone (`UnescapedText`), then ids are found in what a reader would see.
A number alone names no paper: it needs a label, an address or a form that nothing else has.
Patterns are bounded and begin at fixed words: the time is linear in the length of the text. Sources: DOI Handbook 2.2,
ANSI/NISO Z39.56 (SICI: DOIs with `<1661::AID-SIM968>`, whose check digit may be `#`), arXiv identifier scheme.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from shared.bibliography.identifiers import (
    DOI_START,
    arxiv_of_doi,
    read_arxiv,
    read_doi,
    read_openalex,
    read_paper_id,
    read_pmcid,
    read_pmid,
)
from shared.bibliography.preprints import OPENRXIV_PREFIXES
from shared.bibliography.publisher_addresses import dois_in_addresses
from shared.bibliography.unescaped_text import UnescapedText

Kind = Literal["doi", "pmid", "pmcid", "arxiv", "paper_id", "openalex", "corpus"]
_Found = tuple[int, int, Kind, str]  # start and end in the reading, kind and id
_FLAGS = re.IGNORECASE | re.ASCII | re.VERBOSE


@dataclass(frozen=True, slots=True)
class Mention:
    """One place where a text names a paper: `text` is what stood there, `id` its normal form."""

    kind: Kind  # a field of `Identifiers`, or Semantic Scholar's CorpusId
    id: str
    start: int
    end: int
    text: str


MAX_KEPT_CHARS = 2_000  # of a text whose mentions are kept: a reference is read in several places, a long text in one


def read_references(text: str) -> list[Mention]:
    """Every paper named in a text, in order of place; one that is named twice is there twice."""
    return list(_kept_mentions(text)) if len(text) <= MAX_KEPT_CHARS else _mentions(text)


@lru_cache(maxsize=1024)
def _kept_mentions(text: str) -> tuple[Mention, ...]:
    return tuple(_mentions(text))


def _mentions(text: str) -> list[Mention]:
    reading = UnescapedText(text)
    mentions: list[Mention] = []
    free_from = 0
    found = [*_dois(reading), *_others(reading.text)]
    for start, end, kind, name in sorted(found, key=lambda one: (one[0], -one[1])):
        if start >= free_from:  # otherwise it lies inside another, as a PMCID in an address
            free_from = end
            first, last = reading.starts[start], reading.ends[end - 1]
            mentions.append(Mention(kind, name, first, last, text[first:last]))
    return mentions


def distinct_ids(mentions: Iterable[Mention]) -> list[tuple[Kind, str]]:
    """The ids of which `Identifiers` has a field, each once, where it was named first."""
    return list(dict.fromkeys((mention.kind, mention.id) for mention in mentions if mention.kind != "corpus"))


# Between a label and its id: `: `, ` = {`, `": "`, `:** `.
_TO = r"""["'*_`]{0,3}[ ]{0,2}(?:[:：=|\#/-]["'*_`]{0,3}\s{0,2})?["'*_`{]{0,3}"""
_RESOLVER = r"(?:https?:/{1,2})?(?:(?:dx|www)\.)?doi\.org/{1,2}\s?(?:doi:\s?)?"
_DOI_START = re.compile(
    rf"""(?P<mark>(?<![a-z0-9])(?:(?:info:|urn:|(?<!/))dois?{_TO}(?:{_RESOLVER})?|{_RESOLVER}))?
    (?(mark)|(?<![a-z0-9])(?<![0-9]\.))(?P<doi>{DOI_START})""",
    _FLAGS,
)
# `?` ends some SICIs. `<…>` is not a tag: it has a colon and begins as page numbers do. In the next line, behind a
# slash, a DOI goes on with letters and digits after which that line or the sentence ends.
_SUFFIX = re.compile(
    r"""(?: [a-z0-9._:/()\[\]+,;\#-]
    | (?<=co;2-)\?
    | <(?=[^<>\s:]{0,30}:)(?:[a-z]{0,4}[0-9]|[ivxlc]{2,7}:|:)[^<>\s"']{1,90}>
    | (?<=/)[ ]{0,2}\r?\n[ ]{0,8}(?!10\.[0-9]{4}|https?:|www\.|doi|pmid|pmc|arxiv)(?=[a-z0-9(])(?=\S{0,80}[0-9])
      (?=\S{0,80}[a-z])(?=\S{3,80}?(?:[.,;:)\]]\s|["'”»}>|]|[ ]{0,4}\r?(?:\n|\Z))) ){1,400}""",
    _FLAGS,
)
_CUT_SHORT = re.compile(r"(?<=-)(?:[*{<…]|\s{0,8}\n\s{0,8}\S)")  # `10.1038/s41586-*`, or parted at its hyphen
# Ends at a hyphen, in a bracket of digits or in dots in brackets: `10.1038/s41586-`, `S0140-6736(20`, `-0[...]`.
_OPEN_END = re.compile(r"-\Z|[(\[](?:\.\.\.|…)[)\]]|\([0-9]{1,4}\Z")
_NEXT_LINE = re.compile(r"[ \t]{0,8}\r?\n[ \t]{0,8}[0-9]{1,6}\.[0-9]")  # `j.cell.2019.` and `01.001` in the next line
# A SICI names the issue first, `(SICI)1097-0258(19980815/30)17:15/16`, and ends in `3.0.CO;2-2`.
_SICI = re.compile(r"\(sici\)|[0-9]{4}-[0-9]{3}[0-9x]\((?:1[89]|20)[0-9]{2}", re.IGNORECASE)
_SPACE = re.compile(r"\s")
_SIGN = re.compile(r"\[/|[()\[\],;#]|--|\.?pmc?id:|https?:/", re.IGNORECASE)
_FRAGMENT = re.compile(r"#(?:abs|bib|cite|fig|page|ref|sec|tab|:~)", re.IGNORECASE)
_MARK = r"(?<!;[0-9]-)\#+ | \[[0-9]{1,3}(?:[,-][0-9]{1,3})*\]"  # of a footnote
_VIEW = "/(?:full(?:-?text)?|abs(?:tract)?|e?pdf|html|meta|summary)"
_PUBLISHERS_VIEW = r"""\.(?:pdf|full|full-?text|abstract|short|long|html?|xml|epub|supplementary-material)(?:\+html)?
    | /(?:full|full-?text\.html|figures?|tables?|metrics|references|citations?|cited-by|download|epub|xml|pdf[a-z]{0,6}
      |bibtex|suppl[a-z_-]*|asset|transform)(?:/.*)?"""
_OWN_TAIL = re.compile(rf"(?:{_MARK})\Z", _FLAGS)
_TAIL = re.compile(rf"(?:{_MARK} | {_VIEW})\Z", _FLAGS)
_PUBLISHERS_TAIL = re.compile(rf"(?:{_MARK} | {_VIEW} | {_PUBLISHERS_VIEW})\Z", _FLAGS)
_ADDRESS = re.compile(r"[a-z]{3,5}://|www\.|(?:[a-z0-9-]{1,63}\.){1,4}[a-z]{2,}/", re.IGNORECASE)
# Prices, dates, scores and placeholders have the form of a DOI, when nothing says that they are one.
_NO_SUFFIX = re.compile(
    r"""[0-9]{1,2}|10{2,6}|(?:[0-9]{1,2}\.)?(?:19|20)[0-9]{2}|x{3,}|sec(?:ond)?|min(?:ute)?|h(?:ou)?r|day|week
    |month|yr|year|[km]?g|k?m|mile|m?l|lit(?:er|re)|ton(?:ne)?|[km]wh|person|user|seat|unit|item|each|call|request|head""",
    _FLAGS,
)
_NO_DOI_AFTER = re.compile(r"(?:[$€£¥₹+§]|\b(?:tel|phone|fax|version|section|chapter|isbn|usd|eur)\b[.:]?)\s?\Z", re.I)


def _dois(reading: UnescapedText) -> Iterator[_Found]:
    done = 0
    for start in _DOI_START.finditer(reading.text):
        if start.start("doi") < done:
            continue  # a DOI may hold what looks like another
        body = _SUFFIX.match(reading.text, start.end())
        suffix = _suffix(reading, start, body) if body else ""
        if body and suffix is None:  # longer than any DOI, and a part of it would name another paper
            space = _SPACE.search(reading.text, body.end())
            done = space.start() if space else len(reading.text)
            continue
        name = start["doi"] + (suffix or "")
        if doi := read_doi("".join(name.split())):
            done = start.start("doi") + len(name)
            arxiv = arxiv_of_doi(doi)
            yield (start.start(), done, "arxiv", arxiv) if arxiv else (start.start(), done, "doi", doi)


def _suffix(reading: UnescapedText, start: re.Match[str], body: re.Match[str]) -> str | None:
    """What belongs to the DOI that begins here; "" when it only looks like one or is cut, None when it is too long."""
    before = reading.text[max(0, start.start("doi") - 300) : start.start("doi")]
    word = re.split(r"[\s<>\"'|{}()\[\]]", before)[-1]
    address = _ADDRESS.match(word) is not None
    if _CUT_SHORT.match(reading.text, body.end()) or _OPEN_END.search(body[0]):
        return ""
    if body[0].endswith(".") and _NEXT_LINE.match(reading.text, body.end()):
        return ""
    suffix = _own_part(reading, body, address)
    more = _SUFFIX.match(reading.text, body.end())
    if more and any(map(str.isalnum, more[0])) and body[0][len(suffix) : len(suffix) + 1] in ("", "(", "["):
        return None
    if _SICI.match(suffix) and "co;2" not in suffix.lower():
        return ""
    if start["doi"] in OPENRXIV_PREFIXES:  # bioRxiv and medRxiv: a DOI has no version
        suffix = re.sub(r"(?<=[0-9]{5})v[0-9].*", "", suffix, flags=re.IGNORECASE)
    if "/article" in word and word.endswith("/doi/"):  # `…/article/doi/10.1093/nar/gkz1/5376456`
        suffix = re.sub(r"/[0-9]{3,}(?:/.*)?\Z", "", suffix)
    tail = _PUBLISHERS_TAIL if address and "doi.org" not in word else _TAIL
    if start["doi"] == "10.1377/":  # Health Affairs, whose DOIs themselves end in `/full`
        tail = _OWN_TAIL
    while (shorter := tail.sub("", suffix.rstrip(" \r\n.,;:_/+-"))) != suffix:
        suffix = shorter
    if not start["mark"] and not address and (_NO_SUFFIX.fullmatch(suffix) or _NO_DOI_AFTER.search(before[-16:])):
        return ""
    return suffix if re.match(r"\s*/?\(?[a-z0-9]", suffix, re.IGNORECASE) else ""


def _own_part(reading: UnescapedText, body: re.Match[str], address: bool) -> str:
    """Up to the first sign that is the sentence's: a bracket without its partner, a comma, a fragment."""
    text, opened = body[0], list[int]()
    for sign in _SIGN.finditer(text):
        at, place = sign.start(), sign.start() + body.start()
        if sign[0] in "([":
            opened.append(at)
        elif opened and text[opened[-1]] + sign[0] in ("()", "[]"):
            opened.pop()
        elif sign[0] == "#":
            raw = reading.ends[place] - reading.starts[place] == 1
            if _FRAGMENT.match(text, at) or (raw and address and not text[:at].endswith(";2-")):
                return text[:at]
        elif sign[0] not in ",;" or not (opened or text[at - 2 : at + 1].lower() == "co;"):
            return text[: min([at, *opened])]
    return text[: min([len(text), *opened])]


# As _TO, with brackets, tags and words: for ids whose form leaves no doubt.
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
_FORMS: tuple[tuple[Kind, str, str], ...] = (  # kind, form, form of the further ids in a list
    ("pmid", rf"{_NAME}PMIDs{_TO}{_ANY}",
        rf"(?:(?:{_AND}|\s{{1,3}})(?=[0-9]{{6}})|[ ]?(?:[,;、][ ]?(?:and[ ])?|and[ ]|&[ ])){_ANY}"),
    ("pmid", rf"{_NAME}PMID{_TO}{_ANY}", _AND + _LONG),
    ("pmid", rf"{_NAME}(?:PMIDs?|PubMed){_NEAR}{_LONG}", _AND + _LONG),
    ("pmid", r"(?<![0-9.])(?P<id>[1-9][0-9]{0,7})[ ]?\[(?:pmid|uid)\]", ""),
    ("pmid", rf"""{_WEB}(?:pubmed\.(?:ncbi\.nlm\.nih\.gov|gov|com)/|ncbi\.nlm\.nih\.gov/(?:m/)?pubmed/
        |ncbi\.nlm\.nih\.gov/pmc/articles/pmid/|{_EUROPE_PMC}med/)(?:\?term=)?{_ANY}""", ""),
    ("pmid", rf"""{_ATTRIBUTE}(?:pmid|pubmed)["'][^<>]{{0,100}}>\s{{0,20}}{_ANY}""", ""),
    ("pmid", rf"<pmid[ ][^<>]{{1,100}}>\s{{0,20}}{_ANY}", ""),
    ("pmid", rf"{_META}\s{{1,5}}{_CONTENT}{_ANY}", ""),
    ("pmid", rf"""{_CONTENT}{_ANY}\s{{0,2}}["']\s{{1,5}}{_META}""", ""),
    ("pmcid", rf"""{_ATTRIBUTE}pmc(?:id)?["'][^<>]{{0,100}}>\s{{0,20}}(?:PMC)?{_PMC}""", ""),
    ("pmcid", rf"{_NAME}PMC(?:(?=[0-9]{{5}})|{_TO}(?=[0-9]{{6}})|[ -]?IDs?{_TO}(?:PMC[ ]?)?){_PMC}", ""),
    ("pmcid", rf"""{_WEB}(?:(?:pmc\.ncbi\.nlm\.nih\.gov|ncbi\.nlm\.nih\.gov/pmc)/articles/|{_EUROPE_PMC}(?=PMC))
        (?:PMC/?){{0,2}}{_PMC}""", ""),
    ("arxiv", rf"{_NAME}(?:ar[xχ]iv(?:\.org)?{_NEAR}|eprint{_TO}){_ARXIV}", _AND + _ARXIV),
    ("arxiv", rf"(?<![a-z0-9/.-])(?P<id>{_ARCHIVE}{_OLD}){_VERSION}", ""),
    ("arxiv", rf"""{_WEB}(?:(?:arxiv|ar5iv|ar5iv\.labs\.arxiv|alphaxiv)\.org/[a-z-]{{2,8}}/|xxx\.lanl\.gov/[a-z]{{3}}/
        |huggingface\.co/papers/){_ARXIV}""", ""),
    ("paper_id", rf"""(?:{_WEB}semanticscholar\.org/(?:graph/)?(?:v1/)?(?:paper|reader)/(?:[^/\s"'<>]{{1,300}}/)?
        |{_NAME}(?:s2|paper_?id){_TO})(?P<id>[0-9a-f]{{40}})(?![0-9a-z])""", ""),
    ("corpus", rf"(?:{_WEB}semanticscholar\.org/|{_NAME})(?:corpus_?id|s2cid){_TO}{_CORPUS}", ""),
    ("corpus", rf"""{_NAME}corpus[ -]ids?["'*_`]{{0,3}}[ ]{{0,2}}[:：=\#|](?:[ "'*_`]|</b>){{0,5}}{_CORPUS}""", ""),
    ("openalex", rf"(?:{_WEB}openalex\.org/(?:works/)?|{_NAME}openalex{_NEAR})(?P<id>W[0-9]{{2,12}}){_END}", ""),
)  # fmt: skip
_COMPILED = [(kind, re.compile(form, _FLAGS), re.compile(more or "(?!)", _FLAGS)) for kind, form, more in _FORMS]
_READERS: dict[Kind, Callable[[str], str | None]] = {
    "pmid": read_pmid, "pmcid": lambda number: read_pmcid(f"PMC{number}"), "arxiv": read_arxiv,
    "paper_id": read_paper_id, "openalex": read_openalex, "corpus": str,
}  # fmt: skip


def _others(text: str) -> Iterator[_Found]:
    for start, end, doi in dois_in_addresses(text):
        yield (start, end, "doi", doi)
    for kind, form, more in _COMPILED:
        for first in form.finditer(text):
            found: re.Match[str] | None = first
            while found:
                if name := _READERS[kind](found["id"]):
                    yield (found.start() if found is first else found.start("id"), found.end(), kind, name)
                found = more.match(text, found.end())
