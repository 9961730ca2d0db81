"""Reads BibTeX: entries, strings, `crossref`, names. bibtexparser finds the fields; it goes on behind errors.

An entry in which a comma or a brace is missing is read as a printed reference is: a paper that is cited by it would
else not be checked at all, or under the wrong title.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from bibtexparser.model import DuplicateBlockKeyBlock, DuplicateFieldKeyBlock, ParsingFailedBlock, String
from bibtexparser.model import Entry as Block
from bibtexparser.splitter import Splitter

from shared.bibliography.paper import MAX_AUTHORS, Author
from shared.bibliography.person_names import read_name
from shared.bibliography.tex_text import tex_to_text
from shared.bibliography.text import plain_text
from shared.documents.bibtex_values import Values, closing
from shared.documents.bounds import check_braces, check_count, unreadable
from shared.documents.document import Document, DocumentFormat, Entry, EntryFields, ReadingWarning
from shared.documents.fields_read import one_line, read_ids, read_pages, read_printed, read_year

logging.getLogger("bibtexparser").setLevel(logging.CRITICAL)  # it would log what others wrote

# Field -> the names under which it is written; a value that is missing is added under the first.
NAMES = {
    "title": ("title",), "authors": ("author",), "year": ("year", "date"),
    "journal": ("journal", "journaltitle", "booktitle"), "volume": ("volume",), "issue": ("number", "issue"),
    "pages": ("pages",), "doi": ("doi",), "pmid": ("pmid",), "arxiv": ("eprint",),
}  # fmt: skip
# In an address, a `%` at the end of a line divides it; elsewhere, it is a sign as every other.
_ADDRESSES = ("url", "doi", "eprint", "howpublished")
_BREAK = re.compile(r"%[ \t]*\r?\n[ \t]*")
_AND = re.compile(r"(?<=\s)and(?=\s)", re.I)
_BLOCK = re.compile(r"@\w{0,40}[ \t]{0,9}[{(]")
# What bibtexparser returns as the rest of a value where the comma behind it is missing.
_NEXT_FIELD = re.compile(r"\s*[A-Za-z]{2,20}\s{0,9}=\s{0,9}[{\"\d]")
_SEVERAL_WORDS = re.compile(r"[^\s#{}\",]{1,200}\s+[^\s#]")
_KEY = re.compile(r"@\w{1,40}\s{0,9}[{(]\s{0,9}([^\s{}()=,]{1,200})\s{0,9},")
NOT_BIBTEX = "this entry is not BibTeX: check its braces and commas"
_INHERITED = ("journal", "journaltitle", "booktitle", "year", "date", "volume", "publisher")


def read_bibtex(text: str) -> Document:
    """The entries of a BibTeX file. Raises Unprocessable if it has none, too many, or too deeply nested braces."""
    check_braces(text)
    check_count(sum(1 for _ in _BLOCK.finditer(text)) // 3)  # broken ones and `@string` take time as well
    strings = Values()
    warnings: list[ReadingWarning] = []
    found: list[tuple[int, Block, dict[str, str]]] = []
    broken: list[tuple[int, str]] = []
    at = 0
    for block in Splitter(text).split().blocks:
        start = text.find(block.raw or "", at)
        if start < 0:
            continue
        at = start + (1 if isinstance(block, ParsingFailedBlock) else len(block.raw or ""))
        if isinstance(string := _without_error(block), String):
            strings.define(string.key, string.value)
        elif isinstance(block, DuplicateBlockKeyBlock):
            warnings.append(ReadingWarning(f"the citation key {block.key[:100]} is used twice", start))
        elif isinstance(block, DuplicateFieldKeyBlock):
            warnings.append(ReadingWarning("this entry has a field twice; the first is read", start))
        elif isinstance(block, ParsingFailedBlock):
            warnings.append(ReadingWarning(NOT_BIBTEX, start))
            following = _BLOCK.search(text, start + 1)
            broken.append((start, text[start : following.start() if following else len(text)].rstrip()))
        if (own := entry_of(block)) is not None and _lacks_comma(own):
            warnings.append(ReadingWarning(NOT_BIBTEX, start))
            broken.append((start, own.raw or ""))
        elif own is not None:
            found.append((start, own, {name: strings.joined(value) for name, value in _lower(own).items()}))
    by_key = {block.key: values for _, block, values in found}
    entries = [_entry(start, block, _inherited(values, by_key, strings)) for start, block, values in found]
    entries += [entry for start, raw in broken if (entry := _broken_entry(start, raw))]
    check_count(len(entries))
    if not entries:
        raise unreadable("has no BibTeX entry that can be read")
    entries.sort(key=lambda entry: entry.start)
    numbered = (replace(entry, number=number) for number, entry in enumerate(entries))
    if strings.lacks_some:
        warnings.append(ReadingWarning("what strings and crossref put in is too long: some of it was left out"))
    return Document(DocumentFormat.BIBTEX, text, tuple(numbered), (), tuple(warnings))


def _lacks_comma(block: Block) -> bool:
    """Whether a value goes on behind its end: with the name of the next field, or with words that nothing encloses."""
    values = (field.value for field in block.fields)
    return any(
        _NEXT_FIELD.match(value, closing(value, 0)) if value[:1] in ("{", '"') else _SEVERAL_WORDS.match(value)
        for value in values
    )


def _broken_entry(start: int, raw: str) -> Entry | None:
    """An entry that is not BibTeX, by what can be recognised in it; None if that is not a title."""
    line = one_line(raw) or ""
    fields = read_printed(line)
    if not fields.title or not _BLOCK.match(raw):
        return None
    key = _KEY.match(raw)
    return Entry(
        number=0, start=start, end=start + len(raw), raw=raw, line=line, label=key[1] if key else None, fields=fields,
        is_tagged=False,
    )  # fmt: skip


def entry_of(block: object) -> Block | None:
    """The entry, also where the library finds fault with a key in it; None for anything else."""
    block = _without_error(block)
    return block if isinstance(block, Block) else None


def _without_error(block: object) -> object:
    """What a block is, also where the library finds fault with a key in it."""
    while isinstance(block, DuplicateBlockKeyBlock | DuplicateFieldKeyBlock):
        block = block.ignore_error_block
    return block


def _lower(block: Block) -> dict[str, str]:
    return {field.key.lower(): field.value for field in reversed(block.fields)}


def _inherited(own: Mapping[str, str], by_key: Mapping[str, Mapping[str, str]], strings: Values) -> dict[str, str]:
    """The entry's values, and those of the entry that it refers to with `crossref`, as far as they may be repeated."""
    parent = by_key.get(own.get("crossref", "").strip('{} "'), {})
    inherited = {name: value for name, value in parent.items() if name in _INHERITED}
    if "title" in parent:
        inherited.setdefault("booktitle", parent["title"])
    stated = {*own, *(NAMES["year"] if "date" in own or "year" in own else ())}
    new = {name: value for name, value in inherited.items() if name not in stated and strings.may_repeat(value)}
    return {**new, **own}


