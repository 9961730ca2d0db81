"""One rule for group authors, on the cases where its four former copies disagreed.

`y` and `n` are the former answers of the readers of names, of the exports, of matching and of cited titles.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from shared.bibliography.group_authors import ends_in_group, is_group
from shared.bibliography.paper import Author
from shared.bibliography.person_names import read_name
from shared.exports.fields import authors_of
from shared.matching.features import features
from shared.providers.records import crossref_references, europe_pmc
from shared.references import names_in_citation
from tests.unit.records import record

# name, former answers, is it a group, why
NAMES = [
    ("RECOVERY Trial", "nyyn", True, "an acronym is not a given name"),
    ("HOPE-3 Trial", "nyyn", True, "nor is one with a number"),
    ("Steroid Injury Trial", "nyyn", True, "two words, none an initial"),
    ("World Health Organization", "nyyy", True, "was a person called Organization to every reader"),
    ("ENCODE Project", "ynnn", True, "was a person called Project to the exports' authors in parts"),
    ("EMA Agency", "nyny", True, "an agency"),
    ("European Medicines Agency", "nyny", True, "an agency"),
    ("National Academy of Sciences", "nynn", True, "the word stands inside"),
    ("Framingham Heart Study", "nyyn", True, "a study"),
    ("Organization, World Health", "nyyy", True, "an inverted group stays one"),
    ("Group Southwest Oncology", "ynyn", True, "inverted without a comma"),
    ("European Union", "nynn", True, "no surname"),
    ("U.S. Forest Service", "nynn", True, "`U.S.` is not an initial"),
    ("National Health Service", "nynn", True, "two words, none an initial"),
    ("Editorial Board", "nynn", True, "an adjective is not a given name"),
    ("Gemini Team", "ynyy", True, "a team of one word signs papers"),
    ("Clinical Trials Collaborative", "nnyn", True, "collaborative"),
    ("Maria Group", "ynyy", True, "nobody is known with this surname"),
    ("George Church", "nnnn", False, "a church is not a keyword"),
    ("JoAnn Trial", "nyyn", False, "a given name"),
    ("Trial, J.", "nyyn", False, "the surname first"),
    ("Trial J", "nyyn", False, "the surname first, as PubMed writes it"),
    ("Philip G. Board", "nynn", False, "an initial before the surname"),
    ("Board PG", "nynn", False, "the surname first"),
    ("Robert F. Service", "nynn", False, "an initial before the surname"),
    ("Service, Robert F.", "nynn", False, "the surname first"),
    ("Team V", "ynyn", False, "the surname first"),
    ("Marilyn K. Nations", "nnnn", False, "an initial before the surname"),
    ("Nations MK", "nnnn", False, "the surname first"),
    ("Nations, Marilyn", "nnnn", False, "the surname first"),
    ("United Nations", "nnnn", True, "no given name"),
    ("First Nations Health Authority", "nnnn", True, "the word stands inside"),
    ("Anna Smith-Board", "nynn", False, "a double name"),
    ("Guillaume de L'Hospital", "nynn", False, "a part of a word"),
    ("Jan van der Group", "ynyy", False, "a particle before it"),
    ("Van Andel Institute", "nyyy", True, "the particle is not before the keyword"),
    ("Jennifer A. Doudna", "nnnn", False, "a person"),
]


@pytest.mark.parametrize(("name", "_former", "right", "why"), NAMES)
def test_a_group_is_one_everywhere(name: str, _former: str, right: bool, why: str) -> None:
    assert is_group(name) is right, why
    read = read_name(name)
    assert read is not None
    assert (read.name == name) is right, why
    assert (authors_of({"authors": [name]})[0].name == name) is right, why
    assert (features(record("A title", authors=name)).names == ()) is right, why


READERS: dict[str, Callable[[str], Author | None]] = {
    "names": read_name,
    "europe_pmc": lambda name: europe_pmc.read_paper({"title": "A title", "authorString": f"{name}."}, 1).authors[0],
    "crossref_references": crossref_references.read_author,
    "printed_references": names_in_citation.read_author,
}


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize(
    "name",
    [
        "PREDIMED Study Group II",
        "IARC Working Group UK",
        "European Society EULAR",
        "ESC Committee A",
        "RECOVERY Trial I",
    ],
)
def test_a_group_whose_name_ends_like_initials_keeps_it_whole(reader: str, name: str) -> None:
    assert READERS[reader](name) == Author(name=name)


@pytest.mark.parametrize("reader", ["europe_pmc", "crossref_references", "printed_references"])
@pytest.mark.parametrize(("family", "initials"), [("Glover", "JN"), ("Board", "PG"), ("Trial", "J"), ("Team", "V")])
def test_initials_behind_a_surname_are_a_persons(reader: str, family: str, initials: str) -> None:
    assert READERS[reader](f"{family} {initials}") == Author(family=family, given=initials)


def test_the_surname_of_a_name_in_parts_is_no_group() -> None:
    assert not is_group("Trial")
    assert is_group("Group")


@pytest.mark.parametrize("name", ["Anonymous", "et al"])
def test_no_author_is_no_group_and_no_name_to_compare(name: str) -> None:
    assert not is_group(name)
    assert features(record("A title", authors=name)).names == ()


@pytest.mark.parametrize(
    ("text", "ends"),
    [
        ("World Health Organization.", True),
        ("Alzheimer's Disease Neuroimaging Initiative", True),
        ("Neurite Investigators", True),
        ("National Academy", True),  # the former list had no academies
        ("A randomized controlled trial", False),
        ("Graph attention networks", False),
        ("Care of children in hospital", False),
        ("The framingham heart study", False),
        ("", False),
    ],
)
def test_a_title_does_not_end_like_a_group(text: str, ends: bool) -> None:
    assert ends_in_group(text) is ends
