"""How well a paper's own words answer the question, measured over one pool of papers.

BM25 (Robertson and Zaragoza 2009) of title and abstract, the pool's own feedback terms (Rocchio 1971), and the
likeness of a title to the question for those who look for a paper they know. All statistics come from the pool: the
papers of one answer. Nothing is learnt, and no sum depends on the order of the papers.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from shared.query_syntax import leaves, parse
from shared.text import fold

TERM_SATURATION = 2.0  # BM25's k1: how much a term's tenth occurrence still adds
LENGTH_PENALTY = 0.75  # BM25's b: how much a long text pays for its length
TITLE_COUNTS = 2  # a term in the title counts as often as this many in the abstract
PAIR_WEIGHT = 0.25  # of two query words that stand side by side, against the words alone
FEEDBACK_TERMS = 20

# Scripts written without blanks: two neighbouring characters stand for a word, as is usual in their retrieval.
_UNSPACED = re.compile(r"[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff]+")
# In UTF-8 every byte below 128 is a character of its own, so that blanks for punctuation can be set bytewise.
_BLANKS = bytes(code if code > 127 or chr(code).isalnum() else 32 for code in range(256))


def terms(text: str | None) -> list[str]:
    """The words of a text, folded; of scripts without blanks, each pair of neighbouring characters."""
    if not text:
        return []
    words = text.encode(errors="replace").lower().translate(_BLANKS).decode().split()
    if text.isascii():
        return words
    return [term for word in words for term in ((word,) if word.isascii() else _folded(word))]


def _folded(word: str) -> list[str]:
    return _UNSPACED.sub(_character_pairs, fold(word)).split()


def _character_pairs(run: re.Match[str]) -> str:
    text = run[0]
    return f" {' '.join(text[i : i + 2] for i in range(max(1, len(text) - 1)))} "


@dataclass(frozen=True, slots=True)
class Question:
    """What is sought, out of all its wordings: the wanted terms and word pairs, and each wording as a title."""

    terms: Mapping[str, float]
    pairs: Mapping[tuple[str, str], float]
    titles: tuple[frozenset[str], ...]

    @classmethod
    def of(cls, wordings: Sequence[str]) -> Question:
        """Read the wordings; terms under a NOT are no part of the question. A term weighs its mean count."""
        read = [[terms(leaf.text) for leaf in leaves(parse(wording))] for wording in wordings]
        titles = [frozenset(term for leaf in wording for term in leaf) for wording in read]
        words = Counter(term for wording in read for leaf in wording for term in leaf)
        pairs = Counter(two for wording in read for leaf in wording for two in pairwise(leaf))
        return cls(
            terms={term: words[term] / len(read) for term in sorted(words)},
            pairs={pair: pairs[pair] / len(read) for pair in sorted(pairs)},
            titles=tuple(title for title in titles if title),
        )


@dataclass(frozen=True, slots=True)
class Text:
    """A paper's words, counted once for all the measures."""

    title: tuple[str, ...]
    counts: Mapping[str, int]
    length: int
    line: str  # each word between two blanks, so that a pair of neighbours is found by plain search

    @classmethod
    def of(cls, title: str | None, abstract: str | None) -> Text:
        """Count the words of a title and an abstract."""
        heading, body = terms(title), terms(abstract)
        counts = Counter(body)
        for term in heading:
            counts[term] += TITLE_COUNTS
        heading_line = f" {'  '.join(heading)} \n"
        return cls(
            title=tuple(heading),
            counts=counts,
            length=len(body) + TITLE_COUNTS * len(heading),
            line=heading_line * TITLE_COUNTS + f" {'  '.join(body)} ",
        )


class Pool:
    """The texts of one answer; rare in the pool is telling, whatever it is in the world."""

    def __init__(self, texts: Sequence[Text]) -> None:
        self.texts = texts
        self._mean_length = sum(text.length for text in texts) / max(1, len(texts)) or 1.0
        self._length_norms = [
            TERM_SATURATION * (1 - LENGTH_PENALTY + LENGTH_PENALTY * text.length / self._mean_length) for text in texts
        ]

    def bm25(self, question: Question) -> list[float]:
        """Each text's score for the question: its terms, and a little for its pairs of neighbouring words."""
        terms_score = self._scores((weight, self._counts(term)) for term, weight in question.terms.items())
        pairs_score = self._scores((weight, self._pair_counts(*pair)) for pair, weight in question.pairs.items())
        return [score + PAIR_WEIGHT * pair for score, pair in zip(terms_score, pairs_score, strict=True)]

    def feedback(self, best: Sequence[int]) -> list[float]:
        """Likeness to the texts numbered in `best` (the best first): their heaviest terms, sought in all."""
        weights: dict[str, float] = {}
        frequency = self._frequencies({term for number in best for term in self.texts[number].counts})
        for rank, number in enumerate(best, start=1):
            for term, count in self.texts[number].counts.items():
                weight = self._idf(frequency[term]) * self._saturated(count, number) / rank
                weights[term] = weights.get(term, 0.0) + weight
        heaviest = sorted(weights, key=lambda term: (-weights[term], term))[:FEEDBACK_TERMS]
        return self._scores((weights[term], self._counts(term)) for term in heaviest)

    def _counts(self, term: str) -> list[int]:
        return [text.counts.get(term, 0) for text in self.texts]

    def _pair_counts(self, first: str, second: str) -> list[int]:
        pair = f" {first}  {second} "
        return [text.line.count(pair) if first in text.counts and second in text.counts else 0 for text in self.texts]

    def _frequencies(self, wanted: set[str]) -> Counter[str]:
        """In how many texts each of the terms occurs."""
        found: Counter[str] = Counter()
        for text in self.texts:
            found.update(wanted & text.counts.keys())
        return found

    def _idf(self, frequency: int) -> float:
        return math.log(1.0 + (len(self.texts) - frequency + 0.5) / (frequency + 0.5))

    def _saturated(self, count: int, number: int) -> float:
        return count * (TERM_SATURATION + 1.0) / (count + self._length_norms[number])

    def _scores(self, columns: Iterable[tuple[float, Sequence[int]]]) -> list[float]:
        """The BM25 sum over terms, each given by its weight and its count in every text."""
        scores = [0.0] * len(self.texts)
        for weight, counts in columns:
            factor = weight * self._idf(len(counts) - counts.count(0))
            for number, count in enumerate(counts):
                if count:
                    scores[number] += factor * self._saturated(count, number)
        return scores


def title_coverage(question: Question, title: Sequence[str]) -> float:
    """The part of the question's words that a title holds, for the wording that fares best."""
    words = frozenset(title)
    return max((len(words & asked) / len(asked) for asked in question.titles), default=0.0)


def title_likeness(question: Question, title: Sequence[str]) -> float:
    """Dice's coefficient of a title's words and the wording that comes nearest; 1 = the same words."""
    words = frozenset(title)
    return max((2 * len(words & asked) / (len(words) + len(asked)) for asked in question.titles), default=0.0)
