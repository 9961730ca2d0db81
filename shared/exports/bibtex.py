"""BibTeX in UTF-8: letters stay as they are, the characters that TeX gives a meaning are written as commands.

Braces are always balanced, because BibTeX also counts escaped ones. A value is a single line, so that no `@` in it
begins a line, where readers look for the next entry.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from shared.bibliography.dates import MONTHS
from shared.bibliography.paper import Author
from shared.bibliography.preprints import is_preprint_server
from shared.exports.citation_keys import citation_keys
from shared.exports.fields import (
    Results,
    authors_of,
    date_of,
    field_of,
    has_more_authors,
    id_of,
    link_of,
    pages_of,
    retraction_note,
    with_suffix,
)

if TYPE_CHECKING:
    from shared.answers.search import StoredPaper

# Type of paper -> the entry's type, and its field for the journal.
ENTRY_TYPES = {
    "journal-article": ("article", "journal"), "review": ("article", "journal"), "editorial": ("article", "journal"),
    "letter": ("article", "journal"), "erratum": ("article", "journal"), "retraction-notice": ("article", "journal"),
    "clinical-trial": ("article", "journal"), "conference-paper": ("inproceedings", "booktitle"),
    "book-chapter": ("incollection", "booktitle"), "book": ("book", "publisher"),
    "dissertation": ("phdthesis", "school"), "report": ("techreport", "institution"),
    "preprint": ("misc", "howpublished"), "dataset": ("misc", "howpublished"),
    "systematic-review": ("article", "journal"), "meta-analysis": ("article", "journal"),
    "randomized-controlled-trial": ("article", "journal"),
    "clinical-trial-registration": ("techreport", "institution"),
}  # fmt: skip
# Entries that BibTeX rejects without the field for the journal.
_NEEDS_CONTAINER = ("article", "inproceedings", "incollection")
_TEX = {
    "\\": r"\textbackslash{}", "{": r"\textbraceleft{}", "}": r"\textbraceright{}", "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}", "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}",
    **{sign: f"\\{sign}" for sign in "%&$#_"},
}  # fmt: skip
_ESCAPES = str.maketrans(_TEX)
_VERBATIM = str.maketrans({"{": "%7B", "}": "%7D", "\\": "%5C"})
# Letters and digits with the accents that stand behind them.
_WORD = re.compile(r"(?:[^\W_][\u0300-\u036f]*)+")
_OLD_ARXIV = re.compile(r"([a-z-]+)(?:\.[a-z]{2})?/\d{7}", re.I)
_SEPARATORS = re.compile(r",|(?<!\S)(?:and|others)(?!\S)", re.I)


def bibtex(results: Results) -> str:
    """One entry for each paper, separated by empty lines."""
    return "\n".join(_entry(paper, key) for paper, key in zip(results, citation_keys(results), strict=True))


def escaped(text: str) -> str:
    """The text as TeX that prints it."""
    return text.translate(_ESCAPES)


def title(text: str) -> str:
    """The title as TeX, with braces around what styles must not write small: TREM2, mRNA, vitamin D.

    A title all in capitals does not show which of them matter; none is protected.
    """
    protects = any(sign.islower() for sign in text)
    parts: list[str] = []
    end = 0
    for word in _WORD.finditer(text) if protects else ():
        parts.append(escaped(text[end : word.start()]))
        parts.append(f"{{{word[0]}}}" if _keeps_its_case(word[0]) else word[0])
        end = word.end()
    return "".join([*parts, escaped(text[end:])])


def _keeps_its_case(word: str) -> bool:
    """Capitals behind the first letter, a letter alone, or a capital with figures; `A` is mostly the article."""
    signs = [sign for sign in word if sign.isalnum()]
    if any(sign.isupper() for sign in signs[1:]):
        return True
    return signs[0].isupper() and word != "A" and (len(signs) == 1 or any(sign.isdigit() for sign in signs))


def entry_type(paper: StoredPaper) -> tuple[str, str]:
    """The entry's type, and its field for the journal."""
    journal = field_of(paper, "journal")
    kind, place = ENTRY_TYPES.get(paper.get("type") or "", ("article", "journal"))
    return ("misc", "howpublished") if kind in _NEEDS_CONTAINER and not journal else (kind, place)


def _entry(paper: StoredPaper, key: str) -> str:
    kind, place = entry_type(paper)
    fields = "".join(f"  {name} = {value},\n" for name, value in _fields(paper, place) if value)
    return f"@{kind}{{{key},\n{fields}}}\n"


def _fields(paper: StoredPaper, place: str) -> Iterator[tuple[str, str | None]]:
    published = date_of(paper)
    eprint = list(_eprint(paper))
    heading = field_of(paper, "title")
    yield "author", _braced(_people(paper))
    yield "title", _braced(title(heading) if heading else None)
    journal = field_of(paper, "journal")
    # The eprint number is more exact than the name of its server, and says nothing of a conference.
    is_server = place == "howpublished" and journal and is_preprint_server(journal)
    yield place, None if eprint and is_server else _text(journal)
    yield "year", _braced(f"{published[0]:04d}" if published else None)
    yield "month", MONTHS[published[1] - 1] if len(published) > 1 else None
    yield "volume", _text(field_of(paper, "volume"))
    yield "number", _text(field_of(paper, "issue"))
    yield "pages", _pages(paper)
    yield from eprint
    yield "doi", _verbatim(id_of(paper, "doi"))
    yield "url", _verbatim(link_of(paper))
    yield "pmid", _text(id_of(paper, "pmid"))
    yield "pmcid", _text(id_of(paper, "pmcid"))
    yield "language", _text(field_of(paper, "language"))
    yield "note", _text(retraction_note(paper))
    yield "abstract", _text(field_of(paper, "abstract"))


def _eprint(paper: StoredPaper) -> Iterator[tuple[str, str | None]]:
    """arXiv's number; its archive too where the number is of the old form, `hep-ex/0307015`, which has it."""
    arxiv = id_of(paper, "arxiv")
    if arxiv:
        old = _OLD_ARXIV.fullmatch(arxiv)
        yield "eprint", _verbatim(arxiv)
        yield "archivePrefix", "{arXiv}"
        yield "primaryClass", _braced(old[1] if old else None)


def _pages(paper: StoredPaper) -> str | None:
    first, last = pages_of(paper)
    return _braced(f"{escaped(first)}--{escaped(last)}") if first and last else _text(first)


def _people(paper: StoredPaper) -> str | None:
    names = [_name(author) for author in authors_of(paper)]
    return " and ".join([*names, *(["others"] if names and has_more_authors(paper) else [])]) or None


def _name(author: Author) -> str:
    """`Family, Suffix, Given`; a name that is one text has braces of its own, so that it stays whole."""
    if not author.family:
        return f"{{{escaped(author.display)}}}"
    family, given, suffix = with_suffix(author)
    if not given and not suffix:
        return f"{{{escaped(family)}}}"
    return ", ".join(_part(part) for part in (family, suffix, given or "") if part is not None)


def _part(text: str) -> str:
    """In braces where it holds what parts names."""
    return f"{{{escaped(text)}}}" if _SEPARATORS.search(text) else escaped(text)


def _text(text: str | None) -> str | None:
    return _braced(escaped(text) if text else None)


def _verbatim(text: str | None) -> str | None:
    """Addresses and ids are not escaped; a brace is percent-encoded, which means the same there."""
    return _braced(text.translate(_VERBATIM) if text else None)


def _braced(value: str | None) -> str | None:
    return f"{{{value}}}" if value else None
