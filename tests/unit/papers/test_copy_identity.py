"""Whether a PDF is the paper's: by the title and the ids on its first pages, however they are printed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from infra.local.sandbox.corpus import default_corpus
from infra.local.sandbox.facts import Fact
from infra.local.sandbox.texts.pdf import COPIES, file_of_copy, pdf_texts, typeset
from infra.local.sandbox.texts.pdf_page_setting import PageSetting
from infra.local.sandbox.texts.pdf_writer import PdfPage, pdf_of
from shared.bibliography.full_text import FullText
from shared.full_texts.pdf_runs import read_pages
from shared.full_texts.pdf_text import text_of_pages
from shared.papers.texts.copy_identity import is_of_paper

CORPUS = default_corpus()
TEXT = pdf_texts()["10.1136/jnnp.74.6.825-a"]
BODY = "These words stand in the text and are long enough to be most of what is printed here. "
TITLE = "Efficient classification of myofibroblast differentiation in flowing fluid"
ONE = ((90.0, 432.0),)


def read(body: bytes) -> FullText:
    text = text_of_pages(read_pages(body), "https://host.example/a.pdf")
    assert text
    return text


def printed(title: str, *, footer: str = "", cover: Sequence[str] = ()) -> FullText:
    """A letter with this title, typeset by the sandbox."""
    pages = PageSetting(ONE, "Journal of Examples 2020")
    for line in cover:
        pages.paragraph(line, indent=0.0)
    if cover:
        pages.break_page()
    if title:
        pages.title(title, "Ana Costa, Wei Li")
    for _ in range(6):
        pages.paragraph(BODY * 2)
    if footer:
        pages.paragraph(footer)
    return read(pdf_of(pages.finished()))


@pytest.mark.parametrize("copy", COPIES, ids=lambda it: it.doi)
def test_every_copy_of_the_sandbox_is_its_papers(copy: object) -> None:
    title = CORPUS.by_name[copy.doi].title  # type: ignore[attr-defined]
    assert is_of_paper(read(file_of_copy(copy, CORPUS)), [title], []) is True  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "shown",
    [
        pytest.param(TITLE, id="with ligatures"),
        pytest.param(TITLE.upper(), id="in capitals"),
        pytest.param(TITLE.replace("classification", "classi- fication"), id="hyphenated"),
        pytest.param(TITLE.replace("Efficient", "E cient"), id="a ligature that the file does not spell"),
        pytest.param(f"{TITLE}*", id="with the mark of a note"),
        pytest.param(f"{TITLE}: a cohort study", id="with a subtitle"),
        pytest.param(TITLE.replace("fluid", "fluids"), id="in the plural"),
    ],
)
def test_a_title_is_the_same_however_it_is_printed(shown: str) -> None:
    assert is_of_paper(printed(shown), [TITLE], []) is True


def test_a_title_behind_the_page_of_a_repository_is_read() -> None:
    cover = ["This is an author's copy.", "Citation for the published version is given below.", "Please cite that one."]
    assert is_of_paper(printed(TITLE, cover=cover), [TITLE], []) is True


def test_a_title_in_the_print_of_the_text_is_read() -> None:
    page = PdfPage()
    for number, line in enumerate([*TITLE.split(" of "), *[BODY] * 20]):
        page.text(72.0, 700.0 - 12.0 * number, line + (" of" if number == 0 else ""))
    assert is_of_paper(read(pdf_of([page])), [TITLE], []) is True


def test_a_title_in_another_language_is_recognised_by_the_doi_or_by_the_other_title() -> None:
    german = "Wirksame Einteilung der Myofibroblasten im Fluss"
    text = printed(german, footer="https://doi.org/10.9999/Example.1 Published 2020")
    assert is_of_paper(text, [TITLE], ["pmid:1", "doi:10.9999/example.1"]) is True
    assert is_of_paper(printed(german), [TITLE, german], []) is True
    assert is_of_paper(text, [TITLE], ["doi:10.9999/example.12"]) is False
    assert is_of_paper(text, [TITLE], ["doi:10.9999/exam"]) is False


@pytest.mark.parametrize(
    ("title", "shown"),
    [
        (TITLE, "Dark matter in dwarf galaxies of the local group"),
        (TITLE, TITLE.replace("differentiation", "proliferation")),
        (TITLE, f"Comment on: {TITLE}"),
        (TITLE, f"Erratum: {TITLE}"),
        (f"{TITLE}. Part I", f"{TITLE}. Part II"),
        (f"{TITLE}. Part 2: results", f"{TITLE}. Part 1: results"),
        ("Effects of tea on sleep in male rats", "Effects of tea on sleep in female rats"),
    ],
)
def test_another_title_is_another_papers(title: str, shown: str) -> None:
    assert is_of_paper(printed(shown), [title], []) is False


def test_every_copy_is_another_papers_to_each_other_paper() -> None:
    for copy in COPIES:
        text, own = read(file_of_copy(copy, CORPUS)), CORPUS.by_name[copy.doi].title
        others = [it for it in CORPUS.facts if it.title != own]  # a working paper has the title of its article
        taken = [it.title for it in others if is_of_paper(text, [it.title], [f"doi:{it.doi}"] if it.doi else [])]
        assert taken == []


def test_a_title_that_only_the_references_name_is_not_the_files() -> None:
    named = f"1. Costa A. {TITLE}. J Examples 2019."
    pages = PageSetting(ONE, "Journal of Examples 2020")
    pages.paragraph(BODY * 3)
    pages.heading("References", 12.0)
    pages.paragraph(named)
    assert is_of_paper(read(pdf_of(pages.finished())), [TITLE], []) is None


def test_a_file_without_a_title_does_not_say_whose_it_is() -> None:
    fact = replace(CORPUS.by_name["10.1136/jnnp.74.6.825-a"], title=TITLE)
    assert is_of_paper(read(typeset(TEXT, fact, CORPUS, ONE, has_title=False)), [TITLE], []) is None


@pytest.mark.parametrize(("title", "verdict"), [("Sleep", True), ("Tea", None)])
def test_a_short_title_stands_in_a_line_of_its_own(title: str, verdict: bool | None) -> None:
    """Its words occur in any text."""
    text = printed("Sleep", footer="We had Tea.")
    assert is_of_paper(text, [title], []) is verdict


def test_a_format_that_states_what_it_is_is_not_compared() -> None:
    assert is_of_paper(FullText(format="jats", url="https://example.org", sections=()), [TITLE], []) is True


def test_a_paper_whose_title_no_source_knows_is_recognised_by_nothing() -> None:
    fact = Fact(title=TITLE)
    assert is_of_paper(printed(fact.title), [], []) is False
