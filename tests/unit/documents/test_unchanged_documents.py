"""Any document: read or refused, written back as it was, and changed within its entries alone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.documents.document import Correction, Document, DocumentFormat, EntryFields
from shared.documents.reading import read_document
from shared.documents.writing import write_document
from shared.errors import Unprocessable
from tests.unit.documents.corpus_documents import NEW, cited, corrected, vancouver
from tests.unit.exports.exported_results import HOSTILE

PIECES = {
    DocumentFormat.BIBTEX: (
        "@article{a,\n title={x},\n year=2016}\n",
        "@misc{",
        "@string{s = {é}}",
        "\n@",
        "}",
        "{",
        '"',
        ",",
        "=",
        "#",
        "% c\n",
        '@book(b, title = s # " y", date = {2016-01}, author={A and B, C})\n',
        "\r\n",
        "\\",
        "title = {z}",
    ),
    DocumentFormat.RIS: (
        "TY  - JOUR\n",
        "TI  - x\r\n",
        "AU  - a, b\n",
        "PY  - 2016/01/02/\n",
        "SP  - 1-2\n",
        "EP  - 3\n",
        "ER  - \n",
        "ER  -",
        "\n",
        "T2  - j\n",
        "N1  - n",
        " - ",
        "TY  - ",
    ),
    DocumentFormat.CSL_JSON: (
        '[{"title": "x"}]',
        "[",
        "{",
        '"id": 1',
        '"note": ["n"]',
        '"issued": {"date-parts": [[2016, 1]]}',
        '"a\\"',
        "}",
        "]",
        ",",
        " ",
        "\n",
        "[{",
        "}]",
        "null",
        "1e5",
    ),
    DocumentFormat.JATS: (
        '<ref id="a"><element-citation><year>2016</year><source>é</source></element-citation></ref>',
        "<ref-list>",
        "</ref-list>",
        "<ref><mixed-citation>A <b>b</b> 2016.<volume/></mixed-citation></ref>",
        "<!-- c -->",
        "<![CDATA[<ref>]]>",
        "&amp;",
        "x",
        '<xref ref-type="bibr" rid="a b"/>',
        "<a b='>'/>",
    ),
    DocumentFormat.ENDNOTE_XML: (
        "<xml><records><record><titles><title>é</title></titles></record></records></xml>",
        "<xml><records>",
        "</records></xml>",
        "<record><rec-number>1</rec-number><dates><year><style>2016</style></year></dates></record>",
        "<record>",
        "</record>",
        "<titles><title>a</title></titles>",
        "<authors><author>A, B</author></authors>",
        "<!DOCTYPE x [<!ENTITY e 'e'>]>",
        "&e;",
        "<pages/>",
    ),
    DocumentFormat.PUBMED: (
        "1. J Exp Med. 2022 Dec 5;219(12):e2. doi: 10.1000/x.\n\nOn mice.\n\nDoe J(1).\n\nPMID: 1\n",
        "2. eLife. 2016.\n\nOn cells.\n\n",
        "\n\n",
        "PMID: 12\n",
        "DOI: 10.1000/y\n",
        "3. ",
        "Doe J(1), Roe K.\n",
        "[Article in German]\n",
        "Author information:\n",
        "\u2028",
        "1. In: Book. ",
    ),
    DocumentFormat.NBIB: (
        "PMID- 1\nTI  - On mice\nFAU - Doe, J\nDP  - 2016\n",
        "PMID- 2\n",
        "PMID- ",
        "LID - 10.1000/x [doi]\r\n",
        "      x\n",
        "AU  - Roe K\n",
        "\n",
        " - ",
    ),
    DocumentFormat.REFER: (
        "%0 Journal Article\n%T On mice\n%A Doe, J\n%D 2016\n",
        "%0 ",
        "%0 Book\r\n",
        "%X a\n\nb\n",
        "%",
        "\n",
        "%R 10.1000/x\n",
    ),
    DocumentFormat.WEB_OF_SCIENCE: (
        "PT J\nAU Doe, J\n   Roe, K\nTI On\n   mice\nPY 2016\nER\n",
        "FN Clarivate\nVR 1.0\n",
        "PT J\n",
        "ER\n",
        "EF",
        "TI On cells\r\n",
        "   x\n",
        "DI 10.1000/x\n",
        "\n",
        "PT ",
    ),
    DocumentFormat.TABLE: (
        "Title,Authors,Year,DOI\nOn mice,Doe J,2016,10.1000/x\n",
        "Title;Year\n",
        "TI\tAU\tPY\n",
        "On cells,Roe K,2017,\n",
        '"',
        '""',
        ",",
        ";",
        "\t",
        "\r\n",
        '"a\nb"',
        " ",
    ),
    DocumentFormat.LATEX: (
        "\\bibitem{a} Kober, D. (2016). On mice and men. eLife, 5, 1--9.\n",
        "\\bibitem[{]{b}",
        "\\cite{a}",
        "{",
        "}",
        "%",
        "$",
        "\\begin{thebibliography}",
        "\\end{thebibliography}",
        "\\'e",
        "\\href{http://x.org}{y}",
        "\\url{http://x.org/a%20b}",
        "\\url{",
        "\\verb|%|",
        "\\\\",
        "\\",
        "\n",
        "~",
        "---",
    ),
    DocumentFormat.MARKDOWN: (
        "## References\n",
        "1. Kober DL. On mice and men. eLife 2016;5:1-9.\n",
        "- *Title of it all*, Kober DL, 2016\n",
        "[^1]: x\n",
        "[^1]: Kober DL. On mice and men. eLife 2016.\n",
        "[1]: https://doi.org/10.1/x\n",
        "[^1]",
        "[@k]",
        "::: {#ref-k}\n",
        ":::\n",
        "\n",
        "**",
        "[a](b)",
        "<!--",
        "`",
        "    ",
    ),
    DocumentFormat.TEXT: (
        "References\n",
        "1. Kober DL. On mice and men. eLife 2016;5:1-9.\n",
        "Kober, D. L. (2016). On mice. eLife, 5, 1.\n",
        "\n",
        "[1]",
        "(Kober, 2016)",
        "2. ",
        "\f",
        "\r\n",
        "    ",
        "mi-\ncro",
        "doi:10.1000/x",
        "\u00ad",
        "•  ",
    ),
}


def documents(of: DocumentFormat) -> st.SearchStrategy[str]:
    pieces = st.sampled_from((*PIECES[of], *PIECES[of], *HOSTILE)) | st.text(max_size=5)
    return st.lists(pieces, max_size=14).map("".join)


def read_or_refused(text: str, of: DocumentFormat | None) -> Document | None:
    try:
        return read_document(text, of)
    except Unprocessable as error:
        assert error.errors[0].field == "document"
        return None


def test_a_footnote_inside_a_division_ends_at_its_fence_and_is_one_entry() -> None:
    note = "[^1]: Kober DL. On mice and men. eLife 2016."
    document = read_document(f"::: {{#ref-k}}\n{note}\n::: {{#ref-k}}\n", DocumentFormat.MARKDOWN)
    assert [entry.raw for entry in document.entries] == [note]


@pytest.mark.parametrize("of", PIECES)
@given(data=st.data())
def test_a_document_stays_as_it_is_but_for_what_is_corrected(of: DocumentFormat, data: st.DataObject) -> None:
    text = data.draw(documents(of))
    for format in (of, None):
        document = read_or_refused(text, format)
        if document is None:
            continue
        assert write_document(document, {}).text == document.text == text
        assert all(entry.raw == text[entry.start : entry.end] for entry in document.entries)
        ends = [0, *(entry.end for entry in document.entries)]
        assert all(entry.start >= end for entry, end in zip(document.entries, ends, strict=False))
        outside = [text[a:b] for a, b in zip(ends, [*(it.start for it in document.entries), len(text)], strict=True)]
        written = corrected(document, fields=NEW).text
        if document.entries:
            assert write_document(document, {0: Correction(EntryFields(), "")}).text == text
        for part in outside:
            assert part in written
            written = written.partition(part)[2] if part else written


@pytest.mark.parametrize(
    "format", [DocumentFormat.BIBTEX, DocumentFormat.RIS, DocumentFormat.CSL_JSON, DocumentFormat.JATS]
)
@given(data=st.data())
def test_a_corrected_document_is_read_again_with_its_corrections(format: DocumentFormat, data: st.DataObject) -> None:
    first = PIECES[format][0]
    text = first if format is not DocumentFormat.RIS else "TY  - JOUR\nTI  - x\nER  - \n"
    document = read_document(text, format)
    comment = data.draw(st.sampled_from(HOSTILE) | st.text(max_size=20))
    title = data.draw(
        st.sampled_from(["A {b} \\c & d", "x - y < z", 'He said "no"', "Größe #1_2 ~ 50 %", "TY  - x @a{b"])
    )
    fields = type(NEW)(title=title, year=2001, doi=NEW.doi)
    again = read_document(corrected(document, fields=fields, comment=comment).text, format)
    assert [(it.fields.title, it.fields.year, it.fields.doi) for it in again.entries] == [
        (" ".join(title.split()), 2001, NEW.doi)
    ]


def test_windows_1252_is_read_with_a_warning_and_utf_8_and_utf_16_without() -> None:
    text = "\n".join(vancouver(fact) for fact in cited()) + "\nGröße D. On size. Cell 2016;1:2."
    assert read_document(text.encode("cp1252")).warnings[0].message.startswith("this is not UTF-8")
    for encoding in ("utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"):
        for cut in (None, -1):
            document = read_document(text.encode(encoding)[:cut])
            assert document.warnings == ()
            assert len(document.entries) == len(cited()) + 1
