"""Names in display order, in index order, and those of groups."""

from __future__ import annotations

import pytest

from shared.bibliography.paper import Author
from shared.bibliography.person_names import read_name

NAMES = [
    ("Jennifer A. Doudna", Author("Doudna", "Jennifer A.")),
    ("Laurens van der Maaten", Author("van der Maaten", "Laurens")),
    ("Ludwig von der Pahlen", Author("von der Pahlen", "Ludwig")),
    ("Vincent Van Gogh", Author("Gogh", "Vincent Van")),
    ("Sammy Davis Jr.", Author("Davis Jr.", "Sammy")),
    ("William H. Gates III", Author("Gates III", "William H.")),
    ("Maaten, Laurens van der", Author("Maaten", "Laurens van der")),
    ("José María López-García", Author("López-García", "José María")),
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
