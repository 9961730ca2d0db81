from __future__ import annotations

import pytest
import rispy

from shared.bibliography.paper import Author
from shared.documents.document import DocumentFormat, EntryFields
from tests.unit.documents.corpus_documents import NEW, cited, corrected, names, read_unchanged


def records(end: str) -> str:
    lines: list[str] = []
    for fact in cited():
        first, _, last = str(fact.pages).partition("-")
        lines += ["TY  - JOUR", *(f"AU  - {family}, {given}" for family, given in names(fact)), f"TI  - {fact.title}"]
        lines += [f"T2  - {fact.journal}", f"JO  - {fact.journal}", f"PY  - {fact.year}", f"DA  - {fact.year}/02/03/"]
        lines += [f"VL  - {fact.volume}", f"SP  - {first}", *([f"EP  - {last}"] if last else []), f"DO  - {fact.doi}"]
        lines += ["AN  - 12345678", "ER  - ", ""]
    return end.join(lines)


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_rispy_reads_the_same_fields(end: str) -> None:
    document = read_unchanged(records(end))
    theirs = rispy.loads(records("\n"))
    assert document.format is DocumentFormat.RIS
    assert len(theirs) == len(document.entries) == len(cited())
    for entry, other in zip(document.entries, theirs, strict=True):
        assert entry.fields.title == other["title"]
        assert str(entry.fields.year) == other["year"]
        assert [f"{it.family}, {it.given}" for it in entry.fields.authors] == other["authors"]
        assert entry.fields.pages == "-".join(filter(None, [other["start_page"], other.get("end_page")]))
        assert (entry.fields.doi, entry.fields.pmid) == (other["doi"].lower(), "12345678")


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_corrections_are_read_by_rispy(end: str) -> None:
    written = corrected(read_unchanged(records(end)), fields=NEW, comment="first\r\nER  - \r\nTY  - JOUR")
    theirs = rispy.loads(written.text.replace("\r\n", "\n"))
    assert len(theirs) == len(cited())
    assert ("\r\n" in written.text) is (end == "\r\n")
    assert written.text.count("\n") == written.text.count(end)
    for other in theirs:
        assert other["title"] == NEW.title
        assert other["authors"] == ["Müller, Anna B", "The TREM2 Group"]
        assert (other["year"], other["date"]) == ("2001", "2001/02/03/")
        assert (other["secondary_title"], other["journal_name"]) == (NEW.journal, NEW.journal)
        assert (other["start_page"], other["end_page"], other["number"]) == ("12", "19", "3")
        assert (other["doi"], other["notes"]) == (NEW.doi, ["checked: first ER - TY - JOUR"])


def test_a_correction_changes_its_value_alone() -> None:
    text = "TY  - BOOK\nA1  - Doe, Jane, Jr.\nT1  - One\nY1  - 1999//\nN1  - my note\nER  - \n"
    document = read_unchanged(text)
    assert document.entries[0].fields.authors == (Author(family="Doe Jr.", given="Jane"),)
    expected = text.replace("1999", "2001").replace("ER  -", "N1  - checked: the year was wrong\nER  -")
    assert corrected(document).text == expected


def test_a_record_without_its_end_is_read_with_a_warning() -> None:
    document = read_unchanged("TY  - JOUR\nTI  - One\nTY  - JOUR\nTI  - Two")
    assert [entry.fields.title for entry in document.entries] == ["One", "Two"]
    assert len(document.warnings) == 2
    written = corrected(document, fields=EntryFields(volume="7"))
    assert [
        record["volume"] for record in rispy.loads(written.text.replace("\nTY", "\nER  - \nTY") + "\nER  - \n")
    ] == ["7", "7"]


def test_a_value_that_goes_on_in_the_next_line_is_one_value() -> None:
    text = "TY  - JOUR\nTI  - On mice\n      and microglia\nPY  - 1999\nER  - \n"
    document = read_unchanged(text)
    assert document.entries[0].fields.title == "On mice and microglia"
    written = corrected(document, fields=EntryFields(title="New"), comment="").text
    assert written == text.replace("On mice\n      and microglia", "New")


