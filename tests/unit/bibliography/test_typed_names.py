"""Names of people as callers type them, and whether an author of a record is meant."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from shared.bibliography.name_agreement import is_named
from shared.bibliography.paper import Author
from shared.bibliography.typed_names import MAX_READINGS, PersonName, read_person
from shared.bibliography.words import words_of

CORPUS = Path(__file__).parents[3] / "infra" / "local" / "sandbox" / "papers.jsonl"

# What is typed: the family name, given names and initials of the likeliest reading.
FORMS: list[tuple[str, str, str | None, str]] = [
    ("Doudna JA", "Doudna", None, "JA"),
    ("Doudna J.A.", "Doudna", None, "JA"),
    ("Doudna J A", "Doudna", None, "JA"),
    ("J. A. Doudna", "Doudna", None, "JA"),
    ("J.A. Doudna", "Doudna", None, "JA"),
    ("J.A.Doudna", "Doudna", None, "JA"),
    ("JA Doudna", "Doudna", None, "JA"),
    ("Doudna, Jennifer A.", "Doudna", "Jennifer A", "JA"),
    ("Doudna, J", "Doudna", None, "J"),
    ("Doudna, J. A.", "Doudna", None, "JA"),
    ("Jennifer Doudna", "Doudna", "Jennifer", "J"),
    ("Jennifer A. Doudna", "Doudna", "Jennifer A", "JA"),
    ("Jennifer A Doudna", "Doudna", "Jennifer A", "JA"),
    ("Dr. Jennifer Doudna, PhD", "Doudna", "Jennifer", "J"),
    ("Doudna", "Doudna", None, ""),
    ("Doudna JA, Charpentier E", "Doudna", None, "JA"),
    ("Doudna, J.; Charpentier, E.", "Doudna", None, "J"),
    ("Doudna JA et al.", "Doudna", None, "JA"),
    ("Doudna, et al", "Doudna", None, ""),
    ("van der Maaten L", "van der Maaten", None, "L"),
    ("L van der Maaten", "van der Maaten", None, "L"),
    ("Laurens van der Maaten", "van der Maaten", "Laurens", "L"),
    ("Maaten, Laurens van der", "van der Maaten", "Laurens", "L"),
    ("Maaten L van der", "van der Maaten", None, "L"),
    ("van der Maaten, L.", "van der Maaten", None, "L"),
    ("Laura J. van 't Veer", "van 't Veer", "Laura J", "LJ"),
    ("van ’t Veer LJ", "van 't Veer", None, "LJ"),
    ("Laura van't Veer", "van 't Veer", "Laura", "L"),
    ("Gerard 't Hooft", "'t Hooft", "Gerard", "G"),
    ("'t Hooft, G.", "'t Hooft", None, "G"),
    ("de la Cruz M", "de la Cruz", None, "M"),
    ("de la Cruz", "de la Cruz", None, ""),
    ("Maria de la Cruz", "de la Cruz", "Maria", "M"),
    ("Salman bin Abdulaziz", "bin Abdulaziz", "Salman", "S"),
    ("von Mises L", "von Mises", None, "L"),
    ("García-Márquez G", "García-Márquez", None, "G"),
    ("Garcia Marquez G", "Garcia Marquez", None, "G"),
    ("G. García Márquez", "García Márquez", None, "G"),
    ("Gabriel García Márquez", "García Márquez", "Gabriel", "G"),
    ("García Márquez, Gabriel", "García Márquez", "Gabriel", "G"),
    ("Zhang Feng", "Zhang", "Feng", "F"),
    ("Feng Zhang", "Zhang", "Feng", "F"),
    ("Zhang F", "Zhang", None, "F"),
    ("Xiao-Ping Wang", "Wang", "Xiao-Ping", "XP"),
    ("Jimmy Ba", "Ba", "Jimmy", "J"),
    ("Ba J", "Ba", None, "J"),
    ("Li X", "Li", None, "X"),
    ("X Li", "Li", None, "X"),
    ("Nguyen Van Anh", "Nguyen", "Van Anh", "VA"),
    ("Kim Min-jun", "Kim", "Min-jun", "MJ"),
    ("E W", "E", None, "W"),
    ("O J", "O", None, "J"),
    ("E, Weinan", "E", "Weinan", "W"),
    ("Nagy László", "Nagy", "László", "L"),
    ("László Nagy", "Nagy", "László", "L"),
    ("Sammy Davis Jr.", "Davis", "Sammy", "S"),
    ("Davis, Sammy, Jr.", "Davis", "Sammy", "S"),
    ("William H. Gates III", "Gates", "William H", "WH"),
    ("Johnson JR", "Johnson", None, "JR"),
    ("Eddy, SR", "Eddy", None, "SR"),
    ("Sanders DA", "Sanders", None, "DA"),
    ("C. S. Ha", "Ha", None, "CS"),
    ("Lebedev ON", "Lebedev", None, "ON"),
    ("Bin Wu", "Wu", "Bin", "B"),
    ("Ivanov IV", "Ivanov", None, "IV"),
    ("Müller K", "Müller", None, "K"),
    ("Kate O’Brien", "O'Brien", "Kate", "K"),
    ("J.-P. Sartre", "Sartre", None, "JP"),
    ("J. Craig Venter", "Venter", "J Craig", "JC"),
]
GROUPS = ["UK Biobank", "World Health Organization", "The ATLAS Collaboration", "Gemini Team", "23andMe"]


@pytest.mark.parametrize(("typed", "family", "given", "initials"), FORMS, ids=[form[0] for form in FORMS])
def test_a_typed_name_is_read_in_any_form_and_case(typed: str, family: str, given: str | None, initials: str) -> None:
    assert read_person(typed)[0] == PersonName(family, given, initials)
    for written in (typed.lower(), typed.upper()):
        read = read_person(written)[0]
        assert (read.family.lower(), read.given and read.given.lower()) == (family.lower(), given and given.lower())
        assert read.initials == initials


@pytest.mark.parametrize(
    ("typed", "family", "initials"),
    [
        ("Peter St George-Hyslop", "St George-Hyslop", "P"),
        ("St. John J", "St John", "J"),
        ("smith st", "Smith", "ST"),
        ("Smith ST", "Smith", "ST"),
    ],
)
def test_saint_is_a_particle_where_its_case_says_so(typed: str, family: str, initials: str) -> None:
    assert (read_person(typed)[0].family, read_person(typed)[0].initials) == (family, initials)


@pytest.mark.parametrize("name", [*GROUPS, "WHO", "who"])
def test_a_group_is_one_name(name: str) -> None:
    (read,) = read_person(name)
    assert (read.family.lower(), read.given, read.initials) == (name.lower(), None, "")
    assert read.of_group is (name in GROUPS)


def test_a_person_is_no_group() -> None:
    assert not read_person("Doudna JA")[0].of_group


@pytest.mark.parametrize(
    ("typed", "family", "given"),
    [
        ("张锋", "张", "锋"),
        ("欧阳修文", "欧阳", "修文"),
        ("山中伸弥", "山中", "伸弥"),
        ("김철수", "김", "철수"),
        ("张 锋", "张", "锋"),
    ],
)
def test_names_without_blanks_begin_with_the_family(typed: str, family: str, given: str) -> None:
    assert (read_person(typed)[0].family, read_person(typed)[0].given) == (family, given)


@pytest.mark.parametrize(
    ("typed", "other"),
    [
        ("Jennifer Doudna", PersonName("Jennifer", "Doudna", "D")),
        ("Weinan E", PersonName("E", "Weinan", "W")),
        ("E W", PersonName("W", None, "E")),
        ("Doudna Jennifer A", PersonName("Doudna", "Jennifer A", "JA")),
        ("J. Craig Venter", PersonName("Craig Venter", None, "J")),
        ("Al Gore", PersonName("Gore", "Al", "A")),
    ],
)
def test_a_name_that_can_be_read_otherwise_has_more_readings(typed: str, other: PersonName) -> None:
    assert other in read_person(typed)[1:]


def test_initials_leave_one_reading() -> None:
    assert len(read_person("Zhang F")) == len(read_person("J. A. Doudna")) == 1


def test_a_name_has_the_forms_that_sources_index() -> None:
    doudna = read_person("Jennifer A. Doudna")[0]
    assert (doudna.pubmed, doudna.display) == ("Doudna JA", "Jennifer A Doudna")
    assert (read_person("doudna ja")[0].pubmed, read_person("doudna ja")[0].display) == ("Doudna JA", "J A Doudna")
    assert read_person("doudna")[0].pubmed == read_person("doudna")[0].display == "Doudna"


@pytest.mark.parametrize("typed", ["De Roe", "De Roe A", "Ada De Roe Jr."])
def test_a_record_with_a_suffix_is_of_the_same_person(typed: str) -> None:
    assert is_named(Author("De Roe Jr.", "Ada B"), read_person(typed)[0])


@given(st.text(max_size=60))
@example("0;A")
def test_any_text_is_read(text: str) -> None:
    readings = read_person(text)
    assert len(readings) <= MAX_READINGS
    assert readings or not any(sign.isascii() and sign.isalpha() for sign in text)
    assert all(it.family for it in readings)
    assert all(it.initials == it.initials.upper() for it in readings)


def _persons() -> set[tuple[str, str]]:
    """The family and given names of all people of the sandbox's corpus."""
    lines = CORPUS.read_text(encoding="utf-8").splitlines()
    people = (person for line in lines for person in json.loads(line).get("authors", ()))
    return {(it["family"], it["given"]) for it in people if it.get("family") and it.get("given")}


