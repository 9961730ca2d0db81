"""Which sentences of a text cite a paper: those with the mark of its entry."""

from __future__ import annotations

from typing import Any

import pytest

from shared.bibliography.citation_marks import numbers_in_marks
from shared.bibliography.full_text import CitedWork, FullText, Paragraph, Section
from shared.bibliography.identifiers import Identifiers
from shared.papers.links.kept_texts import citing_sentences

NAMES = {"doi:10.9999/b", "pmid:2"}


def text_of(*paragraphs: Paragraph, label: str | None = None) -> FullText:
    works = tuple(
        CitedWork(
            number=number, text=name, label=label if name == "b" else None, ids=Identifiers(doi=f"10.9999/{name}")
        )
        for number, name in enumerate("abcdefgh", start=1)
    )
    return FullText(
        format="jats", url="https://example.org", cited=works,
        sections=(Section(number="1", path=("Introduction",), paragraphs=paragraphs),),
    )  # fmt: skip


def cited_in(text: str, *cites: int, **more: Any) -> list[str]:
    kind = more.pop("kind", "paragraph")
    return list(citing_sentences(text_of(Paragraph(text=text, cites=cites, kind=kind), **more), NAMES))


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("One [1], two [2, 3] and [4–6].", [1, 2, 3, 4, 5, 6]),
        ("A range [2-4, 9] of many [1–900].", [2, 3, 4, 9, *range(1, 52)]),
        ("No marks: [a], [2020a], [12345], (1), 1.", []),
        ("Backwards [6-4].", [6, 4]),
    ],
)
def test_marks_name_entries_by_their_numbers(text: str, numbers: list[int]) -> None:
    assert list(numbers_in_marks(text)) == numbers


def test_a_sentence_cites_if_it_has_the_mark_also_within_a_range() -> None:
    text = "Tea was studied [1]. Sleep was not [1–3]. Nobody knows why. Later it was [2]."
    assert cited_in(text, 1, 2, 3) == ["Sleep was not [1–3].", "Later it was [2]."]


def test_a_sentence_with_the_authors_and_the_year_of_the_entry_cites() -> None:
    text = "Tea was studied by many. Others did not agree (Costa et al. 2020). It is late."
    assert cited_in(text, 2, label="Costa et al. 2020") == ["Others did not agree (Costa et al. 2020)."]


def test_a_paragraph_of_one_sentence_cites_whatever_its_mark() -> None:
    assert cited_in("Tea was studied by others.²", 2) == ["Tea was studied by others.²"]


@pytest.mark.parametrize(
    ("text", "cites", "kind"),
    [
        ("Tea was studied [1]. Sleep was not.", (1,), "paragraph"),
        ("Tea was studied. Where it cites is not known.", (2,), "paragraph"),
        ("Tea | 1 [2]", (2,), "table"),
        ("Tea was studied [2].", (), "paragraph"),
    ],
)
def test_no_sentence_is_guessed(text: str, cites: tuple[int, ...], kind: str) -> None:
    assert cited_in(text, *cites, kind=kind) == []


def test_a_text_that_does_not_cite_the_paper_has_no_sentences() -> None:
    assert citing_sentences(text_of(Paragraph(text="Tea [1].", cites=(1,))), {"doi:10.9999/x"}) == ()
