"""The table as a Markdown reader shows it: eight cells a row, whatever a title holds."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from shared.answers.search import StoredPaper
from shared.exports.fields import one_line
from shared.exports.markdown import COLUMNS, markdown_table
from tests.unit.exports.exported_results import HOSTILE, corpus_results, result, results, retracted

SHOWN = ("text", "text_special", "code_inline")


def tokens(text: str) -> list[Token]:
    """With everything on that could make markup of a title."""
    return MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(text)


def cells(text: str) -> list[list[Token]]:
    """The inline token of each cell, row by row, the header first."""
    found = tokens(text)
    assert [it.type for it in found if it.level == 0] == ["table_open", "table_close"]
    rows: list[list[Token]] = []
    for token in found:
        if token.type == "tr_open":
            rows.append([])
        elif token.type == "inline":
            rows[-1].append(token)
    return rows


def shown(cell: Token) -> str:
    return "".join(it.content for it in cell.children or ())


def kinds(cell: Token) -> set[str]:
    return {it.type for it in cell.children or ()}


def row(found: StoredPaper) -> dict[str, Token]:
    _, cells_of_it = cells(markdown_table([found]))
    return dict(zip(COLUMNS, cells_of_it, strict=True))


def test_a_paper_is_a_row_of_eight_cells() -> None:
    assert markdown_table([result()]).splitlines() == [
        "| # | Authors | Title | Year | Venue | Cites | DOI | OA |",
        "| --- | --- | --- | --- | --- | --- | --- | --- |",
        "| 1 | Tyler K Ulland, Marco Colonna | Microglia need TREM2 | 2017 | Cell | 12 "
        "| [10.1000/x](https://doi.org/10.1000/x) | [yes](https://example.org/x.pdf) |",
    ]


@pytest.mark.parametrize("text", HOSTILE)
def test_a_hostile_title_is_shown_literally_and_is_not_markup(text: str) -> None:
    found = row(result(title=text, journal=text, authors=[text]))
    for name in ("Title", "Venue"):
        assert shown(found[name]) == one_line(text)
        assert kinds(found[name]) <= {"text", "text_special"}
    assert kinds(found["Authors"]) <= {"text", "text_special"}


@given(st.lists(results(), max_size=4))
def test_any_results_make_a_table_of_as_many_rows(found: list[StoredPaper]) -> None:
    rows = cells(markdown_table(found))
    assert [len(it) for it in rows] == [len(COLUMNS)] * (len(found) + 1)
    allowed = {"text", "text_special", "link_open", "link_close", "strong_open", "strong_close"}
    assert all(kinds(cell) <= allowed for cells_of_it in rows for cell in cells_of_it)


def test_the_whole_corpus_makes_a_table() -> None:
    header, *rows = cells(markdown_table(corpus_results()))
    assert tuple(shown(cell) for cell in header) == COLUMNS
    marks = [shown(cells_of_it[2]).removeprefix("RETRACTED ") for cells_of_it in rows]
    assert marks == [one_line(it["title"]) for it in corpus_results()]


def test_a_retraction_is_marked() -> None:
    found = row(retracted())["Title"]
    assert shown(found) == "RETRACTED Microglia need TREM2" and "strong_open" in kinds(found)
    concern = row(result(retraction={"status": "concern"}))["Title"]
    assert shown(concern).startswith("EXPRESSION OF CONCERN ")


def test_of_many_authors_three_are_shown() -> None:
    names = [f"Ann Nr{number}" for number in range(800)]
    assert shown(row(result(authors=names, author_count=800))["Authors"]) == "Ann Nr0, Ann Nr1, Ann Nr2, et al."
    assert shown(row(result(author_count=14))["Authors"]) == "Tyler K Ulland, Marco Colonna, et al."
    assert shown(row(result(authors=[], author_count=14))["Authors"]) == ""


def test_a_paper_without_a_doi_is_named_by_its_key() -> None:
    found = row(result(ids={"doi": None}, key="pmid:1", citation_uri="https://pubmed.ncbi.nlm.nih.gov/1"))["DOI"]
    assert (shown(found), kinds(found)) == ("pmid:1", {"link_open", "text", "link_close"})


def test_links_lead_where_they_should_and_only_to_the_web() -> None:
    doi = "10.1002/(sici)1097-0258(1998)17:15/16<1661::aid-sim968>3.0.co;2-2"
    address = "https://doi.org/" + doi.replace("<", "%3C").replace(">", "%3E")
    found = row(result(ids={"doi": doi}, citation_uri=address))["DOI"]
    assert shown(found) == doi
    assert found.children and found.children[0].attrs["href"] == (
        "https://doi.org/10.1002/%28sici%291097-0258%281998%2917:15/16%3C1661::aid-sim968%3E3.0.co%3B2-2"
    )
    unsafe = row(result(open_access={"is_oa": True, "url": "javascript:alert(1)"}))["OA"]
    assert (shown(unsafe), kinds(unsafe)) == ("yes", {"text"})


@pytest.mark.parametrize(("is_oa", "word"), [(False, "no"), (None, "")])
def test_unknown_open_access_is_not_reported_as_closed(is_oa: bool | None, word: str) -> None:
    assert shown(row(result(open_access={"is_oa": is_oa}))["OA"]) == word
