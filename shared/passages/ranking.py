"""Ranks candidate passages for a question, and chooses those that are shown.

BM25F (`shared.search.ranking.bm25`): a word counts in the passage, and for less in the headings above it and in the
title of the paper. Frequencies come from the sentences of all texts. The score is the share of what a passage with
every word of the question, as often as one likes, could reach, times the weight of its section. Nothing is learnt, and
nothing is claimed about whether a passage supports or contradicts.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from shared.passages.candidates import HEAD_LINES, CandidatePassage, ReadParagraph, candidates
from shared.passages.sections import section_weight
from shared.passages.words import QuestionWords
from shared.search.ranking.bm25 import TERM_SATURATION, norm, rarity, saturated
from shared.search.ranking.text_match import terms

HEADING_COUNTS, TITLE_COUNTS = 0.5, 0.15  # a word there counts as often as this in the passage
PAIR_WEIGHT = 0.25  # of two words that stand together, relative to a single word
LENGTH_PENALTY = 0.4
# Two passages with so many of their words in common say the same.
NEAR_DUPLICATE = 0.8
# Below this score a passage shares words with the question, and says nothing about it.
LEAST_SCORE = 0.09

# What consists of rows and lines rather than of sentences.
_ROWS = ("table", "code")


@dataclass(frozen=True, slots=True)
class Structure:
    """Whether headings, titles and sections count; a benchmark measures passages without them."""

    headings: float = HEADING_COUNTS
    title: float = TITLE_COUNTS
    by_section: bool = True


@dataclass(frozen=True, slots=True)
class Scored:
    """A candidate with its score and the parts of it."""

    candidate: CandidatePassage
    score: float  # from 0 to 1
    text: float  # what the passage itself reaches, from 0 to 1
    headings: float  # what its headings and the paper's title add
    section: float  # the factor of its section
    coverage: float  # the share of the question's words, by their weight, that the passage itself has


class ParagraphPool:
    """All paragraphs that were read for a question."""

    def __init__(self, question: QuestionWords, paragraphs: Sequence[ReadParagraph], structure: Structure) -> None:
        self._question, self._structure = question, structure
        self._paragraphs = paragraphs
        self.unscored: set[int] = set()
        read = [it for paragraph in paragraphs for it in paragraph.sentences]
        having = Counter(word for it in read for word in it.counts)
        rarest = min(having.values(), default=1)  # a word that no text has weighs as much as the rarest that one has
        self._weights = {
            word: count * rarity(len(read), having[word] or rarest) for word, count in sorted(question.weights.items())
        }
        self._pairs = {
            pair: PAIR_WEIGHT * rarity(len(read), sum(_has_pair(it.line, pair) for it in read))
            for pair in question.pairs
        }
        self._mean = _mean_length(paragraphs)
        whole = math.fsum(self._weights.values()) + math.fsum(self._pairs.values())
        self._most = (TERM_SATURATION + 1.0) * whole or 1.0

    def scored(self, is_over: Callable[[], bool] = lambda: False) -> Iterator[Scored]:
        """Every candidate with its score; when the time is over, `unscored` has the papers that are left out."""
        for number, paragraph in enumerate(self._paragraphs):
            found = list(candidates(paragraph))
            if not found:
                continue
            if is_over():
                self.unscored = {it.text.paper for it in self._paragraphs[number:] if it.text.is_full}
                return
            around = self._around(paragraph)
            place = paragraph.place
            factor = section_weight(place.section.path, place.paragraph.kind) if self._structure.by_section else 1.0
            for candidate in found:
                yield self._score(candidate, around, factor)

    def _around(self, paragraph: ReadParagraph) -> Mapping[str, float]:
        """How often each word of the question counts for standing in the headings, a caption or the title."""
        place, text = paragraph.place, paragraph.place.paragraph.text
        headings = [*place.section.path, place.paragraph.label or ""]
        if place.paragraph.kind == "table":
            headings += text.split("\n", HEAD_LINES)[:HEAD_LINES]
        counts: defaultdict[str, float] = defaultdict(float)
        for weight, written in (
            (self._structure.headings, " ".join(headings)),
            (self._structure.title, paragraph.text.title),
        ):
            for word in set(terms(written)) & self._question.weights.keys() if weight else ():
                counts[word] += weight
        return counts

    def _score(self, candidate: CandidatePassage, around: Mapping[str, float], factor: float) -> Scored:
        counts: Counter[str] = Counter()
        for it in candidate.sentences:
            counts.update(it.counts)
        of_norm = norm(sum(it.length for it in candidate.sentences), self._mean, LENGTH_PENALTY)
        text = math.fsum(self._weights[word] * saturated(counts[word], of_norm) for word in counts)
        text += math.fsum(
            weight * saturated(1, of_norm)
            for pair, weight in self._pairs.items()
            if any(_has_pair(it.line, pair) for it in candidate.sentences)
        )
        raised = math.fsum(
            self._weights[word] * (saturated(counts[word] + more, of_norm) - saturated(counts[word], of_norm))
            for word, more in around.items()
        )
        whole = math.fsum(self._weights.values()) or 1.0
        return Scored(
            candidate,
            score=factor * (text + raised) / self._most,
            text=text / self._most,
            headings=raised / self._most,
            section=factor,
            coverage=math.fsum(self._weights[word] for word in counts) / whole,
        )


def _mean_length(paragraphs: Sequence[ReadParagraph]) -> float:
    """The mean length of a sentence, above 0: by the short rows of one long table, all others would be too long."""
    prose = [it for it in paragraphs if it.place.paragraph.kind not in _ROWS] or paragraphs
    lengths = [it.length for paragraph in prose for it in paragraph.sentences]
    return max(1.0, sum(lengths) / max(1, len(lengths)))


def _has_pair(line: str, pair: tuple[str, str]) -> bool:
    return f" {pair[0]}  {pair[1]} " in line


def chosen(scored: Iterable[Scored], most: int, most_of_paper: int, least: float = LEAST_SCORE) -> list[Scored]:
    """The best passages, at most so many of a paper, without those that overlap or repeat a better one."""
    order = sorted(
        (it for it in scored if it.score >= least),
        key=lambda it: (-it.score, it.candidate.paragraph.text.paper, it.candidate.start, it.candidate.end),
    )
    shown: list[Scored] = []
    of_paper: Counter[int] = Counter()
    words: list[frozenset[str]] = []
    for it in order:
        paper = it.candidate.paragraph.text.paper
        if len(shown) == most:
            break
        if of_paper[paper] == most_of_paper or any(_overlap(it.candidate, other.candidate) for other in shown):
            continue
        own = frozenset(terms(it.candidate.quoted))
        if any(len(own & other) >= NEAR_DUPLICATE * len(own | other) for other in words):
            continue
        shown.append(it)
        words.append(own)
        of_paper[paper] += 1
    return shown


def _overlap(one: CandidatePassage, other: CandidatePassage) -> bool:
    return one.paragraph is other.paragraph and one.first <= other.last and other.first <= one.last
