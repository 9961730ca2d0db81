"""Parses the journal, volume and pages of a printed reference: the text after its title."""

from __future__ import annotations

import re

from shared.bibliography.dates import MONTHS
from shared.bibliography.journals import JournalMatch, compare_journals

YEAR = r"(?:1[6-9]|20)\d\d"
UNDATED = (  # in the place of a year, in any case
    r"n\. ?d\.?|no date|in press|in prep(?:aration|\.)?|forthcoming|submitted|unpublished|under review"
    r"|advance online publication|(?:epub |online )?ahead of print|early access|to appear"
    r"|im (?:druck|erscheinen)|in vorbereitung|ohne jahr|sous presse|à paraître|sans date|en prensa|sin fecha"
    r"|no prelo|in (?:corso di )?stampa|senza data|в печати|印刷中|待刊"
)
_UNDATED_IN_BRACKETS = rf"{UNDATED}|o\. ?J\.?|s\. ?[adf]\.?"  # elsewhere they may be initials
ANY_YEAR = re.compile(rf"(?<![\w:–-])({YEAR})(?![\w–-])")
_YEAR_OF_EVENT = re.compile(rf"(?<=\bthe ){YEAR} (?=[A-Z])")  # `Proceedings of the 2019 Conference`
_MONTH = r"(?:\d{1,2} )?[A-Z][a-z]{2,8}\.?(?: \d{1,2},?)? "  # `January 2013`, `10 Jan. 2013`, `Jan 10, 2013`
YEAR_IN_BRACKETS = re.compile(rf"[(\[]\s?(?:{_MONTH})?({YEAR})[a-z]?(?:[,;] ?[^()\[\]]{{1,25}})?[)\]]\s?[.,:]?\s*")
UNDATED_IN_BRACKETS = re.compile(rf"[(\[](?:{_UNDATED_IN_BRACKETS})(?:-[a-z])?[)\]]\s?[.,:]?\s*", re.I)
YEAR_AS_SENTENCE = re.compile(rf"[.,] ({YEAR})[a-z]?[.:] (?=\D)")
_YEAR_BEFORE_VOLUME = re.compile(rf"(?<![\w.–-])({YEAR})(?: [A-Z][a-z]{{2,8}}\.?(?:[ -]\w{{1,5}})?)?[;,]\s?\d")
_DAY = re.compile(rf",? (?:{'|'.join(it.title() for it in MONTHS)})[a-z]{{0,6}}\.? \d{{1,2}}(?=, {YEAR}\b)")
_PAGE = r"[A-Za-z]{0,4}\d{1,9}[A-Za-z]?(?:\s?[-–—]{1,2}\s?[A-Za-z]{0,4}\d{1,9})?"
_LABELLED_PAGES = re.compile(rf"\b(?:pp?\.?|pages?|art(?:icle|\.)?(?: no\.?)?)\s?({_PAGE})", re.I)
_LABELLED_VOLUME = re.compile(r"\bvol(?:ume|\.)?\s?(\d{1,4})\b", re.I)
PLACE = re.compile(
    rf"(?<![\w/:–-])(?<!\d\.)(?!{YEAR}\b)(\d{{1,4}})\b"
    rf"(?:\.\d{{1,3}}(?=\s?\()|\s?\([^()]{{1,25}}\)|,? (?:no|issue|iss)\.? ?[\w-]{{1,9}}|,? suppl\.?(?: \w{{1,4}})?"
    rf"|, \d{{1,4}}(?= \((?:[A-Z][a-z]{{2,8}}\.? )?{YEAR}\), \d))*"  # ACM: `47, 10 (May 1935), 777-780`
    rf"(?:\s?\({YEAR}\)[:,]?|\s?[:,])\s?(?:pp?\.?\s?|article (?:no\. )?)?({_PAGE})(?!\w)",
    re.I,
)
_YEAR_AS_VOLUME = re.compile(rf"\b({YEAR})[;,:]\s?(\d{{1,4}})\b(?!\s?[-–—]\s?\d)")
_VOLUME_LAST = re.compile(rf"[^\W\d_], (?!{YEAR}\b)(\d{{1,4}})(?:\([\w–-]{{1,9}}\))?[\s.]*\Z")  # `Journal, 12(3).`
_RANGE_ALONE = re.compile(  # of proceedings: `Proc. X, 770-778 (2016)`, `Proc. X (2016) 770-778`
    rf"(?:[,:;]|\({YEAR}\))\s?(?!{YEAR}\s?[-–—])(\d{{1,6}}\s?[-–—]{{1,2}}\s?\d{{1,6}})"
    rf"(?:\s\({YEAR}\)|\. [^\d:]{{2,60}}: [^\d:]{{2,60}}, {YEAR})?[\s.,;]*\Z"  # of a chapter in Chicago
)
_JOURNAL = re.compile(
    rf"\s*(?:in:?\s+)?((?:(?!\s\(?{YEAR}\b|[\s,.;(]{{1,3}}(?:vol|volume|pp?|pages?|no)\.?\s?\d|(?<!Int)(?<!Int\.)[\s,.;(]{{1,3}}eds?\.?\s?\d|,\s(?:vol|bd)\.\s?\S|[.,;]\s(?:{UNDATED})(?!\w|\s(?-i:[A-Z])|\.:)|,?\s\(?\d|:(?!\s[A-Z][a-z])|[;(\[]).){{2,200}})",
    re.I,
)
# What stands in the place of a journal behind the title of a book: a volume, pages, `3., überarb. Aufl. Berlin`.
_NO_JOURNAL = re.compile(
    r"(?:vol|pp?|no|pages|volume|\d{1,2}(?:st|nd|rd|th) ed)\b\.?\Z|\d{1,2}\., |\d{1,2}\. Auf", re.I
)


