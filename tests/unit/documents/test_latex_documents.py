from __future__ import annotations

import re

import pytest
from TexSoup import TexSoup

from shared.documents.document import DocumentFormat, EntryFields
from shared.errors import Unprocessable
from tests.unit.documents.corpus_documents import NEW, apa, cited, corrected, names, read_unchanged

_ESCAPED = re.compile(r"\\([&%_#$])")
ACCENTS = r"""\documentclass{article}
\begin{document}
Shown \cite{kober, none} and \citep[see][p.~3]{muller}. % not \cite{commented}
\begin{thebibliography}{9}
\bibitem{kober} D.~L. Kober and T.~J. Brett.
  \newblock Neurodegenerative disease mutations in {TREM2} reveal a functional % a comment
  surface.
  \newblock {\em eLife}, 5:e20391, 2016.
\bibitem[M\"uller(2018)]{muller}
M{\"u}ller, J., \& Caf\'e, R. (2018). TREM2---a key player in microglial biology. \textit{Nature Reviews Neurology},
\textbf{14}(11), 667--675. \url{https://doi.org/10.1038/s41582-018-0072-1}
\end{thebibliography}
\end{document}
"""


def article() -> str:
    items = "\n".join(
        f"\\bibitem{{key{number}}}\n{apa(fact).replace('&', chr(92) + '&').replace('%', chr(92) + '%')}"
        for number, fact in enumerate(cited())
    )
    cites = ",".join(f"key{number}" for number in range(1, len(cited())))
    return (
        f"\\documentclass{{article}}\\begin{{document}}As shown \\cite{{{cites}}}.\n"
        f"\\begin{{thebibliography}}{{99}}\n{items}\n\\end{{thebibliography}}\\end{{document}}\n"
    )


def theirs(text: str) -> list[str]:
    """The items of a bibliography as TexSoup parses them, which the service does not use."""
    items: list[str] = []
    for part in TexSoup(text).find("thebibliography").contents:
        if getattr(part, "name", None) == "bibitem":
            items.append("")
        elif items and not str(part).startswith("%"):  # before the first: the widest label
            items[-1] += _ESCAPED.sub(r"\1", str(part))
    return [" ".join(item.split()) for item in items]


def test_items_with_accents_commands_and_comments_are_read() -> None:
    document = read_unchanged(ACCENTS)
    kober, muller = document.entries
    assert document.format is DocumentFormat.LATEX
    assert (kober.label, kober.fields.title) == (
        "kober",
        "Neurodegenerative disease mutations in TREM2 reveal a functional surface",
    )
    assert [author.family for author in kober.fields.authors] == ["Kober", "Brett"]
    assert [author.family for author in muller.fields.authors] == ["Müller", "Café"]
    assert (muller.fields.title, muller.fields.pages) == ("TREM2—a key player in microglial biology", "667-675")
    assert muller.fields.doi == "10.1038/s41582-018-0072-1"


def test_citations_name_their_items_and_comments_cite_nothing() -> None:
    document = read_unchanged(ACCENTS)
    assert [(it.entries, it.missing) for it in document.citations] == [((0,), ("none",)), ((1,), ())]
    assert document.uncited == ()
    assert read_unchanged(article()).uncited == (0,)
    assert read_unchanged(article().replace("As shown", "\\nocite{*}")).uncited == ()


def test_texsoup_reads_the_corrected_items() -> None:
    document = read_unchanged(article())
    assert [entry.fields.title for entry in document.entries] == [fact.title for fact in cited()]
    written = corrected(document, fields=EntryFields(year=2001, doi="10.1000/new_1"), comment="was 50 % {wrong\n\\end")
    assert "% checked: was 50 %" in written.text
    items = theirs(written.text)
    assert len(items) == len(cited())
    for item, fact in zip(items, cited(), strict=True):
        assert fact.title in item
        assert "(2001)" in item
        assert item.endswith("https://doi.org/10.1000/new_1")
        assert "wrong" not in item
        assert names(fact)[0][0] in item


def test_a_correction_keeps_commands_and_the_style_of_names() -> None:
    written = corrected(read_unchanged(ACCENTS), fields=NEW, comment="x").text
    assert r"{\em Journal of Tests}, 77:12--19, 2001. https://doi.org/10.1000/new\_1" in written
    assert r"Müller, A. B., \& The TREM2 Group (2001). A title \& more of 100 \%. \textit{Journal of Tests}" in written
    assert r"\url{https://doi.org/10.1000/new_1}" in written
    assert "% checked: x\n\\bibitem[M" in written
    assert [len(theirs(text)) for text in (ACCENTS, written)] == [2, 2]


def test_a_text_without_items_names_the_file_that_has_them() -> None:
    with pytest.raises(Unprocessable, match=r"its references are in the file refs: send that"):
        read_unchanged("\\documentclass{article}\\begin{document}\\cite{a}\\bibliography{refs}\\end{document}")


def test_a_corrected_text_can_be_corrected_again() -> None:
    first = corrected(read_unchanged(ACCENTS), comment="first").text
    document = read_unchanged(first)
    assert [entry.line for entry in document.entries] == [
        entry.line.replace("2016", "2001").replace("(2018)", "(2001)") for entry in read_unchanged(ACCENTS).entries
    ]
    second = corrected(document, fields=EntryFields(pmid="123"), comment="second").text
    assert "2001. PMID: 123\n% checked: first\n% checked: second\n\\bibitem[M" in second


