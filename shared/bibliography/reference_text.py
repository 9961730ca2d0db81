"""Which papers a text names: DOIs, PMIDs, PMCIDs, arXiv, Semantic Scholar and OpenAlex ids as people write them.

A text is read twice: first its escapes are undone (`UnescapedText`), then ids are found in what a reader would see.
A number alone names no paper: it needs a label, an address or a form that nothing else has.
Patterns are bounded and begin at fixed words: the time is linear in the length of the text. Sources: DOI Handbook 2.2,
ANSI/NISO Z39.56 (SICI: DOIs with `<1661::AID-SIM968>`, whose check digit may be `#`), arXiv identifier scheme.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from shared.bibliography.identifiers import DOI_START, arxiv_of_doi, read_doi
from shared.bibliography.labelled_ids import TO, Found, Kind, labelled_ids
from shared.bibliography.preprints import OPENRXIV_PREFIXES
from shared.bibliography.publisher_addresses import dois_in_addresses
from shared.bibliography.unescaped_text import UnescapedText

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


@lru_cache(maxsize=2048)  # all of a document's references, which are read in order and then again
def _kept_mentions(text: str) -> tuple[Mention, ...]:
    return tuple(_mentions(text))


def _mentions(text: str) -> list[Mention]:
    reading = UnescapedText(text)
    mentions: list[Mention] = []
    free_from = 0
    in_addresses: Iterator[Found] = ((start, end, "doi", doi) for start, end, doi in dois_in_addresses(reading.text))
    found = [*_dois(reading), *in_addresses, *labelled_ids(reading.text)]
    for start, end, kind, name in sorted(found, key=lambda one: (one[0], -one[1])):
        if start >= free_from:  # otherwise it lies inside another, as a PMCID in an address
            free_from = end
            first, last = reading.starts[start], reading.ends[end - 1]
            mentions.append(Mention(kind, name, first, last, text[first:last]))
    return mentions


def distinct_ids(mentions: Iterable[Mention]) -> list[tuple[Kind, str]]:
    """The ids of which `Identifiers` has a field, each once, where it was named first."""
    return list(dict.fromkeys((mention.kind, mention.id) for mention in mentions if mention.kind != "corpus"))


_RESOLVER = r"(?:https?:/{1,2})?(?:(?:dx|www)\.)?doi\.org/{1,2}\s?(?:doi:\s?)?"
_DOI_START = re.compile(
    rf"""(?P<mark>(?<![a-z0-9])(?:(?:info:|urn:|(?<!/))dois?{TO}(?:{_RESOLVER})?|{_RESOLVER}))?
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


def _dois(reading: UnescapedText) -> Iterator[Found]:
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
