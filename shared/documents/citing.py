"""Citations in running text, and the entries that they name: numbers, names with years, footnotes and keys.

A text cites in one style. The styles are tried from the surest on, and the first by which the text cites an entry is
taken: figures in round brackets, or behind a word, are citations only where nothing surer is found.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from shared.bibliography.name_patterns import OTHERS, OTHERS_IN_PRINT
from shared.bibliography.person_names import PARTICLES_BEFORE
from shared.bibliography.text import fold
from shared.documents.document import Entry, MarkedCitation, ReadingWarning

MAX_RANGE = 100  # entries that one range, `[3–9]`, names
_FIGURES = r"\d{1,4}(?:\s?[,;、–—‒-]\s?\d{1,4}){0,60}"
_SQUARE = re.compile(rf"[\[［]\s?({_FIGURES})\s?[\]］](?!:)")
_ROUND = re.compile(rf"(?<=[\w.,;”’\"]\s)[(（]({_FIGURES})[)）]|(?<=\w)[(（]({_FIGURES})[)）]")
_RAISED = re.compile(r"[⁰¹²³⁴-⁹]{1,4}(?:[⁻,˒‧–-]{1,2}[⁰¹²³⁴-⁹]{1,4}){0,30}")
_GLUED = re.compile(
    r"(?:[a-z]{3}|[A-Za-z]{2}[.,;:)](?<!Fig\.)(?<!fig\.)(?<!No\.)(?<!Eq\.))[.,;:)]?"
    r"(?:(\d{1,3}(?:[,–-]\d{1,3}){0,20})| (\d{1,3}(?:[,–-]\d{1,3}){1,20}))(?=[\s.,;:)]|\Z)"
)
_RAISED_FIGURES = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻˒‧", "0123456789-,,")
_RANGE = re.compile(r"(\d{1,4})\s?[–—‒-]\s?(\d{1,4})|(\d{1,4})")
_FOOTNOTE = re.compile(r"\[\^([^\]\s]{1,60})\](?!:)")
_KEY = re.compile(r"(?<![\w@.])-?@\{?([A-Za-z0-9_][\w:.#$%&+?<>~/-]{0,80})")
_IN_BRACKETS = re.compile(r"\[[^\[\]]{0,300}@[^\[\]]{1,300}\]")
_YEAR = r"(?:1[5-9]|20)\d\d[a-z]?"
_YEARS = rf"{_YEAR}(?:(?:,\s?|\s?&\s?){_YEAR}|,\s?[a-z]\b){{0,8}}"
_NAME = rf"{PARTICLES_BEFORE}[^\W\d_a-z][\w'’‐-]{{1,40}}"
_MORE = rf"(?:,?\s(?:{OTHERS}|{OTHERS_IN_PRINT})\.?|(?:,\s{_NAME}){{0,6}},?\s(?:and|&|und|y|et|e)\s{_NAME})"
_NARRATIVE = re.compile(rf"({_NAME})({_MORE})?(?:['’]s)?,?\s?[(\[]({_YEARS})(?:[,:]\s?[^()\[\]]{{1,40}})?[)\]]")
_BRACKETS = re.compile(r"[(\[]([^()\[\]]{4,600})[)\]]")
_CITED = re.compile(rf"({_NAME}(?:\s{_NAME}){{0,5}})({_MORE})?[,\s]{{1,3}}({_YEARS})")
_POSSESSIVE = re.compile(r"['’]s?\Z")
_NO_NAMES = frozenset(
    ("january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
     "december", "spring", "summer", "autumn", "fall", "winter", "table", "figure", "fig", "section", "chapter",
     "version", "since", "until", "from", "before", "after", "during", "around", "about", "early", "late", "mid",
     "januar", "februar", "märz", "mai", "juni", "juli", "oktober", "dezember", "copyright", "ca", "circa", "accessed",
     "retrieved", "updated", "published")
)  # fmt: skip


def in_text_citations(text: str, entries: Sequence[Entry]) -> tuple[MarkedCitation, ...]:
    """The citations outside of the entries, in their order, in the style that the text uses."""
    body = _without_entries(text, entries)
    numbers = _by_label(entries)
    found = [*_footnotes(body, numbers), *_keys(body, numbers)]
    styles: tuple[Callable[[], list[MarkedCitation]], ...] = (
        lambda: _figures(_SQUARE, body, numbers),
        lambda: _named(body, entries),
        lambda: [it for it in _figures(_RAISED, body, numbers) if not it.missing],
        lambda: [it for it in _figures(_ROUND, body, numbers) if not it.missing],
        lambda: [it for it in _figures(_GLUED, body, numbers) if not it.missing],
    )
    for style in styles if not any(it.entries for it in found) else ():
        cited = style()
        if any(it.entries for it in cited):
            found += cited
            break
    return tuple(sorted(found, key=lambda it: it.offset))


def doubts_about(citations: Sequence[MarkedCitation]) -> tuple[ReadingWarning, ...]:
    """A warning where the text cites by figures that nothing marks as citations, as in a text copied from a PDF."""
    if not any(citation.marker[:1].isdecimal() for citation in citations):
        return ()
    return (ReadingWarning("the figures behind words were read as citations: some may be missed, others be none"),)


def _without_entries(text: str, entries: Sequence[Entry]) -> str:
    """The text with blanks in place of its entries, so that all offsets stay."""
    parts: list[str] = []
    at = 0
    for entry in sorted(entries, key=lambda entry: entry.start):
        parts += [text[at : entry.start], " " * (entry.end - entry.start)]
        at = entry.end
    return "".join([*parts, text[at:]])


def _by_label(entries: Sequence[Entry]) -> dict[str, int]:
    """The entries by their labels; those of a list without numbers by their positions, from 1."""
    labels = {entry.label: entry.number for entry in reversed(entries) if entry.label}
    return labels or {str(entry.number + 1): entry.number for entry in entries}


def _cited(marker: str, offset: int, names: Sequence[str], numbers: dict[str, int]) -> MarkedCitation:
    found = tuple(dict.fromkeys(numbers[name] for name in names if name in numbers))
    missing = tuple(dict.fromkeys(name.removeprefix("^") for name in names if name not in numbers))
    return MarkedCitation(" ".join(marker.split()), offset, found, missing)


def _footnotes(body: str, numbers: dict[str, int]) -> Iterator[MarkedCitation]:
    """Footnotes that are references; others are remarks, and no citations."""
    for found in _FOOTNOTE.finditer(body):
        if f"^{found[1]}" in numbers:
            yield _cited(found[0], found.start(), [f"^{found[1]}"], numbers)


def _keys(body: str, numbers: dict[str, int]) -> Iterator[MarkedCitation]:
    """Pandoc's `[@key; @other]`, and `@key` in the text where an entry has this key."""
    end = 0
    for found in _IN_BRACKETS.finditer(body):
        keys = [key.rstrip(".:,") for key in _KEY.findall(found[0])]
        if keys:
            yield _cited(found[0], found.start(), keys, numbers)
        yield from _keys_alone(body, end, found.start(), numbers)
        end = found.end()
    yield from _keys_alone(body, end, len(body), numbers)


