"""PubMed's format "Abstract (text)": numbered records of paragraphs, with the source first and the ids behind.

1. J Exp Med. 2022 Dec 5;219(12):e20212479. doi: 10.1084/jem.20212479.

Title, over several lines.

Zhao N(1), Qiao W(1).

DOI: 10.1084/jem.20212479
PMID: 36107206 [Indexed for MEDLINE]
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from shared.bibliography.characters import ZERO_WIDTH
from shared.bibliography.name_patterns import CAPITAL
from shared.bibliography.text import without_medline_marks
from shared.documents.bounds import check_count, unreadable
from shared.documents.document import Document, DocumentFormat
from shared.documents.exported_fields import exported_entry
from shared.documents.lines import Line, lines_of

_NUMBER = re.compile(r"(\d{1,6})\. (?=\S)")
# Behind the year, a title would follow in other styles.
_SOURCE = re.compile(
    r"\s{0,99}\d{1,6}\. (?:In: |[^\n.;]{1,200}(?:\n[^\n.;]{1,200})?\. (?:1[5-9]|20)\d\d"
    r"(?:[;:]|\s[A-Z][a-z]{2}\b|\.?\s(?:doi:|Epub|Online|eCollection|[ \t\r]{0,9}\n)))"
)
_CHAPTER = "In: "  # of a book, whose source has another form
_ID = re.compile(r"(DOI|PMID): {0,3}(\S{1,500})")
_NO_TITLE = re.compile(r"(?:Author information|DOI|PMC?ID):")
_LANGUAGE = re.compile(r"\[Article in [^\[\]]{1,80}\]")
_AFFILIATION = re.compile(r"\((?:\d{1,3}|#)\)")
_NAME = re.compile(rf"([^,;]{{1,80}}) ({CAPITAL}{{1,4}})(?: (?:Jr|Sr|I{{2,3}}|\d(?:st|nd|rd|th)))?")
_FEWEST_PARAGRAPHS = 3  # the source, the title, the ids


def is_pubmed(text: str) -> bool:
    """Whether it begins with such a record: the source and the title in paragraphs, the PMID at the start of a line.

    Where these are missing, `1. Doe J. 2016. …` is an entry of a list.
    """
    start = text[text[:1] in ZERO_WIDTH :]
    if not _SOURCE.match(start):
        return False
    first = next(_records(lines_of(start)), None)
    return bool(first and "pmid" in _ids(first) and len(_paragraphs(first)) >= _FEWEST_PARAGRAPHS)


def read_pubmed(text: str) -> Document:
    """The records of the text. Raises Unprocessable if it has none or too many."""
    records = list(_records(lines_of(text)))
    check_count(len(records))
    if not records:
        raise unreadable("has no record of PubMed: each begins with its number and source and ends with `PMID: …`")
    entries = []
    for number, lines in enumerate(records):
        start = lines[0].start + lines[0].indent
        raw = text[start : lines[-1].end].rstrip()
        entries.append(exported_entry(number, start, raw, _values(lines)))
    return Document(DocumentFormat.PUBMED, text, tuple(entries))


def _records(lines: Sequence[Line]) -> Iterator[list[Line]]:
    """The lines of each record: a paragraph begins the next one if it has the next number, and a PMID is before it."""
    record: list[Line] = []
    number, has_ended = 0, True
    for at, line in enumerate(lines):
        found = _NUMBER.match(line.text.lstrip("".join(ZERO_WIDTH) + " ")) if not at or lines[at - 1].is_blank else None
        if found and has_ended and (not record or int(found[1]) == number + 1):
            if record:
                yield record
            record, number, has_ended = [], int(found[1]), False
            record.append(line)
        elif record:
            record.append(line)
        has_ended = has_ended or line.text.startswith("PMID:")
    if record:
        yield record


def _paragraphs(lines: Sequence[Line]) -> list[str]:
    return [
        " ".join(line.text.strip() for line in group)
        for is_blank, group in groupby(lines, lambda line: line.is_blank)
        if not is_blank
    ]


def _ids(lines: Sequence[Line]) -> dict[str, str]:
    found = (_ID.match(line.text) for line in lines)
    return {it[1].lower(): it[2] for it in found if it}


def _values(lines: Sequence[Line]) -> dict[str, str]:
    """The values by their fields; before the ids, an abstract may have paragraphs of any form."""
    paragraphs = _paragraphs(lines)
    number, _, source = paragraphs[0].partition(". ")
    others = [it for it in paragraphs[1:5] if not _LANGUAGE.fullmatch(it)]
    title = others[0] if others and not _NO_TITLE.match(others[0]) else ""
    people = _people(others[1]) if title and others[1:] else []
    return {
        "label": number.strip("".join(ZERO_WIDTH) + " "),
        "title": without_medline_marks(title),
        "authors": "; ".join(people),
        "citation": "" if source.startswith(_CHAPTER) else source,
        **_ids(lines),
    }


def _people(paragraph: str) -> list[str]:
    """`Zhao N(1)(2), Qiao W(1); A Group.` as `Zhao, N` …; none if it is not a list of names."""
    names = re.split(r"[,;] ", _AFFILIATION.sub("", paragraph).removesuffix("."))
    read = [_NAME.fullmatch(name) for name in names]
    if not read[0] or 2 * sum(it is not None for it in read) < len(read):
        return []
    return [f"{it[1]}, {it[2]}" if it else name for it, name in zip(read, names, strict=True)]
