"""The marks with which entries begin, and those of lines: raised and attached numbers, labels, numbers in a margin."""

from __future__ import annotations

from textwrap import wrap

import pytest

from shared.documents.document import Document
from shared.documents.reading import read_document
from shared.references.citation_text import read_citation

ENTRIES = (
    "Kober DL, Brett TJ. Neurodegenerative disease mutations in TREM2 reveal a surface. eLife. 2016;5:e20391.",
    "van der Berg T, Roe K. Variant of TREM2 associated with the risk of disease. NEJM. 2013;368:107-16.",
    "Fire A, Xu S, Montgomery MK. Potent and specific genetic interference. Nature. 1998;391(6669):806-811.",
    "Einstein A, Podolsky B. Can the description of reality be considered complete? Phys Rev. 1935;47:777-780.",
)


def read(text: str) -> list[str]:
    document = read_document(text)
    assert all(document.text[it.start : it.end] == it.raw for it in document.entries)
    return [entry.line for entry in document.entries]


def listed(marks: tuple[str, ...], width: int = 200) -> str:
    return "\n".join(line for mark, entry in zip(marks, ENTRIES, strict=True) for line in wrap(mark + entry, width))


@pytest.mark.parametrize("marks", [
    ("¹", "²", "³", "⁴"), ("1", "2", "3", "4"), ("[Kob16] ", "[vdBR13] ", "[FXM+98] ", "[EP35a] "),
    ("[Ref1] ", "[Ref2] ", "[Ref3] ", "[Ref4] "),
    ("[Kober, 2016] ", "[Berg et al., 2013] ", "[Fire, 1998] ", "[E, 1935] "),
])  # fmt: skip
@pytest.mark.parametrize("width", [200, 60])
def test_a_raised_or_attached_number_and_a_label_begin_an_entry(marks: tuple[str, ...], width: int) -> None:
    assert read(f"References\n{listed(marks, width)}\n") == list(ENTRIES)
    assert marks[0] == "1" or read_citation(marks[0] + ENTRIES[0]).authors == ("Kober DL", "Brett TJ")


def test_a_group_or_a_particle_may_follow_an_attached_number() -> None:
    entries = [*ENTRIES, ENTRIES[0].replace("Kober DL", "WHO Study Group"), ENTRIES[1].replace("van der", "van 't")]
    assert read("References\n" + "\n".join(f"{at}{entry}" for at, entry in enumerate(entries, 1)) + "\n") == entries


@pytest.mark.parametrize("numbers", [(1, 2, 1, 2), (1, 2, 2, 3), (1, 2, 8, 9), (3, 4, 1, 2)])
def test_a_number_may_begin_again_or_be_left_out(numbers: tuple[int, ...]) -> None:
    entries = (ENTRIES[0], ENTRIES[2], ENTRIES[3], ENTRIES[2].replace("Fire", "Water"))
    text = "\n".join(f"{number}. {entry}" for number, entry in zip(numbers, entries, strict=True))
    assert read(f"References\n{text}\n") == list(entries)


def test_a_number_within_an_entry_begins_none() -> None:
    entry = "Doe J. Title of a book of mice, vol. 2, part\n12. Springer, Berlin.\n7. Auflage, 2001."
    assert len(read(f"References\n1. {ENTRIES[0]}\n2. {entry}\n3. {ENTRIES[2]}\n")) == 3


def test_a_list_on_one_line_is_divided_before_a_name_in_small_letters() -> None:
    assert read(" ".join(f"{at}. {entry}" for at, entry in enumerate(ENTRIES, 1))) == list(ENTRIES)


def test_a_paragraph_behind_a_numbered_list_is_no_part_of_its_last_entry() -> None:
    bare = listed(("1. ", "2. ", "3. ", "4. "))
    assert read(f"References\n{bare}\n\nJane Doe received the Ph.D. degree in 2021.\n") == list(ENTRIES)
    apart = bare.replace("\n", "\n\n").replace("reveal ", "reveal\n\n").replace("reality ", "reality\n\n")
    assert read(f"References\n{apart}\n") == list(ENTRIES)


@pytest.mark.parametrize("marks", [("1. ", "2. ", "3. ", "4. "), ("", "", "", "")])
@pytest.mark.parametrize("first", [1, 301])
def test_the_numbers_of_lines_in_the_margin_are_no_part_of_the_text(marks: tuple[str, ...], first: int) -> None:
    lines = ["References", *listed(marks, 50).split("\n")]
    numbered = "\n".join(f"{number:>4}  {line}" for number, line in enumerate(lines, first))
    assert read(numbered) == list(ENTRIES)


def test_non_breaking_blanks_divide_names_as_others_do() -> None:
    text = "\n".join(f"\t{entry}" for entry in ENTRIES).replace(" ", "\u00a0")
    document: Document = read_document(f"References\n{text}\n")
    assert [" ".join(it.line.split()) for it in document.entries] == list(ENTRIES)


@pytest.mark.parametrize("broken", [
    "Doe, J., & Roe, K. (2020). Health of mice in schools.\nIn C. Maykel & M. Bray (Eds.), Promoting health. Wiley.",
    "Doe, J., & Roe, K. (2020). Health of mice in schools. In C. Y.\nMaykel & M. Bray (Eds.), Promoting health. Wiley.",
    "Doe, J., & Roe, K. (2020). Health of mice, in 2020\nIEEE Conference on Mice, Las Vegas.",
])  # fmt: skip
def test_a_book_on_the_next_line_begins_no_entry(broken: str) -> None:
    after = "Poe, E. (2019). Title of a paper on the\nmice of Rome and others. Nature, 5, 1–2."
    assert len(read(f"References\n{broken}\n{after}\n{broken}\n")) == 3


@pytest.mark.parametrize("headings", [("\nArticles\n", "\nBooks:\n"), ("K", "V")])
def test_a_heading_within_a_list_is_no_part_of_an_entry(headings: tuple[str, str]) -> None:
    first, second = headings
    text = f"{first}\n{ENTRIES[0]}\n{second}\n{ENTRIES[1]}\n{ENTRIES[2]}\n"
    assert read(f"References\n{text}") == list(ENTRIES[:3])


def test_a_short_title_is_no_heading() -> None:
    assert "Deep learning" in " ".join(read(f"{ENTRIES[0]}\n\nDeep learning\n\n{ENTRIES[2]}"))
