r"""Corrections in `\bibitem`: what is replaced is replaced whole, in TeX's groups (The TeXbook, chapters 5 and 7).

What a DOI in an address is, is from RFC 3986 and the manuals of url, hyperref and doi (ctan.org).
"""

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


ENCODED = r"https://doi.org/10.1016/S0140-6736\%2805\%2967889-0"
PLACED = [
    (rf"\url{{{ENCODED}}}", r"\url{https://doi.org/10.1000/new_1}"),
    (rf"\href{{{ENCODED}}}{{a link}}", r"\href{https://doi.org/10.1000/new_1}{a link}"),
    (r"\href[page=2]{https://doi.org/10.1007/abc}{a link}", r"\href[page=2]{https://doi.org/10.1000/new_1}{a link}"),
    (r"\href{https://doi.org/10.1007/a\_b}{10.1007/a\_b}", r"\href{https://doi.org/10.1000/new_1}{10.1000/new\_1}"),
    (r"\doi{10.1007/abc{-}def}", r"\doi{10.1000/new_1}"),
    (r"\doi{{10.1007}/abc{d}}", r"\doi{10.1000/new_1}"),
    (r"\doi{10.1101/2020.01.02.123456v2}", r"\doi{10.1000/new_1}"),
    (r"\verb|10.1000/old%20|", r"\verb|10.1000/new_1|"),
    (r"\url|https://doi.org/10.1007/a%28b%29|", r"\url|https://doi.org/10.1000/new_1|"),
    ("\\url{https://doi.org/10.1007/%\nabc}", r"\url{https://doi.org/10.1000/new_1}"),
    (r"doi:10.1007/\allowbreak abc", r"doi:10.1000/new\_1"),
    (r"doi: 10.1007/abc\textunderscore{}def", r"doi: 10.1000/new\_1"),
    ("doi:10.1007/% not a part\n  abc.", r"doi:10.1000/new\_1."),
]  # fmt: skip


def item(printed: str) -> str:
    return f"\\bibitem{{a}} Smith, J. A title of words here. Lancet 5 (2019) 1--2. {printed}"


@pytest.mark.parametrize(("printed", "new"), PLACED)
def test_a_printed_doi_is_replaced_whole(printed: str, new: str) -> None:
    written = corrected(read_unchanged(item(printed)), fields=EntryFields(doi="10.1000/new_1"), comment="")
    assert written.text == item(new)
    assert written.not_placed == {}
    assert read_unchanged(written.text).entries[0].fields.doi == "10.1000/new_1"


@pytest.mark.parametrize(
    "printed",
    [r"doi:\,10.1007/abc--def", r"\doi{10.1002/x%3C1%3E2}", r"doi: \emph{10.1007}/abc", r"doi: {\tt 10.1007}/abc"],
)
def test_a_doi_of_which_a_rest_would_stay_is_named_as_not_placed(printed: str) -> None:
    written = corrected(read_unchanged(item(printed)), fields=EntryFields(doi="10.1000/new_1"), comment="wrong")
    assert written.text == f"% checked: wrong; doi: 10.1000/new_1\n{item(printed)}"
    assert written.not_placed == {0: ("doi",)}


@pytest.mark.parametrize("printed", ["doi: 10.1007/abc", r"\url{https://doi.org/10.1007/abc}", r"\doi{10.1007/abc}"])
@pytest.mark.parametrize("new", ["10.1000/x;1-y", "10.1000/x,y"])
def test_a_doi_of_which_only_a_part_would_be_read_again_is_named_as_not_placed(printed: str, new: str) -> None:
    written = corrected(read_unchanged(item(printed)), fields=EntryFields(doi=new), comment="wrong")
    assert written.text == f"% checked: wrong; doi: {new}\n{item(printed)}"
    assert written.not_placed == {0: ("doi",)}


def test_the_version_of_an_arxiv_id_goes_with_it() -> None:
    document = read_unchanged(item("arXiv:1706.03762v5 [cs.CL]"))
    written = corrected(document, fields=EntryFields(arxiv="1409.3215"), comment="").text
    assert written == item("arXiv:1409.3215 [cs.CL]")
