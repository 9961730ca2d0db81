"""Lines end in LF, CR LF, or in CR alone as in files of the classic Mac OS; TeX, pybtex and XML read all three as ends.

Sources: web2c (`input_line` in `texmfmp.c`), Extensible Markup Language 1.0, section 2.11.
"""

from __future__ import annotations

import pytest

from shared.documents.document import DocumentFormat
from shared.documents.earlier_comments import without_comments
from shared.documents.reading import read_document
from tests.unit.documents.corpus_documents import corrected, read_unchanged

ITEM = "A. First. A first paper on microglia. Nature 5 (2011) 1--2."
DOCUMENTS = {
    DocumentFormat.LATEX: (
        f"As in \\cite{{a,b}}.\n\n\\begin{{thebibliography}}{{9}}\n\\bibitem{{a}} {ITEM}\n% a comment\n"
        "\\bibitem{b} B. Second. A second paper % on rats\n  on mice. Cell 6 (2012) 3--4.\n\\end{thebibliography}\n"
    ),
    DocumentFormat.BIBTEX: (
        "% a comment\n@article{a,\n  title = {A first paper},\n  year = 2011\n}\n"
        "@article{b,\n  title = {A second\n    paper},\n  year = 2012\n}\n"
    ),
    DocumentFormat.RIS: (
        "TY  - JOUR\nTI  - A first paper\nPY  - 2011\nER  - \nTY  - JOUR\nTI  - A second\nPY  - 2012\nER  - \n"
    ),
    DocumentFormat.CSL_JSON: (
        '[\n  {"id": "a", "title": "A first paper", "issued": {"date-parts": [[2011]]}},\n'
        '  {"id": "b", "title": "A second", "issued": {"date-parts": [[2012]]}}\n]\n'
    ),
    DocumentFormat.JATS: (
        "<ref-list>\n<ref id='a'><element-citation>\n<article-title>A first paper</article-title><year>2011</year>\n"
        "</element-citation></ref>\n<ref id='b'><element-citation>\n<article-title>A second</article-title>"
        "<year>2012</year>\n</element-citation></ref>\n</ref-list>\n"
    ),
    DocumentFormat.MARKDOWN: (
        "## References\n\n1. First A. A first paper on micro-\n   glia. *Nature* 2011;5:1-2.\n"
        "2. Second B. A second paper on mice. *Cell* 2012;6:3-4.\n"
    ),
    DocumentFormat.TEXT: (
        "References\n\n1. First A. A first paper on micro-\nglia. Nature 2011;5:1-2.\n"
        "2. Second B. A second paper on mice. Cell 2012;6:3-4.\n"
    ),
}  # fmt: skip


@pytest.mark.parametrize("end", ["\r\n", "\r"], ids=["CR LF", "CR"])
@pytest.mark.parametrize("format", DOCUMENTS)
def test_a_document_is_read_and_corrected_as_with_other_ends_of_lines(format: DocumentFormat, end: str) -> None:
    text = DOCUMENTS[format]
    usual, document = read_unchanged(text), read_unchanged(text.replace("\n", end))
    assert (usual.format, document.format, len(document.entries)) == (format, format, 2)
    assert [(it.label, it.fields) for it in document.entries] == [(it.label, it.fields) for it in usual.entries]
    assert [it.entries for it in document.citations] == [it.entries for it in usual.citations]
    assert [it.message for it in document.warnings] == [it.message for it in usual.warnings]
    written = corrected(document)
    assert written.text == corrected(usual).text.replace("\n", end)
    assert [it.fields.year for it in read_document(written.text).entries] == [2001, 2001]
    assert "checked: " not in without_comments(written.text, format)


def test_a_cr_among_other_ends_of_lines_ends_a_comment_and_stays() -> None:
    text = f"\\bibitem{{a}} {ITEM} % a comment\r\\bibitem{{b}} {ITEM} % a comment\n\\bibitem{{c}} {ITEM}\n"
    document = read_unchanged(text)
    assert [entry.label for entry in document.entries] == ["a", "b", "c"]
    assert corrected(document, comment="").text == text.replace("2011", "2001")
