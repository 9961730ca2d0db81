r"""Markdown: lists and footnotes of references, with links and emphasis; citations also as `[^1]` and `[@key]`.

A comment is an HTML comment behind its entry, which no Markdown shows. Links and emphasis are left out of what is read,
but a title that begins an entry stays in its asterisks: that is how the reader of printed references recognises it.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace

from shared.bibliography.printed_source import PrintedText, print_blank, print_tokens, printed_as_written
from shared.documents.bounds import check_count, unreadable
from shared.documents.citing import doubts_about, in_text_citations
from shared.documents.document import Correction, Document, DocumentFormat, Entry
from shared.documents.edits import Edit, EntryEdits, comment_line, line_end_of
from shared.documents.entry_groups import Group, looks_like_reference
from shared.documents.lines import Line, lines_of
from shared.documents.printed_edits import PrintedEntry, printed_edits
from shared.documents.reference_sections import reference_groups
from shared.documents.text_source import NO_LIST, doubts, entries_of, mark_length, with_addresses
from shared.exports.markdown import escaped
from shared.references.title_words import reads_like_names, reads_like_title

_FOOTNOTE = re.compile(r" {0,3}\[\^([^\]\s]{1,60})\]:[ \t]{0,9}")
_DIVISION = re.compile(r" {0,3}:{3,9}[ \t]{0,20}(?:\{[^{}]{0,20}#(?:ref-)?([^\s{}]{1,100})[^{}]{0,200}\})?[ \t]*")
LONGEST_NOTE = 20  # lines
_DEFINITION = re.compile(r" {0,3}\[[^\]^]{1,60}\]:")
_TITLE_FIRST = re.compile(r"\s{0,9}(?:\[((?:[^\[\]]|\[[^\[\]]{0,100}\]){8,500})\]\(|([*_]{1,3})([^*_]{8,500})\2)")
_LINK = re.compile(r"\]\(([^()\s]{0,500}(?:\([^()\s]{0,100}\)[^()\s]{0,300})?)[)\s]")
_TOKEN = re.compile(
    r"<!--[^<]{0,2100}?-->|<(?P<address>https?://[^<>\s]{1,500})>|</?[A-Za-z][^<>]{0,200}>"
    r"|\\(?P<sign>[!-/:-@\[-`{-~])|\]\((?P<link>[^()\s]{0,500}(?:\([^()\s]{0,100}\)[^()\s]{0,300})?)(?:\s\"[^\"]{0,200}\")?\)"
    r"|\[(?=(?:[^\[\]]|\[[^\[\]]{0,100}\]){1,500}\]\()|[*]{1,3}|(?<!\w)_{1,3}|_{1,3}(?!\w)|`|~~|\s+",
    re.S,
)


def read_markdown(text: str) -> Document:
    """The references of a Markdown text. Raises Unprocessable if none are found or there are too many."""
    groups = markdown_groups(lines_of(text))
    check_count(len(groups))
    if not groups:
        raise unreadable(NO_LIST)
    entries = entries_of(text, groups, line_of_markdown)
    citations = in_text_citations(text, entries)
    warnings = (*doubts(entries), *doubts_about(citations))
    return Document(DocumentFormat.MARKDOWN, text, entries, citations, warnings)


def markdown_groups(lines: Sequence[Line]) -> list[Group]:
    """The entries: footnotes that are references, divisions that pandoc writes, and the lists under headings."""
    footnotes = _footnotes(lines)
    noted = {line.start for group in footnotes for line in group.lines}
    divisions = _divisions([line for line in lines if line.start not in noted])
    named = [*(it for it in footnotes if looks_like_reference(it.text)), *divisions]
    used = {line.start for group in (*footnotes, *named) for line in group.lines}
    others = [line for line in lines if line.start not in used and not _DIVISION.fullmatch(line.text)]
    listed = reference_groups(others, may_be_whole=not named)
    groups = sorted([*named, *listed], key=_start)
    starts = sorted({*map(_start, groups), *map(_start, footnotes)})
    return [_up_to_next(group, starts) for group in groups]


def _start(group: Group) -> int:
    return group.lines[0].start


def _up_to_next(group: Group, starts: Sequence[int]) -> Group:
    """The group without its lines behind the next one, or behind a footnote that is not a reference."""
    following = bisect_right(starts, _start(group))
    end = starts[following] if following < len(starts) else math.inf
    return replace(group, lines=tuple(line for line in group.lines if line.start < end))


def _footnotes(lines: Sequence[Line]) -> list[Group]:
    """Definitions of footnotes, with the lines on which they go on."""
    found: list[Group] = []
    for at, line in enumerate(lines):
        mark = _FOOTNOTE.match(line.text)
        if not mark:
            continue
        end = at + 1
        while end < min(len(lines), at + LONGEST_NOTE) and not _ends_note(lines[end]):
            end += 1
        found.append(Group(tuple(lines[at:end]), f"^{mark[1]}", line.start + mark.end()))
    return found


def _ends_note(line: Line) -> bool:
    return line.is_blank or bool(_FOOTNOTE.match(line.text) or _DIVISION.fullmatch(line.text))


def _divisions(lines: Sequence[Line]) -> list[Group]:
    """`::: {#ref-key .csl-entry}` and its lines, up to `:::`."""
    found: list[Group] = []
    key, inside = "", list[Line]()
    for line in lines:
        fence = _DIVISION.fullmatch(line.text)
        if fence:
            if key and inside:
                found.append(Group(tuple(inside), key, inside[0].start + inside[0].indent))
            key, inside = fence[1] or "", []
        elif key and not line.is_blank:
            inside.append(line)
    return found


def printed_markdown(source: str) -> PrintedText:
    """Markdown as it is shown, on one line; of a link, its text."""
    return print_tokens(source, _TOKEN, _print)


def _print(token: re.Match[str]) -> str:
    if token["address"]:
        return token["address"]
    if token["sign"]:
        return token["sign"]
    return print_blank(token) if token[0].isspace() else ""


def line_of_markdown(source: str) -> str:
    """The line that is shown, with a title that comes first in asterisks, and the addresses of links behind it."""
    line = printed_markdown(source).text.strip()
    first = _TITLE_FIRST.match(source)
    title = printed_markdown(first[1] or first[3]).text.strip() if first else ""
    if title and line.startswith(title) and reads_like_title(title) and not reads_like_names(title):
        line = f"*{title}*{line[len(title) :]}"
    return with_addresses(line, _LINK.findall(source))


def _mark(raw: str) -> int:
    footnote = _FOOTNOTE.match(raw)
    return footnote.end() if footnote else mark_length(raw)


def _write_id(_: int, name: str) -> str:
    return f"<{name}>" if name.startswith("http") else name


def correct_markdown(document: Document, entry: Entry, correction: Correction) -> EntryEdits:
    """The edits that write a correction into a printed reference, and the comment behind it.

    The comment on the definition of a link has a line of its own: behind it, there would be no definition any more.
    """
    mark = _mark(entry.raw)
    raw = entry.raw[mark:]
    texts = (printed_as_written(raw),)  # with the addresses of links
    body = PrintedEntry(raw, printed_markdown(raw), entry.fields, entry.line, texts, escaped, _write_id)
    edits, not_placed = printed_edits(body, correction.fields)
    if correction.comment:
        comment = comment_line(correction.comment).replace("--", "- -").replace("--", "- -").replace("<", "(")
        before = line_end_of(document.text) if _DEFINITION.match(entry.raw) else " "
        edits.append(Edit(len(raw), len(raw), f"{before}<!-- {comment} -->"))
    return EntryEdits(tuple(edit.moved(entry.start + mark) for edit in edits), tuple(not_placed))
