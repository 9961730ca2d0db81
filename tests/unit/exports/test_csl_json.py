"""CSL-JSON as the schema and a citation processor see it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from citeproc import Citation, CitationItem, CitationStylesBibliography, CitationStylesStyle, formatter
from citeproc.source.json import CiteProcJSON
from hypothesis import given
from hypothesis import strategies as st

from shared.answers.search import StoredPaper
from shared.exports.csl_json import csl_items, csl_json
from shared.exports.fields import one_line
from tests.unit.exports.exported_results import HOSTILE, corpus_results, result, results, retracted

SCHEMA = json.loads(Path(__file__).with_name("csl_input_schema.json").read_text(encoding="utf-8"))


def valid(found: Sequence[StoredPaper]) -> list[dict[str, Any]]:
    """The items, sent through bytes."""
    items: list[dict[str, Any]] = json.loads(csl_json(found).encode("utf-8"))
    jsonschema.Draft7Validator(SCHEMA).validate(items)
    return items


def item(**changes: Any) -> dict[str, Any]:
    (found,) = valid([result(**changes)])
    return found


def rendered(items: list[dict[str, Any]]) -> list[str]:
    style = CitationStylesStyle("harvard-cite-them-right", validate=False)
    bibliography = CitationStylesBibliography(style, CiteProcJSON(items), formatter.plain)
    for found in items:
        bibliography.register(Citation([CitationItem(found["id"])]))
    bibliography.sort()
    return [str(entry) for entry in bibliography.bibliography()]


def test_an_article_has_the_members_of_an_article() -> None:
    assert item() == {
        "id": "ulland2017microglia",
        "type": "article-journal",
        "title": "Microglia need TREM2",
        "author": [{"family": "Ulland", "given": "Tyler K"}, {"family": "Colonna", "given": "Marco"}],
        "issued": {"date-parts": [[2017, 8, 10]]},
        "container-title": "Cell",
        "volume": "170",
        "issue": "4",
        "page": "649-663",
        "DOI": "10.1000/x",
        "PMID": "28802038",
        "PMCID": "PMC5722467",
        "URL": "https://doi.org/10.1000/x",
        "language": "en",
        "abstract": "Cells & energy.",
    }


def test_a_citation_processor_renders_it() -> None:
    (line,) = rendered([item()])
    for part in ("Ulland, T.K. and Colonna, M.", "(2017)", "Microglia need TREM2", "Cell", "170(4)", "649–663"):
        assert part in line


@pytest.mark.parametrize("text", HOSTILE)
def test_a_hostile_text_remains_text(text: str) -> None:
    found = item(title=text, journal=text, abstract=text, authors=[text])
    assert found["title"] == found["container-title"] == found["abstract"] == one_line(text)


@given(st.lists(results(), max_size=4))
def test_any_results_are_valid(found: list[StoredPaper]) -> None:
    items = valid(found)
    assert len({it["id"] for it in items}) == len(found)


@pytest.mark.slow
def test_the_whole_corpus_is_valid_and_rendered() -> None:
    items = valid(corpus_results())
    assert [it["title"] for it in items] == [one_line(it["title"]) for it in corpus_results()]
    lines = rendered(items)
    assert len(lines) == len(items)
    assert sum("Anon." in line for line in lines) <= sum("author" not in it for it in items)


@pytest.mark.parametrize(
    ("kind", "expected", "place"),
    [
        ("review", "article-journal", "container-title"),
        ("conference-paper", "paper-conference", "container-title"),
        ("book-chapter", "chapter", "container-title"),
        ("book", "book", "publisher"),
        ("dissertation", "thesis", "publisher"),
        ("report", "report", "publisher"),
        ("dataset", "dataset", "publisher"),
        ("preprint", "article", "publisher"),
        (None, "article-journal", "container-title"),
    ],
)
def test_the_type_of_paper_chooses_type_and_member(kind: str | None, expected: str, place: str) -> None:
    found = item(type=kind, journal="Place")
    assert (found["type"], found[place]) == (expected, "Place")


def test_a_paper_without_a_venue_is_a_document() -> None:
    assert item(type="other", journal=None)["type"] == "document"


def test_a_preprint_says_so_and_has_its_number() -> None:
    found = item(type="preprint", journal="arXiv", ids={"arxiv": "1706.03762"})
    assert (found["genre"], found["number"], found["publisher"]) == ("Preprint", "arXiv:1706.03762", "arXiv")


@pytest.mark.parametrize(
    ("year", "date", "parts"),
    [
        (2017, "2017-08", [2017, 8]),
        (2017, "2017", [2017]),
        (2017, "2018-01-01", [2017]),
        (None, "2018-01", [2018, 1]),
        (2017, "2017-02-30", [2017]),
        (2017, "2017-13", [2017]),
        (2017, "Spring 2017", [2017]),
        (None, None, None),
    ],
)
def test_dates_are_as_exact_as_known(year: int | None, date: str | None, parts: list[int] | None) -> None:
    issued = item(year=year, publication_date=date).get("issued")
    assert issued == (None if parts is None else {"date-parts": [parts]})


def test_groups_are_literal_and_suffixes_stand_apart() -> None:
    names = ["Alzheimer's Disease Genetics Consortium", "Stanford University", "Ho King Jr.", "王小明"]
    assert item(authors=names)["author"] == [
        {"literal": "Alzheimer's Disease Genetics Consortium"},
        {"literal": "Stanford University"},
        {"family": "King", "given": "Ho", "suffix": "Jr."},
        {"literal": "王小明"},
    ]


def test_an_unknown_value_has_no_member() -> None:
    assert set(csl_items([{"title": "Only a title"}])[0]) == {"id", "type", "title"}


def test_a_retraction_and_missing_authors_are_reported() -> None:
    (found,) = valid([retracted(author_count=9)])
    assert found["status"] == "retracted"
    assert found["note"] == (
        "Retracted (2020-05-05); notice: https://doi.org/10.1000/notice_1; 2 of 9 authors are named here."
    )
    corrected = item(retraction={"status": "corrected", "notice_pmid": "5"})
    assert corrected["note"] == "Corrected; notice: https://pubmed.ncbi.nlm.nih.gov/5" and "status" not in corrected
    assert "note" not in item(retraction={"status": "unknown"})
