"""The comments that an earlier check wrote beside the references; those of the next one replace them."""

from __future__ import annotations

import re

from shared.documents.document import DocumentFormat

_HTML = re.compile(r"\s?<!-- checked: (?:[^<>\n-]|-(?!->)|>){0,2100}-->")
_TEX = re.compile(r"(?m)^% checked: [^\r\n]{0,2100}\r?\n")
_COMMENTS = {
    DocumentFormat.TEXT: re.compile(r" ?\[checked: [^\[\]]{0,2100}\]"),
    DocumentFormat.MARKDOWN: _HTML,
    DocumentFormat.JATS: _HTML,
    DocumentFormat.LATEX: _TEX,
    DocumentFormat.BIBTEX: _TEX,
    DocumentFormat.RIS: re.compile(r"(?m)^N1  - checked: [^\r\n]{0,2100}\r?\n"),
}


def without_comments(text: str, format: DocumentFormat) -> str:
    """The text without them. CSL-JSON, whose writer replaces them in notes, and .docx stay as they are."""
    pattern = _COMMENTS.get(format)
    return pattern.sub("", text) if pattern else text