def test_the_line_of_a_record_names_each_author_once() -> None:
    (entry,) = read_unchanged("TY  - JOUR\nAU  - Jumper, John\nTI  - AlphaFold\nPY  - 2021\nER  - \n").entries
    assert entry.line == "Jumper, John AlphaFold 2021"


RECORD = "TY  - JOUR\nTI  - A good title, number {0}\nAU  - Roe, Kim\nPY  - 2016\nER  - \n"


@pytest.mark.parametrize(
    "record",
    [
        "TI  - A title with an error\nAU  - Doe, J\nPY  - 2015\nER  - \n",
        "  TY  - JOUR\n  TI  - A title with an error\n  PY  - 2015\n  ER  - \n",
        "TY  - JOUR\nTI  - A title with an error\nPY  - 2015\n",
    ],
    ids=["no beginning", "indented", "no end"],
)
def test_a_record_with_an_error_is_read(record: str) -> None:
    document = read_unchanged(RECORD.format(1) + record + RECORD.format(2))
    assert [entry.fields.year for entry in document.entries] == [2016, 2015, 2016]
    assert document.entries[1].fields.title == "A title with an error"


def test_text_in_no_record_is_reported() -> None:
    lost = "ty  - jour\nti  - A title with an error\ner  - \n"
    document = read_unchanged(RECORD.format(1) + lost + RECORD.format(2))
    assert len(document.entries) == 2
    assert [warning.offset for warning in document.warnings] == [document.text.index(lost)]


@pytest.mark.parametrize(
    ("lines", "pmid"),
    [
        ("AN  - 12345678", "12345678"),
        ("AN  - 12345678\nDP  - NLM", "12345678"),
        ("AN  - 12345678\nDB  - Ovid MEDLINE(R)", "12345678"),
        ("AN  - 12345678\nDP  - EBSCOhost\nDB  - cmedm", "12345678"),
        ("AN  - 12345678\nDP  - EBSCOhost\nDB  - asn", None),
        ("AN  - 12345678\nDB  - Embase\nN1  - PMID: 123", "123"),
        ("VL  - 5\nPMID  - 12345678", "12345678"),
    ],
)
def test_an_accession_number_is_a_pmid_unless_another_database_is_named(lines: str, pmid: str | None) -> None:
    (entry,) = read_unchanged(f"TY  - JOUR\nTI  - On mice\n{lines}\nER  - \n").entries
    assert (entry.fields.pmid, entry.fields.volume) == (pmid, "5" if "VL" in lines else None)


def test_a_name_without_a_comma_has_its_initials_last_or_first() -> None:
    people = ["Doe J.", "van der Roe K.A.", "Poe AB", "M. Moe", "The Mouse Group"]
    lines = "".join(f"A1  - {name}\n" for name in people)
    (entry,) = read_unchanged(f"TY  - JOUR\nTI  - On mice\n{lines}ER  - \n").entries
    assert [it.family or it.name for it in entry.fields.authors] == [
        "Doe",
        "van der Roe",
        "Poe",
        "Moe",
        "The Mouse Group",
    ]


def test_the_numbers_that_ovid_writes_between_records_are_no_lost_text() -> None:
    document = read_unchanged("".join(f"{number}. \n{RECORD.format(number)}\n" for number in range(1, 4)))
    assert (len(document.entries), document.warnings) == (3, ())


MARKED = "<i>In vivo</i> of CO<sub>2</sub> &amp; a &lt; b"


@pytest.mark.parametrize(
    "text",
    [
        f"TY  - JOUR\nTI  - {MARKED}\nT2  - Mice &amp; Men\nER  - \n",
        f'[{{"id": "a", "title": "{MARKED}", "container-title": "Mice &amp; Men"}}]',
        f"@article{{a, title={{{MARKED}}}, journal={{Mice &amp; Men}}}}",
    ],
)
def test_the_markup_of_a_title_is_none_of_its_words(text: str) -> None:
    (entry,) = read_unchanged(text).entries
    assert (entry.fields.title, entry.fields.journal) == ("In vivo of CO2 & a < b", "Mice & Men")
