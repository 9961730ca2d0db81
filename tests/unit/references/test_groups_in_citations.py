"""Groups among the authors of a printed reference: behind persons, with `and` or `of` in their names, with a colon."""

from __future__ import annotations

import pytest

from shared.documents.fields_read import read_printed

TITLE = "Guidelines for the treatment of malaria"
PLACE = "Lancet. 2020;396:1204-22."


def authors_of(line: str) -> tuple[str, ...]:
    fields = read_printed(line)
    assert fields.title == TITLE
    return tuple(it.family or it.display for it in fields.authors)


@pytest.mark.parametrize(("names", "authors"), [
    ("Moher D, Liberati A; PRISMA Group", ("Moher", "Liberati", "PRISMA Group")),
    ("Moher D, Liberati A, van Moorselaar RJ; Alf-One", ("Moher", "Liberati", "van Moorselaar", "Alf-One")),
    ("Doe, J. A.; Roe, K.; PRISMA Group", ("Doe", "Roe", "PRISMA Group")),
])  # fmt: skip
def test_a_group_behind_a_semicolon_is_one_author_more(names: str, authors: tuple[str, ...]) -> None:
    assert authors_of(f"{names}. {TITLE}. {PLACE}") == authors


@pytest.mark.parametrize("name", [
    "US Food and Drug Administration", "Centers for Disease Control and Prevention", "Institute of Medicine",
    "National Institute for Health and Care Excellence", "American Academy of Pediatrics Committee on Drugs",
    "Royal College of Obstetricians and Gynaecologists", "National Institute of Mental Health", "WHO",
    "United Nations",
])  # fmt: skip
@pytest.mark.parametrize("line", [f"{{}}. {TITLE}. {PLACE}", f"{{}}. (2020). {TITLE}. Lancet, 396, 1204–1222."])
def test_an_institution_is_one_author_and_no_title(line: str, name: str) -> None:
    assert authors_of(line.format(name)) == (name,)


@pytest.mark.parametrize("names", ["Doe J and XYZ Study Group", "J. Doe and the XYZ Study Group"])
def test_a_person_beside_a_group_is_no_part_of_it(names: str) -> None:
    assert authors_of(f"{names}. {TITLE}. {PLACE}")[0] == "Doe"


@pytest.mark.parametrize("title", [
    "Association of Coffee Intake With Mortality", "The Society of Mind", "Clinical Networks for Rare Cancers",
])  # fmt: skip
def test_a_title_in_capitals_is_no_institution(title: str) -> None:
    assert read_printed(title).title == title
    assert not read_printed(title).authors


def test_a_group_stands_before_a_title_with_a_colon() -> None:
    fields = read_printed("R Core Team. R: A language and environment for statistical computing. Vienna; 2021.")
    assert fields.title == "R: A language and environment for statistical computing"
    assert [it.display for it in fields.authors] == ["R Core Team"]
