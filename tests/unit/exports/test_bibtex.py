"""BibTeX as two independent readers see it, and as TeX prints it."""

from __future__ import annotations

from typing import Any

import pytest
from bibtexparser.entrypoint import parse_string as parse_blocks
from bibtexparser.middlewares.names import split_multiple_persons_names
from hypothesis import given
from hypothesis import strategies as st
from pybtex.database import BibliographyData, parse_string
from pylatexenc.latex2text import LatexNodes2Text, MacroTextSpec, get_default_latex_context_db

from shared.answers.search import StoredPaper
from shared.exports.bibtex import bibtex
from shared.exports.fields import one_line
from tests.unit.exports.exported_results import HOSTILE, corpus_results, result, results, retracted


def read(text: str) -> BibliographyData:
    return parse_string(text, "bibtex")


def printed(tex: str) -> str:
    """What TeX makes of it, by a reader that is given the LaTeX commands that it does not know."""
    signs = {"braceleft": "{", "braceright": "}", "less": "<", "greater": ">", "bar": "|", "asciicircum": "^"}
    known = get_default_latex_context_db()
    commands = [MacroTextSpec(f"text{name}", simplify_repl=sign) for name, sign in signs.items()]
    known.add_context_category("signs", macros=commands, prepend=True)
    return str(LatexNodes2Text(latex_context=known).latex_to_text(tex))


def as_printed(text: str) -> str:
    """With the ligatures of TeX's fonts, which are typographers' and change no word."""
    return (one_line(text) or "").replace("--", "–").replace("``", "“").replace("''", "”")


def entry(**changes: Any) -> dict[str, str]:
    """The fields of the only entry, its type and authors among them."""
    (found,) = read(bibtex([result(**changes)])).entries.values()
    names = " and ".join(str(person) for person in found.persons.get("author", ()))
    return {**found.fields, "type": found.type, "author": names}


def both_read_the_same(text: str, count: int) -> None:
    one, other = read(text), parse_blocks(text)
    assert not other.failed_blocks
    assert len(one.entries) == len(other.entries) == count
    assert not other.comments and not other.preambles and not other.strings
    for theirs in other.entries:
        mine = one.entries[theirs.key]
        assert mine.type == theirs.entry_type
        fields = {field.key.lower(): field.value for field in theirs.fields}
        assert len(mine.persons.get("author", ())) == len(names_in(fields.pop("author", "")))
        month = fields.pop("month", None)
        assert month is None or mine.fields["month"].lower().startswith(month)
        assert {name.lower(): value for name, value in mine.fields.items() if name != "month"} == fields


def names_in(field: str) -> list[str]:
    return list(split_multiple_persons_names(field))


def test_an_article_has_the_fields_of_an_article() -> None:
    assert entry() == {
        "type": "article",
        "author": "Ulland, Tyler K and Colonna, Marco",
        "title": "Microglia need {TREM2}",
        "journal": "Cell",
        "year": "2017",
        "month": "August",
        "volume": "170",
        "number": "4",
        "pages": "649--663",
        "doi": "10.1000/x",
        "url": "https://doi.org/10.1000/x",
        "pmid": "28802038",
        "pmcid": "PMC5722467",
        "language": "en",
        "abstract": r"Cells \& energy.",
    }


@pytest.mark.parametrize("text", HOSTILE)
def test_a_hostile_text_is_printed_literally(text: str) -> None:
    export = bibtex([result(title=text, journal=text, abstract=text), result(key="other")])
    both_read_the_same(export, 2)
    first = next(iter(read(export).entries.values())).fields
    for name in ("title", "journal", "abstract"):
        assert printed(first[name]) == as_printed(text)


@pytest.mark.parametrize("text", HOSTILE)
def test_a_hostile_name_stays_one_name(text: str) -> None:
    export = bibtex([result(authors=[text, f"{text} and {text} Smith", "Ann Other"], author_count=3)])
    both_read_the_same(export, 1)
    assert len(next(iter(read(export).entries.values())).persons["author"]) == 3


@given(st.lists(results(), max_size=4))
def test_any_results_are_read_back_by_both_readers(found: list[StoredPaper]) -> None:
    both_read_the_same(bibtex(found), len(found))


@pytest.mark.slow
def test_the_whole_corpus_is_read_back_by_both_readers() -> None:
    found = corpus_results()
    assert len(found) > 280
    export = bibtex(found)
    both_read_the_same(export, len(found))
    titles = [printed(it.fields["title"]) for it in read(export).entries.values()]
    assert titles == [as_printed(it["title"]) for it in found]


