"""Hostile documents are refused, or read in a time in proportion to their length."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from shared.documents.bounds import MAX_ENTRIES, MAX_TEXT_CHARS
from shared.documents.document import DocumentFormat
from shared.documents.reading import read_document
from shared.errors import Unprocessable
from tests.growth import MOST, growth
from tests.unit.documents.corpus_documents import cited, vancouver

REFERENCE = "1. Kober DL. On mice and men. eLife 2016;5:1-9.\n"
ATTACKS: dict[str, Callable[[int], str]] = {
    "entries of BibTeX": lambda n: "@article{k, title={a}, author={B, C}}\n" * (n // 40),
    "broken entries of BibTeX": lambda n: "@article{k,\n" * (n // 40) + "@a{b}",
    "quotation marks in BibTeX": lambda n: "@article{k, title=" + '"' * n + "}\n@a{b}",
    "joined values in BibTeX": lambda n: "@article{k, title={a}" + " # {b}" * (n // 6) + "}",
    "strings in BibTeX": lambda n: "@string{a = a" + " # a" * (n // 8) + "}@a{b, title=a" + " # a" * (n // 8) + "}",
    "tags of RIS": lambda n: "TY  - JOUR\n" + "AU  - a\n" * (n // 8) + "ER  - \n",
    "blanks in RIS": lambda n: "TY  - JOUR\nTI" + " " * n + "\nER  - \n",
    "strings of JSON": lambda n: '[{"title": "' + '\\"' * (n // 2) + '"}]',
    "open strings of JSON": lambda n: '[{"title": "' + '"' * n,
    "elements of JATS": lambda n: (
        "<ref-list>" + "<ref><mixed-citation>é 2016</mixed-citation></ref>" * (n // 50) + "</ref-list>"
    ),
    "attributes of JATS": lambda n: (
        "<ref-list><ref a='" + ">" * n + "'><mixed-citation>x 2016</mixed-citation></ref></ref-list>"
    ),
    "elements of EndNote": lambda n: (
        "<xml><records><record>" + "<titles>é<title/></titles>" * (n // 26) + "</record></records></xml>"
    ),
    "records of PubMed": lambda n: "1. A. 2016.\n\nB\n\nPMID: 1\n\n" + "2. A. 2016.\n\nPMID: 1\n\n" * (n // 24),
    "names in PubMed": lambda n: "1. A. 2016.\n\nB\n\n" + "C D(1), " * (n // 8) + "\n\nPMID: 1\n",
    "source in PubMed": lambda n: "1. A" + "a" * 300 + ". 2016" * (n // 6) + "\n\nB\n\nPMID: 1\n",
    "lines of Web of Science": lambda n: "PT J\nTI a\n" + "   a\n" * (n // 10) + "AU b\n" * (n // 10) + "ER\n",
    "records of Web of Science": lambda n: "PT J\nTI a\n" * 1_999 + "X\n" * (n // 2),
    "lines of .nbib": lambda n: "PMID- 1\nTI  - a\n" + "      a\n" * (n // 16) + "AU  - b\n" * (n // 16),
    "lines of .enw": lambda n: "%0 a\n%T a\n" + "\n" * (n // 2) + "%A b\n" * (n // 10),
    "cells of a table": lambda n: "Title,Year\na" + ",b" * (n // 2),
    "columns of a table": lambda n: "Title,Year" + ",b" * 9_000 + "\na" + ",b" * (n // 2),
    "quotation marks of a table": lambda n: "Title,Year\n" + '"' * n,
    "open cells of a table": lambda n: "Title,Year\n" + '"a""b,' * (n // 7) + "\n" + '"a,""b' * (n // 7),
    "blank lines of a table": lambda n: " \n" * (n // 2) + "Title,Year\na,2016\n",
    "blank rows of a table": lambda n: "Title,Year\n" + ",\n" * (n // 2) + "a,2016\n",
    "commands of LaTeX": lambda n: "\\bibitem{a} " + "\\'e{" * (n // 8) + "}" * (n // 8),
    "brackets of LaTeX": lambda n: "\\bibitem{a} x 2016 " + "\\cite[" * (n // 6) + "\\bibitem[" * (n // 12),
    "addresses of LaTeX": lambda n: "\\bibitem{a} x 2016 " + "\\url{%\n" * (n // 7) + "\\url{{}" * (n // 14),
    "comments of Markdown": lambda n: f"# References\n{REFERENCE}" + "<!--" * (n // 4),
    "links of Markdown": lambda n: f"# References\n{REFERENCE}" + "[a](" * (n // 4),
    "names in a text": lambda n: "(Kober 2016; " * (n // 13) + f"\nReferences\n{REFERENCE}",
    "names without years": lambda n: "Kober and Brett, " * (n // 17) + f"\nReferences\n{REFERENCE}",
    "figures in a text": lambda n: "[1, 2, " * (n // 7) + f"\nReferences\n{REFERENCE}",
    "keys in a text": lambda n: "[@a; " * (n // 5) + f"\nReferences\n{REFERENCE}",
    "blanks in a text": lambda n: " " * n + f"\nReferences\n{REFERENCE}",
    "lines of a text": lambda n: f"References\n{REFERENCE}" + "-\n" * (n // 8),
    "hyphens in a text": lambda n: f"References\n{REFERENCE}" + "a-\n" * (n // 8),
    "headings": lambda n: "References\n" * (n // 11) + REFERENCE,
}


def read_or_refuse(text: str) -> object:
    try:
        return read_document(text)
    except Unprocessable:
        return None


@pytest.mark.slow
@pytest.mark.parametrize("attack", ATTACKS)
def test_reading_is_linear(attack: str) -> None:
    make = ATTACKS[attack]
    assert growth(lambda size: read_or_refuse(make(size)), 80_000) < MOST


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (" \n", "is empty"),
        ("a" * (MAX_TEXT_CHARS + 1), "has more than 2,000,000 characters"),
        ("@book{b, title={c}}\n" * (MAX_ENTRIES + 1), "has more than 2,000 references"),
        ("@book{b, title=" + "{" * 200 + "}" * 200 + "}", "has braces nested more than 100 deep"),
        ("TY  - JOUR\nER  - \n" * (MAX_ENTRIES + 1), "has more than 2,000 references"),
        ("[" + ", ".join(["{}"] * (MAX_ENTRIES + 1)) + "]", "has more than 2,000 references"),
        ('[{"a": ' + "[" * 200, "has brackets nested more than 100 deep"),
        ("<xml><records>" + "<record/>" * (MAX_ENTRIES + 1) + "</records></xml>", "has more than 2,000 references"),
        ("PT J\nTI a\nER\n" * (MAX_ENTRIES + 1), "has more than 2,000 references"),
        ("Title,Year\n" + "a,2016\n" * (MAX_ENTRIES + 1), "has more than 2,000 references"),
        ("\\bibitem{a} x\n" * (MAX_ENTRIES + 1), "has more than 2,000 references"),
        ("References\n" + "\n" * 100_001, "has more than 100,000 lines"),
    ],
)
def test_a_document_beyond_a_bound_is_refused_with_the_bound(text: str, reason: str) -> None:
    with pytest.raises(Unprocessable, match=f"^document: {reason}") as raised:
        read_document(text)
    assert raised.value.errors[0].field == "document"


def test_too_many_printed_references_are_refused() -> None:
    lines = "\n".join(f"{number}. {vancouver(cited()[number % 5])}" for number in range(1, MAX_ENTRIES + 2))
    with pytest.raises(Unprocessable, match="has more than 2,000 references"):
        read_document(f"References\n{lines}")


def test_text_as_docx_is_refused() -> None:
    with pytest.raises(Unprocessable, match="is text, not the bytes"):
        read_document("References", DocumentFormat.DOCX)
