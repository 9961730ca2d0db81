"""What stands beside names has one rule: each reader of names gives the same answer on the same cases."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from shared.bibliography.group_authors import is_group
from shared.bibliography.name_patterns import CAPITAL
from shared.bibliography.paper import Author
from shared.bibliography.typed_people import read_people
from shared.documents.printed_names import names_in_style
from shared.providers.records import crossref_references
from shared.references.citation_by_initials import read_by_initials
from shared.references.citation_in_journal import read_in_journal
from shared.references.citation_text import read_citation
from shared.references.names_in_citation import are_names_before_colon, read_author
from shared.search.typed_author import author_hints

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
