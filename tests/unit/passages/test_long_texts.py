"""What is read of a text that is longer than is read: a long table does not take the place of what follows it."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from shared.bibliography.full_text import Kind, Paragraph, PlacedParagraph, Section
from shared.passages.candidates import (
    MAX_FIRST_SENTENCES,
    MAX_READ_CHARS,
    MAX_READ_SENTENCES,
    MAX_SENTENCE_CHARS,
    ReadParagraph,
    ReadText,
    read_paragraphs,
)
from shared.passages.words import QuestionWords

WORDS = QuestionWords.of("Does TREM2 lower amyloid in microglia?")
ANSWER = Paragraph(text="TREM2 lowers amyloid in microglia. It does so in mice.")
SECTION = Section(number="1", path=("Results",))


def rows(count: int, kind: Kind = "table", width: int = 1) -> Paragraph:
    return Paragraph(text="\n".join(f"{'g' * width} | {number}" for number in range(count)), kind=kind)


def read(*paragraphs: Paragraph) -> Sequence[ReadParagraph]:
    placed, start = list[PlacedParagraph](), 0
    for it in paragraphs:
        placed.append(PlacedParagraph(SECTION, it, start))
        start = placed[-1].end + 2
    return list(read_paragraphs(ReadText(paper=0, title=None, paragraphs=placed, is_full=True), WORDS))


def counts(found: Sequence[ReadParagraph]) -> list[int]:
    return [len(it.sentences) for it in found]


@pytest.mark.parametrize("kind", ["table", "code", "list_item", "paragraph"])
def test_a_long_paragraph_leaves_room_for_those_behind_it(kind: Kind) -> None:
    long, answer = read(rows(2_100, kind), ANSWER)
    assert [it.text for it in answer.sentences] == ["TREM2 lowers amyloid in microglia.", "It does so in mice."]
    assert (long.is_cut, answer.is_cut) == (True, False)
    assert len(long.sentences) == MAX_READ_SENTENCES - 2


def test_of_several_long_paragraphs_the_first_sentences_are_read() -> None:
    found = read(*[rows(2_100)] * 15, ANSWER)
    assert counts(found) == [MAX_READ_SENTENCES - 14 * MAX_FIRST_SENTENCES - 2, *[MAX_FIRST_SENTENCES] * 14, 2]
    assert [it.is_cut for it in found] == [True] * 15 + [False]


def test_a_text_within_the_bounds_is_read_whole() -> None:
    found = read(rows(1_500), ANSWER, rows(MAX_READ_SENTENCES - 1_502))
    assert counts(found) == [1_500, 2, MAX_READ_SENTENCES - 1_502]
    assert not any(it.is_cut for it in found)


def test_ordinary_paragraphs_are_read_whole_from_the_beginning_until_one_does_not_fit() -> None:
    found = read(*[rows(99, "paragraph")] * 30)
    assert counts(found) == [99] * (MAX_READ_SENTENCES // 99)
    assert not any(it.is_cut for it in found)


@pytest.mark.parametrize("blocks", [1, 3])
def test_a_paragraph_without_a_stop_leaves_room_for_those_behind_it(blocks: int) -> None:
    *long, answer = read(*[Paragraph(text="acgt " * 90_000)] * blocks, ANSWER)
    assert [it.text for it in answer.sentences] == ["TREM2 lowers amyloid in microglia.", "It does so in mice."]
    assert [(counts([it]), it.is_cut) for it in long] == [([1], True)] * blocks
    assert all(it.sentences[0].text == ("acgt " * 400).strip() for it in long)
    assert not answer.is_cut


def test_of_a_word_without_an_end_its_beginning_is_read() -> None:
    (found,) = read(Paragraph(text="acgt" * 90_000 + ". TREM2 lowers amyloid."))
    assert [len(it.text) for it in found.sentences] == [MAX_SENTENCE_CHARS, len("TREM2 lowers amyloid.")]
    assert found.is_cut


def test_a_paragraph_that_does_not_fit_is_left_out_and_not_those_behind_it() -> None:
    wide = Paragraph(text=("Acgt " * 380 + "acgt. ") * 99)
    found = read(*[wide] * 3, ANSWER)
    assert counts(found) == [99, 99, 2]


def test_the_characters_that_are_read_are_bounded_and_those_that_are_not_do_not_count() -> None:
    wide = rows(150, width=120)
    found = read(*[wide] * 40, ANSWER)
    assert sum(it.end - it.start for one in found for it in one.sentences) <= MAX_READ_CHARS
    table = rows(4_000)
    assert len(table.text) * 20 > MAX_READ_CHARS
    assert counts(read(*[table] * 19, ANSWER))[-1] == 2


def test_the_offsets_of_what_is_read_are_those_of_the_whole_text() -> None:
    table = rows(2_100)
    whole = f"{table.text}\n\n{ANSWER.text}"
    for one in read(table, ANSWER):
        assert all(whole[it.start : it.end] == it.text for it in one.sentences)


@pytest.mark.parametrize("text", ["", " \n ", "One.", "One.\n\n", "One. Two.  "])
def test_a_paragraph_of_which_nothing_is_left_is_not_cut(text: str) -> None:
    assert [it.is_cut for it in read(Paragraph(text=text))] == [False]
