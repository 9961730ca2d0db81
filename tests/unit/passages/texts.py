"""Texts to find passages in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from shared.bibliography.full_text import FullText, Kind, Paragraph, Section, placed_paragraphs
from shared.passages.candidates import ReadText, read_paragraphs
from shared.passages.ranking import ParagraphPool, Scored, Structure, chosen
from shared.passages.words import QuestionWords

Sections = Mapping[str, str | Sequence[str]]  # heading -> its paragraphs


def full_text(sections: Sections, kind: Kind = "paragraph") -> FullText:
    """Return a text of these sections."""
    made = [
        Section(
            number=str(number),
            path=tuple(heading.split(" / ")),
            paragraphs=tuple(Paragraph(text=it, kind=kind) for it in ([text] if isinstance(text, str) else text)),
        )
        for number, (heading, text) in enumerate(sections.items(), start=1)
    ]
    return FullText(format="jats", url="https://example.org", sections=tuple(made))


def found(
    question: str,
    *texts: FullText,
    most: int = 10,
    of_paper: int = 10,
    least: float = 0.0,
    title: str | None = None,
) -> list[Scored]:
    """Return the passages of these texts, each of a paper."""
    words = QuestionWords.of(question)
    read = [
        ReadText(paper=rank, title=title, paragraphs=list(placed_paragraphs(it)), is_full=True)
        for rank, it in enumerate(texts)
    ]
    paragraphs = [paragraph for text in read for paragraph in read_paragraphs(text, words)]
    return chosen(ParagraphPool(words, paragraphs, Structure()).scored(), most, of_paper, least)


def quoted(passages: Sequence[Scored]) -> list[str]:
    """Return their words."""
    return [it.candidate.quoted for it in passages]