@pytest.mark.parametrize(
    ("kind", "entry_type", "place"),
    [
        ("review", "article", "journal"),
        ("conference-paper", "inproceedings", "booktitle"),
        ("book-chapter", "incollection", "booktitle"),
        ("book", "book", "publisher"),
        ("dissertation", "phdthesis", "school"),
        ("report", "techreport", "institution"),
        ("preprint", "misc", "howpublished"),
        ("dataset", "misc", "howpublished"),
        ("other", "article", "journal"),
        (None, "article", "journal"),
    ],
)
def test_the_type_of_paper_chooses_entry_and_field(kind: str | None, entry_type: str, place: str) -> None:
    found = entry(type=kind, journal="Place")
    assert (found["type"], found[place]) == (entry_type, "Place")


@pytest.mark.parametrize("kind", ["journal-article", "conference-paper", "book-chapter", None])
def test_a_paper_without_a_venue_is_misc(kind: str | None) -> None:
    assert entry(type=kind, journal=None)["type"] == "misc"


def test_an_arxiv_preprint_has_its_number_and_the_archive_of_an_old_one() -> None:
    new = entry(type="preprint", journal="arXiv", ids={"arxiv": "1706.03762"})
    assert (new["eprint"], new["archivePrefix"]) == ("1706.03762", "arXiv")
    assert "primaryClass" not in new and "howpublished" not in new
    presented = entry(type="preprint", journal="Neural Information Processing Systems", ids={"arxiv": "1706.03762"})
    assert (presented["eprint"], presented["howpublished"]) == ("1706.03762", "Neural Information Processing Systems")
    old = entry(type="preprint", ids={"arxiv": "hep-ex/0307015"})
    assert (old["eprint"], old["primaryClass"]) == ("hep-ex/0307015", "hep-ex")


@pytest.mark.parametrize(
    ("title", "tex"),
    [
        ("Loss-Of-Function in TREM2-dependent mRNA", "Loss-Of-Function in {TREM2}-dependent {mRNA}"),
        ("COVID-19 and vitamin D: A trial of B12", "{COVID}-19 and vitamin {D}: A trial of {B12}"),
        ("A MAGNETIC FIELD IN CAPITALS", "A MAGNETIC FIELD IN CAPITALS"),
        ("E\u0301tude X\u0302 y", "Étude {X\u0302} y"),
    ],
)
def test_only_words_that_must_keep_their_case_are_protected(title: str, tex: str) -> None:
    assert entry(title=title)["title"] == tex


def test_groups_are_one_name_and_persons_come_family_first() -> None:
    authors = ["The ENCODE Project Consortium", "Food and Drug Administration", "Laurens van der Maaten", "Ho King Jr."]
    text = bibtex([result(authors=[*authors, "王小明"], author_count=5)])
    assert "author = {{The ENCODE Project Consortium} and {Food and Drug Administration} and " in text
    assert " and van der Maaten, Laurens and King, Jr., Ho and {王小明}}" in text
    both_read_the_same(text, 1)


def test_names_in_parts_are_taken_as_they_are() -> None:
    parts = [{"family": "García Márquez", "given": "Gabriel", "name": None}, {"name": "Ada", "family": None}]
    assert "author = {García Márquez, Gabriel and {Ada}}," in bibtex([result(author_parts=parts)])


def test_hundreds_of_authors_are_all_there_and_missing_ones_are_others() -> None:
    names = [f"Ann Nr{number}" for number in range(800)]
    assert entry(authors=names, author_count=800)["author"].count(" and ") == 799
    assert entry(author_count=14)["author"].endswith("Colonna, Marco and others")


def test_an_unknown_value_has_no_field() -> None:
    bare = entry(authors=[], author_count=None, year=None, publication_date=None, volume=None, issue=None, pages=None)
    assert not {"year", "month", "volume", "number", "pages", "note"} & set(bare)
    assert bare["author"] == ""


def test_ids_and_addresses_are_not_escaped() -> None:
    doi = "10.1002/(sici)1097_0258(1998)17:15/16<1661::aid-sim968>3.0.co;2-2"
    found = entry(ids={"doi": doi + "{"}, citation_uri="https://doi.org/10.1000/a_b%23c#d")
    assert (found["doi"], found["url"]) == (doi + "%7B", "https://doi.org/10.1000/a_b%23c#d")


def test_a_retraction_is_reported() -> None:
    assert entry()["pages"] == "649--663" and "note" not in entry()
    (found,) = read(bibtex([retracted()])).entries.values()
    assert found.fields["note"] == r"Retracted (2020-05-05); notice: https://doi.org/10.1000/notice\_1"