def _keys_alone(body: str, start: int, end: int, numbers: dict[str, int]) -> Iterator[MarkedCitation]:
    for found in _KEY.finditer(body, start, end):
        if found[1].rstrip(".:,") in numbers:
            yield _cited(found[0], found.start(), [found[1].rstrip(".:,")], numbers)


def _figures(pattern: re.Pattern[str], body: str, numbers: dict[str, int]) -> list[MarkedCitation]:
    """Citations by number; a number of four digits, or 0, is none."""
    citations: list[MarkedCitation] = []
    for found in pattern.finditer(body):
        figures = next((group for group in found.groups() if group), found[0]).translate(_RAISED_FIGURES)
        names = list(_expanded(figures))
        if names and all(0 < int(name) < 1000 for name in names):
            at = found.start(found.lastindex or 0) if pattern is _GLUED else found.start()
            citations.append(_cited(body[at : found.end()], at, names, numbers))
    return citations


def _expanded(figures: str) -> Iterator[str]:
    """`1, 3–5` as 1, 3, 4, 5."""
    for found in _RANGE.finditer(figures):
        if found[3]:
            yield str(int(found[3]))
        else:
            first, last = int(found[1]), int(found[2])
            yield from map(str, range(first, last + 1) if first <= last <= first + MAX_RANGE else (first, last))


def _named(body: str, entries: Sequence[Entry]) -> list[MarkedCitation]:
    """Citations by name and year: `Kober et al. (2016)`, `(Kober & Brett, 2016a; Ulland 2017)`."""
    index = _NameIndex(entries)
    found: dict[int, MarkedCitation] = {}
    for it in _NARRATIVE.finditer(body):
        citation = index.citation(it[0], it.start(), [(it[1], it[3])])
        if citation.entries or it[2]:  # a name alone before a year, `Berlin (2016)`, may be no author
            found[it.start()] = citation
    for bracket in _BRACKETS.finditer(body):
        parts = [(it[1], it[3]) for it in _CITED.finditer(bracket[1]) if fold(it[1]) not in _NO_NAMES]
        if parts:
            found.setdefault(bracket.start(), index.citation(bracket[0], bracket.start(), parts))
    return list(found.values())


class _NameIndex:
    """The entries by the family name of the first author and the year."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        self._of: dict[tuple[str, str], list[int]] = {}
        for entry in entries:
            year = str(entry.fields.year or "")
            lettered = re.search(rf"\b{year}([a-z])\b", entry.line) if year else None
            for name in self._names(entry):
                self._of.setdefault((name, year), []).append(entry.number)
                if lettered:
                    self._of.setdefault((name, year + lettered[1]), []).append(entry.number)

    @staticmethod
    def _names(entry: Entry) -> set[str]:
        """The forms of a name in a text: whole, its last word, and the capitals of a group's name."""
        first = entry.fields.authors[0] if entry.fields.authors else None
        name = (first.family or first.display) if first else entry.line.split(".")[0].split(",")[0]
        words = fold(name).split()
        capitals = (
            "".join(letter for letter in name if letter.isupper()).lower() if not first or not first.family else ""
        )
        return {" ".join(words), *words[-1:], *([capitals] if len(capitals) > 1 else [])}

    def citation(self, marker: str, offset: int, parts: Sequence[tuple[str, str]]) -> MarkedCitation:
        """The citation of these names with their years; `2016a, b` are two."""
        numbers: list[int] = []
        missing: list[str] = []
        for name, years in parts:
            last = ""
            for year in re.findall(rf"{_YEAR}|\b[a-z]\b", years):
                last = last[:4] + year if len(year) == 1 else year
                cited = self._find(name, last)
                numbers += cited
                missing += [] if cited else [f"{' '.join(name.split())} {last}"]
        return MarkedCitation(
            " ".join(marker.split()), offset, tuple(dict.fromkeys(numbers)), tuple(dict.fromkeys(missing))
        )

    def _find(self, name: str, year: str) -> list[int]:
        """The entries of a year with or without its letter; a text may add one, or leave it out."""
        words = fold(_POSSESSIVE.sub("", name)).split()
        names = dict.fromkeys([" ".join(words), *words[-1:], *words[:1]])
        found = [self._of.get((form, it)) for it in (year, year[:4]) for form in names]
        return next((numbers for numbers in found if numbers), [])
