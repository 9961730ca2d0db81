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
_TAG = re.compile(
    r"(?:^|\s)(A[1-4BDNU]|C[1-8NY]|D[ABOP]|E[DPRT]|ID|IS|J[AFO2]|K[WY]|L[1-4A]|M[1-3]|N[1-2]|PB|PY|SN|SP|ST|T[1-3ITY]|UR"
    r"|VL|Y[12])\s{1,2}-(?:\s|$)"
)
_TAGS = {
    "TI": "title", "T1": "title", "AU": "author", "A1": "author", "PY": "year", "Y1": "year", "JO": "journal",
    "JF": "journal", "JA": "journal", "T2": "journal", "VL": "volume", "SP": "pages",
}  # fmt: skip
_PARTICLES = frozenset(
    "al and af aus dal de del della den der di do dos du e el et in la le others ten ter und van vom von y zu zum zur".split()
)
_NO_NAMES = frozenset(
    "against all are beyond by critique for from how into is no not of on or that the this to towards was what when "
    "where which who why with without you".split()
)
_RETOLD = frozenset("revisited reconsidered reexamined redux refuted again".split())
_BODY = re.compile(
    r"\b(?:agency|association|collaboration|commission|committee|consortium|council|group|initiative|institute|"
    r"investigators|network|organi[sz]ation|society|team|university)\W*$",
    re.I,
)
_FIELD = re.compile(r"\b(title|author|year|date|journal|journaltitle|booktitle|volume|pages)\s{0,4}=\s{0,4}", re.I)


def read_citation(text: str) -> Citation:
    """What a line says of its paper; fields that it does not tell are None, and `text` is the line itself."""
    line = plain_text(text[:MAX_CHARS]) or ""
    fields = dict(_fields(line)) or _tagged(line)
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
    ends = told.pop("EP", [])
    fields = {name: " and ".join(values) if name == "author" else values[0] for name, values in told.items()}
    if ends and fields.get("pages", "").isdigit():
        fields["pages"] += f"-{ends[0]}"
    return fields


def ends_quotation(behind: str) -> bool:
    """Whether a quoted title ends the sentence, `behind` its closing mark: `“X” is wrong` names no paper X."""
    following = re.match(r"\s*([^\W_]+)(?:\s+([^\W_]+))?", behind)
    if not following or following[1].lower() in _RETOLD:
        return not following
    word = following[2] or "" if following[1] in ("in", "by") else following[1]
    return not word.islower()


def reads_like_names(text: str) -> bool:
    """Whether no word in it can be of a sentence: `Vaswani A, van der Berg K, et al. 2017`, not `The sequel to`."""
    words = re.findall(r"[^\W\d_]+(?:[’'-][^\W\d_]+)*", text)
    return not any((word.islower() and word not in _PARTICLES) or word.lower() in _NO_NAMES - {word} for word in words)


def _is_title(text: str) -> bool:
    """Whether it can be nothing but a title: words of a sentence, not of persons, bodies, journals and places."""
    words = re.findall(r"[^\W_]+(?:[’'-][^\W_]+)*", text)
    plain = [word for word in words if word.islower() and len(word) > 1 and word not in _PARTICLES]
    plain += [word for word in words if word.istitle() and word.lower() in _NO_NAMES]
    if len(words) < 3 or _BODY.search(text) or _PLACE.search(text) or _INITIAL.search(text.rstrip(".")):
        return False
    return len(plain) > 1 or (len(plain) == 1 and len(words) > 3 and "," not in text)


def _title_first(line: str) -> tuple[str, str, str] | None:
    """The names, the title and the rest of a line that begins with its title."""
    marked = re.match(r"([*_]{1,3})([^*_]{8,500})\1[\s.,:–—-]*", line)
    by = re.match(r"(.{8,400}?),? by (?=[A-Z])", line)
    if marked:
        title, rest = marked[2].strip(" .,"), line[marked.end() :]
    elif by and _is_title(by[1]) and reads_like_names(line[by.end() :]):
        title, rest = by[1], line[by.end() :]
    else:
        cut, rest = _title_and_source(line)
        bare = _YEAR_IN_BRACKETS.sub("", cut or line).strip(" .,\"'“”")
        if not _is_title(bare):
            return None
        title, rest = bare, rest if cut else ""
    names = re.match(r"(?:.{2,300}?\bet al\b|.{2,80}?[ ,][A-Z]{1,3}(?=\.\s|,? \(?\d|\.?$))[.,]*\s*", rest)
    if names and not re.search(r"\d", names[0]) and reads_like_names(names[0]):
        return names[0], title, rest[names.end() :]
    first, comma, source = rest.partition(", ")
    named = (by or marked) and (not comma or not first.isdigit())
    return (first if named else ""), title, source if named else rest


def _names_first(line: str) -> tuple[str, str, str] | None:
    """The same of a line like `Lander et al., Title` or `Lander 2001 Title`, that has no sentences."""
    names = re.match(rf"(.{{2,120}}?\bet al\b\.?|[^\d]{{2,120}}?(?=[,.]? \(?{_YEAR}\b))[,.:]*(?: \(?{_YEAR}[a-z]?\)?[.,:]*)? ", line)
    if not names or not reads_like_names(names[1]):
        return None
    rest = line[names.end() :]
    cut, source = _title_and_source(rest)
    comma = re.match(r"(.{15,300}?), (?=[A-Z][^,]{1,60}?[ ,(]+\d)", rest)
    title = comma[1] if comma else (cut or rest).strip(" .,")
    title = _YEAR_IN_BRACKETS.sub("", title).strip()
    return (names[1], title, rest[comma.end() :] if comma else source if cut else "") if _is_title(title) else None


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
    behind = line[year.end() :] if year and year.start() > 1 and not _is_title(line[: year.start()]) else ""
    if year and len(behind) > 20 and not re.match(r":?\s?\w{0,2}\d", behind):
        title, source = _title_and_source(behind)
        return line[: year.start()], title or (behind.strip(" .,") if _is_title(behind) else None), source
    found = _title_first(line) or _names_first(line) if _loose(line) else None
    if found:
        return found
    title, source = _title_and_source(line[_end_of_names(line) :])
    if title and _end_of_names(line):
        return line[: _end_of_names(line)], title, source
    place = re.match(
        r"(?:([^0-9]{2,600}), (?!\w+ [A-Z]{1,3}\. )|([^0-9]{2,600})\. )?([^0-9.,][^0-9,]{1,100}?[.,]? \(?\d.*)", line
    )
    return (place[1] or place[2] or "", None, place[3]) if place else ("", None, line)


def _loose(line: str) -> bool:
    """Whether no names end where the first sentence does."""
    end = _end_of_names(line)
    return not end or _is_title(line[:end]) or not reads_like_names(line[:end])


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
