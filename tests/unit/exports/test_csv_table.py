"""The table as the csv module reads it, and what a spreadsheet would make of its cells."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.answers.search import StoredPaper
from shared.exports.csv_table import COLUMNS, csv_table
from shared.exports.spreadsheet_cells import safe_cell
from tests.unit.exports.exported_results import HOSTILE, corpus_results, result, results, retracted


def read(text: str, delimiter: str = ",") -> list[dict[str, str]]:
    """The rows, sent through bytes as a file is."""
    plain = text.encode("utf-8").decode("utf-8-sig")
    rows = list(csv.reader(io.StringIO(plain, newline=""), delimiter=delimiter, strict=True))
    return [dict(zip(rows[0], row, strict=True)) for row in rows[1:]]


def test_a_paper_is_a_row() -> None:
    (row,) = read(csv_table([result()]))
    assert tuple(row) == COLUMNS
    assert row == {
        "citation_key": "ulland2017microglia", "key": "doi:10.1000/x", "title": "Microglia need TREM2",
        "authors": "Tyler K Ulland; Marco Colonna", "author_count": "2", "year": "2017",
        "publication_date": "2017-08-10", "journal": "Cell", "volume": "170", "issue": "4", "pages": "649-63",
        "type": "journal-article", "language": "en", "doi": "10.1000/x", "pmid": "28802038", "pmcid": "PMC5722467",
        "arxiv": "", "citation_count": "12", "is_oa": "yes", "oa_url": "https://example.org/x.pdf",
        "retraction": "none", "url": "https://doi.org/10.1000/x", "abstract": "Cells & energy.",
    }  # fmt: skip


def test_excel_gets_a_byte_order_mark_and_line_breaks_stay_in_their_cells() -> None:
    text = csv_table([result(title="one\ntwo\r\nthree")])
    assert text.encode().startswith(b"\xef\xbb\xbf")
    assert read(text)[0]["title"] == "one\ntwo\r\nthree"


@pytest.mark.parametrize(
    "text", ["=cmd|' /C calc'!A0", "+1", "-1", "@SUM(A1)", "\tx", "\rx", "＝1+1", "＋1", "－1", "＠x"]
)
def test_a_cell_that_would_be_calculated_begins_with_an_apostrophe(text: str) -> None:
    row = read(csv_table([result(title=text, journal=text, authors=[text])]))[0]
    assert row["title"] == row["journal"] == row["authors"] == f"'{text}"


@pytest.mark.parametrize(
    ("text", "cell"), [("  =1", "  '=1"), ("\t=1", "'\t'=1"), ("a; -1", "a; '-1"), ("a\n@b", "a\n'@b")]
)
def test_formulas_behind_leading_blanks_and_signs_are_escaped(text: str, cell: str) -> None:
    assert safe_cell(text) == cell


@pytest.mark.parametrize("sign", "=+-@＝＋－＠﹦﹢﹣﹫")
def test_a_sign_of_a_formula_is_escaped_in_its_usual_wide_and_small_form(sign: str) -> None:
    assert safe_cell(f"{sign}1+1") == f"'{sign}1+1"


@pytest.mark.parametrize("text", ["a=b", "1-2", "TREM2+ cells", "", "'quoted'"])
def test_other_cells_stay_as_they_are(text: str) -> None:
    assert safe_cell(text) == text


def test_no_cell_holds_what_utf_8_cannot_write_or_readers_stop_at() -> None:
    assert safe_cell("a\0b\ud83dc") == "abc"


def test_numbers_stay_numbers_and_nothing_known_is_an_empty_cell() -> None:
    (row,) = read(csv_table([result(citation_count=0, year=None, abstract=None, open_access={"is_oa": None})]))
    assert (row["citation_count"], row["year"], row["abstract"], row["is_oa"]) == ("0", "", "", "")


@pytest.mark.parametrize("text", HOSTILE)
def test_no_text_can_leave_its_cell(text: str) -> None:
    rows = read(csv_table([result(title=f"a;{text};b,{text}"), result(key="other")]))
    assert [len(row) for row in rows] == [len(COLUMNS)] * 2


@pytest.mark.parametrize("delimiter", [";", "\t"])
@pytest.mark.parametrize("text", ["x;=1", 'x; "=1', "x\t@1", 'x";"+1', 'x;"-1"', "x\n=1", "x\r\n =1"])
def test_no_formula_is_evaluated_where_semicolons_or_tabs_separate_the_cells(text: str, delimiter: str) -> None:
    export = csv_table([result(title=text, authors=["A", text, "=1"])])
    assert "1" in export
    for row in csv.reader(io.StringIO(export, newline=""), delimiter=delimiter):
        assert not any(cell.lstrip(' "').startswith(("=", "+", "-", "@")) for cell in row)


@given(st.lists(results(), max_size=4))
def test_any_results_are_read_back_and_nothing_is_calculated(found: list[StoredPaper]) -> None:
    rows = read(csv_table(found))
    assert len(rows) == len(found)
    for row in rows:
        assert not any(cell.lstrip().startswith(("=", "+", "-", "@")) for cell in row.values())


def test_the_whole_corpus_is_read_back() -> None:
    rows = read(csv_table(corpus_results()))
    assert [row["title"].removeprefix("'") for row in rows] == [it["title"] for it in corpus_results()]


def test_a_retraction_is_reported() -> None:
    assert read(csv_table([retracted()]))[0]["retraction"] == "retracted"
