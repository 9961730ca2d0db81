"""Names in display order, in index order, and those of groups."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from shared.bibliography.paper import Author
from shared.bibliography.person_names import read_name
from shared.exports.fields import authors_of
from shared.providers.records import core, crossref_references, europe_pmc, openalex, semantic_scholar
from shared.references import names_in_citation

NAMES = [
    ("Jennifer A. Doudna", Author("Doudna", "Jennifer A.")),
    ("Laurens van der Maaten", Author("van der Maaten", "Laurens")),
    ("Ludwig von der Pahlen", Author("von der Pahlen", "Ludwig")),
    ("Vincent Van Gogh", Author("Van Gogh", "Vincent")),  # as nameparser 2.6 divides the names up to Van Morrison
    ("Sandro Da Mesquita", Author("Da Mesquita", "Sandro")),
    ("Juan De La Vega", Author("De La Vega", "Juan")),
    ("Robert De Niro Jr.", Author("De Niro Jr.", "Robert")),
    ("Laura J. van 't Veer", Author("van 't Veer", "Laura J.")),
    ("Jacobus H. van ’t Hoff", Author("van ’t Hoff", "Jacobus H.")),
    ("Laura J. van't Veer", Author("van't Veer", "Laura J.")),
    ("Gerard 't Hooft", Author("'t Hooft", "Gerard")),
    ("Peter St George‐Hyslop", Author("St George‐Hyslop", "Peter")),
    ("Jill St. John", Author("St. John", "Jill")),
    ("Van Morrison", Author("Morrison", "Van")),
    ("Nguyen Van Anh", Author("Anh", "Nguyen Van")),  # its order is read by name_order
    ("Tuan Van Nguyen", Author("Nguyen", "Tuan Van")),
    ("Xiao Di Wang", Author("Wang", "Xiao Di")),
    ("Rina Das Gupta", Author("Gupta", "Rina Das")),
    ("Sammy Davis Jr.", Author("Davis Jr.", "Sammy")),
    ("William H. Gates III", Author("Gates III", "William H.")),
    ("William H. Gates 3rd", Author("Gates 3rd", "William H.")),
    ("Henry Louis Gates, Jr.", Author("Gates Jr.", "Henry Louis")),
    ("Robert De Niro, Jr", Author("De Niro Jr", "Robert")),
    ("Gates, Henry Louis, Jr.", Author("Gates Jr.", "Henry Louis")),
    ("Gates, Henry Louis Jr.", Author("Gates Jr.", "Henry Louis")),
    ("Gates, W. H., III", Author("Gates III", "W. H.")),
    ("Gates Jr., Henry Louis", Author("Gates Jr.", "Henry Louis")),
    ("Gates, Jr.", Author("Gates Jr.")),
    ("Petrov, IV", Author("Petrov", "IV")),
    ("Maaten, Laurens van der", Author("Maaten", "Laurens van der")),
    ("José María López-García", Author("López-García", "José María")),
    ("Agapow P-M", Author("Agapow", "P-M")),
    ("Agapow P.-M.", Author("Agapow", "P.-M.")),
    ("Agapow P.‐M.", Author("Agapow", "P.‐M.")),
    ("P-M Agapow", Author("Agapow", "P-M")),
    ("P.-M. Agapow", Author("Agapow", "P.-M.")),
    ("Agapow, P-M", Author("Agapow", "P-M")),
    ("van der Berg É-M", Author("van der Berg", "É-M")),
    ("García Márquez J-L-M", Author("García Márquez", "J-L-M")),
    ("Ivanov A.V.", Author("Ivanov", "A.V.")),
    ("Иванов А. В.", Author("Иванов", "А. В.")),
    ("de Vries J.", Author("de Vries", "J.")),
    ("A. V. Ivanov", Author("Ivanov", "A. V.")),
    ("Robert F. Kennedy Jr.", Author("Kennedy Jr.", "Robert F.")),
    ("Weinan E", Author("E", "Weinan")),
    ("P-M", Author(name="P-M")),
    ("Plato", Author(name="Plato")),
    ("The ATLAS Collaboration", Author(name="The ATLAS Collaboration")),
    ("CONVERGE study group", Author(name="CONVERGE study group")),
    ("Lyon, F-69003, France", Author(name="Lyon, F-69003, France")),
    ("  J.   Doe : ", Author("Doe", "J.")),
    ("", None),
    (None, None),
    (" , ", None),
]


@pytest.mark.parametrize(("text", "author"), NAMES)
def test_a_name_is_parted_where_its_family_name_begins(text: str | None, author: Author | None) -> None:
    assert read_name(text) == author


READERS: dict[str, Callable[[str], Author | None]] = {
    "names": read_name,
    "exports": lambda name: authors_of({"authors": [name]})[0],
    "core": lambda name: core.read_paper({"id": 1, "title": "A", "authors": [{"name": name}]}, 1).authors[0],
    "crossref_references": crossref_references.read_author,
    "europe_pmc": lambda name: europe_pmc.read_paper(
        {"title": "A", "authorList": {"author": [{"fullName": name}]}}, 1
    ).authors[0],
    "openalex": lambda name: openalex.read_paper(
        {"title": "A", "authorships": [{"raw_author_name": name}]}, 1, 2026
    ).authors[0],
    "printed_references": names_in_citation.read_author,
    "semantic_scholar": lambda name: semantic_scholar.read_paper(
        {"title": "A", "authors": [{"name": name}]}, 1
    ).authors[0],
}


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize(("family", "initials"), [("Agapow", "P-M"), ("Agapow", "P.-M."), ("van der Berg", "J-L")])
def test_hyphenated_initials_behind_a_name_are_initials_to_every_reader(
    reader: str, family: str, initials: str
) -> None:
    assert READERS[reader](f"{family} {initials}") == Author(family=family, given=initials)