def test_a_key_with_braces_names_its_entry() -> None:
    item = r"\bibitem{g{\"o}del} K. Gödel. Über formal unentscheidbare Sätze. Monatshefte 38 (1931) 173--198."
    document = read_unchanged(
        rf"As shown \cite{{g{{\"o}}del}}. \begin{{thebibliography}}{{9}}{item}\end{{thebibliography}}"
    )
    assert [entry.label for entry in document.entries] == [r"g{\"o}del"]
    assert (document.uncited, document.without_entry, document.warnings) == ((), (), ())


def test_an_item_without_a_key_is_reported() -> None:
    items = "\\bibitem{a} A. First. A first paper on microglia. Nature 2011.\n\\bibitem B. Second. Cell 2012.\n"
    document = read_unchanged(f"\\begin{{thebibliography}}{{9}}{items}\\end{{thebibliography}}")
    assert [entry.label for entry in document.entries] == ["a"]
    assert [(it.message, it.offset) for it in document.warnings] == [
        ("this \\bibitem has no key that can be read; it is not checked", document.text.index("\\bibitem B"))
    ]


def test_a_percent_sign_behind_a_line_break_begins_a_comment() -> None:
    items = "\\bibitem{a} A. First. A paper on microglia. Nature 2011. \\\\% \\bibitem{old} Old A. Old. Cell 2001.\n"
    document = read_unchanged(f"\\begin{{thebibliography}}{{9}}{items}\\end{{thebibliography}}")
    assert [entry.label for entry in document.entries] == ["a"]
    assert document.entries[0].line == "A. First. A paper on microglia. Nature 2011."


@pytest.mark.parametrize(
    "address",
    [r"\url{https://e.org/a%20b}", r"\href{https://e.org/a%20b}{a link}", r"\path{a%b}", r"\url|https://e.org/a%20b|",
     r"\href[page=2]{https://e.org/a%20b}{a link}", r"\burl{https://e.org/a%20b}"],
)  # fmt: skip
def test_an_address_with_percent_signs_stays_and_a_doi_is_added_behind_it(address: str) -> None:
    item = rf"\bibitem{{a}} Zhao N. A long title. {address} J Exp Med. 2022."
    document = read_unchanged(item)
    assert (document.entries[0].raw, document.entries[0].fields.year) == (item, 2022)
    written = corrected(document, fields=EntryFields(doi="10.1000/new_1"), comment="").text
    assert written == rf"{item} https://doi.org/10.1000/new\_1"


SICI = "https://doi.org/10.1002/(SICI)1097-4679(199701)53:1%3C3::AID-JCLP2%3E3.0.CO;2-A"


in_addresses = pytest.mark.parametrize(
    "address", [rf"\url{{{SICI}}}", rf"\href{{{SICI}}}{{a link}}", rf"\doi{{{SICI[16:]}}}"]
)


@in_addresses
def test_a_doi_with_percent_signs_is_read_from_its_address(address: str) -> None:
    document = read_unchanged(rf"\bibitem{{a}} Zhao N. A long title. J Exp Med. 2022. {address}.")
    assert document.entries[0].fields.doi == "10.1002/(sici)1097-4679(199701)53:1<3::aid-jclp2>3.0.co;2-a"


@in_addresses
def test_an_address_whose_doi_is_right_stays_as_it_is(address: str) -> None:
    document = read_unchanged(rf"\bibitem{{a}} Zhao N. A long title. J Exp Med. 2022. {address}.")
    written = corrected(document, fields=EntryFields(year=2001, doi=document.entries[0].fields.doi), comment="").text
    assert written == document.text.replace("2022", "2001")


@pytest.mark.parametrize(
    ("address", "new"),
    [
        (rf"\url{{{SICI}}}", r"\url{https://doi.org/10.1000/new_1}"),
        (rf"\href{{{SICI}}}{{a link}}", r"\href{https://doi.org/10.1000/new_1}{a link}"),
        (rf"\doi{{{SICI[16:]}}}", r"\doi{10.1000/new_1}"),
        (r"\doi{10.1000/182}", r"\doi{10.1000/new_1}"),
    ],
)
def test_a_wrong_doi_is_replaced_within_its_command(address: str, new: str) -> None:
    document = read_unchanged(rf"\bibitem{{a}} Zhao N. A long title. J Exp Med. 2022. {address}.")
    written = corrected(document, fields=EntryFields(doi="10.1000/new_1"), comment="").text
    assert written == document.text.replace(address, new)


def test_an_id_in_a_comment_is_not_the_entrys() -> None:
    document = read_unchanged("\\bibitem{a} Zhao N. A long title. % was doi:10.1000/182\nJ Exp Med. 2022.")
    written = corrected(document, fields=EntryFields(doi="10.1000/new_1"), comment="").text
    assert written == rf"{document.text} https://doi.org/10.1000/new\_1"


@pytest.mark.parametrize("environment", ["verbatim", "verbatim*", "lstlisting"])
def test_code_names_no_reference_and_hides_none(environment: str) -> None:
    code = f"\\begin{{{environment}}}\n\\cite{{x}} \\bibitem{{x}} 100% \\end{{{environment}}}"
    text = f"{code} As in \\cite{{a}}, not \\verb|\\cite{{y}}|.\n\\bibitem{{a}} Zhao N. A long title. J Exp Med. 2022."
    document = read_unchanged(text)
    assert [entry.label for entry in document.entries] == ["a"]
    assert [(it.entries, it.missing) for it in document.citations] == [((0,), ())]
