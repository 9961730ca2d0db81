"""What stands beside names has one rule: each reader of names gives the same answer on the same cases."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from shared.bibliography.group_authors import is_group
from shared.bibliography.name_patterns import CAPITAL
from shared.bibliography.paper import Author
from shared.bibliography.person_names import PARTICLES, read_name
from shared.bibliography.typed_people import read_people
from shared.documents.printed_names import names_in_style
from shared.documents.reading import read_document
from shared.providers.records import crossref_references
from shared.query.filters_in_words import filters_in_words
from shared.query.person_in_words import person_in_words
from shared.references.citation_by_initials import read_by_initials
from shared.references.citation_in_journal import read_in_journal
from shared.references.citation_text import read_citation
from shared.references.names_in_citation import are_names_before_colon, read_author
from shared.references.national_habits import in_english_marks, read_gost
from shared.references.title_words import reads_like_names
from shared.search.wording.typed_author import author_hints

# Names of people with the letter that their given name begins with, from the alphabets of Unicode's character database.
PEOPLE = (
    ("Ozil", "O"), ("Özil", "Ö"), ("Çelik", "Ç"), ("Śliwa", "Ś"), ("Żak", "Ż"), ("Łuk", "Ł"), ("Ćma", "Ć"),
    ("Ğazali", "Ğ"), ("İnan", "İ"), ("Őry", "Ő"), ("Ţepeş", "Ţ"), ("Đặng", "Đ"), ("Ấn", "Ấ"), ("Þórsson", "Þ"),
    ("Žižek", "Ž"), ("Παπάς", "Π"), ("Ώρας", "Ώ"), ("Жуков", "Ж"), ("Їжак", "Ї"), ("Հակոբյան", "Հ"),
)  # fmt: skip


def _typed(family: str, initial: str) -> bool:
    return len(read_people(f"{family} {initial}, Celik C")) == 2


def _typed_in_small_letters(family: str, initial: str) -> bool:
    return len(read_people(f"{family}, {initial}., celik, c.".lower().replace("\u0307", ""))) == 2


def _query(family: str, initial: str) -> bool:
    return bool(author_hints([f"{family} {initial} TREM2"], list, list))


def _group(family: str, initial: str) -> bool:
    return not is_group(f"Board, {family} {initial}") and not is_group(f"{initial}. Board")


def _cited(family: str, initial: str) -> bool:
    return read_author(f"{family} {initial}") == Author(family=family, given=initial)


def _deposited(family: str, initial: str) -> bool:
    return crossref_references.read_author(f"{family} {initial}") == Author(family=family, given=initial)


def _initials_first(family: str, initial: str) -> bool:
    parts = read_by_initials(f"{initial}. {family}, B. Roe, Phys. Rev. Lett. 100, 012345 (2008)")
    return parts is not None and parts[0].startswith(f"{initial}. {family}, B. Roe")


def _initials_last(family: str, initial: str) -> bool:
    parts = read_by_initials(f"{family} {initial}, Roe B 1998 Astron. J. 116 1009")
    return parts is not None and parts[0] == f"{family} {initial}, Roe B"


def _vancouver(family: str, initial: str) -> bool:
    read = read_citation(f"{family} {initial}, Roe B. Sleep and memory in old mice. Nature. 2013;5:12-19.")
    return read.authors == (f"{family} {initial}", "Roe B") and read.title == "Sleep and memory in old mice"


def _before_colon(family: str, initial: str) -> bool:
    return are_names_before_colon(f"{family} {initial}, Roe K")


def _before_in(family: str, initial: str) -> bool:
    parts = read_in_journal(f"{initial}. {family}, Sleep and memory in old mice, in: Journal 84 (2013), S. 12-34.")
    return parts is not None and parts[0] == f"{initial}. {family}"


def _style(family: str, initial: str) -> bool:
    """A correction keeps the style of the name: `Roe B`, not `Roe, B.`."""
    written = names_in_style(
        f"{family} {initial}. Title", [f"{family} {initial}"], [Author(family="Roe", given="Bo")], 0
    )
    return written[1] == "Roe B"


READERS_OF_INITIALS: tuple[Callable[[str, str], bool], ...] = (
    _typed, _typed_in_small_letters, _query, _group, _cited, _deposited, _initials_first, _initials_last, _vancouver,
    _before_colon, _before_in, _style,
)  # fmt: skip


@pytest.mark.parametrize("reader", READERS_OF_INITIALS)
def test_initials_are_capitals_of_any_alphabet_for_every_reader(reader: Callable[[str, str], bool]) -> None:
    assert [f"{family} {initial}" for family, initial in PEOPLE if not reader(family, initial)] == []


@pytest.mark.parametrize("word", ["à", "é", "ó", "и", "я", "α", "山", "김", "ß", "5", "_"])
def test_words_of_one_letter_are_no_initials(word: str) -> None:
    assert not re.fullmatch(CAPITAL, word)
    assert not author_hints([f"Voyage {word} Lune"], list, list)
    assert read_author(f"Voyage {word}") != Author(family="Voyage", given=word)


def test_people_with_accents_are_divided_as_those_without() -> None:
    assert len(read_people("Śliwa, Ś., Żak, Ż., Łuk, Ł., Ćma, Ć.")) == 4
    assert len(read_people("Özil Ö, Çelik Ç".replace("Ö", "O\u0308"))) == 2  # decomposed


# A person for each particle, with the family name as catalogues have it.
PEOPLE_WITH_PARTICLES = (
    ("Hilma", "af Klint"), ("Omar", "al Bashir"), ("Ali", "bin Hassan"), ("Leonardo", "da Vinci"),
    ("Luca", "dal Pozzo"), ("Carlo", "dalla Chiesa"), ("Maria", "das Neves"), ("Simone", "de Beauvoir"),
    ("Pedro", "del Valle"), ("Andrea", "del Sarto"), ("Luca", "della Robbia"), ("Marco", "dello Russo"),
    ("Jan", "van den Berg"), ("Pieter", "van der Aa"), ("Jean", "des Essarts"), ("Lampedusa", "di Palma"),
    ("Edson", "do Nascimento"), ("Paulo", "dos Santos"), ("Daphne", "du Maurier"), ("Juan", "el Greco"),
    ("Wim", "van het Hof"), ("Ahmad", "ibn Rushd"), ("Madeleine", "la Tour"), ("Bartolome", "de las Casas"),
    ("John", "le Carré"), ("Anna", "lo Bianco"), ("Juan", "de los Santos"), ("Jan", "te Velde"),
    ("Corrie", "ten Boom"), ("Gerard", "ter Borch"), ("Heinrich", "vom Kleist"), ("Ludwig", "von Mises"),
    ("Karl", "zu Guttenberg"), ("Hans", "zum Felde"), ("Otto", "zur Linde"),
)  # fmt: skip


def _whole_name(given: str, family: str) -> bool:
    return read_name(f"{given} {family}") == Author(family=family, given=given)


def _asked_for(given: str, family: str) -> bool:
    return filters_in_words(f"papers by {given} {family}").author == f"{given} {family}"


def _by_form(given: str, family: str) -> bool:
    found = person_in_words(f"TREM2 by {given} {family}")
    return found is not None and found.author == f"{given} {family}"


def _cited_in_words(given: str, family: str) -> bool:
    found = person_in_words(f"{family} et al 2019 microglia")
    return found is not None and found.author == family


def _physics(given: str, family: str) -> bool:
    parts = read_by_initials(f"{given[0]}. {family}, B. Roe, Phys. Rev. Lett. 100, 012345 (2008)")
    return parts is not None and parts[0].startswith(f"{given[0]}. {family}, B. Roe")


def _names(given: str, family: str) -> bool:
    return reads_like_names(f"{family} {given[0]}, Roe B")


def _german(given: str, family: str) -> bool:
    parts = read_in_journal(f"{given} {family}, Sleep and memory in old mice, in: Journal 84 (2013), S. 12-34.")
    return parts is not None and parts[0] == f"{given} {family}"


def _in_a_sentence(given: str, family: str) -> bool:
    return in_english_marks(f"The 2013 paper by {family} on sleep").startswith(f"2013 {family}")


def _russian_style(given: str, family: str) -> bool:
    heading, title = f"{family} {given[0]}. B.", "Sleep and memory in mice"
    parts = read_gost(f"{heading} {title} / {given[0]}. B. {family} // Journal. – 2016. – Vol. 1")
    return parts is not None and parts[1] == title


def _document(given: str, family: str) -> bool:
    """An entry begins at a particle, and a citation in the text has it."""
    document = read_document(
        f"As {family} et al. (2016) show.\n\nReferences\n\n"
        f"Abel, A. (2011). On mice and microglia. Cell, 8, 1–9.\n"
        f"{family}, {given[0]}. (2016). On sleep in old mice. Cell, 8, 1–9.\n"
    )
    return [(it.marker, it.entries) for it in document.citations] == [(f"{family} et al. (2016)", (1,))]


READERS_OF_PARTICLES: tuple[Callable[[str, str], bool], ...] = (
    _whole_name, _asked_for, _by_form, _cited_in_words, _physics, _names, _german, _in_a_sentence, _russian_style,
    _document,
)  # fmt: skip


def test_each_particle_is_tried() -> None:
    assert {word for _, family in PEOPLE_WITH_PARTICLES for word in family.split()[:-1]} == PARTICLES


@pytest.mark.parametrize("reader", READERS_OF_PARTICLES)
def test_particles_are_of_the_family_name_for_every_reader(reader: Callable[[str, str], bool]) -> None:
    assert [f"{given} {family}" for given, family in PEOPLE_WITH_PARTICLES if not reader(given, family)] == []


@pytest.mark.parametrize("name", ["Grupo de Hospital", "Alianza de la Union"])
def test_romance_particles_stand_in_the_names_of_groups(name: str) -> None:
    assert is_group(name)
    assert not is_group("Pieter van der Group")
