"""The passages of papers' texts that may bear on a question: one to three sentences of one paragraph.

A candidate begins and ends with a sentence that has a word of the question: a longer one would only be diluted. All
offsets are those of the text that the service shows: of an abstract as `detail=full` has it, of a full text as
`/v1/papers/{id}/fulltext` has it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice, takewhile

from shared.bibliography.full_text import CELLS, PlacedParagraph
from shared.bibliography.sentences import sentences
from shared.passages.words import QuestionWords
from shared.search.ranking.text_match import terms

MAX_SENTENCES = 3
# Of each text: what is longer is a book, and its words would take seconds to count.
MAX_READ_SENTENCES, MAX_READ_CHARS = 2_000, 400_000
# Of a paragraph, before those behind it: a longer one is a table or a list, which must not take the place of the text.
MAX_FIRST_SENTENCES = 100
# A sentence that is longer is a list or a table without stops: its words say little together. Its beginning is read.
MAX_SENTENCE_CHARS = 2_000
# Of a table: the caption, if it has one, and the headings of its columns.
HEAD_LINES = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadText:
    """A text of a paper: its abstract, or its full text."""

    paper: int  # the paper's rank, from 0
    title: str | None  # of the paper
    paragraphs: Sequence[PlacedParagraph]
    is_full: bool = False


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence, or a row of a table, with the words of the question that it has."""

    start: int  # in the whole text
    text: str
    counts: Mapping[str, int]  # how often it has each word of the question
    line: str  # all its words in their order, with blanks around each
    length: int

    @property
    def end(self) -> int:
        """The offset behind its last character."""
        return self.start + len(self.text)


@dataclass(frozen=True, slots=True)
class ReadParagraph:
    """A paragraph by its sentences, or by the first ones of a long paragraph."""

    text: ReadText
    place: PlacedParagraph
    sentences: Sequence[Sentence]

    @property
    def is_cut(self) -> bool:
        """Whether a part of it was not read: sentences at its end, or the rest of a long one."""
        text, read_to = self.place.paragraph.text, 0
        for it in self.sentences:
            if text[read_to : it.start - self.place.start].strip():
                return True
            read_to = it.end - self.place.start
        return bool(text[read_to:].strip())


@dataclass(frozen=True, slots=True)
class CandidatePassage:
    """Neighbouring sentences of a paragraph, from the number `first` to `last`."""

    paragraph: ReadParagraph
    first: int
    last: int

    @property
    def sentences(self) -> Sequence[Sentence]:
        """Its sentences."""
        return self.paragraph.sentences[self.first : self.last + 1]

    @property
    def start(self) -> int:
        """Where it begins in the whole text."""
        return self.paragraph.sentences[self.first].start

    @property
    def end(self) -> int:
        """The offset behind its last character."""
        return self.paragraph.sentences[self.last].end

    @property
    def quoted(self) -> str:
        """Its words as they are written."""
        place = self.paragraph.place
        return place.paragraph.text[self.start - place.start : self.end - place.start]

    @property
    def before(self) -> str | None:
        """The sentence before it in its paragraph."""
        return self.paragraph.sentences[self.first - 1].text if self.first else None

    @property
    def after(self) -> str | None:
        """The sentence after it in its paragraph."""
        following = self.paragraph.sentences[self.last + 1 : self.last + 2]
        return following[0].text if following else None


def read_paragraphs(text: ReadText, question: QuestionWords) -> Iterator[ReadParagraph]:
    """The paragraphs that are read, up to MAX_READ_SENTENCES and MAX_READ_CHARS.

    Of each the first MAX_FIRST_SENTENCES, without those that do not fit; if all fit, then the rest of longer ones.
    """
    left, begun = _Remaining(), list[_Begun]()
    for place in text.paragraphs:
        one = _Begun(place, _spans(place))
        one.spans += islice(one.rest, MAX_FIRST_SENTENCES)
        if left.take(one.spans):
            begun.append(one)
        elif not left.sentences:
            break
    if len(begun) == len(text.paragraphs):
        for one in begun:
            one.spans += takewhile(lambda span: left.take([span]), one.rest)
    for one in begun:
        yield ReadParagraph(text, one.place, [_sentence(one.place, *span, question) for span in one.spans])


@dataclass(slots=True)
class _Remaining:
    """How much of a text may still be read."""

    sentences: int = MAX_READ_SENTENCES
    chars: int = MAX_READ_CHARS

    def take(self, spans: Sequence[tuple[int, int]]) -> bool:
        """Count these sentences, if they fit."""
        chars = sum(end - start for start, end in spans)
        fits = len(spans) <= self.sentences and chars <= self.chars
        if fits:
            self.sentences, self.chars = self.sentences - len(spans), self.chars - chars
        return fits


@dataclass(slots=True)
class _Begun:
    """A paragraph with the places of the sentences to read, and those that follow."""

    place: PlacedParagraph
    rest: Iterator[tuple[int, int]]
    spans: list[tuple[int, int]] = field(default_factory=list)


def candidates(paragraph: ReadParagraph) -> Iterator[CandidatePassage]:
    """The candidates of a paragraph, in their order. The headings of a table's columns are none by themselves."""
    heads = [number for number, it in enumerate(paragraph.sentences) if CELLS in it.text][:1]
    heads = heads if paragraph.place.paragraph.kind == "table" else []
    hits = [number for number, it in enumerate(paragraph.sentences) if it.counts and number not in heads]
    for position, first in enumerate(hits):
        for last in hits[position : position + MAX_SENTENCES]:
            if last - first < MAX_SENTENCES:
                yield CandidatePassage(paragraph, first, last)


def _spans(place: PlacedParagraph) -> Iterator[tuple[int, int]]:
    """Where the sentences of a paragraph are; each row of a table, and each line of code, is one.

    Of a sentence that is longer, the first MAX_SENTENCE_CHARS, up to the end of a word.
    """
    text = place.paragraph.text
    start = 0
    for line in text.split("\n"):
        for first, last in sentences(line):
            if last - first > MAX_SENTENCE_CHARS:
                most = first + MAX_SENTENCE_CHARS
                blank = line.rfind(" ", first, most + 1)
                last = blank if blank > first else most
            if last > first:
                yield start + first, start + last
        start += len(line) + 1


def _sentence(place: PlacedParagraph, start: int, end: int, question: QuestionWords) -> Sentence:
    text = place.paragraph.text[start:end]
    words = terms(text)
    counts = Counter(word for word in words if word in question.weights)
    return Sentence(place.start + start, text, counts, f" {'  '.join(words)} ", len(words))
