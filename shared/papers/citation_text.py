"""A line of a reference list, taken apart as far as it can be told: APA, Harvard, Vancouver, AMA, MLA, Chicago, BibTeX.

    where the year stands              style                          the title is
    (title in quotation marks)         MLA, Chicago, IEEE             in the quotation marks
    Authors (2016). Title. Journal     APA, Harvard, Springer, ACM    behind the year, to the end of the sentence
    Authors. Title. Journal. 2016;5    Vancouver, AMA, Nature         the first sentence behind the names
    title = {…}, year = 2016           BibTeX                         in its field

What cannot be told is None: a title that is wrong does more harm than none. Patterns are bounded and a line is read
up to MAX_CHARS, so that the time is linear.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import zip_longest

from shared.paper import Author
from shared.person_names import read_name
from shared.question import Citation
from shared.text import plain_text

MAX_CHARS = 2000
_NUMBERING = re.compile(r"\s*(?:\[\d{1,4}\]|\(\d{1,3}\)|\d{1,3}[.)](?=\s))\s*")
# Ids, addresses and what databases add: no part of what the line says of the paper.
_ADDED = re.compile(
    r"(?:\b(?:doi|pmid|pmcid|issn|isbn)\s?[:=]\s?|https?://|\b(?:dx\.)?doi\.org/|\b10\.\d{4,9}/)\S{1,300}"
    r"|\b(?:epub|accessed|retrieved|available (?:from|at|online))\b[^;]{0,80}",
    re.I,
)
_YEAR = r"(?:1[6-9]|20)\d\d"
_YEAR_IN_BRACKETS = re.compile(rf"[(\[]\s?({_YEAR})[a-z]?(?:[,;] ?[^()\[\]]{{1,25}})?[)\]]\s?[.,:]?\s*")
_YEAR_AS_SENTENCE = re.compile(rf"[.,] ({_YEAR})[a-z]?[.:] (?=\D)")
_YEAR_BEFORE_VOLUME = re.compile(rf"\b({_YEAR})(?: [A-Z][a-z]{{2,8}}\.?(?:[ -]\w{{1,5}})?)?[;,]\s?\d")
_ANY_YEAR = re.compile(rf"(?<![\w:–-])({_YEAR})(?![\w–-])")
_QUOTED = re.compile(r"[“\"«„]\s?([^“”\"«»]{8,500})[”\"»“]|(?<!\w)[‘']([^‘’']{12,500}[.,?!]?)[’'](?!\w)")
_END = re.compile(r"[.?!]['’”\"]?\s+(?=\S)")
_NO_END = re.compile(r"(?:^|[\s(.-])(?:[A-Za-z]|vs|cf|sp|spp|ssp|subsp|var|no|vol|pp|St|Dr|e\.g|i\.e|al)$")
_INITIAL = re.compile(r"(?:^|[\s.-])[A-Z]$")
_INITIALS = re.compile(r"(?:[A-ZÀ-ÖØ-ÞŁŚŠŽĆČĐ]\.?[ -]?){1,5}")
_ET_AL = re.compile(r",?\s*\bet al\b\.?|,?\s*\band others\b|,?\s*(?:\.\.\.|…)", re.I)
_PAGE = r"[A-Za-z]{0,4}\d{1,9}[A-Za-z]?(?:\s?[-–—]{1,2}\s?[A-Za-z]{0,4}\d{1,9})?"
_LABELLED_PAGES = re.compile(rf"\b(?:pp?\.?|pages?|art(?:icle|\.)?(?: no\.?)?)\s?({_PAGE})", re.I)
_LABELLED_VOLUME = re.compile(r"\bvol(?:ume|\.)?\s?(\d{1,4})\b", re.I)
_PLACE = re.compile(
    rf"(?<![\w/:–-])(?!{_YEAR}\b)(\d{{1,4}})\b(?:\s?\([^()]{{1,25}}\)|,? (?:no|issue|iss)\.? ?[\w-]{{1,9}})*"
    rf"(?:\s?\({_YEAR}\)[:,]?|\s?[:,])\s?(?:pp?\.?\s?)?({_PAGE})(?!\w)",
    re.I,
)
_YEAR_AS_VOLUME = re.compile(rf"\b({_YEAR})[;,:]\s?(\d{{1,4}})\b")
_JOURNAL = re.compile(
    rf"\s*(?:in:?\s+)?((?:(?!\s\(?{_YEAR}\b|[\s,.;(]{{1,3}}(?:vol|volume|pp?|pages?|no|eds?)\.?\s?\d|,?\s\(?\d|[;:(\[]).){{2,200}})",
    re.I,
)
_FIELD = re.compile(r"\b(title|author|year|date|journal|journaltitle|booktitle|volume|pages)\s{0,4}=\s{0,4}", re.I)


def read_citation(text: str) -> Citation:
    """What a line says of its paper; fields that it does not tell are None, and `text` is the line itself."""
    line = plain_text(text[:MAX_CHARS]) or ""
    fields = dict(_fields(line))
    if "title" in fields:
        return replace(_of_fields(fields), text=text)
    line = " ".join(_ADDED.sub(" ", line[_end_of(_NUMBERING.match(line)) :]).split())
    names, title, source = _parts(line)
    year = _year(line)
    volume, pages = _place(source)
    return Citation(
        title=title, authors=_authors(names), year=year, journal=_journal(source), volume=volume, pages=pages, text=text
    )


def read_author(text: str) -> Author | None:
    """A person as reference lists write one: `Kober DL`, `Kober, D. L.`, `Daniel L. Kober`; None when there is none."""
    name = _ET_AL.sub("", text).strip(" ,;&")
    family, _, initials = name.rpartition(" ")
    if family and "," not in name and "." not in family and _INITIALS.fullmatch(initials):
        return Author(family=family, given=initials)
    return read_name(name)


def _end_of(found: re.Match[str] | None) -> int:
    return found.end() if found else 0


def _fields(line: str) -> Iterator[tuple[str, str]]:
    """The fields of a BibTeX entry."""
    for name in _FIELD.finditer(line):
        value = line[name.end() :]
        depth = 0
        for at, sign in enumerate(value):
            depth += (sign == "{") - (sign == "}")
            if depth <= 0 and (sign in "},\n" if value[0] != '"' else at and sign == '"'):
                value = value[:at]
                break
        yield name[1].lower(), " ".join(re.sub(r"[{}\"]|\\\W", "", value).split())


def _of_fields(told: dict[str, str]) -> Citation:
    year = _ANY_YEAR.search(told.get("year") or told.get("date", "")[:4])
    return Citation(
        title=told["title"] or None,
        authors=tuple(name for name in re.split(r"\s+and\s+", told.get("author", "")) if name and name != "others"),
        year=int(year[1]) if year else None,
        journal=told.get("journal") or told.get("journaltitle") or told.get("booktitle") or None,
        volume=told.get("volume") or None,
        pages=told.get("pages", "").replace("--", "-") or None,
    )


def _parts(line: str) -> tuple[str, str | None, str]:
    """The names, the title and the rest of a line."""
    quoted = _QUOTED.search(line)
    if quoted:
        title = (quoted[1] or quoted[2]).strip(" .,")
        return line[: quoted.start()], title, line[quoted.end() :].lstrip(" .,")
    year = _YEAR_IN_BRACKETS.search(line) or _YEAR_AS_SENTENCE.search(line)
    behind = line[year.end() :] if year and year.start() > 1 else ""
    if year and len(behind) > 20 and not re.match(r":?\s?\w{0,2}\d", behind):
        return line[: year.start()], *_title_and_source(behind)
    title, source = _title_and_source(line[_end_of_names(line) :])
    if title and _end_of_names(line):
        return line[: _end_of_names(line)], title, source
    place = re.match(
        r"(?:([^0-9]{2,600}), (?!\w+ [A-Z]{1,3}\. )|([^0-9]{2,600})\. )?([^0-9.,][^0-9,]{1,100}?[.,]? \(?\d.*)", line
    )
    return (place[1] or place[2] or "", None, place[3]) if place else ("", None, line)


def _title_and_source(rest: str) -> tuple[str | None, str]:
    """The title ends with its sentence; without a sentence behind it there is no telling where."""
    ends = [end for end in _END.finditer(rest) if not _NO_END.search(rest[max(0, end.start() - 8) : end.start()])]
    for end, following in zip_longest(ends, ends[1:]):
        asked = rest[end.start()] != "."
        if asked and following and not re.search(r"\d", rest[end.end() : following.start()]):
            continue  # `What is X? A survey. Journal …`
        title = rest[: end.start()].strip(" .,\"'“”")
        return (title if len(title) > 7 and " " in title else None), rest[end.end() :]
    return None, rest


def _end_of_names(line: str) -> int:
    """Where the names end and the title begins; 0 when that cannot be told."""
    names, colon, _ = line.partition(": ")  # BMC's journals
    if colon and all(_INITIALS.fullmatch(name.split(" ")[-1]) for name in _ET_AL.sub("", names).split(", ")):
        return len(names) + 2
    for end in _END.finditer(line):
        before = line[: end.start()]
        chunk = line[end.end() : end.end() + 300].split(". ")[0]
        if line[end.start()] != ".":
            return 0
        if before.endswith("et al") or not _INITIAL.search(before):
            return end.end()
        words = chunk.split()
        joined = not {"&", "and"}.isdisjoint(words[:3]) and _INITIAL.search(chunk)
        named = joined or any(word.endswith(",") for word in words[:2])
        if len(words) > 2 and not named:
            return end.end()
    return 0


def _year(line: str) -> int | None:
    found = _YEAR_IN_BRACKETS.search(line) or _YEAR_AS_SENTENCE.search(line) or _YEAR_BEFORE_VOLUME.search(line)
    years = [found[1]] if found else _ANY_YEAR.findall(line)
    return int(years[-1]) if years else None


def _place(source: str) -> tuple[str | None, str | None]:
    """Volume and pages."""
    labelled, pages = _LABELLED_VOLUME.search(source), _LABELLED_PAGES.search(source)
    place = _PLACE.search(source) or _YEAR_AS_VOLUME.search(source)
    volume = labelled[1] if labelled else place[1] if place else None
    if place and place.re is _YEAR_AS_VOLUME:
        volume, place = labelled[1] if labelled else place[2], None
    found = pages[1] if pages else place[2] if place and not labelled else None
    return volume, re.sub(r"\s?[-–—]{1,2}\s?", "-", found) if found else None


def _journal(source: str) -> str | None:
    found = _JOURNAL.match(source)
    name = found[1].strip(" .,;") if found else ""
    return name if any(letter.isalpha() for letter in name) else None


def _authors(names: str) -> tuple[str, ...]:
    """Each name as written, a family name with the initials behind its comma."""
    names = _ANY_YEAR.sub("", _YEAR_IN_BRACKETS.sub("", _ET_AL.sub("", names)))
    text = re.sub(r",?\s+(?:&|and|und|y|et)\s+(?!al\b)", ", ", names).strip(" .,;:(")
    pieces = [piece for piece in re.split(r"\s*[,;]\s+", text) if piece]
    if len(pieces) > 1 and ";" not in text:
        if all(_INITIALS.fullmatch(piece) for piece in pieces[1::2]) and not _INITIALS.fullmatch(pieces[0]):
            pieces = [", ".join(pieces[at : at + 2]) for at in range(0, len(pieces), 2)]
        elif " " not in pieces[0]:
            pieces = [", ".join(pieces[:2]), *pieces[2:]]  # MLA and Chicago turn only the first
    return tuple(piece for piece in pieces if any(letter.isalpha() for letter in piece))[:50]
