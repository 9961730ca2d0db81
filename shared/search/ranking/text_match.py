"""How well a paper's text matches the query, measured over one pool of papers.

BM25 (`shared.search.ranking.bm25`) of title and abstract, feedback terms from the pool (Rocchio 1971), and the
similarity of a title to the query for known-item searches. All statistics come from the pool, the papers of one
answer. Nothing is learnt, and no sum depends on the order of the papers.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from sys import intern
from typing import TypeAlias

from shared.bibliography.text import fold
from shared.query.greek import spelled
from shared.query.syntax import Leaf, Tagged, leaves
from shared.query.telling_words import bare_words, telling_words
from shared.query.understanding import understand, wanted_text
from shared.search.ranking.bm25 import norm, rarity, saturated

TITLE_COUNTS = 2  # a term in the title counts as often as this many in the abstract
PAIR_WEIGHT = 0.25  # of two adjacent query words, relative to single words
FEEDBACK_TERMS = 20
# The fields of tagged terms that are words of a title or an abstract.
TEXT_FIELDS = frozenset(("title", "abstract", "title_abstract", "mesh", "keyword", "all_text"))

# Scripts written without spaces: pairs of adjacent characters are indexed as words, as is usual in their retrieval.
_UNSPACED = re.compile(r"[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff]+")
# In UTF-8 every byte below 128 is a character of its own: bytewise, letters can be made small and punctuation replaced
# by spaces.
_PLAIN = bytes(code if code > 127 else ord(chr(code).lower()) if chr(code).isalnum() else 32 for code in range(256))


TitleTerms: TypeAlias = Callable[[str], list[str]]  # the terms of a title, perhaps of one that was read before


def terms(text: str | None) -> list[str]:
    """The words of a text, folded, in the singular; in scripts without spaces, each pair of adjacent characters."""
    if not text:
        return []
    words = text.encode(errors="replace").translate(_PLAIN).decode().split()
    return list(chain.from_iterable(map(_TERMS.__getitem__, words)))


class _Terms(dict[str, tuple[str, ...]]):
    """The terms of a word: an answer's texts have most of their words in common. Equal terms are one object."""

    MOST, LONGEST = 20_000, 40  # of the words that are kept

    def __missing__(self, word: str) -> tuple[str, ...]:
        parts = (word,) if word.isascii() else _UNSPACED.sub(_character_pairs, fold(spelled(word.casefold()))).split()
        found = tuple(intern(_singular(part)) for part in parts)
        if len(word) <= self.LONGEST:
            if len(self) >= self.MOST:
                self.clear()
            self[word] = found
        return found


_TERMS = _Terms()


def _singular(word: str) -> str:
    """English plurals undone by the rules of Harman's S-stemmer (1991): `studies` -> `study`."""
    if len(word) < 4 or word[-1] != "s":
        return word
    if word.endswith("ies") and word[-4] not in "ae":
        return word[:-3] + "y"
    return word if word[-2] in "us" else word[:-1]


def _character_pairs(run: re.Match[str]) -> str:
    text = run[0]
    return f" {' '.join(text[i : i + 2] for i in range(max(1, len(text) - 1)))} "


def _text_terms(leaf: Leaf) -> list[tuple[str, bool]]:
    """The terms of a leaf that a text holds as they are, in order and with repeats, and whether each tells the subject.

    A wildcard's word only begins one that texts hold.
    """
    if isinstance(leaf, Tagged) and leaf.field not in TEXT_FIELDS:
        return []
    telling = frozenset(telling_words(leaf.text))
    words = (word for word in bare_words(leaf.text) if not word.endswith("*"))
    return [(term, word in telling) for word in words for term in terms(word)]


@dataclass(frozen=True, slots=True)
class Question:
    """The query, from all its wordings: terms and word pairs with their weights, and the words of each wording."""

    terms: Mapping[str, float]
    pairs: Mapping[tuple[str, str], float]
    wordings: tuple[Counter[str], ...]

    @classmethod
    def of(cls, wordings: Sequence[str]) -> Question:
        """Read the wordings, without terms under a NOT. The weight of a term is its mean count per wording.

        Function words alone count for nothing. Pairs are adjacent as they were typed, and one of the two is a telling
        word: of `lack of iron`, texts hold `of iron` and never `lack iron`. `wordings` holds all words, as titles do.
        Identifiers and numbers are not words to find in a text, nor are names, journals and dates by field tag.
        """
        understood = [it for it in map(understand, wordings) if it.is_searchable]
        typed = [_text_terms(leaf) for it in understood for leaf in leaves(it.node)]
        all_words = [Counter(terms(wanted_text(it))) for it in understood]
        words = Counter(term for leaf in typed for term, telling in leaf if telling)
        pairs = Counter(
            (one, other) for leaf in typed for (one, telling), (other, too) in pairwise(leaf) if telling or too
        )
        return cls(
            terms={term: words[term] / len(understood) for term in sorted(words)},
            pairs={pair: pairs[pair] / len(understood) for pair in sorted(pairs)},
            wordings=tuple(counted for counted in all_words if counted),
        )