@pytest.mark.slow
def test_the_people_of_the_corpus_are_read_in_every_form() -> None:
    """Each form has a reading that is the person; mostly the first one, which sources search for."""
    found, right, forms = 0, 0, 0
    for family, names in sorted(_persons()):
        initials = "".join(part[0] for part in re.split(r"[\s.-]+", names) if part)
        for typed in (
            f"{family} {initials}", f"{names} {family}", f"{family}, {names}", f"{'. '.join(initials)}. {family}",
            f"{family}, {initials}", f"{names} {family}".lower(), f"{family} {initials}".lower(),
        ):  # fmt: skip
            readings = read_person(typed)
            found += any(is_named(Author(family, names), it) for it in readings)
            forms += 1
            right += words_of(readings[0].family) == words_of(family)
    assert found / forms > 0.995  # a few records have initials in the family name
    assert right / forms > 0.97


MEANT = [
    ("Müller K", Author("Mueller", "Karl")), ("Mueller K", Author("Muller", "K")), ("muller", Author("Müller", "K")),
    ("Oehler K", Author("Öhler", "K")),
    ("O’Brien K", Author("O'Brien", "Kate")), ("OBrien K", Author("O’Brien", "Kate")),
    ("García-Márquez G", Author("Garcia Marquez", "G")), ("Garcia Marquez G", Author("García-Márquez", "Gabriel")),
    ("Gabriel García Márquez", Author("Márquez", "Gabriel García")), ("García G", Author("García Márquez", "Gabriel")),
    ("Le Quintrec M", Author("Quintrec", "Moglie")), ("Maaten L", Author("van der Maaten", "Laurens")),
    ("Zhang Feng", Author("Feng", "Zhang")), ("Xiaoping Wang", Author("Wang", "Xiao-Ping")),
    ("Wang XP", Author("Wang", "Xiaoping")), ("Ji Zhang", Author("Zhang", "Ji")), ("Zhang JW", Author("Zhang", "Ji")),
    ("Gøtzsche PC", Author("Gotzsche", "Peter C.")), ("Weinan E", Author("E", "Weinan")),
    ("E W", Author("E", "Weinan")), ("张锋", Author("张", "锋")), ("张锋", Author(name="张锋")),
    ("UK Biobank", Author(name="The UK Biobank")), ("WHO", Author(name="WHO")), ("peng y", Author("Yifan Peng")),
    ("Usher-Smith JA", Author("Usher-Smith, Juliet A")), ("Rob Smith", Author("Smith", "Robert")),
]  # fmt: skip
OTHERS = [
    ("Zhang F", Author("Zhang", "Wei")), ("Zhang F", Author("Smith", "F.")), ("Bauer K", Author("Baur", "K")),
    ("Doudna JA", Author("Doudna", "John B")), ("Jennifer Doudna", Author("Doudna", "James")),
    ("García G", Author("García-Márquez", "Juan")), ("van der Maaten", Author("van der Berg", "L")),
    ("UK Biobank", Author("Biobank", "Uwe")), ("Colonna M", Author("Colonnari", "M")),
]  # fmt: skip


@pytest.mark.parametrize(("typed", "author"), MEANT)
def test_an_author_who_can_be_meant_agrees(typed: str, author: Author) -> None:
    assert any(is_named(author, person) for person in read_person(typed))


@pytest.mark.parametrize(("typed", "author"), OTHERS)
def test_another_person_does_not_agree(typed: str, author: Author) -> None:
    assert [is_named(author, person) for person in read_person(typed)] == [False] * len(read_person(typed))


def test_a_family_name_alone_decides_only_if_no_more_is_wanted() -> None:
    assert is_named(Author("Doudna"), read_person("Doudna JA")[0]) is None
    assert is_named(Author("Doudna"), read_person("doudna")[0]) is True
