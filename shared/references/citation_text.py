"""Parses a printed reference in any common style: APA, Harvard, Vancouver, AMA, MLA, Chicago, BibTeX, RIS.

    form                               style                          the title is
    (title in quotation marks)         MLA, Chicago, IEEE             in the quotation marks
    Authors (2016). Title. Journal     APA, Harvard, Springer, ACM    after the year, to the end of the sentence
    Authors. Title. Journal. 2016;5    Vancouver, AMA, Nature         the first sentence after the names
    title = {…}, year = 2016           BibTeX, RIS                    in its field
    Title. Authors. Journal, 2016      notes, lists, slides           what does not read like names, at the start
    A. Doe, Journal 5, 12 (2016)       physics, chemistry             missing, or between two commas
    Doe, A.: Title, in: Journal 5      German                         before `in:`

A field that cannot be recognised is None: a wrong title does more harm than a missing one. Patterns are bounded and
only the first MAX_CHARS characters of a reference are parsed, so that the time is linear.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache

from shared.bibliography.name_patterns import CAPITAL, ET_AL
from shared.bibliography.text import plain_text, without_footnotes
from shared.query.question import Citation
from shared.references.citation_by_initials import has_no_title, read_by_initials
from shared.references.citation_by_quotation import read_quoted
from shared.references.citation_by_semicolons import read_by_semicolons
from shared.references.citation_in_japanese import read_japanese
from shared.references.citation_in_journal import read_in_journal, without_editors
from shared.references.journal_in_citation import (
    ANY_YEAR,
    UNDATED_IN_BRACKETS,
    YEAR,
    YEAR_AS_SENTENCE,
    YEAR_IN_BRACKETS,
    read_journal,
    read_place,
    read_year,
    without_day,
)
from shared.references.listed_citation import read_listed
from shared.references.markdown_citation import read_marked, unmarked
from shared.references.names_in_citation import are_names_before_colon, name_goes_on, names_go_on, read_authors
from shared.references.national_habits import in_english_marks, read_gost, read_sist
from shared.references.numbering import without_numbering
from shared.references.printed_text import as_printed, is_label, without_ids, without_marks_of_title
from shared.references.scholar_citation import read_scholar
from shared.references.short_title import has_title, is_short_title_behind
from shared.references.small_letters import with_capitals
from shared.references.tagged_citation import read_form, read_tagged
from shared.references.title_end import title_and_source
from shared.references.title_words import ends_in_initial, reads_like_names, reads_like_title, reads_like_whole_title
from shared.references.words_behind_names import is_title_alone

MAX_CHARS = 2000
_END = re.compile(r"[.?!]['’”\"]?\s+(?=\S)")
_TITLE_BY_NAMES = re.compile(rf"(.{{8,400}}?)(?:,? by | \()(?=[^\W\d_a-z])([^()\d]{{2,300}}?)(?=,? \(?{YEAR}\b|[.)]?$)")
_NAME = rf"(?:{CAPITAL}\. ?)*[^\W\d_a-z][^\W\d_]+(?:[ -](?:{CAPITAL}\.|[^\W\d_]+)){{0,3}}"
_NAMES = rf"{_NAME}(?:, {_NAME}){{0,20}}"
_SHORT_NAME = rf"[^\W\d_a-z][^\d.,]{{1,40}} {CAPITAL}{{1,3}}"
_SOME_NAMES = re.compile(
    rf"(?:[^\d]{{2,300}}?{ET_AL}|{_SHORT_NAME}(?:, {_SHORT_NAME}){{1,30}}(?=[.,]|$)"
    rf"|[^\W\d_]+ {CAPITAL}{{1,3}}(?=[.,]|$)"
    rf"|{_NAMES}(?:, {_NAME}|,? (?:and|&) {_NAME})(?=[.,] )|[^\W\d_a-z][^\W\d_]+(?=, {YEAR}))[.,]*\s*"
)
# Of the last name, where a journal follows: `Doe, A. B. Nat Commun`; the J of `Doe, A. J. Mol. Biol.` is the journal's.
_OWN_INITIALS = re.compile(rf"(?:(?!J\. [A-Z][a-z]{{0,9}}\. ){CAPITAL}\. ){{1,4}}(?:{ET_AL}\.?,? )?|{ET_AL}\.?,? ")
_NAMES_AND_PLACE = re.compile(
    rf"(?:([^0-9]{{2,600}}), (?!\w+ {CAPITAL}{{1,3}}\. )|([^0-9]{{2,600}})\. )?"
    r"([^0-9.,][^0-9,]{1,100}?[.,]? \(?\d.*)"
)
_YEAR_BEFORE_TITLE = re.compile(rf"(?<=al\. )\(?{YEAR}[a-z]?\)?[.,:]? ")
_NAMES_AND_YEAR = re.compile(
    rf"(.{{2,120}}?{ET_AL}|[^\d]{{2,120}}?(?=[,.]? \(?{YEAR}\b))[.,:]*(?: \(?{YEAR}[a-z]?\)?[.,:]*)? "
)


@lru_cache(maxsize=2048)  # all of a document, which is read in order and then again: fewer would find none of them
def read_citation(text: str) -> Citation:
    """The fields of a printed reference, None where not recognised; `text` is the reference itself."""
    text_read = as_printed(text[:MAX_CHARS])
    line = plain_text(text_read) or ""
    parted = read_tagged(line) or read_form(text_read) or read_scholar(line) or read_listed(text_read)
    if parted:
        return replace(parted, text=text)
    is_sist = read_sist(line) is not None
    line, (names, title, source) = _line_and_parts(line)
    source = without_day(source)
    volume, pages = read_place(source)
    year, journal = read_year(line, last=is_sist), read_journal(source)
    if journal and is_label(journal):
        journal = None  # of an id: `Ref: 10.1000/x`
    if journal and not (title or names or volume or pages) and is_title_alone(line, journal, is_dated=year is not None):
        title, journal = journal, None
    return Citation(
        title=title, authors=read_authors(names), year=year, journal=journal, volume=volume, pages=pages, text=text
    )


def with_read_fields(citation: Citation) -> Citation:
    """A printed line with the fields that were parsed from it and those that the citation states, which come first.

    Nothing is parsed for one with a title. Footnotes, which are copied with titles of Elsevier, belong to no title.
    """
    read = citation
    if citation.text and not citation.title:
        names = ("authors", "year", "journal", "volume", "pages")
        stated = {name: value for name in names if (value := getattr(citation, name))}
        read = replace(read_citation(citation.text), **stated)
    return replace(read, title=without_footnotes(read.title)) if read.title else read


def _line_and_parts(line: str) -> tuple[str, tuple[str, str | None, str]]:
    """The line without marks, numbers and ids, with its names, its title and its source."""
    line = with_capitals(without_marks_of_title(without_numbering(line)))
    marked, line = read_marked(line), without_ids(unmarked(line))
    by_signs = read_sist(line) or read_gost(line)
    line = _plain_line(line)
    if not marked:
        return line, by_signs or _parts(line)
    names, source = marked.names, _plain_line(marked.source)
    if not names:
        names, source = _names_and_source(source)
    return line, (_plain_line(names), _plain_line(marked.title), source)


def is_untitled(text: str) -> bool:
    """Whether a printed reference has names and the place in a journal, and surely no title."""
    line = plain_text(as_printed(text[:MAX_CHARS])) or ""
    return has_no_title(_plain_line(unmarked(without_numbering(line))))


def _plain_line(text: str) -> str:
    return " ".join(in_english_marks(without_ids(text)).split())


def _title_first(line: str) -> tuple[str, str, str] | None:
    """The names, the title and the rest of a reference that begins with its title; None if it does not."""
    title_by_names = _TITLE_BY_NAMES.match(line)
    if title_by_names and reads_like_title(title_by_names[1]) and reads_like_names(title_by_names[2]):
        return title_by_names[2], title_by_names[1], line[title_by_names.end() :]
    cut, rest = title_and_source(line)
    title = YEAR_IN_BRACKETS.sub("", cut or line).strip(" .,\"'“”")
    if not reads_like_whole_title(title):
        return None
    names, source = _names_and_source(rest) if cut else ("", "")
    return names, title, source


def _names_and_source(rest: str) -> tuple[str, str]:
    """The names and the source in what follows a title that comes first."""
    found = _SOME_NAMES.match(rest)
    if found and reads_like_names(found[0]):
        return found[0], rest[found.end() :]
    year = YEAR_IN_BRACKETS.search(rest)
    named = year and year.start() and reads_like_names(rest[: year.start()])
    return (rest[: year.start()], rest[year.end() :]) if year and named else ("", rest)


def _names_first(line: str) -> tuple[str, str, str] | None:
    """The same of a reference without sentences, like `Lander et al., Title` or `Lander 2001 Title`."""
    names = _NAMES_AND_YEAR.match(line)
    if not names or not reads_like_names(names[1]):
        return None
    rest = line[names.end() :]
    cut, source = title_and_source(rest)
    comma = re.match(r"(.{15,300}?), (?=[A-Z][^,]{1,60}?[ ,(]+\d)", rest)
    title = comma[1] if comma else (cut or rest).strip(" .,")
    title = YEAR_IN_BRACKETS.sub("", title).strip()
    behind = rest[comma.end() :] if comma else source if cut else ""
    return (names[1], title, behind) if reads_like_title(title) else None


def _title_last(line: str, end: int) -> tuple[str, str, str] | None:
    """The same of a reference that ends with its title, or with a year behind that, such as beside a DOI."""
    title = YEAR_IN_BRACKETS.sub("", line[end:]).strip(" .,")
    reads_so = reads_like_title(title) or is_short_title_behind(line[:end].rstrip(". "), title)
    is_title = end and reads_so and not re.search(r"[;:]\s?\d|\d[;:,]", title)
    if not is_title or re.match(r"(?:in|journal|proc|annals|archives|transactions)\b", title, re.I):
        return None
    return (line[:end], title, "") if reads_like_names(line[:end]) else None


def _parts(line: str) -> tuple[str, str | None, str]:
    """The names, the title and the rest of a reference."""
    line = without_editors(line)
    found = (
        read_japanese(line)
        or read_by_semicolons(line)
        or read_quoted(line)
        or read_in_journal(line)
        or read_by_initials(line)
    )
    if found:
        return found
    years = (pattern.search(line) for pattern in (YEAR_IN_BRACKETS, YEAR_AS_SENTENCE, UNDATED_IN_BRACKETS))
    year = min(filter(None, years), key=lambda found: found.start(), default=None)
    behind = line[year.end() :] if year and year.start() > 1 and not has_title(line[: year.start()]) else ""
    is_long = len(behind) > 20 or (reads_like_title(behind) and not any(map(str.isdigit, behind)))
    if year and is_long and not re.match(r":?\s?\w{0,2}\d", behind):
        title, source = title_and_source(behind)
        whole = None if title or not reads_like_title(behind) else behind.strip(" .,")
        return line[: year.start()], title or whole, "" if whole else source
    if year and re.match(r"[^\W\d_]", behind) and reads_like_names(line[: year.start()]):
        return line[: year.start()], None, behind  # `Doe JA. 2017. Nature.`, beside a DOI
    end = _end_of_names(line)
    loose = not end or not reads_like_names(line[:end])
    found = _names_first(line) or _title_first(line) if loose else None
    dated = _YEAR_BEFORE_TITLE.match(line, end) if len(ANY_YEAR.findall(line)) == 1 else None
    title, source = title_and_source(line[dated.end() if dated else end :])
    if not found and title and end:
        return line[:end], title, source
    found = found or _names_first(line) or _title_last(line, end)
    if found:
        return found
    if _SOME_NAMES.fullmatch(names := YEAR_IN_BRACKETS.sub("", line).strip()):
        return names, None, ""
    place = _NAMES_AND_PLACE.match(line)
    if not place:
        return "", None, line
    names, source = place[1] or place[2] or "", place[3]
    initials = _OWN_INITIALS.match(source) if names else None
    return f"{names}, {initials[0]}" if initials else names, None, source[initials.end() :] if initials else source


def _end_of_names(line: str) -> int:
    """The position at which the names end and the title begins; 0 if it cannot be determined."""
    names, colon, _ = line.partition(": ")
    if colon and are_names_before_colon(names):
        return len(names) + 2
    for end in _END.finditer(line):
        before = line[: end.start()]
        chunk = line[end.end() : end.end() + 300].split(". ")[0]
        if line[end.start()] != ".":
            return 0
        if not ends_in_initial(before):
            return end.end()
        if name_goes_on(before, line[end.end() : end.end() + 400]):
            continue
        words = chunk.split()
        joined = not {"&", "and"}.isdisjoint(words[:3]) and ends_in_initial(chunk)
        joined = joined or names_go_on(before, chunk)
        begun = words[:2]
        listed = any(word.endswith(",") and not word[0].islower() for word in begun)
        named = joined or (listed and not any(map(str.isdigit, "".join(begun))))
        if (len(words) > 2 and not named) or is_short_title_behind(before, line[end.end() :]):
            return end.end()
    return 0
