"""Parsing printed references: the fields that they have, and no others."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.bibliography.paper import Author
from shared.references.citation_text import MAX_CHARS, read_citation
from shared.references.journal_in_citation import same_journal
from shared.references.names_in_citation import read_author
from tests.growth import FACTOR, MOST, growth

TITLE = "Capsids of small plants in E. coli"
PLACE = ("J Biol Chem", "12", "34-56")
LINES = {
    "APA": f"Doe, J. A., & Roe, K. (2015). {TITLE}. J Biol Chem, 12(3), 34–56. https://doi.org/10.1000/x",
    "Vancouver": f"3. Doe JA, Roe K. {TITLE}. J Biol Chem. 2015 Jan 6;12(3):34-56. doi: 10.1000/x. PMID: 12345678",
    "AMA": f"Doe JA, Roe K, et al. {TITLE}. J Biol Chem. 2015;12(3):34-56.",
    "MLA": f"Doe, Jane A., and Kim Roe. “{TITLE}.” J Biol Chem, vol. 12, no. 3, 2015, pp. 34-56.",
    "Chicago": f'Doe, Jane A., and Kim Roe. "{TITLE}." J Biol Chem 12, no. 3 (2015): 34–56.',
    "Chicago, year first": f"Doe, Jane A., and Kim Roe. 2015. “{TITLE}.” J Biol Chem 12 (3): 34–56.",
    "MLA, seventh edition": f'Doe, Jane A., and Kim Roe. "{TITLE}." J Biol Chem 12.3 (2015): 34-56. Web. 12 Jan. 2021.',
    "Harvard": f"Doe, J.A. and Roe, K., 2015. {TITLE}. J Biol Chem, 12(3), pp.34-56.",
    "Nature": f"Doe, J. A. & Roe, K. {TITLE}. J Biol Chem 12, 34–56 (2015).",
    "BMC": f"Doe JA, Roe K: {TITLE}. J Biol Chem 2015, 12:34-56.",
    "Springer": f"Doe JA, Roe K (2015) {TITLE}. J Biol Chem 12:34–56",
    "BibTeX": f"@article{{x, author = {{Doe, Jane A. and Roe, Kim}}, title = {{{TITLE}}}, year = 2015, "
    "journal = {J Biol Chem}, volume = {12}, pages = {34--56}}",
}
LOOSE = [
    TITLE,
    f"{TITLE} (2015)",
    f"{TITLE} by Jane Doe and Kim Roe",
    f"“{TITLE}” by Jane Doe and Kim Roe (J Biol Chem, 2015)",
    f"Jane Doe; Kim Roe; {TITLE}; J Biol Chem; 2015; 12; 34-56",
    f"{TITLE} (Doe & Roe, 2015)",
    f"{TITLE}. Doe JA, Roe K. J Biol Chem. 2015",
    f"Doe 2015 {TITLE}",
    f"Doe et al., {TITLE}",
    f"**{TITLE}** – Jane Doe, Kim Roe, J Biol Chem (2015)",
    f"{TITLE}. J Biol Chem. 2015",
    f"Doe JA, Roe K. {TITLE}. doi:10.1000/x",
    f"Doe JA, Roe K. {TITLE} (2015). https://doi.org/10.1000/x",
    f"the 2015 paper by Doe and colleagues, “{TITLE}” (J Biol Chem)",
    f"the 2015 paper by de Doe and colleagues, “{TITLE}” (J Biol Chem)",
    f"de Doe J. {TITLE} / J. de Doe, K. Roe // J Biol Chem. – 2015. – Vol. 12. – P. 34–56.",
    f"> **Title:** {TITLE}  \n> **Authors:** Jane Doe, Kim Roe  \n> **Journal:** J Biol Chem 12, 34-56 (2015)",
    f"> Title: {TITLE} > Authors: Jane Doe, Kim Roe > Journal: J Biol Chem, 2015",
    f"- **Title**: {TITLE}\n- **Authors**: Jane Doe, Kim Roe\n- **Year**: 2015",
    f"Doe J. A. {TITLE} / J. A. Doe, K. Roe [et al.] // J Biol Chem. – 2015. – Vol. 12, № 3. – P. 34–56.",
    f"TY  - JOUR\nTI  - {TITLE}\nAU  - Doe, Jane A\nPY  - 2015\nJO  - J Biol Chem\nER  - ",
]


@pytest.mark.parametrize("line", LOOSE)
def test_the_title_of_a_reference_in_no_common_style_is_recognised(line: str) -> None:
    read = read_citation(line)
    assert read.title == TITLE
    assert read.year == (2015 if "2015" in line else None)
    assert all("Doe" in name or "Roe" in name for name in read.authors)


@pytest.mark.parametrize("line", ["Doe JA. Why “{}” is wrong. 2015.", "Doe JA. A critique of “{}”. Gut 2015."])
def test_a_title_quoted_in_a_sentence_is_not_the_title(line: str) -> None:
    assert read_citation(line.format(TITLE)).title != TITLE


@pytest.mark.parametrize("style", LINES)
def test_a_reference_in_each_style_is_parsed(style: str) -> None:
    read = read_citation(LINES[style])
    first = read_author(read.authors[0])
    assert first is not None
    assert (read.title, read.year, (read.journal, read.volume, read.pages)) == (TITLE, 2015, PLACE)
    assert (first.family, (first.given or "")[:1]) == ("Doe", "J")
    assert read.text == LINES[style]


@pytest.mark.parametrize(
    ("line", "title", "journal"),
    [
        ("Doe JA, Roe K. New vaccines for hepatitis B. J Hepatol. 2015;12:34-56.",
         "New vaccines for hepatitis B", "J Hepatol"),
        ("Doe, J. A., & Roe, K. (2015). The crystal structure at 1.76 A. J Mol Biol, 12, 34.",
         "The crystal structure at 1.76 A", "J Mol Biol"),
        ("J. A. Doe, K. Roe, New vaccines for hepatitis B, J Hepatol 12, 34 (2015)",
         "New vaccines for hepatitis B", "J Hepatol"),
        ("Doe JA. The life of J. S. Bach in letters. Music. 2015;1:2.", "The life of J. S. Bach in letters", "Music"),
        ("Doe JA. The growth of E. coli in mice. Cell. 2015;1:2.", "The growth of E. coli in mice", "Cell"),
        ("J. A. Doe, Tau in physiology and pathology, Nat Rev Neurosci (2016)",
         "Tau in physiology and pathology", "Nat Rev Neurosci"),
        ("Doe JA. A model of glaciers 1. Theory and synthetic examples. J Geophys Res. 2002;107:2287.",
         "A model of glaciers 1. Theory and synthetic examples", "J Geophys Res"),
        ("Doe, J. (2013) ‘Variants for Alzheimer's disease and others’, Neuron, 78, pp. 256-268.",
         "Variants for Alzheimer's disease and others", "Neuron"),
        ("Kang, You Jung; Doe, Kim u. a.: Human models of dementia. In: Nature Communications (2020).",
         "Human models of dementia", "Nature Communications"),
        ("Doe, J., Roe, K.ほか：A survey of language models，arXiv，Vol.abs/2303.18223，2023",
         "A survey of language models", "arXiv"),
        ("Doe, J. van der Waals forces in layered crystals. Nature 5, 1–9 (1999).",
         "van der Waals forces in layered crystals", "Nature"),
        ("Doe J. von Willebrand disease. Blood. 1999;5:1-9.", "von Willebrand disease", "Blood"),
    ],
    ids=["letter", "letter after a number", "letter, commas", "initials", "species", "no volume", "part", "apostrophe",
         "a name like a word", "Japanese", "a name with particles", "a name with a particle"],
)  # fmt: skip
def test_the_title_ends_where_the_journal_begins(line: str, title: str, journal: str) -> None:
    assert (read_citation(line).title, read_citation(line).journal) == (title, journal)


def test_a_line_without_title_has_none() -> None:
    read = read_citation("J. Doe and K. Roe, Phys. Rev. Lett. 13 (1964) 321.")
    assert (read.title, read.journal, read.volume, read.pages) == (None, "Phys. Rev. Lett", "13", "321")


@pytest.mark.parametrize(
    "line",
    [
        "Doe J, Roe K. Abstract 123: Microglia in the aging brain. Circulation. 2015;132(Suppl 3):A123.",
        "Doe J, Roe K. Microglia in the aging brain [abstract]. Circulation. 2015;132(14 Suppl):A123.",
        "Doe J. Microglia in the aging brain [dissertation]. Circulation. 2015;132:A123.",
    ],
)
def test_labels_beside_a_title_are_no_part_of_it(line: str) -> None:
    assert read_citation(line).title == "Microglia in the aging brain"


def test_a_year_in_the_name_of_a_japanese_journal_is_not_that_of_the_reference() -> None:
    read = read_citation("佐藤一郎，鈴木次郎：ミクログリアの機能に関する研究，日本臨牀 2000，12（3），34-56，2015")
    assert (read.title, read.year) == ("ミクログリアの機能に関する研究", 2015)
    assert (read.authors, read.volume, read.pages) == (("佐藤一郎", "鈴木次郎"), "12", "34-56")


@pytest.mark.parametrize("text", ["", " ", "hello", "see above", "12", "...", "(2015)"])
def test_a_text_that_is_no_reference_has_no_title(text: str) -> None:
    assert read_citation(text).title is None


@given(st.text(max_size=300))
def test_any_text_is_read_and_missing_is_none(text: str) -> None:
    read = read_citation(text)
    assert read.text == text
    assert "" not in (read.title, read.journal, read.volume, read.pages)


@pytest.mark.slow
@pytest.mark.parametrize(
    "piece",
    ["A. ", "a, ", "Ab CD, ", "(", '"', "12 (", "2001 ", "title = {", "doi:", "12 no 3 ", "x", "Ab ", "Ab, ", "AU  - "],
)
def test_a_long_line_is_parsed_in_linear_time(piece: str) -> None:
    assert growth(lambda size: read_citation(piece * size), 50_000) < MOST
    # Within what is read of a line, the work may grow with the square of its length, but no faster.
    assert growth(lambda size: read_citation((piece * size)[:size]), MAX_CHARS) < MOST * FACTOR


@pytest.mark.parametrize("piece", [" ", "\t", ", ", " et al", "...", "…", "A", "A.", " &", "van ", "d\u00a0"])
def test_a_long_name_is_parsed_in_linear_time(piece: str) -> None:
    assert growth(lambda size: read_author("x" + piece * size + "x"), 8_000) < MOST


@pytest.mark.parametrize("written", [
    "Doe JA", "Doe, J. A.", "Jane A. Doe", "Doe", "Doe JA et al.", "Doe JA,  \tet al", "Doe J. A.", "Doe J A",
])  # fmt: skip
def test_an_authors_family_name_is_found_in_any_spelling(written: str) -> None:
    author = read_author(written)
    assert author is not None
    assert "Doe" in (author.family, author.name)


@pytest.mark.parametrize(("written", "family", "initials"), [
    ("Mohr III FW", "Mohr III", "FW"), ("Mohr IV F. W.", "Mohr IV", "F. W."), ("Petrov IV", "Petrov", "IV"),
    ("Petrov I. V.", "Petrov", "I. V."), ("Ng II", "Ng", "II"),
])  # fmt: skip
def test_the_number_of_a_name_before_initials_is_none_of_them(written: str, family: str, initials: str) -> None:
    assert read_author(written) == Author(family=family, given=initials)


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        ("Proc Natl Acad Sci U S A", "Proceedings of the National Academy of Sciences", True),
        ("PNAS", "Proceedings of the National Academy of Sciences", True),
        ("N Engl J Med", "The New England Journal of Medicine", True),
        ("Lancet (London, England)", "The Lancet", True),
        ("Nature", "Nature Communications", None),
        ("Gut", "The Lancet", False),
    ],
)
def test_a_journal_is_known_by_its_abbreviation(a: str, b: str, same: bool | None) -> None:
    assert same_journal(a, b) is same
    assert same_journal(b, a) is same


@pytest.mark.parametrize(
    "line",
    [
        f"Doe J. A. {TITLE} / J. A. Doe, K. Roe [et al.] // J Biol Chem. – 2015. – Vol. 12, № 3. – P. 34–56.",
        f"> **Title:** {TITLE}  \n> **Authors:** Jane Doe, Kim Roe  \n> **Journal:** J Biol Chem 12, 34-56 (2015)",
    ],
)
def test_the_place_behind_the_signs_of_a_form_is_parsed(line: str) -> None:
    read = read_citation(line)
    assert ((read.journal or "").rstrip("."), read.volume, (read.pages or "").replace("–", "-")) == PLACE


@pytest.mark.parametrize("line", ["Doe JA. 2017. Gut.", "Doe JA (2017) Gut.", "Doe JA. Gut 2017."])
def test_names_year_and_journal_alone_have_no_title(line: str) -> None:
    read = read_citation(f"{line} doi:10.1000/x")
    assert (read.title, read.authors, read.year, read.journal) == (None, ("Doe JA",), 2017, "Gut")


@pytest.mark.parametrize(
    "undated",
    ["n.d.", "n.d.-a", "in press", "In press", "forthcoming", "under review", "im Druck", "o. J.", "sous presse",
     "à paraître", "s. d.", "s.f.", "en prensa", "no prelo", "in corso di stampa", "в печати"],
)  # fmt: skip
def test_a_title_behind_what_stands_for_a_year_is_read(undated: str) -> None:
    read = read_citation(f"Vaswani, A., & Shazeer, N. ({undated}). Attention is all you need. Nature Methods.")
    assert (read.authors, read.title, read.year) == (("Vaswani, A.", "Shazeer, N"), "Attention is all you need", None)
    assert read.journal == "Nature Methods"


QUOTED = "Variants of a receptor in dementia"


@pytest.mark.parametrize(
    ("line", "authors", "year", "journal"),
    [
        ("“{}” (Doe, 2005, Neuron)", ("Doe",), 2005, "Neuron"),
        ("“{}” (Doe JA et al., 2005)", ("Doe JA",), 2005, None),
        ("“{}”, Doe JA, 2005, Neuron", ("Doe JA",), 2005, "Neuron"),
        ('"{}","Doe, Jane; Roe, Kim","Human Mutation",2005', ("Doe, Jane", "Roe, Kim"), 2005, "Human Mutation"),
        ("Doe A, Roe T & Poe H 2005, '{}', Neuron, vol. 7.", ("Doe A", "Roe T", "Poe H"), 2005, "Neuron"),
    ],
)
def test_names_beside_a_quoted_title_are_read(
    line: str, authors: tuple[str, ...], year: int, journal: str | None
) -> None:
    read = read_citation(line.format(QUOTED))
    assert (read.title, read.authors, read.year, (read.journal or "").strip(")") or None) == (
        QUOTED, authors, year, journal,
    )  # fmt: skip


@pytest.mark.parametrize(
    "line",
    [
        "Doe, S. 2012. The growth of bacteria in mice. Cell 9, 12-14.",
        "Doe, H. 2012. The growth of bacteria in mice. Cell 9, 12-14.",
        "Roe K, Doe H 2012, The growth of bacteria in mice. Cell 9, 12-14.",
        "Doe JA. The growth of bacteria in mice. Cell [Internet]. 2012 [citado 3 de mayo de 2020];9:12-14.",
        "Doe JA. The growth of bacteria in mice. Cell. 2012;9:12-14. Consulté le 3 mai 2020.",
        "Doe, J. A. (2012). The growth of bacteria in mice. Cell, 9, 12-14. Acesso em: 3 maio 2020.",
        "Doe, J., 2012, The growth of bacteria in mice. Proceedings of the 2011 Conference on Cells, 9, 12-14.",
        "［1］Doe J A，Roe K．The growth of bacteria in mice［J］．Cell，2012，9（3）：12-14．",
    ],
)
def test_initials_and_dates_are_not_taken_for_one_another(line: str) -> None:
    read = read_citation(line)
    assert (read.title, read.year, read.pages) == ("The growth of bacteria in mice", 2012, "12-14")
    assert all(name.startswith(("Doe", "Roe")) for name in read.authors)


def test_a_record_in_pubmeds_format_is_read() -> None:
    read = read_citation(
        "PMID- 23150934\nOWN - NLM\nDP  - 2012 Nov 14\nTI  - The growth of bacteria in mice.\nPG  - 12-14\n"
        "FAU - Doe, Jane A\nAU  - Doe JA\nFAU - Roe, Kim\nAU  - Roe K\nTA  - Cell\nVI  - 9\n"
    )
    assert (read.title, read.authors) == ("The growth of bacteria in mice.", ("Doe JA", "Roe K"))
    assert (read.journal, read.volume, read.pages, read.year) == ("Cell", "9", "12-14", 2012)


def test_names_in_bibtex_are_joined_by_and_in_any_letters() -> None:
    read = read_citation("@article{k, author = {Doe, Jane AND Roe, Kim And Poe, A.}, title = {The growth of mice}}")
    assert read.authors == ("Doe, Jane", "Roe, Kim", "Poe, A.")
