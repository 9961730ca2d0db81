"""Records of lines that begin with tags: PubMed's .nbib, Web of Science's plain text, and EndNote's .enw (refer).

RIS is written back and read in `ris_source`. A value goes on in lines without a tag: in .nbib behind six blanks, in Web
of Science's text behind three, where each line of `AU` and `AF` is an author.

Sources: MEDLINE/PubMed Data Element Descriptions (nlm.nih.gov), Web of Science Core Collection Field Tags, EndNote's
guide to tagged import files.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import pairwise

from shared.bibliography.characters import ZERO_WIDTH, pattern_of
from shared.documents.bounds import check_count, unreadable
from shared.documents.document import Document, DocumentFormat, Entry
from shared.documents.exported_fields import NAMES, exported_entry

_MARK = f"[{pattern_of(ZERO_WIDTH)}]?"  # a byte order mark
_BLANK_LINES = re.compile(rf"{_MARK}(?:[ \t\r]*+\n)*+")


@dataclass(frozen=True, slots=True)
class _Tags:
    """One format: its first lines, how a record begins and ends, a tag with its value, and the tags of each field."""

    format: DocumentFormat
    first_lines: str
    begins: str
    ends: str
    value: str
    names: Mapping[str, tuple[str, ...]]  # of several, the first one that has a value
    one_a_line: tuple[str, ...] = ()


_ALL = (
    _Tags(
        DocumentFormat.NBIB, r"PMID- \d{1,9}[ \t]*\r?\n[A-Z]{2,4} {0,2}- ", "PMID- ", r"\Z",
        r"([A-Z]{2,4}) {0,2}- ([^\n]*(?:\n {6}[^\n]*)*)",
        {"title": ("TI", "BTI"), "full_names": ("FAU",), "authors": ("AU", "CN"), "year": ("DP",),
         "journal": ("JT", "TA"),
         "volume": ("VI",), "issue": ("IP",), "pages": ("PG",), "pmid": ("PMID",), "doi": ("LID", "AID"),
         "citation": ("SO",)},
    ),
    _Tags(
        DocumentFormat.WEB_OF_SCIENCE,
        r"(?:FN [^\n]{1,100}\nVR [^\n]{1,20}\n\s{0,99})?PT [A-Z][ \t]{0,9}\r?\n[A-Z][A-Z0-9] ", "PT ",
        r"(?m:^ER[ \t]*\r?$)", r"([A-Z][A-Z0-9]) ([^\n]*(?:\n {3}[^\n]*)*)",
        {field: tuple(name.upper() for name in names if len(name) == 2) for field, names in NAMES.items()},
        ("AU", "AF"),
    ),
    _Tags(
        DocumentFormat.REFER, r"%0 [^\n]{1,60}\n%[A-Z0-9@] ", "%0 ", r"\Z",
        r"%([A-Z0-9@\]]) ([^\n]*(?:\n(?!%)[^\n]*)*)",
        {"label": ("F",), "title": ("T",), "authors": ("A",), "year": ("D",), "date": ("8",), "journal": ("J", "B"),
         "volume": ("V",), "issue": ("N",), "pages": ("P",), "article": ("]",), "doi": ("R",), "url": ("U",)},
    ),
)  # fmt: skip
_PEOPLE = ("authors", "full_names")


def tagged_format(text: str) -> DocumentFormat | None:
    """The format of a text that begins with the first lines of such a record; None if it has none of these."""
    blank = _BLANK_LINES.match(text)
    start = blank.end() if blank else 0
    return next((tags.format for tags in _ALL if re.compile(tags.first_lines).match(text, start)), None)


def _read(tags: _Tags, text: str) -> Document:
    """The records of the text. Raises Unprocessable if it has none or too many."""
    starts = [found.start() for found in re.finditer(rf"(?m)^{_MARK}{tags.begins}", text)]
    check_count(len(starts))
    if not starts:
        raise unreadable(f"has no record: each begins with `{tags.begins}`")
    entries: list[Entry] = []
    ending = re.compile(tags.ends)
    for start, following in pairwise([*starts, len(text)]):
        end = ending.search(text, start, following)
        raw = text[start : end.end() if end else following].rstrip()
        entries.append(exported_entry(len(entries), start, raw, _values(tags, raw)))
    return Document(tags.format, text, tuple(entries))


read_nbib, read_web_of_science, read_refer = (partial(_read, tags) for tags in _ALL)


def _values(tags: _Tags, raw: str) -> dict[str, str]:
    found: dict[str, list[str]] = {}
    for tag, value in re.findall(rf"(?m)^{_MARK}{tags.value}", raw):
        lines = [line.strip() for line in value.split("\n")]
        found.setdefault(tag, []).extend(lines if tag in tags.one_a_line else [" ".join(lines)])
    return dict(_stated(tags, found))


def _stated(tags: _Tags, found: Mapping[str, list[str]]) -> Iterator[tuple[str, str]]:
    for field, names in tags.names.items():
        stated = [found[name] for name in names if name in found]
        if field == "doi":  # among other ids
            yield field, " ".join(value for values in stated for value in values)
        elif stated:
            yield field, "; ".join(stated[0]) if field in _PEOPLE else stated[0][0]