def same_journal(cited: str, written: str) -> bool | None:
    """Whether the cited journal is the record's; None if unclear.

    Unlike in merging, a shorter name is not enough: the journal is evidence for a match, and a cited `Nature` is no
    evidence for a paper in `Nature Communications`.
    """
    match = compare_journals(cited, written)
    return True if match is JournalMatch.SAME else False if match is JournalMatch.DIFFERENT else None


def without_day(source: str) -> str:
    """The text after a title without the day of an issue, whose numbers are no volume: `Vox, April 11, 2017`."""
    return _DAY.sub("", source)


def read_place(source: str) -> tuple[str | None, str | None]:
    """The volume and the pages in the text after a title; None if not recognised."""
    labelled, pages = _LABELLED_VOLUME.search(source), _LABELLED_PAGES.search(source)
    place = PLACE.search(source) or _YEAR_AS_VOLUME.search(source)
    last = _VOLUME_LAST.search(source)
    volume = labelled[1] if labelled else place[1] if place else last[1] if last else None
    if place and place.re is _YEAR_AS_VOLUME:
        volume, place = labelled[1] if labelled else place[2], None
    alone = _RANGE_ALONE.search(source) if not volume else None
    found = pages[1] if pages else place[2] if place and not labelled else alone[1] if alone else None
    return volume, re.sub(r"\s?[-–—]{1,2}\s?", "-", found) if found else None


def read_journal(source: str) -> str | None:
    """The journal in the text after a title; None if not recognised."""
    found = _JOURNAL.match(source)
    name = found[1].strip(" .,;") if found else ""
    is_other = _NO_JOURNAL.match(name)
    return name if any(letter.isalpha() for letter in name) and not is_other else None


def read_year(line: str, *, last: bool) -> int | None:
    """The year of the reference; in Japan it stands last, behind a journal that may be called `Brain 2000`."""
    marked = () if last else (YEAR_IN_BRACKETS, YEAR_AS_SENTENCE, _YEAR_BEFORE_VOLUME)
    found = next(filter(None, (pattern.search(line) for pattern in marked)), None)
    years = [found[1]] if found else ANY_YEAR.findall(_YEAR_OF_EVENT.sub("", line)) or ANY_YEAR.findall(line)
    return int(years[-1]) if years else None
