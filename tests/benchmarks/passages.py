"""Passages: 120 questions over the written texts of the sandbox, and 30 that no sentence of these answers.

Recall@5 is the share of questions with the sentence that answers them in the first five passages, precision@1 in the
first one. The least score was chosen on the first half of the questions (even numbers); the second half is reported.

The tiny re-ranker counts the words that question and passage share: its row shows that the path works, and nothing of
what a trained model would do.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from functions.reranker.cross_encoder import CrossEncoder
from infra.local.sandbox.corpus import default_corpus
from infra.local.sandbox.texts.jats import jats_of
from infra.local.sandbox.texts.latex import package_of
from infra.local.sandbox.texts.latexml import latexml_of
from infra.local.sandbox.texts.written_texts import Written, written_texts
from shared.bibliography.full_text import FullText, placed_paragraphs
from shared.full_texts.jats import read_jats_text
from shared.full_texts.latex import read_latex_text
from shared.full_texts.latexml import read_latexml
from shared.passages.candidates import ReadText, read_paragraphs
from shared.passages.ranking import LEAST_SCORE, ParagraphPool, Scored, Structure, chosen
from shared.passages.reranking import RERANKED, reranked
from shared.passages.words import QuestionWords
from shared.search.ranking.reranker import ModelScores, Scorer
from tests.tiny_reranker import tiny_model, tiny_tokenizer

QUESTIONS = Path(__file__).with_name("passage_questions.txt")
URL = "https://example.org/text"
SHOWN, OF_PAPER = 5, 5
BM25_ALONE, WITH_STRUCTURE = Structure(headings=0.0, title=0.0, by_section=False), Structure()


@dataclass(frozen=True, slots=True)
class Labelled:
    """A question, the text with its answer and words of the sentence that answers it; None where nothing does."""

    number: int
    question: str
    text: str | None
    answer: str | None

    @property
    def is_report(self) -> bool:
        """Whether it is in the half on which nothing was chosen."""
        return self.number % 2 == 1


@cache
def labelled() -> tuple[Labelled, ...]:
    """All questions."""
    lines = [it for it in QUESTIONS.read_text(encoding="utf-8").splitlines() if it and not it.startswith("#")]
    found = []
    for number, line in enumerate(lines):
        name, question, *answer = line.split(" | ", 2)
        found.append(Labelled(number, question, *((name, answer[0]) if answer else (None, None))))
    return tuple(found)


def _read(text: Written) -> FullText:
    corpus = default_corpus()
    finding = ("europe_pmc", "pmcid") if text.format == "jats" else ("arxiv", "arxiv_id")
    fact = corpus.find(finding[0], **{finding[1]: text.id})
    if fact is None:
        raise LookupError(text.id)
    read = {
        "jats": lambda: read_jats_text("Source", jats_of(text, fact, corpus), URL),
        "html": lambda: read_latexml("Source", latexml_of(text, fact, corpus), URL),
        "latex": lambda: read_latex_text("Source", package_of(text, fact, corpus), URL),
    }[text.format]()
    if read is None:
        raise LookupError(text.id)
    return read


@cache
def texts() -> dict[str, ReadText]:
    """The twelve texts as a request reads them, by id."""
    read = {name: _read(text) for name, text in written_texts().items()}
    return {
        name: ReadText(paper=rank, title=it.title, paragraphs=list(placed_paragraphs(it)), is_full=True)
        for rank, (name, it) in enumerate(read.items())
    }


def ranked(question: str, structure: Structure, least: float = 0.0, scorer: Scorer | None = None) -> Sequence[Scored]:
    """The first passages of all texts, ordered anew by `scorer` as a request would have them."""
    words = QuestionWords.of(question)
    paragraphs = [paragraph for text in texts().values() for paragraph in read_paragraphs(text, words)]
    best = chosen(ParagraphPool(words, paragraphs, structure).scored(), RERANKED if scorer else SHOWN, OF_PAPER, least)
    return reranked(best, question, scorer).passages[:SHOWN]


@cache
def tiny_encoder() -> CrossEncoder:
    """The tiny model of the tests, with every word of the texts and of the questions."""
    lines = [it.question for it in labelled()]
    lines += [place.paragraph.text for text in texts().values() for place in text.paragraphs]
    tokenizer = tiny_tokenizer(re.findall(r"\w+", " ".join(lines)))
    model = tiny_model(tokenizer.get_vocab_size())
    return CrossEncoder(model.SerializeToString(), tokenizer.to_str().encode())


def tiny_scorer(question: str, passages: Sequence[str]) -> ModelScores | None:
    """Its scores, as the function gives them."""
    return ModelScores(tiny_encoder().scores(question, passages), "tiny")


def place_of_answer(it: Labelled, structure: Structure, scorer: Scorer | None = None) -> int | None:
    """The rank, from 1, of the first passage with the answer; None where none of the first five has it."""
    names = list(texts())
    for rank, scored in enumerate(ranked(it.question, structure, scorer=scorer), start=1):
        candidate = scored.candidate
        if names[candidate.paragraph.text.paper] == it.text and (it.answer or "") in candidate.quoted:
            return rank
    return None


@dataclass(frozen=True, slots=True)
class Figures:
    """The measures of some questions."""

    recall_at_5: float
    precision_at_1: float


def measured(questions: Sequence[Labelled], structure: Structure, scorer: Scorer | None = None) -> Figures:
    """The measures of those that have an answer."""
    places = [place_of_answer(it, structure, scorer) for it in questions if it.answer]
    return Figures(sum(it is not None for it in places) / len(places), places.count(1) / len(places))


def rejected(questions: Sequence[Labelled], least: float, *, answered: bool) -> tuple[int, int]:
    """How many questions with or without an answer get no passage at this least score, and how many there are."""
    asked = [it for it in questions if bool(it.answer) == answered]
    return sum(not ranked(it.question, WITH_STRUCTURE, least) for it in asked), len(asked)


def report() -> None:
    """The figures as Markdown."""
    halves = {"chosen on": [it for it in labelled() if not it.is_report]}
    halves["report"] = [it for it in labelled() if it.is_report]
    halves["all"] = list(labelled())
    print("\n| ranking | half | recall@5 | precision@1 |\n|---|---|---|---|")
    rankings: dict[str, tuple[Structure, Scorer | None]] = {
        "BM25 alone": (BM25_ALONE, None),
        "with structure": (WITH_STRUCTURE, None),
        "with the tests' tiny re-ranker": (WITH_STRUCTURE, tiny_scorer),
    }
    for name, (structure, scorer) in rankings.items():
        for half, questions in halves.items():
            figures = measured(questions, structure, scorer)
            print(f"| {name} | {half} | {figures.recall_at_5:.3f} | {figures.precision_at_1:.3f} |", flush=True)
    print(f"\nNothing is shown below a score of {LEAST_SCORE}:\n\n| half | unanswerable | answerable |\n|---|---|---|")
    for half, questions in halves.items():
        none, some = (rejected(questions, LEAST_SCORE, answered=it) for it in (False, True))
        print(f"| {half} | {none[0]} of {none[1]} rejected | {some[0]} of {some[1]} rejected |")


if __name__ == "__main__":
    report()
