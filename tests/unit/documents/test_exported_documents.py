"""What databases and reference managers export as a whole file, in the formats that no citation standard defines."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import pytest

from infra.local.sandbox.facts import Fact
from shared.bibliography.journals import JournalMatch, compare_journals
from shared.documents.document import READ_ONLY, DocumentFormat, EntryFields
from shared.documents.reading import read_document
from shared.errors import Unprocessable
from tests.unit.documents.corpus_documents import cited, corrected, names, read_unchanged
from tests.unit.documents.exported_documents import TABLES, endnote, nbib, pubmed, refer, table, web_of_science

Writer = Callable[[Sequence[Fact], Sequence[int]], str]
EXPORTS: dict[str, tuple[Writer, DocumentFormat]] = {
    "EndNote": (endnote, DocumentFormat.ENDNOTE_XML),
    "PubMed's abstracts": (pubmed, DocumentFormat.PUBMED),
    "PubMed's .nbib": (nbib, DocumentFormat.NBIB),
    "EndNote's .enw": (refer, DocumentFormat.REFER),
    "Web of Science": (web_of_science, DocumentFormat.WEB_OF_SCIENCE),
    **{f"table, {like}": (partial(table, like=like), DocumentFormat.TABLE) for like in TABLES},
    "semicolons": (partial(table, like="zotero", separator=";"), DocumentFormat.TABLE),
    "tabs": (partial(table, like="scopus", separator="\t", end="\n"), DocumentFormat.TABLE),
}
YEARS = [int(fact.year or 0) for fact in cited()]


@pytest.mark.parametrize("name", EXPORTS)
@pytest.mark.parametrize("change", [str, lambda text: "\ufeff" + text, lambda text: text.replace("\n", "\r\n")])
def test_every_paper_of_an_export_is_read_with_its_fields(name: str, change: Callable[[str], str]) -> None:
    write, format = EXPORTS[name]
    document = read_unchanged(change(write(cited(), YEARS).replace("\r\n", "\n")))
    assert document.format is format
    assert len(document.entries) == len(cited())
    for entry, fact in zip(document.entries, cited(), strict=True):
        stated = entry.fields
        assert entry.is_tagged
        assert (stated.title, stated.year, stated.volume) == (fact.title, fact.year, fact.volume)
        assert stated.doi == str(fact.doi).lower()
        assert [it.family for it in stated.authors] == [family for family, _ in names(fact)]
        assert compare_journals(str(stated.journal), str(fact.journal)) is JournalMatch.SAME
        assert str(stated.pages).partition("-")[0] == str(fact.pages).partition("-")[0]


@pytest.mark.parametrize("name", EXPORTS)
def test_nothing_is_written_into_an_export_and_the_first_warning_says_so(name: str) -> None:
    document = read_document(EXPORTS[name][0](cited(), YEARS))
    assert document.warnings[0].message.startswith("corrections are not written into a document of this format")
    written = corrected(document, fields=EntryFields(year=2001, doi="10.1000/new"))
    assert (written.text, written.format) == (document.text, document.format)
    assert written.not_placed == {entry.number: ("year", "doi") for entry in document.entries}


@pytest.mark.parametrize("name", EXPORTS)
def test_an_export_that_breaks_off_has_its_first_papers(name: str) -> None:
    text = EXPORTS[name][0](cited(), YEARS)
    for length in range(0, len(text), len(text) // 40):
        try:
            document = read_document(text[:length], EXPORTS[name][1])
        except Unprocessable:
            continue
        assert [it.fields.doi for it in document.entries[:-1]] == [
            str(fact.doi).lower() for fact in cited()[: len(document.entries) - 1]
        ]


@pytest.mark.parametrize("format", sorted(READ_ONLY))
def test_a_text_of_another_format_is_refused_with_what_is_expected(format: DocumentFormat) -> None:
    with pytest.raises(Unprocessable, match=r"^document: (?:has no .*(?:expected|begins with|recognised)|is not)"):
        read_document("TY  - JOUR\nTI  - One\nER  - \n", format)
