"""RIS as a reader of the format sees it."""

from __future__ import annotations

import re
from typing import Any

import pytest
import rispy
from hypothesis import given
from hypothesis import strategies as st

from shared.answers.search import StoredPaper
from shared.exports.fields import one_line
from shared.exports.ris import ris
from tests.unit.exports.exported_results import HOSTILE, corpus_results, result, results, retracted

LINE = re.compile(r"[A-Z][A-Z0-9]  - .*")


def read(text: str) -> list[dict[str, Any]]:
    records: list[dict[str, Any]] = rispy.loads(text, newline="\r\n")
    return records


def record(**changes: Any) -> dict[str, Any]:
    (found,) = read(ris([result(**changes)]))
    return found


def test_an_article_has_the_tags_of_an_article() -> None:
    assert ris([result()]).split("\r\n") == [
        "TY  - JOUR", "ID  - ulland2017microglia", "AU  - Ulland, Tyler K", "AU  - Colonna, Marco",
        "TI  - Microglia need TREM2", "T2  - Cell", "JO  - Cell", "VL  - 170", "IS  - 4", "SP  - 649", "EP  - 663",
        "PY  - 2017", "DA  - 2017/08/10/", "DO  - 10.1000/x", "AN  - 28802038", "C2  - PMC5722467",
        "UR  - https://doi.org/10.1000/x", "LA  - en", "AB  - Cells & energy.", "ER  - ", "",
    ]  # fmt: skip


@pytest.mark.parametrize("text", HOSTILE)
def test_a_hostile_text_is_one_line_of_one_record(text: str) -> None:
    export = ris([result(title=text, journal=text, abstract=text, authors=[text]), result(key="other")])
    assert all(LINE.fullmatch(line) for line in export.split("\r\n") if line)
    first, _ = read(export)
    assert first["title"] == first["abstract"] == first["secondary_title"] == one_line(text)
    assert len(first["authors"]) == 1


@given(st.lists(results(), max_size=4))
def test_any_results_are_read_back(found: list[StoredPaper]) -> None:
    export = ris(found)
    assert export.count("\n") == export.count("\r\n")
    back = read(export)
    assert [it.get("title") for it in back] == [one_line(it["title"]) for it in found]
    assert not any("unknown_tag" in it for it in back)


def test_the_whole_corpus_is_read_back() -> None:
    found = corpus_results()
    back = read(ris(found))
    assert [(it["title"], it.get("doi")) for it in back] == [(one_line(it["title"]), it["doi"]) for it in found]
    assert [len(it.get("authors", ())) for it in back] == [len(it["authors"]) for it in found]


@pytest.mark.parametrize("newline", ["\r\n", "\n"])
def test_readers_that_do_not_know_the_line_ends_of_the_format_find_all_records(newline: str) -> None:
    assert len(rispy.loads(ris([result(), result(key="other")]), newline=newline)) == 2


@pytest.mark.parametrize(
    ("kind", "tag", "place"),
    [
        ("review", "JOUR", "secondary_title"),
        ("conference-paper", "CPAPER", "secondary_title"),
        ("book-chapter", "CHAP", "secondary_title"),
        ("book", "BOOK", "publisher"),
        ("dissertation", "THES", "publisher"),
        ("report", "RPRT", "publisher"),
        ("dataset", "DATA", "publisher"),
        ("preprint", "UNPB", "secondary_title"),
        (None, "JOUR", "secondary_title"),
    ],
)
def test_the_type_of_paper_chooses_type_and_tag(kind: str | None, tag: str, place: str) -> None:
    found = record(type=kind, journal="Place")
    assert (found["type_of_reference"], found[place]) == (tag, "Place")


def test_a_preprint_is_published_by_its_server_and_not_by_a_conference() -> None:
    assert record(type="preprint", journal="bioRxiv")["publisher"] == "bioRxiv"
    presented = record(type="preprint", journal="Neural Information Processing Systems")
    assert presented["secondary_title"] == "Neural Information Processing Systems" and "publisher" not in presented


def test_a_paper_without_a_venue_is_generic() -> None:
    assert record(type="other", journal=None)["type_of_reference"] == "GEN"


@pytest.mark.parametrize(
    ("written", "date"),
    [("2017-08-10", "2017/08/10/"), ("2017-08", "2017/08//"), ("2017", "2017///"), (None, "2017///")],
)
def test_dates_have_all_their_slashes(written: str | None, date: str) -> None:
    assert record(publication_date=written)["date"] == date


@pytest.mark.parametrize(
    ("pages", "first", "last"),
    [
        ("1676-87", "1676", "1687"),
        ("S12–S15", "S12", "S15"),
        ("e20391", "e20391", None),
        ("404-404", "404", None),
        ("123-5, 130-2", "123-5, 130-2", None),
        (None, None, None),
    ],
)
def test_pages_are_read(pages: str | None, first: str | None, last: str | None) -> None:
    found = record(pages=pages)
    assert (found.get("start_page"), found.get("end_page")) == (first, last)


def test_a_preprint_is_known_by_its_arxiv_number_and_an_address_stays_whole() -> None:
    found = record(type="preprint", ids={"pmid": None, "arxiv": "1706.03762"}, citation_uri="https://x.org/a;b")
    assert (found["accession_number"], found["urls"]) == ("arXiv:1706.03762", ["https://x.org/a%3Bb"])


def test_names_are_family_first_and_groups_as_they_are() -> None:
    names = ["World Health Organization", "Ho King Jr.", "Madonna"]
    assert record(authors=names)["authors"] == ["World Health Organization", "King, Ho, Jr.", "Madonna"]


def test_a_retraction_and_missing_authors_are_reported() -> None:
    (found,) = read(ris([retracted(author_count=9)]))
    assert found["notes"] == [
        "Retracted (2020-05-05); notice: https://doi.org/10.1000/notice_1",
        "2 of 9 authors are named here.",
    ]
    assert "notes" not in record()
