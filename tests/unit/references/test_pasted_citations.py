"""References as they are copied from Google Scholar and PubMed, and as they are typed in small letters."""

from __future__ import annotations

import pytest

from shared.references.citation_text import read_citation

TITLE = "TREM2 variants in Alzheimer's disease"
TWO = ("R Guerreiro", "A Wojtas")


@pytest.mark.parametrize(("text", "title", "authors", "year", "journal"), [
    (f"{TITLE} R Guerreiro, A Wojtas… - New England Journal …, 2013 - Mass Medical Soc", TITLE, TWO, 2013, None),
    (f"[HTML] {TITLE} R Guerreiro, A Wojtas - Nature, 2013 - nature.com … Cited by 3021", TITLE, TWO, 2013, "Nature"),
    (f"{TITLE}\nR Guerreiro, A Wojtas… - Nature, 2013 - nature.com\nBackground", TITLE, TWO, 2013, "Nature"),
    (f"[PDF] {TITLE} R Guerreiro, A Wojtas - Nature, 2013", TITLE, TWO, 2013, "Nature"),
    ("[BOOK][B] Deep learning I Goodfellow, Y Bengio - 2016 - books.google.com", "Deep learning",
     ("I Goodfellow", "Y Bengio"), 2016, None),
    ("A receptor - a review of hepatitis C J van der Berg, MR Smith-Jones - Nature, 2001 - nature.com",
     "A receptor - a review of hepatitis C", ("J van der Berg", "MR Smith-Jones"), 2001, "Nature"),
])  # fmt: skip
def test_a_result_of_google_scholar_is_read(
    text: str, title: str, authors: tuple[str, ...], year: int, journal: str | None
) -> None:
    read = read_citation(text)
    assert (read.title, read.authors, read.year, read.journal) == (title, authors, year, journal)


@pytest.mark.parametrize("links", [
    "Article CAS PubMed Google Scholar", "[PubMed] [CrossRef] [Google Scholar]", "\nView in Scopus\nGoogle Scholar",
])  # fmt: skip
def test_the_links_that_a_publisher_shows_behind_a_reference_are_no_title(links: str) -> None:
    read = read_citation(f"Guerreiro, R. & Wojtas, A. {TITLE}. Nature 368, 117–127 (2013). {links}")
    assert (read.title, read.journal, read.year) == (TITLE, "Nature", 2013)


def test_a_title_that_ends_in_the_name_of_a_database_stays() -> None:
    title = "Coverage of Web of Science, Scopus, PubMed and Google Scholar"
    assert read_citation(title).title == title


@pytest.mark.parametrize("text", ["Self-driving cars - a survey - 2019 - arxiv.org", "Tau - R Doe - 2019"])
def test_other_dashes_are_none(text: str) -> None:
    assert read_citation(text).authors == ()


@pytest.mark.parametrize(("names", "authors"), [
    ("guerreiro r, wojtas a.", ("Guerreiro R", "Wojtas A")),
    ("1. guerreiro r, wojtas a, et al.", ("Guerreiro R", "Wojtas A")),
    ("van der berg j, o'brien k, kim jk.", ("van der Berg J", "O'Brien K", "Kim JK")),
    ("smith j and doe k.", ("Smith J", "Doe K")),
    ("guerreiro et al. 2013", ("Guerreiro",)),
    ("guerreiro et al. (2013).", ("Guerreiro",)),
    ("guerreiro, r., & wojtas, a. (2013).", ("Guerreiro, R.", "Wojtas, A")),
])  # fmt: skip
def test_names_in_small_letters_are_no_words_of_the_title(names: str, authors: tuple[str, ...]) -> None:
    read = read_citation(f"{names} {TITLE.lower()}. nature{' 2013' * ('2013' not in names)};368:117-27.")
    assert (read.title, read.authors, read.year) == (TITLE.lower(), authors, 2013)


@pytest.mark.parametrize("text", [
    "hepatitis b. a review of treatment in adults", "the role of a, b and c", "attention is all you need",
])  # fmt: skip
def test_a_title_in_small_letters_has_no_names(text: str) -> None:
    assert read_citation(text).authors == ()


def test_a_year_behind_further_authors_is_no_word_of_the_title() -> None:
    read = read_citation(f"Guerreiro R, et al. 2013 {TITLE}. Nature 368, 117-127")
    assert (read.title, read.year) == (TITLE, 2013)
    guideline = read_citation("Stone NJ, et al. 2013 ACC/AHA guideline on cholesterol. Circulation. 2014;129:S1-45")
    assert (guideline.title, guideline.year) == ("2013 ACC/AHA guideline on cholesterol", 2014)


def test_a_symbol_before_a_comma_is_no_name() -> None:
    read = read_citation("1: Yeh FL, Sheng M. TREM2, Microglia, and Dementia. Trends Mol Med. 2017 Jun;23(6):512-533.")
    assert (read.title, read.authors) == ("TREM2, Microglia, and Dementia", ("Yeh FL", "Sheng M"))