@dataclass(frozen=True, slots=True)
class PaperTerms:
    """A paper's terms, counted once for all the measures."""

    title: list[str]
    body: list[str]
    counts: Mapping[str, int]
    length: int

    @classmethod
    def of(cls, title: str | None, abstract: str | None, title_terms: TitleTerms | None = None) -> PaperTerms:
        """Count the words of a title and an abstract; `title_terms` are known already, or read by `terms`."""
        heading, body = (title_terms or terms)(title or ""), terms(abstract)
        counted = body + heading * TITLE_COUNTS
        return cls(heading, body, Counter(counted), len(counted))

    def pairs(self, first: str, second: str) -> int:
        """How often the two terms are adjacent, in this order."""
        if first not in self.counts or second not in self.counts:
            return 0
        title, body = (f" {'  '.join(words)} ".count(f" {first}  {second} ") for words in (self.title, self.body))
        return TITLE_COUNTS * title + body


class TextPool:
    """The texts of one answer; a term's weight depends on how rare it is among them, not in the literature."""

    def __init__(self, texts: Sequence[PaperTerms]) -> None:
        self._texts = texts
        self._frequency = Counter(chain.from_iterable(text.counts for text in texts))
        mean = sum(text.length for text in texts) / max(1, len(texts)) or 1.0
        self._norms = [norm(text.length, mean) for text in texts]

    def bm25(self, question: Question) -> list[float]:
        """Each text's score for the question: its terms, and to a lesser degree its pairs of adjacent words."""
        scores = self._term_scores(question.terms)
        for (first, second), weight in question.pairs.items():
            counts = [text.pairs(first, second) for text in self._texts]
            self._add(scores, PAIR_WEIGHT * weight, counts)
        return scores

    def fits(self, question: Question) -> list[float]:
        """The share of the question's terms that each text has; 1 for no terms.

        By weight of the query alone: rarity in a pool of a few papers would make a single rare word decide.
        """
        whole = math.fsum(question.terms.values())
        if not whole:
            return [1.0] * len(self._texts)
        found = (
            math.fsum(weight for term, weight in question.terms.items() if term in it.counts) for it in self._texts
        )
        return [share / whole for share in found]

    def rarest(self, question: Question) -> str | None:
        """The term of the question that the fewest texts have, but at least one; None if there is none."""
        known = [term for term in question.terms if self._frequency[term]]
        return min(known, key=lambda term: (self._frequency[term], term), default=None)

    def feedback(self, best: Sequence[int]) -> list[float]:
        """Similarity to the texts numbered in `best` (the best first): BM25 for their heaviest terms."""
        weights: dict[str, float] = {}
        for rank, number in enumerate(best, start=1):
            of_norm = self._norms[number]
            for term, count in self._texts[number].counts.items():
                weight = self._idf(self._frequency[term]) * saturated(count, of_norm) / rank
                weights[term] = weights.get(term, 0.0) + weight
        heaviest = sorted(weights, key=lambda term: (-weights[term], term))[:FEEDBACK_TERMS]
        return self._term_scores({term: weights[term] for term in heaviest})

    def _term_scores(self, weights: Mapping[str, float]) -> list[float]:
        scores = [0.0] * len(self._texts)
        for term, weight in weights.items():
            self._add(scores, weight, [text.counts.get(term, 0) for text in self._texts])
        return scores

    def _add(self, scores: list[float], weight: float, counts: Sequence[int]) -> None:
        """Add what a term of this weight is worth to the scores of all texts, which have it so often."""
        factor = weight * self._idf(len(counts) - counts.count(0))
        for number, count in enumerate(counts):
            if count:
                scores[number] += factor * saturated(count, self._norms[number])

    def _idf(self, frequency: int) -> float:
        return rarity(len(self._texts), frequency)


def title_coverage(query: Counter[str], title: Iterable[str]) -> float:
    """The fraction of the query's different words that a title contains."""
    return len(query.keys() & title) / len(query)


def title_overlap(query: Counter[str], title: Sequence[str]) -> float:
    """Dice's coefficient of the query's words and a title's, repeated words included; 1 = the same words."""
    return 2 * (query & Counter(title)).total() / (len(title) + query.total())
