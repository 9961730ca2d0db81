"""Whether a reference names a paper by its title: the same words but for their spelling, or without the subtitle.

Records of databases may be merged on a likeness of titles; a reference may not be matched on it. One word more or less
is another paper here: `Attention is not explanation` and `Attention is not not explanation`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from enum import IntEnum
from functools import lru_cache
from typing import NamedTuple

from rapidfuzz.distance import OSA, Levenshtein

from shared.bibliography.group_authors import ends_in_group
from shared.bibliography.paper import Paper
from shared.bibliography.stop_words import STOP_WORDS
from shared.bibliography.words import words_of
from shared.matching.title_features import Title, read_title, title_forms
from shared.matching.title_likeness import Likeness, title_likeness
from shared.references.journal_in_citation import PLACE

ENOUGH_OF_A_TITLE = 3  # words that mean something, in what stands before a subtitle
_LONG_ENOUGH = (4, 25)  # words or letters of a title that is looked for in a line


class Naming(IntEnum):
    """How a reference names a title, the worst first."""

    OTHER = 0
    PART = 1  # of a work in parts, without saying which
    LONGER = 2  # with a subtitle that the record lacks
    SHORTER = 3  # without its subtitle
    SPELLED = 4  # a word or two spelled differently
    EQUAL = 5


class Named(NamedTuple):
    """How the title is named, and as much of it as both have."""

    naming: Naming
    title: Title


NOT_NAMED = Named(Naming.OTHER, read_title(""))


def name_title(cited: str, papers: Iterable[Paper]) -> Named:
    """Compare a cited title with all titles of a paper's records; the best of them counts."""
    written = _written(papers)
    forms = title_forms(cited)
    if len(forms) > 1 and forms[1].rstrip()[-1:] in ':–—-“"':
        forms = [cited]  # `A new look: [X]` is no title with its translation
    pairs = (_name(ours, theirs) for ours in forms for theirs in written)
    return max(pairs, key=lambda named: named.naming, default=NOT_NAMED)


def _written(papers: Iterable[Paper]) -> list[str]:
    titles = (title for paper in papers for title in (paper.title, *paper.alternative_titles))
    return list(dict.fromkeys(form for title in titles for form in title_forms(title)))


def _name(cited: str, told: str) -> Named:
    ours, theirs = read_title(cited), read_title(told)
    if ours.kinds != theirs.kinds:
        return NOT_NAMED
    naming = _same_words(ours, theirs)
    if naming:
        return Named(naming, theirs)
    for main, rest in _without_subtitle(told):
        if _same_words(ours, main):
            return Named(Naming.PART if _numbers_a_part(rest) else Naming.SHORTER, main)
    for main, rest in _without_subtitle(cited):
        goes_on = not STOP_WORDS.isdisjoint(words_of(rest)[:1]) and not rest[0].isupper()  # `X? in children`
        if _same_words(main, theirs) and not _numbers_a_part(rest) and not goes_on:
            return Named(Naming.LONGER, theirs)
    return NOT_NAMED


