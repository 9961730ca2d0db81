"""The comments that an earlier check wrote beside the references; those of the next one replace them."""

from __future__ import annotations

import re

from shared.documents.document import DocumentFormat

_HTML = re.compile(r"\s?<!-- checked: (?:[^<>\n-]|-(?!->)|>){0,2100}-->")
_TEX = re.compile(r"(?<![^\r\n])% checked: [^\r\n]{0,2100}(?:\r\n?|\n)")
# A note in CSL-JSON: its beginning, with the comma before it, and what stands before the comment.
_NOTE = re.compile(
    r'((?:,\s{0,99})?"note"\s{0,9}:\s{0,9}")((?:[^"\\]|\\.){0,2000}?)(?:; )?checked: (?:[^"\\]|\\.){0,4200}"'
)
_COMMENTS = {
    DocumentFormat.TEXT: re.compile(r" ?\[checked: [^\[\]]{0,2100}\]"),
    DocumentFormat.MARKDOWN: _HTML,
    DocumentFormat.JATS: _HTML,
    DocumentFormat.LATEX: _TEX,
    DocumentFormat.BIBTEX: _TEX,
    DocumentFormat.RIS: re.compile(r"(?<![^\r\n])N1  - checked: [^\r\n]{0,2100}(?:\r\n?|\n)"),
}


def without_comments(text: str, format: DocumentFormat) -> str:
    """The text without them; a .docx stays as it is."""
    if format is DocumentFormat.CSL_JSON:
        return _NOTE.sub(_without_comment, text)
    pattern = _COMMENTS.get(format)
    return pattern.sub("", text) if pattern else text


def _without_comment(note: re.Match[str]) -> str:
    """The note as it was; nothing if the comment was all of it and the member can be left out with its comma."""
    return "" if not note[2] and note[1].startswith(",") else f'{note[1]}{note[2]}"'
