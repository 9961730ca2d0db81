"""Titles of two words behind names in Vancouver style (ICMJE's samples of references): an initial ends the names."""

from __future__ import annotations

import pytest

from shared.references.citation_text import read_citation

# text, authors, title, journal
TITLED = [
    ("Erdős Á, Rényi Á. Random Graphs. Publ Math Debrecen 1959;6:290-297.",
     ("Erdős Á", "Rényi Á"), "Random Graphs", "Publ Math Debrecen"),
    ("Erdos P, Renyi A. Random Graphs. Publ Math Debrecen 1959;6:290-297.",
     ("Erdos P", "Renyi A"), "Random Graphs", "Publ Math Debrecen"),
    ("Erdős, P., & Rényi, A. Random Graphs. Publ Math Debrecen 1959;6:290-297.",
     ("Erdős, P.", "Rényi, A"), "Random Graphs", "Publ Math Debrecen"),
    ("Müller Ö, Ñuñez É. Das Gehirn. Nervenarzt 2019;90:1-9.", ("Müller Ö", "Ñuñez É"), "Das Gehirn", "Nervenarzt"),
    ("Müller, Ö. Das Gehirn. Nervenarzt 2019;90:1-9.", ("Müller, Ö",), "Das Gehirn", "Nervenarzt"),
    ("Kovács E. Das Gehirn. Nervenarzt 2019;90:1-9.", ("Kovács E",), "Das Gehirn", "Nervenarzt"),
    ("Петров П, Иванов И. Исследование мозга. Журнал неврологии. 2019;5:10-20.",
     ("Петров П", "Иванов И"), "Исследование мозга", "Журнал неврологии"),
    ("Παπαδόπουλος Γ. Η μελέτη.", ("Παπαδόπουλος Γ",), "Η μελέτη", None),
    ("Papadopoulos G. I meleti.", ("Papadopoulos G",), "I meleti", None),
    ("Ivanov Š, Čapek Č. R.U.R. and robots.", ("Ivanov Š", "Čapek Č"), "R.U.R. and robots", None),
    ("Ivanov Š, Čapek Č. R.U.R. and robots. Nature 2019;5:10-20.",
     ("Ivanov Š", "Čapek Č"), "R.U.R. and robots", "Nature"),
]  # fmt: skip
UNTITLED = [
    ("Doe A, Roe B. Nat Commun. 2019;5:1-2.", ("Doe A", "Roe B"), "Nat Commun"),
    ("Smith J. Zool Anz. 2019;5:1-2", ("Smith J",), "Zool Anz"),
    ("Smith J, Jones K. Phys. Rev. Lett. 100, 012345 (2008)", ("Smith J", "Jones K"), "Phys. Rev. Lett"),
    ("Doe A, Roe B. Zool Anz 5:1 (1999)", ("Doe A", "Roe B"), "Zool Anz"),
    ("Doe J. A. Mol. Biol. 5, 1 (2009)", ("Doe J. A",), "Mol. Biol"),
]


@pytest.mark.parametrize(("text", "authors", "title", "journal"), TITLED)
def test_a_title_of_two_words_is_no_part_of_the_names(
    text: str, authors: tuple[str, ...], title: str, journal: str | None
) -> None:
    read = read_citation(text)
    assert (read.authors, read.title, read.journal) == (authors, title, journal)


@pytest.mark.parametrize(("text", "authors", "journal"), UNTITLED)
def test_a_journal_of_two_words_is_no_title(text: str, authors: tuple[str, ...], journal: str) -> None:
    read = read_citation(text)
    assert (read.authors, read.title, read.journal) == (authors, None, journal)


@pytest.mark.parametrize(
    ("line", "title"),
    [
        ("Distilling the Knowledge in a Neural Network", "Distilling the Knowledge in a Neural Network"),
        ("Distilling the Knowledge in a Neural Network. 2015", "Distilling the Knowledge in a Neural Network"),
        ("Latent Dirichlet Allocation (2003)", "Latent Dirichlet Allocation"),
        ("Point Transformer", "Point Transformer"),
        ("Graph Attention Networks 2018", "Graph Attention Networks"),
        ("latent dirichlet allocation", "latent dirichlet allocation"),
    ],
)
def test_a_line_that_is_a_title_in_capitals_alone_is_not_taken_for_a_journal(line: str, title: str) -> None:
    read = read_citation(line)
    assert (read.title, read.journal) == (title, None)


@pytest.mark.parametrize(
    "line",
    ["Nature Communications", "Lancet 2020", "Smith and Jones 2013", "World Health Organization 2020", "Dropout"],
)
def test_the_names_of_a_journal_of_people_and_of_a_group_are_no_title(line: str) -> None:
    assert read_citation(line).title is None
