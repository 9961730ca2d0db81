"""Finds titles and names in a printed reference, whose parts are not marked."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from itertools import groupby
from operator import eq

from shared.bibliography.stop_words import STOP_WORDS
from shared.bibliography.words import words_of
from shared.matching.title_features import Title, read_title
from shared.references.cited_title import (
    NOT_NAMED,
    Named,
    Naming,
    numbers_a_part,
    same_words,
    without_subtitle,
)
from shared.references.journal_in_citation import same_journal
from shared.references.known_paper import FEWEST_WORDS, KnownPaper, phrase_of
from shared.references.title_words import ends_quotation, reads_like_names

MIN_WORDS, MIN_LETTERS = 4, 25  # a title with fewer of both is not searched in a line: it may stand there by chance
_ENDS = re.compile(r"[.,:;?!\"'“”‘’()\[\]{}=«»–—\n]")
_MARKS = '"“”„‘’«»'
# All that follows a title, as in `Attention is all you need NeurIPS 2017`.
_VENUE = re.compile(
    r"\s+(?:[A-Z]{4,}|[A-Z][a-z]+[A-Z]{2,}|(?:ar|bio|med|chem)Rxiv|arXiv|eLife)(?:\s(?:19|20)\d\d)?\W*\Z"
)
# Words next to the title of another paper: a comment, a correction or a retraction of it.
_ABOUT = frozenset(
    ("addendum", "comment", "commentary", "correction", "corrigendum", "erratum", "errata", "reply", "response",
     "retracted", "retraction", "re", "withdrawal", "withdrawn", "correspondence")
)  # fmt: skip


class CitedLine:
    """The words of a printed reference with their positions, in which titles and names are searched."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._spans: list[tuple[int, int]] = []
        words: list[str] = []
        for token in re.finditer(r"[^\W_]+", text):
            for word in words_of(token[0]):
                words.append(word)
                self._spans.append(token.span())
        self.words = words
        self._beginning = tuple(words[:FEWEST_WORDS])
        self._joined = f" {' '.join(words)} "

    def holds(self, text: str | None) -> bool:
        """Whether the words of this text stand in it, one after the other."""
        phrase = phrase_of(text) if text else ""
        return bool(phrase) and phrase in self._joined

    def begins_as(self, paper: KnownPaper) -> bool:
        """Whether it begins with the first words of one of the paper's titles."""
        return self._beginning in paper.beginnings

    def quotes(self, text: str) -> bool:
        """Whether this text stands in quotation marks, so that it is a whole title."""
        words = words_of(text)
        start = self._joined.find(f" {' '.join(words)} ")
        if start < 0 or not words:
            return False
        first = self._joined.count(" ", 0, start + 1) - 1
        before = self.text[: self._spans[first][0]].rstrip()[-1:]
        behind = self.text[self._spans[first + len(words) - 1][1] :].lstrip(" .,!?")
        return bool(before and behind) and before in _MARKS and behind[0] in _MARKS and ends_quotation(behind[1:])

    def name_title(self, paper: KnownPaper) -> Named:
        """The longest of the paper's titles that stands in the line as a whole; NOT_NAMED if none does."""
        found = [named for text in paper.titles_in_lines for named in self._named(text, paper)]
        return max(found, key=lambda named: (named.naming, len(named.title.words)), default=NOT_NAMED)

    def quoted_title(self, paper: KnownPaper) -> Named:
        """A title of the paper that a sentence quotes; NOT_NAMED if none is."""
        found = [text for text in paper.titles if len(words_of(text)) >= MIN_WORDS and self.quotes(text)]
        return Named(Naming.PART, read_title(max(found, key=len))) if found else NOT_NAMED

    def near_title(self, paper: KnownPaper) -> Named:
        """A title of the paper that stands in the line misspelt, or without its subtitle before the journal."""
        families = paper.words_before_title
        found = [named for text in paper.titles for named in self._misspelt(text, families)]
        for main, rest in (cut for text in paper.titles for cut in without_subtitle(text)):
            naming = Naming.PART if numbers_a_part(rest) else Naming.SHORTER
            found += [Named(naming, main) for _ in self._before_journal(main, paper.journals, families)]
        return max(found, key=lambda named: named.naming, default=NOT_NAMED)

    def _misspelt(self, text: str, families: Set[str]) -> Iterator[Named]:
        title, words = read_title(text), words_of(text)
        if len(words) < MIN_WORDS:
            return
        fewest = len(words) - max(1, len(words) // 4)
        for first in range(len(self.words) - len(words) + 1):
            ours = self.words[first : first + len(words)]
            if fewest <= sum(map(eq, ours, words)) < len(words):
                spelled = same_words(read_title(" ".join(ours)), title)
                if spelled and self._naming(first, first + len(words), families) is Naming.EQUAL:
                    yield Named(Naming.SPELLED, title)

    def _before_journal(self, main: Title, journals: Sequence[str], families: Set[str]) -> Iterator[int]:
        """Where the words of a title stand with a journal, a number or nothing behind them."""
        words = list(main.words)
        for first in range(len(self.words) - len(words) + 1):
            behind = first + len(words)
            if self.words[first:behind] == words and self._naming(first, behind, families):
                rest = self.words[behind : behind + 12]
                if not rest or rest[0].isdigit() or self._names_journal(behind, journals):
                    yield first

    def _names_journal(self, first: int, journals: Sequence[str]) -> bool:
        """Whether the words from `first` on are one of these journals, in full or abbreviated before a number."""
        rest = self.words[first : first + 12]
        if any(rest[: len(words)] == words for it in journals if (words := words_of(it))):
            return True
        until = next((place for place, word in enumerate(rest) if word.isdigit()), 0)
        cited = self.text[self._spans[first][0] : self._spans[first + until - 1][1]] if until else ""
        return bool(cited) and any(same_journal(cited, it) for it in journals)

    def _named(self, text: str, paper: KnownPaper) -> Iterator[Named]:
        phrase = phrase_of(text)
        start = self._joined.find(phrase) if phrase else -1
        if start < 0:
            return
        words = phrase.split()
        if len(words) < MIN_WORDS and len("".join(words)) < MIN_LETTERS:
            return
        while start >= 0:
            first = self._joined.count(" ", 0, start + 1) - 1
            behind = first + len(words)
            naming = self._naming(first, behind, paper.words_before_title)
            if not naming and behind < len(self.words) and self._names_journal(behind, paper.journals):
                naming = self._naming(first, behind, paper.words_before_title, before_journal=True)
            if naming:
                yield Named(naming, read_title(text))
            start = self._joined.find(phrase, start + 1)

    def _naming(self, first: int, behind: int, families: Set[str], *, before_journal: bool = False) -> Naming:
        """Whether the words from `first` to `behind` are a whole title: no word before or after belongs to it."""
        previous, following = self.words[max(0, first - 5) : first], self.words[behind : behind + 1]
        before = self.text[self._spans[first - 1][1] if first else 0 : self._spans[first][0]]
        ends, goes_on = self._spans[behind - 1][1], self._spans[behind][0] if following else len(self.text)
        after = self.text[ends:goes_on]
        begun = self._begins(first, before, families)
        ended = _ENDS.search(after) or not following or re.fullmatch(r"\d{4}", following[0])
        if following and re.match(r"\d{4}\W?\s?(?:[:?!]|\s[–—-])\s+[^\W\d_]", self.text[goes_on : goes_on + 20]):
            ended = None  # `X (2017): a critique`
        if following and following[0] in STOP_WORDS and not re.search(r"[.,;\"”’»}\n]", after):
            ended = None  # `X (TREM2) in children`
        if re.fullmatch(r"\s*\]?[\"”’'»“]\s*", after) and not ends_quotation(self.text[ends + len(after.rstrip()) :]):
            ended = None  # `Why “X” is wrong`
        ended = ended or before_journal or _VENUE.match(self.text, ends)
        if not begun or not ended or not _ABOUT.isdisjoint([*previous, *following]):
            return Naming.OTHER
        if not re.search(r"[:?!;]|\s[-–—]", after):
            return Naming.EQUAL
        return Naming.OTHER if numbers_a_part(self.text[goes_on : goes_on + 20]) else Naming.LONGER

    def _begins(self, first: int, before: str, families: Set[str]) -> bool:
        """Whether only names and numbers stand before a title; before a colon, only the paper's authors."""
        own: list[bool] = []
        before_title = zip(self.words[:first], self._spans, strict=False)
        for is_known, run in groupby(before_title, lambda it: it[0] in families):
            small = [word in STOP_WORDS and not self.text[slice(*span)].istitle() for word, span in run]
            own += [is_known and not all(small)] * len(small)  # `of` alone names no journal
        others = [span for span, is_own in zip(self._spans, own, strict=False) if not is_own]
        text = " ".join(self.text[slice(*span)] for span in dict.fromkeys(others))
        if not reads_like_names(text):
            return False
        last = self.words[max(0, first - 1) : first]
        if not last or own[-1] or last[0] == "al" or last[0].isdigit() or re.search(r"[.,;\n]", before):
            return True
        known = all(len(word) < 4 or word.isdigit() for word in words_of(text))
        return known and _ENDS.search(before) is not None