def _same_words(a: Title, b: Title) -> Naming:
    """EQUAL, SPELLED or OTHER; the words of the two are held against each other in their order."""
    if not a.compact or a.numbers != b.numbers or a.parts != b.parts:
        return Naming.OTHER
    if a.compact == b.compact:
        return Naming.EQUAL
    blocks = _differing(a.words, b.words)
    few = len(blocks) <= max(1, len(a.words) // 4)
    return Naming.SPELLED if few and all(_misspelt(*block) for block in blocks) else Naming.OTHER


def _differing(a: Sequence[str], b: Sequence[str]) -> list[tuple[list[str], list[str]]]:
    """Where two lists of words differ: what stands there in the one and in the other."""
    found: list[tuple[list[str], list[str]]] = []
    after_other = False
    for step in Levenshtein.opcodes(a, b):
        if step.tag != "equal":
            x, y = found.pop() if after_other else ([], [])
            found.append(([*x, *a[step.src_start : step.src_end]], [*y, *b[step.dest_start : step.dest_end]]))
        after_other = step.tag != "equal"
    return found


def _misspelt(ours: list[str], theirs: list[str]) -> bool:
    """One letter in eight, or an ending: `program` and `programme`, not `microbiome` and `microbiota`.

    An article or preposition may be another, be missing or lack a letter; a single letter stands for no other one.
    """
    if STOP_WORDS.issuperset([*ours, *theirs]):
        return True
    a, b = "".join(ours), "".join(theirs)
    off_by = OSA.distance(a, b)
    if off_by == 1 and any(len(side) == 1 and len(side[0]) > 1 and side[0] in STOP_WORDS for side in (ours, theirs)):
        return True
    shorter, longer = sorted((a, b), key=len)
    if len(shorter) > 4 and longer.startswith(shorter) and len(longer) < len(shorter) + 3:
        return True
    near = title_likeness(read_title(" ".join(ours)), read_title(" ".join(theirs))) >= Likeness.SPELLING
    return near and off_by <= max(1, len(longer) // 8)


_SUBTITLE = re.compile(r"\s?[:?!;]\s+|\s+[-–—]{1,3}\s+|\.\s+(?=[^\W\d_])|\s+(?=[(\[])")
_PART = re.compile(r"\W*(?:part|parts|phase|no|chapter|section|study|paper)?\.?\s*(?:\d{1,2}|[ivx]{1,4})\b", re.I)
_ENDS = re.compile(r"[.,:;?!\"'“”‘’()\[\]{}=«»–—\n]")


@lru_cache(maxsize=4096)
def _without_subtitle(text: str) -> tuple[tuple[Title, str], ...]:
    """What stands before each sign that a subtitle may follow, and that which follows; not what is too short."""
    cuts = ((read_title(text[: sign.start()]), text[sign.end() :]) for sign in _SUBTITLE.finditer(text))
    return tuple((main, rest) for main, rest in cuts if main.weight >= ENOUGH_OF_A_TITLE and not main.generic)


def _numbers_a_part(rest: str) -> bool:
    return _PART.match(rest) is not None


class Line:
    """The words of a raw reference, each with its place, to look for titles and names in."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._places: list[tuple[int, int]] = []
        words: list[str] = []
        for token in re.finditer(r"[^\W_]+", text):
            for word in words_of(token[0]):
                words.append(word)
                self._places.append(token.span())
        self.words = words
        self._joined = f" {' '.join(words)} "

    def holds(self, text: str | None) -> bool:
        """Whether these words stand in it, one behind the other."""
        words = " ".join(words_of(text or ""))
        return bool(words) and f" {words} " in self._joined

    def name_title(self, papers: Sequence[Paper]) -> Named:
        """The longest title of the records that stands in the line as a whole."""
        families = {word for paper in papers for author in paper.authors for word in words_of(author.display)}
        found = [named for text in _written(papers) for named in self._named(text, families)]
        return max(found, key=lambda named: (named.naming, len(named.title.words)), default=NOT_NAMED)

    def _named(self, text: str, families: set[str]) -> Iterator[Named]:
        title, words = read_title(text), words_of(text)
        if len(words) < _LONG_ENOUGH[0] and len("".join(words)) < _LONG_ENOUGH[1]:
            return
        at = self._joined.find(f" {' '.join(words)} ")
        while at >= 0:
            first = self._joined.count(" ", 0, at + 1) - 1
            naming = self._naming(first, first + len(words), families)
            if naming:
                yield Named(naming, title)
            at = self._joined.find(f" {' '.join(words)} ", at + 1)

    def _naming(self, first: int, behind: int, families: set[str]) -> Naming:
        """Whether the title ends where it ends in the line: no word before or behind it belongs to it."""
        previous, following = self.words[max(0, first - 5) : first], self.words[behind : behind + 1]
        before = self._text[self._places[first - 1][1] if first else 0 : self._places[first][0]]
        ends, goes_on = self._places[behind - 1][1], self._places[behind][0] if following else len(self._text)
        after = self._text[ends:goes_on]
        begun = self._begins(first, before, families)
        ended = _ENDS.search(after) or not following or re.fullmatch(r"\d{4}", following[0])
        if following and re.match(r"\d{4}\W?\s?(?:[:?!]|\s[–—-])\s+[^\W\d_]", self._text[goes_on : goes_on + 20]):
            ended = None  # `X (2017): a critique`
        if following and following[0] in STOP_WORDS and not re.search(r"[.,;\"”’»}\n]", after):
            ended = None  # `X (TREM2) in children`
        if re.fullmatch(r"\s*\]?[\"”’'»“]\s*", after) and not ends_quotation(self._text[ends + len(after.rstrip()) :]):
            ended = None  # `Why “X” is wrong`
        if not begun or not ended or not _ABOUT.isdisjoint([*previous, *following]):
            return Naming.OTHER
        if not re.search(r"[:?!;]|\s[-–—]", after):
            return Naming.EQUAL
        return Naming.OTHER if _numbers_a_part(self._text[goes_on : goes_on + 20]) else Naming.LONGER

    def _begins(self, first: int, before: str, families: set[str]) -> bool:
        """Whether nothing but names and numbers stands before a title; behind a colon, names that the paper has."""
        others = [place for place, word in zip(self._places[:first], self.words, strict=False) if word not in families]
        text = " ".join(self._text[slice(*place)] for place in dict.fromkeys(others))
        if not reads_like_names(text):
            return False
        last = self.words[max(0, first - 1) : first]
        if not last or last[0] in families or last[0] == "al" or last[0].isdigit() or re.search(r"[.,;\n]", before):
            return True
        known = all(len(word) < 4 or word.isdigit() for word in words_of(text))
        return known and _ENDS.search(before) is not None


# What stands before or behind the title of a paper that a piece is about.
_ABOUT = frozenset(
    ("addendum", "comment", "commentary", "correction", "corrigendum", "erratum", "errata", "reply", "response",
     "retracted", "retraction", "re", "withdrawal", "withdrawn", "correspondence")
)  # fmt: skip
_PARTICLES = frozenset(
    words_of("al and af dal de del della den der di do dos du e el et in la le others ten ter und van vom von y zu zur")
)
_NO_NAMES = frozenset(
    words_of(
        "against all are beyond by critique for from how into is no not of on or that the this to towards was what "
        "when where which who why with without you"
    )
)
_RETOLD = frozenset(("again", "reconsidered", "reexamined", "refuted", "revisited"))


def ends_quotation(behind: str) -> bool:
    """Whether a quoted title ends the sentence, `behind` its closing mark: `“X” is wrong` names no paper X."""
    following = re.match(r"\s*([^\W_]+)(?:\s+([^\W_]+))?", behind)
    if not following or following[1].lower() in _RETOLD:
        return not following
    word = following[2] or "" if following[1] in ("in", "by") else following[1]
    return not word.islower()


def reads_like_names(text: str) -> bool:
    """Whether no word in it can be of a sentence: `Vaswani A, van der Berg K, et al. 2017`, not `The sequel to`."""
    words = re.findall(r"[^\W\d_]+(?:[’'-][^\W\d_]+)*", text)
    return not any((word.islower() and word not in _PARTICLES) or word.lower() in _NO_NAMES - {word} for word in words)


def reads_like_title(text: str) -> bool:
    """Whether it can be nothing but a title: words of a sentence, not of persons, bodies, journals and places."""
    words = re.findall(r"[^\W_]+(?:[’'-][^\W_]+)*", text)
    plain = [word for word in words if word.islower() and len(word) > 1 and word not in _PARTICLES]
    plain += [word for word in words if word.istitle() and word.lower() in _NO_NAMES]
    if len(words) < 3 or ends_in_group(text) or PLACE.search(text):
        return False
    if re.search(r"(?:^|[\s.-])[A-Z]$", text.rstrip(".")):
        return False
    return len(plain) > 1 or (len(plain) == 1 and len(words) > 3 and "," not in text)