def _entry(start: int, block: Block, values: Mapping[str, str]) -> Entry:
    raw = block.raw or ""
    read = {name: _text(name, value) for name, value in values.items()}
    first = {field: next((read[it] for it in names if read.get(it)), None) for field, names in NAMES.items()}
    is_arxiv = "arxiv" in (read.get("archiveprefix") or read.get("eprinttype") or "arxiv").lower()
    others = (read.get(name) for name in ("url", "note", "howpublished", "journal", "eprint"))
    author = values.get("author")
    stated = EntryFields(
        title=plain_text(first["title"]),
        authors=tuple(_people(author)) if author else (),
        year=read_year(first["year"]),
        journal=plain_text(first["journal"]),
        volume=first["volume"],
        issue=first["issue"],
        pages=read_pages(first["pages"]),
        **read_ids(first["doi"], first["pmid"], first["arxiv"] if is_arxiv else None, *others),
    )
    line = one_line(" ".join(value for value in first.values() if value)) or raw[:200]
    return Entry(
        number=0, start=start, end=start + len(raw), raw=raw, line=line, label=block.key or None, fields=stated,
        is_tagged=True,
    )  # fmt: skip


def _people(names: str) -> Iterator[Author]:
    """Names in braces are groups, which stay whole; `others`, and `{et al.}` of ADS, stand for unnamed ones."""
    for name in _names(names)[:MAX_AUTHORS]:
        written = name.strip()
        text = one_line(tex_to_text(written, has_comments=False))
        if text and text.lower() not in ("others", "et al."):
            is_group = written.startswith("{") and written.endswith("}") and "," not in text
            author = Author(name=text) if is_group else _person(text)
            if author:
                yield author


def _names(names: str) -> list[str]:
    """The names, which `and` separates where no brace is open."""
    found: list[str] = []
    depth = 0
    for part in _AND.split(names):
        found = [*found[:-1], f"{found[-1]}and{part}"] if depth > 0 else [*found, part]
        depth += part.count("{") - part.count("}")
    return found


def _person(text: str) -> Author | None:
    """`Family, Given` and `Family, Jr, Given`, or the given name first."""
    parts = text.split(", ")
    if len(parts) == 3:
        return Author(family=f"{parts[0]} {parts[1]}", given=parts[2])
    return read_name(text)


def _text(name: str, value: str) -> str | None:
    """The text of a field."""
    value = _BREAK.sub("", value) if name in _ADDRESSES else value
    return one_line(tex_to_text(value, has_comments=False))
