"""A line of a reference list, taken apart as far as it can be told: APA, Harvard, Vancouver, AMA, MLA, Chicago, BibTeX.

    where the year stands              style                          the title is
    (title in quotation marks)         MLA, Chicago, IEEE             in the quotation marks
    Authors (2016). Title. Journal     APA, Harvard, Springer, ACM    behind the year, to the end of the sentence
    Authors. Title. Journal. 2016;5    Vancouver, AMA, Nature         the first sentence behind the names
    title = {…}, year = 2016           BibTeX, RIS                    in its field
    Title. Authors. Journal, 2016      notes, lists, slides           what does not read like names, at the beginning

What cannot be told is None: a title that is wrong does more harm than none. Patterns are bounded and a line is read
up to MAX_CHARS, so that the time is linear.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import zip_longest

from shared.bibliography.paper import Author
from shared.bibliography.person_names import read_name
from shared.bibliography.text import plain_text
from shared.query.question import Citation
from shared.references.cited_title import ends_quotation, reads_like_names, reads_like_title
from shared.references.journal_in_citation import YEAR, read_journal, read_place

MAX_CHARS = 2000
_NUMBERING = re.compile(r"\A\s*(?:\[\d{1,4}\]|\(\d{1,3}\)|\d{1,3}[.)](?=\s))\s*")
# Ids, addresses and what databases add: no part of what the line says of the paper.
_ADDED = re.compile(
    r"(?:\b(?:doi|pmid|pmcid|issn|isbn)\s?[:=]\s?|https?://|\b(?:dx\.)?doi\.org/|\b10\.\d{4,9}/)\S{1,300}"
    r"|\b(?:epub|accessed|retrieved|available (?:from|at|online))\b[^;]{0,80}",
    re.I,
)
_YEAR_IN_BRACKETS = re.compile(rf"[(\[]\s?({YEAR})[a-z]?(?:[,;] ?[^()\[\]]{{1,25}})?[)\]]\s?[.,:]?\s*")
_YEAR_AS_SENTENCE = re.compile(rf"[.,] ({YEAR})[a-z]?[.:] (?=\D)")
_YEAR_BEFORE_VOLUME = re.compile(rf"\b({YEAR})(?: [A-Z][a-z]{{2,8}}\.?(?:[ -]\w{{1,5}})?)?[;,]\s?\d")
_ANY_YEAR = re.compile(rf"(?<![\w:–-])({YEAR})(?![\w–-])")
_QUOTED = re.compile(r"[“\"«„]\s?([^“”\"«»]{8,500})[”\"»“]|(?<!\w)[‘']([^‘’']{12,500}[.,?!]?)[’'](?!\w)")
_END = re.compile(r"[.?!]['’”\"]?\s+(?=\S)")
_NO_END = re.compile(r"(?:^|[\s(.-])(?:[A-Za-z]|vs|cf|sp|spp|ssp|subsp|var|no|vol|pp|St|Dr|e\.g|i\.e|al)$")
_INITIAL = re.compile(r"(?:^|[\s.-])[A-Z]$")
_INITIALS = re.compile(r"(?:[A-ZÀ-ÖØ-ÞŁŚŠŽĆČĐ]\.?[ -]?){1,5}")
_ET_AL = re.compile(r",?\s*\bet al\b\.?|,?\s*\band others\b|,?\s*(?:\.\.\.|…)", re.I)
_TAG = re.compile(r"(?:^|\s)([A-Z][A-Z0-9])\s{1,2}-(?:\s|$)")
_TAGS = {
    "TI": "title", "T1": "title", "AU": "author", "A1": "author", "PY": "year", "Y1": "year", "JO": "journal",
    "JF": "journal", "JA": "journal", "T2": "journal", "VL": "volume", "SP": "pages",
}  # fmt: skip
_MARKED = re.compile(r"([*_]{1,3})([^*_]{8,500})\1[\s.,:–—-]*")
_TOLD_BY = re.compile(rf"(.{{8,400}}?)(?:,? by | \()(?=[^\W\d_a-z])([^()\d]{{2,300}}?)(?=,? \(?{YEAR}\b|[.)]?$)")
_NAME = r"(?:[A-Z]\. ?)*[^\W\d_a-z][^\W\d_]+(?:[ -](?:[A-Z]\.|[^\W\d_]+)){0,3}"
_NAMES = rf"{_NAME}(?:, {_NAME}){{0,20}}"
_SHORT_NAME = r"[^\W\d_a-z][^\d.,]{1,40} [A-Z]{1,3}"
_SOME_NAMES = re.compile(
    rf"(?:[^\d]{{2,300}}?\bet al\b|{_SHORT_NAME}(?:, {_SHORT_NAME}){{1,30}}(?=[.,]|$)|[^\W\d_]+ [A-Z]{{1,3}}(?=[.,]|$)"
    rf"|{_NAMES}(?:, {_NAME}|,? (?:and|&) {_NAME})(?=[.,] )|[^\W\d_a-z][^\W\d_]+(?=, {YEAR}))[.,]*\s*"
)
_NAMES_AND_YEAR = re.compile(
    rf"(.{{2,120}}?\bet al\b|[^\d]{{2,120}}?(?=[,.]? \(?{YEAR}\b))[.,:]*(?: \(?{YEAR}[a-z]?\)?[.,:]*)? "
)
_FIELD = re.compile(r"\b(title|author|year|date|journal|journaltitle|booktitle|volume|pages)\s{0,4}=\s{0,4}", re.I)


def read_citation(text: str) -> Citation:
    """What a line says of its paper; fields that it does not tell are None, and `text` is the line itself."""
    line = plain_text(text[:MAX_CHARS]) or ""
    fields = dict(_fields(line)) or _tagged(line)
    if "title" in fields:
        return replace(_of_fields(fields), text=text)
    line = " ".join(_ADDED.sub(" ", _NUMBERING.sub("", line)).split())
    names, title, source = _parts(line)
    volume, pages = read_place(source)
    told = Citation(title=title, authors=_authors(names), year=_year(line), volume=volume, pages=pages, text=text)
    return replace(told, journal=read_journal(source))


def read_author(text: str) -> Author | None:
    """A person as reference lists write one: `Kober DL`, `Kober, D. L.`, `Daniel L. Kober`; None when there is none."""
    name = _ET_AL.sub("", text).strip(" ,;&")
    family, _, initials = name.rpartition(" ")
    if family and "," not in name and "." not in family and _INITIALS.fullmatch(initials):
        return Author(family=family, given=initials)
    return read_name(name)


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


def _tagged(line: str) -> dict[str, str]:
    """The fields of a RIS record, by the names that BibTeX has for them."""
    tags = list(_TAG.finditer(line))
    told: dict[str, list[str]] = {}
    for tag, following in zip_longest(tags, tags[1:]):
        value = line[tag.end() : following.start() if following else None].strip()
        if value:
            told.setdefault(_TAGS.get(tag[1], tag[1]), []).append(value)
    if len(told) < 2 or "title" not in told:
        return {}
    return {name: " and ".join(values) if name == "author" else values[0] for name, values in told.items()}


def _title_first(line: str) -> tuple[str, str, str] | None:
    """The names, the title and the rest of a line that begins with its title."""
    marked = _MARKED.match(line)
    told = _TOLD_BY.match(line)
    if marked:
        names, source = _names_and_source(line[marked.end() :])
        return names, marked[2].strip(" .,"), source
    if told and reads_like_title(told[1]) and reads_like_names(told[2]):
        return told[2], told[1], line[told.end() :]
    cut, rest = _title_and_source(line)
    title = _YEAR_IN_BRACKETS.sub("", cut or line).strip(" .,\"'“”")
    if not reads_like_title(title):
        return None
    names, source = _names_and_source(rest) if cut else ("", "")
    return names, title, source


def _names_and_source(rest: str) -> tuple[str, str]:
    """What stands behind a title that comes first."""
    found = _SOME_NAMES.match(rest)
    return (found[0], rest[found.end() :]) if found and reads_like_names(found[0]) else ("", rest)


def _names_first(line: str) -> tuple[str, str, str] | None:
    """The same of a line like `Lander et al., Title` or `Lander 2001 Title`, that has no sentences."""
    names = _NAMES_AND_YEAR.match(line)
    if not names or not reads_like_names(names[1]):
        return None
    rest = line[names.end() :]
    cut, source = _title_and_source(rest)
    comma = re.match(r"(.{15,300}?), (?=[A-Z][^,]{1,60}?[ ,(]+\d)", rest)
    title = comma[1] if comma else (cut or rest).strip(" .,")
    title = _YEAR_IN_BRACKETS.sub("", title).strip()
    behind = rest[comma.end() :] if comma else source if cut else ""
    return (names[1], title, behind) if reads_like_title(title) else None


def _quoted(line: str) -> tuple[str, str, str] | None:
    """The same of a line with its title in quotation marks: only names and a year before it, only the source behind."""
    found = _QUOTED.search(line)
    if not found:
        return None
    title, before, behind = found[1] or found[2], line[: found.start()], line[found.end() :]
    begun = not before.strip() or re.search(r"(?:[.,)]|\d|\bal|[^\W\d_][^\W\d_]:)\s*$", before)
    ended = re.search(r"[.,?!;]\s*$", title) or re.match(r"\s*[.,;:(]", behind) or ends_quotation(behind)
    if not begun or not ended or not reads_like_names(before):
        return None
    return before, title.strip(" .,"), behind.lstrip(" .,")


def _parts(line: str) -> tuple[str, str | None, str]:
    """The names, the title and the rest of a line."""
    found = _quoted(line)
    if found:
        return found
    year = _YEAR_IN_BRACKETS.search(line) or _YEAR_AS_SENTENCE.search(line)
    behind = line[year.end() :] if year and year.start() > 1 and not reads_like_title(line[: year.start()]) else ""
    if year and len(behind) > 20 and not re.match(r":?\s?\w{0,2}\d", behind):
        title, source = _title_and_source(behind)
        whole = None if title or not reads_like_title(behind) else behind.strip(" .,")
        return line[: year.start()], title or whole, "" if whole else source
    end = _end_of_names(line)
    loose = not end or not reads_like_names(line[:end])
    found = _names_first(line) or _title_first(line) if loose else None
    title, source = _title_and_source(line[end:])
    if not found and title and end:
        return line[:end], title, source
    found = found or _names_first(line)
    if found:
        return found
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
