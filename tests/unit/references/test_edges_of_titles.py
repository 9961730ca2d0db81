"""Where a title begins and ends: behind names and years, before notes in brackets, at a colon and at a book."""

from __future__ import annotations

import pytest

from shared.documents.fields_read import read_printed

TITLE = "Handbook of things (GIDMaPS) and mice"


@pytest.mark.parametrize("note", [
    "(2nd ed.)", "(Rev. ed.)", "(3rd ed., Vol. 2)", "(Vols. 1–2)", "(Version 1.2)", "(Publication No. 10169573)",
    "(J. Strachey, Trans.)", "(J. Strachey, Ed. & Trans.)", "[Data set]", "[Computer software]", "[Conference session]",
    "[Doctoral dissertation, Wilmington University]", "[Master's thesis, University of X]", "[Unpublished manuscript]",
])  # fmt: skip
def test_a_note_in_brackets_behind_a_title_is_no_part_of_it(note: str) -> None:
    fields = read_printed(f"Doe, J., & Roe, K. (2015). {TITLE} {note}. Wiley. https://doi.org/10.1000/x")
    assert (fields.title, fields.journal, fields.year) == (TITLE, "Wiley", 2015)


@pytest.mark.parametrize("note", ["3rd ed., Vol. 2, ", "Vol. 2, "])
def test_the_volume_and_pages_of_a_chapter_are_read_from_brackets(note: str) -> None:
    source = f"In R. Poe & S. Moe (Eds.), Handbook of medicine ({note}pp. 410–418). Springer."
    fields = read_printed(f"Doe, J., & Roe, K. (2012). Sleep and memory in mice. {source}")
    assert (fields.title, fields.volume, fields.pages) == ("Sleep and memory in mice", "2", "410-418")


def test_a_full_stop_in_brackets_does_not_end_a_title() -> None:
    title = "Outbreaks of encephalitis (St. Louis virus, spp. and strains) in mice"
    assert read_printed(f"Doe J. {title}. J Mice. 2015;5:1-2.").title == title
    assert read_printed(f"Doe J. {title.replace(')', '')}. J Mice. 2015;5:1-2.").year == 2015


def test_a_title_may_be_in_quotation_marks_with_a_title_of_a_person() -> None:
    title = "Teaching medicine with the help of “Dr. House"
    assert read_printed(f"Doe, J. (2018). {title}.” PLoS ONE, 13(3), Article e0193972.").title == title


@pytest.mark.parametrize("names", [
    "Doe LC 3rd, Roe K.", "Doe LC Jr, Roe K.", "Doe LC Jr., Roe K.", "Roe K, Doe LC Jr.", "Doe, L. C., Jr., & Roe, K.",
])  # fmt: skip
def test_a_suffix_behind_a_name_is_no_name_and_no_title(names: str) -> None:
    fields = read_printed(f"{names} {TITLE}. J Mice. 2015;5:1-2.")
    assert fields.title == TITLE
    assert {it.family for it in fields.authors} == {"Doe", "Roe"}


@pytest.mark.parametrize("title", ["Chaos: Making a New Science", "Sapiens: A Brief History of Humankind"])
def test_a_word_before_a_colon_behind_a_given_name_begins_the_title(title: str) -> None:
    fields = read_printed(f"Doe, Jane Mary. {title}. Penguin, 1987.")
    assert (fields.title, [it.family for it in fields.authors]) == (title, ["Doe"])


def test_a_word_before_a_colon_behind_initials_begins_the_title_of_a_chapter() -> None:
    title = "BioBERT: a model of language"
    fields = read_printed(f"Lee J, Yoon W. {title}. In: Smith J, editor. Handbook. Wiley; 2019. p. 4171–86.")
    assert (fields.title, [it.family for it in fields.authors]) == (title, ["Lee", "Yoon"])


def test_a_label_and_proceedings_behind_a_comma_are_no_part_of_a_title() -> None:
    title = "BERT: Pre-training of Deep Transformers"
    fields = read_printed(f"[Devlin+ 19] Devlin, J., and Lee, K.: {title}, in Proceedings of NAACL, pp. 1–6 (2019)")
    assert (fields.title, fields.journal) == (title, "Proceedings of NAACL")
    assert [it.family for it in fields.authors] == ["Devlin", "Lee"]


@pytest.mark.parametrize(("names", "title"), [
    ("Siegel RL, Jemal A. ", "Cancer statistics, 2020"),
    ("de Vries, J. and ’t Hart, M., 2012. ", "Rivers of mice and men"),
])  # fmt: skip
def test_a_year_behind_a_comma_is_the_titles_if_the_title_has_begun(names: str, title: str) -> None:
    fields = read_printed(f"{names}{title}. CA Cancer J Clin. 2020;70(1):7-30.")
    assert fields.title == title


def test_a_year_before_a_title_in_proceedings_is_no_part_of_it() -> None:
    fields = read_printed("He, K., Sun, J., 2016. Deep learning for mice, in: Proceedings of CVPR. pp. 770–778.")
    assert (fields.title, fields.year, fields.pages) == ("Deep learning for mice", 2016, "770-778")
    assert [it.family for it in fields.authors] == ["He", "Sun"]


@pytest.mark.parametrize("marks", ["‘’", "''", "“”"])
def test_a_year_with_a_letter_stands_before_a_quoted_title(marks: str) -> None:
    quoted = "A study of mice in the wild".join(marks)
    fields = read_printed(f"Smith, A. and Brown, B. (2010a) {quoted}, Journal of Mice, 12(3), pp. 45–67.")
    assert (fields.title, fields.journal, fields.year) == ("A study of mice in the wild", "Journal of Mice", 2010)
