r"""Corrections in `\bibitem`: what is replaced is replaced whole, in TeX's groups (The TeXbook, chapters 5 and 7)."""

from __future__ import annotations

import re

import pytest

from shared.bibliography.paper import Author
from shared.documents.document import EntryFields
from tests.unit.documents.corpus_documents import corrected, read_unchanged

_BRACE = re.compile(r"\\.|[{}]", re.S)


def is_balanced(text: str) -> bool:
    depth = 0
    for brace in _BRACE.findall(text):
        depth += (brace == "{") - (brace == "}")
        if depth < 0:
            return False
    return not depth


@pytest.mark.parametrize(
    ("printed", "new"),
    [
        ("{Smith}, J. and {Jones}, K. A title of words here. Lancet", "Roe, K. New words. Cell"),
        ("Smith, J. {TREM2} in mice and in {Rats}. {\\em The {Lancet}}", "Roe, K. New words. {\\em Cell}"),
        ("Smith, J. {{TREM2}} in {\\emph{mice}}. \\emph{The {Lancet}}", "Roe, K. New words. \\emph{Cell}"),
        ("Smith, J. {\\em TREM2} in mice and rats. Lancet", "Roe, K. {\\em TREM2} in mice and rats. Cell"),
        ("Smith, J. \\textit{TREM2} in mice and rats. Lancet", "Roe, K. \\textit{TREM2} in mice and rats. Cell"),
    ],
)
def test_no_brace_loses_its_partner_where_fields_are_replaced(printed: str, new: str) -> None:
    document = read_unchanged(f"\\bibitem{{a}} {printed} 5 (2019) 1--2.")
    fields = EntryFields(title="New words", authors=(Author(family="Roe", given="Kim"),), journal="Cell")
    written = corrected(document, fields=fields, comment="")
    assert written.text == f"\\bibitem{{a}} {new} 5 (2019) 1--2."
    assert is_balanced(written.text)
    assert written.not_placed == ({} if "New words" in new else {0: ("title",)})
