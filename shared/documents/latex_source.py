r"""LaTeX with `thebibliography`: each `\bibitem` is an entry, each `\cite` a citation.

A comment is a `%` line before its entry. The places of commands are read here; pylatexenc knows what they print.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence

from shared.bibliography.tex_text import active_tex, is_verbatim, link_addresses, printed_tex, whole_groups
from shared.documents.bounds import check_count, unreadable
from shared.documents.document import Correction, Document, DocumentFormat, Entry, MarkedCitation, ReadingWarning
from shared.documents.edits import EntryEdits, comment_before
from shared.documents.fields_read import read_printed
from shared.documents.printed_edits import PrintedEntry, printed_edits
from shared.documents.text_source import doubts, with_addresses
from shared.exports.bibtex import escaped

_ITEM = re.compile(
    r"\\bibitem[ \t]{0,9}(?:\[(?:[^\[\]]++|\[[^\[\]]{0,200}\])*+\])?"
    r"\s{0,300}\{((?:[^{}]|\{[^{}]{0,50}\}){1,200})\}"
)
_BEGIN = re.compile(r"\\bibitem\b")
_END = re.compile(r"\\end\{(?:mcite)?thebibliography\}|\\bibitem\b|\\end\{document\}")
_CITE = re.compile(
    r"\\(?:[Cc]ite(?!namefont)|(?:paren|text|foot|auto|smart|super|full|no)[Cc]ite)[A-Za-z]{0,18}\*?"
    r"[ \t]{0,3}(?:\[[^\[\]]{0,300}\][ \t]{0,3}){0,2}\{((?:[^{}]|\{[^{}]{0,50}\}){1,2000})\}"
)
_BIB_FILE = re.compile(r"\\(?:bibliography|addbibresource)(?:\[[^\[\]]{0,100}\])?\{([^{}]{1,200})\}")

_BIBLATEX = re.compile(r"\\(?:datalist\b|entry\{[^{}]{1,200}\}\{)")


def read_latex(text: str) -> Document:
    r"""The references of a LaTeX text. Raises Unprocessable if it has no `\bibitem`, or too many."""
    active = active_tex(text)
    items = list(_ITEM.finditer(active))
    check_count(len(items))
    if not items:
        file = _BIB_FILE.search(active)
        where = f"; its references are in the file {file[1]}: send that" if file else ""
        if _BIBLATEX.search(active):
            where = "; it is what biblatex makes of a .bib file: send that"
        raise unreadable(f"has no \\bibitem{where}")
    ends = [found.start() for found in _END.finditer(active)]
    entries = tuple(_entry(text, active, number, item, ends) for number, item in enumerate(items))
    outside_labels = _ITEM.sub(lambda item: " " * len(item[0]), active)  # styles write `\citeauthoryear` into these
    citations = tuple(_citations(outside_labels, entries))
    return Document(DocumentFormat.LATEX, text, entries, citations, (*_left_out(active, items), *doubts(entries)))


def _left_out(active: str, items: Sequence[re.Match[str]]) -> Iterator[ReadingWarning]:
    r"""A warning for each `\bibitem` that is not an entry, so that no reference is left out silently."""
    read = {item.start() for item in items}
    for found in _BEGIN.finditer(active):
        if found.start() not in read:
            yield ReadingWarning("this \\bibitem has no key that can be read; it is not checked", found.start())


def _entry(text: str, active: str, number: int, item: re.Match[str], ends: Sequence[int]) -> Entry:
    after = bisect_left(ends, item.end())
    end = ends[after] if after < len(ends) else len(text)
    raw = text[item.start() : item.start() + len(active[item.start() : end].rstrip())]
    body = raw[item.end() - item.start() :]
    line = with_addresses(printed_tex(body).text.strip(), [it.text for it in link_addresses(body)])
    return Entry(
        number=number, start=item.start(), end=item.start() + len(raw), raw=raw, line=line, label=item[1].strip(),
        fields=read_printed(line), is_tagged=False,
    )  # fmt: skip


def _citations(active: str, entries: Sequence[Entry]) -> Iterator[MarkedCitation]:
    r"""Each `\cite` with its keys; `\nocite{*}` names every entry."""
    numbers = {entry.label: entry.number for entry in reversed(entries)}
    for found in _CITE.finditer(active):
        keys = [key.strip() for key in found[1].split(",") if key.strip()]
        if keys == ["*"]:
            yield MarkedCitation(found[0], found.start(), tuple(entry.number for entry in entries))
            continue
        cited = tuple(dict.fromkeys(numbers[key] for key in keys if key in numbers))
        missing = tuple(dict.fromkeys(key for key in keys if key not in numbers))
        yield MarkedCitation(" ".join(found[0].split()), found.start(), cited, missing)


def _escape(text: str) -> str:
    return escaped(text).replace("–", "--")


def correct_latex(document: Document, entry: Entry, correction: Correction) -> EntryEdits:
    r"""The edits that write a correction into a `\bibitem`, and the comment in a line before it."""
    active = active_tex(entry.raw)
    item = _ITEM.match(active)
    mark = item.end() if item else 0
    source = entry.raw[mark:]
    printed = printed_tex(source)
    body = PrintedEntry(
        active[mark:], printed, entry.fields, entry.line, (printed, *link_addresses(source)), _escape,
        lambda at, name: name if is_verbatim(source, at) else escaped(name), whole_groups,
    )  # fmt: skip
    edits, not_placed = printed_edits(body, correction.fields)
    comment = comment_before(document.text, entry.start, correction.comment)
    return EntryEdits((*comment, *(edit.moved(entry.start + mark) for edit in edits)), tuple(not_placed))
