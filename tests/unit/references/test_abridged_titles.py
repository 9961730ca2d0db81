"""Titles cut inside a word or with an ellipsis in them, and names and titles with `ae` for `ä`."""

from __future__ import annotations

from typing import Any

import pytest

from shared.papers.reference_request import Reference
from shared.query.question import Citation
from shared.references.field_verdicts import field_verdicts
from shared.references.reference_state import ReferenceState
from tests.unit.records import merge_records, record
from tests.unit.references.known import judge, known
from tests.unit.references.test_labelled_references import by_name

ASTROCYTES, ELIFE = "doi:10.1038/nature21029", "doi:10.7554/elife.20391"
NAMES = "Liddelow SA et al."


def status(reference: Any, name: str = ASTROCYTES) -> str:
    read = ReferenceState.of(Reference.model_validate(reference))
    read.judge_by(known([by_name()[name]]))
    return read.judgement.status


def fields(title: str) -> dict[str, Any]:
    return {"title": title, "authors": ["Liddelow SA"], "year": 2017}


@pytest.mark.parametrize(
    "reference",
    [
        f"{NAMES} Neurotoxic reactive astrocytes are induced by activated microgl… Nature 2017;541:481",
        f"{NAMES} Neurotoxic reactive astrocytes are induced by activ... Nature 2017;541:481",
        f"{NAMES} Neurotoxic reactive … induced by activated microglia. Nature 2017;541:481",
        f"{NAMES} Neurotoxic reactive astrocytes ... activated microglia. Nature 2017;541:481",
        f'{NAMES} "Neurotoxic reactive astrocytes [...] activated microglia." Nature 541 (2017): 481',
        fields("Neurotoxic reactive astrocytes are indu..."),
        fields("Neurotoxic reactive astrocytes are induced by activ"),
        fields("Neurotoxic reactive … by activated microglia"),
    ],
)
def test_an_abridged_title_with_author_and_year_is_matched(reference: Any) -> None:
    assert status(reference) == "matched"


def test_a_title_cut_inside_a_word_before_a_journal_in_small_letters_is_matched() -> None:
    title = "Neurodegenerative disease mutations in TREM2 reveal a functional surface and distinct loss-of-func…"
    assert status(f"Kober DL. {title} eLife 2016;5:e20391", ELIFE) == "matched"


@pytest.mark.parametrize(
    "title",
    [
        "Neurotoxic reactive … by activated neutrophils",  # another end
        "Neuroprotective reactive … by activated microglia",  # another beginning
        "Neurotoxic … microglia",  # less than half of it
        "Neurotoxic reactive astrocytes … microglia by activated",  # another order
        "Neurotoxic reactive astrocytes are induced by ac",  # too few letters
        "reactive astrocytes are induced by activ",  # its beginning is missing
    ],
)
def test_a_title_that_is_not_the_papers_with_words_left_out_is_not_matched(title: str) -> None:
    assert status(fields(title)) != "matched"


@pytest.mark.parametrize(
    "title", ["… induced by activated microglia", "... ...", "Neurotoxic ... ... microglia", "… … …"]
)
def test_an_ellipsis_without_words_on_a_side_names_no_title(title: str) -> None:
    assert status(fields(title)) != "matched"


def test_an_ellipsis_of_two_signs_is_one() -> None:
    assert status(fields("Neurotoxic reactive ……by activated microglia")) == "matched"


def test_an_abridged_title_needs_an_author() -> None:
    title = "Neurotoxic reactive … by activated microglia"
    assert status({"title": title, "year": 2017}) != "matched"
    assert status({"title": title, "authors": ["Smith J"], "year": 2017}) != "matched"


def test_an_ellipsis_in_a_title_is_reported() -> None:
    read = ReferenceState.of(Reference.model_validate(fields("Neurotoxic reactive … by activated microglia")))
    read.judge_by(known([by_name()[ASTROCYTES]]))
    title = field_verdicts(read.query, read.names, read.judgement.candidates[0])["title"]
    assert (title["verdict"], title["note"]) == ("agrees", "abridged")


GERMAN = "Über die Bläschen der Drüsen in größeren Höhlen"


@pytest.mark.parametrize(
    ("recorded", "author", "cited", "name"),
    [
        (GERMAN, "Böhm, Jörg", "Ueber die Blaeschen der Druesen in groesseren Hoehlen", "Boehm J"),
        ("Ueber die Blaeschen der Druesen in groesseren Hoehlen", "Boehm, J", GERMAN, "Böhm J"),
        (GERMAN, "Böhm, Jörg", "Uber die Blaschen der Drusen in grosseren Hohlen", "Bohm J"),
    ],
)
def test_umlauts_and_what_stands_for_them_are_one_spelling(recorded: str, author: str, cited: str, name: str) -> None:
    papers = merge_records([record(recorded, author, 1999)])
    judgement = judge(Citation(title=cited, authors=(name,), year=1999), papers)
    assert (judgement.status, judgement.candidates[0].differs) == ("matched", ())


def test_full_width_letters_and_digits_are_read() -> None:
    wide = "".join(chr(ord(sign) + 0xFEE0) if "!" <= sign <= "~" else sign for sign in "Nature 2017;541:481-487")
    (paper,) = known([by_name()[ASTROCYTES]])
    read = ReferenceState.of(
        Reference.model_validate(f"{NAMES} Neurotoxic reactive astrocytes are induced by activated microglia. {wide}")
    )
    read.judge_by([paper])
    assert {"authors", "year", "journal"} <= set(read.judgement.candidates[0].agrees)
