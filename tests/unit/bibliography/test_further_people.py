"""The words for further people, such as `et al`, have one rule: each reader gives the same answer on the same cases."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from shared.bibliography.paper import Author, Paper
from shared.bibliography.typed_names import read_person
from shared.bibliography.typed_people import read_people
from shared.documents.printed_names import names_in_style
from shared.documents.reading import read_document
from shared.graph.unidentified import unidentified_hints
from shared.matching.features import features
from shared.providers.records import europe_pmc
from shared.query.pasted_text import PRINTED_REFERENCE
from shared.query.person_in_words import person_in_words
from shared.query.telling_words import telling_words
from shared.references.citation_by_initials import read_by_initials
from shared.references.citation_text import read_citation
from shared.references.names_in_citation import are_names_before_colon, read_author
from shared.references.national_habits import read_gost
from shared.search.wording.pasted_reference import short_citation

# Of Latin, with the spellings that are in use; BibTeX's word and those of the locales of CSL for `and-others`, with the
# English ones for people who work together.
LATIN = ("et al", "et al.", "et. al.", "et. al", "et.al.", "etal.", "et alii", "et alia", "et aliae")
IN_LISTS = ("and others", "& others", "and colleagues", "and coworkers", "und andere", "en anderen", "y otros",
            "et autres", "e altri", "e outros", "i altres")  # fmt: skip
# Of the same locales for `et-al`, and of national standards.
IN_PRINT = ("u. a.", "u.a.", "e.a.", "[u. a.]", "i wsp.", "i sur.", "& al.", "y cols.", "m. fl.", "ve ark.", "и др.",
            "a kol.", "és mtsai.", "và cs.", "og flere.", "și colab.", "и соавт.", "та ін.", "vd.", "ym.", "i in.",
            "in sod.", "e altri.")  # fmt: skip


def _person(more: str) -> bool:
    return read_person(f"Smith J {more}") == read_person("Smith J") and read_person(f"Smith, {more}") == read_person(
        "Smith"
    )


def _people(more: str) -> bool:
    return (
        read_people(f"Smith J, Jones K, {more}")
        == read_people(f"Smith J, Jones K {more}")
        == read_people("Smith J, Jones K")
    )


def _author(more: str) -> bool:
    return read_author(f"Kober DL, {more}") == Author(family="Kober", given="DL")


def _colon(more: str) -> bool:
    return are_names_before_colon(f"Doe JA, Roe K, {more}")


def _place_only(more: str) -> bool:
    parts = read_by_initials(f"A. Doe {more} (Planck Collaboration), Phys. Lett. B 716 (2012) 1")
    again = read_by_initials(f"Doe, A. {more}, Phys. Rev. Lett. 100, 012345 (2008)")
    return parts is not None and again is not None and parts[2].startswith("Phys. Lett. B 716")


def _reference(more: str) -> bool:
    read = read_citation(f"Doe J, Roe B, {more} Sleep and memory in old mice. Nature. 2013;5:12-19.".replace("..", "."))
    return read.authors == ("Doe J", "Roe B")


def _gost(more: str) -> bool:
    parts = read_gost(f"Doe J. B. Sleep and memory in mice / J. B. Doe [{more}] // Journal. – 2016. – Vol. 1")
    return parts is not None and parts[0] == "J. B. Doe"


def _cut_list(more: str) -> bool:
    """A correction of names leaves as many as were printed."""
    people = [Author(family="Kober", given="DL"), Author(family="Brett", given="TJ")]
    return names_in_style(f"Kobr DL, {more} Title", ["Kobr DL"], people, 0)[1] == "Kober DL"


def _in_text(more: str) -> bool:
    document = read_document(
        f"As Kober {more} (2016) show.\n\nReferences\n\nAbel, A. (2011). On mice and microglia. Cell, 8, 1–9.\n"
        "Kober, D. (2016). On sleep in old mice. Cell, 8, 1–9.\n"
    )
    return [(it.marker, it.entries) for it in document.citations] == [(f"Kober {more} (2016)", (1,))]


def _short(more: str) -> bool:
    found = short_citation(f"Smith {more} 2019")
    return found is not None and (found.author, found.year, found.query) == ("Smith", "2019", None)


def _by_name_and_year(more: str) -> bool:
    found = person_in_words(f"Smith {more} 2019 microglia")
    return found is not None and (found.author, found.year, found.rest) == ("Smith", "2019", "microglia")


def _by_name(more: str) -> bool:
    found = person_in_words(f"Smith {more} microglia")
    return found is not None and (found.author, found.rest) == ("Smith", "microglia")


def _no_person(more: str) -> bool:
    paper = Paper(
        provider="crossref", rank=1, title="On mice", authors=(Author(name="Doe J"), Author(name=f"Roe {more}"))
    )
    return [name.written for name in features(paper).names] == ["Doe J"]


def _listed_as_author(more: str) -> bool:
    """Europe PMC lists the words as the last author."""
    paper = europe_pmc.read_linked_paper({"title": "On mice", "authorString": f"Doe J, {more}"}, 1)
    return [it.display for it in paper.authors] == ["J Doe"]


def _without_id(more: str) -> bool:
    return "cite 1 papers" in unidentified_hints(f"As Kober {more} (2016) show.", ())[0]["message"]


READERS_OF_NAMES = (_person, _people, _author, _colon, _place_only, _gost, _cut_list, _in_text, _short,
                    _by_name_and_year, _listed_as_author, _without_id)  # fmt: skip


@pytest.mark.parametrize("reader", READERS_OF_NAMES)
def test_words_for_further_people_name_no_author_of_a_list(reader: Callable[[str], bool]) -> None:
    assert [more for more in LATIN + IN_LISTS if not reader(more)] == []


@pytest.mark.parametrize("reader", [_by_name, _reference])
def test_latin_means_further_people_in_any_text(reader: Callable[[str], bool]) -> None:
    assert [more for more in LATIN if not reader(more)] == []


@pytest.mark.parametrize("more", [*LATIN[:-2], "and others", "and colleagues"])
def test_further_people_are_no_authors_to_compare(more: str) -> None:
    assert _no_person(more)


@pytest.mark.parametrize("reader", [_reference, _gost, _cut_list, _in_text, _by_name_and_year])
def test_abbreviations_of_one_language_are_read_in_print(reader: Callable[[str], bool]) -> None:
    assert [more for more in IN_PRINT if not reader(more)] == []


@pytest.mark.parametrize("more", LATIN)
def test_the_latin_words_are_no_subject(more: str) -> None:
    assert PRINTED_REFERENCE.search(f"Smith {more} microglia")
    assert telling_words(f"what did Smith {more} show about microglia") == telling_words(
        "what did Smith show about microglia"
    )


def test_a_subject_may_have_others() -> None:
    assert person_in_words("vaccines against Measles and others") is None
    assert person_in_words("Measles and others") is None
    assert [it[0].initials for it in read_people("müller, u. a.; doe, e. a.")] == ["UA", "EA"]
    title = "On bullshit and others in old mice"
    assert read_citation(f"Doe J, Roe B. {title}. Nature. 2013;5:12-19.").title == title
