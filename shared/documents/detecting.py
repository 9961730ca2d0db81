"""The format of a document, from its content."""

from __future__ import annotations

import re

from shared.bibliography.characters import ZERO_WIDTH, pattern_of
from shared.documents.document import DocumentFormat
from shared.documents.pubmed_source import is_pubmed
from shared.documents.table_source import is_table
from shared.documents.tagged_source import tagged_format

_JSON = re.compile(r"\[\s{0,1000}[{\]]|\{\s{0,1000}\"")
# An element of JATS; `<ref>{{cite journal` is Wikipedia's.
_XML = re.compile(
    r"<(?:\?xml|!DOCTYPE\s{1,9}(?:article|ref-list)|!--|(?:\w{1,20}:)?(?:(?:article|ref-list|back)\b|ref\b[^<>]{0,200}>\s{0,99}<))"
)
# Other programs have a `record` or `records` of their own elsewhere.
_ENDNOTE = re.compile(
    r"(?:<\?xml[^<>]{0,200}\?>\s{0,999})?(?:<!DOCTYPE\s[^<>\[\]]{0,200}>\s{0,999})?<xml\b[^<>]{0,99}>\s{0,999}<records\b"
)
_RIS = re.compile(rf"(?m)^[{pattern_of(ZERO_WIDTH)}]?TY {{1,2}}- ?[A-Z]")
_BIBTEX = re.compile(r"(?m)^[ \t]{0,20}@[A-Za-z]{2,30}[ \t]{0,9}[{(][^\s{}()=,]{0,200}\s{0,9}[,=]")
_LATEX = re.compile(
    r"\\(?:documentclass|begin\{(?:document|thebibliography)\}|bibitem\b|bibliography\{|addbibresource|datalist\b|refsection\{)"
)
_MARKDOWN = re.compile(
    r"(?m)^ {0,3}#{1,6} \S|^ {0,3}\[\^[^\]\s]{1,60}\]:|\]\(https?://|\*\*[^*\s]|\[-?@[A-Za-z]|^ {0,3}:::"
    r"|^ {0,3}[-*+] \S|(?<![\w*])\*[^\s*][^*\n]{2,300}\*(?![\w*])|(?<!\w)_[^\s_][^_\n]{2,300}_(?!\w)|<https?://"
)


def format_of(text: str) -> DocumentFormat:
    """The format that a text has; a text without any marks is plain text."""
    start = text[text[:1] in ZERO_WIDTH :].lstrip()
    if _JSON.match(start):
        return DocumentFormat.CSL_JSON
    if _ENDNOTE.match(start):
        return DocumentFormat.ENDNOTE_XML
    if _XML.match(start):
        return DocumentFormat.JATS
    if tagged := tagged_format(text):
        return tagged
    if is_pubmed(text):
        return DocumentFormat.PUBMED
    if is_table(text):
        return DocumentFormat.TABLE
    marks = (
        (_RIS, DocumentFormat.RIS), (_LATEX, DocumentFormat.LATEX), (_BIBTEX, DocumentFormat.BIBTEX),
        (_MARKDOWN, DocumentFormat.MARKDOWN),
    )  # fmt: skip
    return next((of for pattern, of in marks if pattern.search(text)), DocumentFormat.TEXT)
