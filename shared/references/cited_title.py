"""Whether a cited title is a paper's title: the same words but for spelling, or one of them without its subtitle.

Database records may be merged if their titles are similar; a reference is not matched on similarity. Here a word more
or less is another paper: `Attention is not explanation` and `Attention is not not explanation`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from enum import IntEnum
from functools import lru_cache
from typing import NamedTuple

from rapidfuzz.distance import OSA, Levenshtein

from shared.bibliography.paper import Paper
from shared.bibliography.stop_words import ARTICLES, STOP_WORDS
from shared.bibliography.words import words_of
from shared.matching.title_features import Title, read_title, title_forms
from shared.matching.title_likeness import Likeness, title_likeness
from shared.references.abridged_title import words_in
from shared.references.names_in_citation import without_umlauts

MIN_LETTERS = 4  # of a word that lost one
MIN_CUT_WEIGHT = 4  # significant words of a title that breaks off or has a wrong word
MOST_GARBLED = 3  # words
MOST_IN_ENDING = 2  # letters
MIN_MAIN_TITLE_WEIGHT = 3  # significant words before a subtitle, so that they can stand for the whole title


class Naming(IntEnum):
    """How well a cited title corresponds to a paper's, the worst first."""

    OTHER = 0
    BEGINNING = 1  # less than half of its words
    WRONG_WORD = 2  # one word in the place of another
    GARBLED = 3  # more words misspelt than in SPELLED, or one abbreviated
    PART = 4  # of a work in several parts, without the number of the part
    LONGER = 5  # with a subtitle that the record lacks
    CUT = 6  # its beginning, half of its words or more
    SHORTER = 7  # without its subtitle
    SPELLED = 8  # a word or two spelled differently
    EQUAL = 9


class Named(NamedTuple):
    """How well the titles correspond, and the part of the title that both have."""

    naming: Naming
    title: Title


NOT_NAMED = Named(Naming.OTHER, read_title(""))


def name_title(cited: str, titles: Sequence[str]) -> Named:
    """Compare a cited title with all titles of a paper (`titles_of`); the best correspondence counts."""
    pairs = (_name(ours, theirs) for ours in _forms_of(cited) for theirs in titles)
    return max(pairs, key=lambda named: named.naming, default=NOT_NAMED)


@lru_cache(maxsize=1024)  # one cited title is compared with many papers
def _forms_of(cited: str) -> tuple[str, ...]:
    forms = title_forms(cited)
    if len(forms) > 1 and forms[1].rstrip()[-1:] in ':–—-“"':
        forms = [cited]  # `A new look: [X]` is not a title with its translation
    return tuple(it for form in forms for it in _spellings(form))


def titles_of(papers: Iterable[Paper]) -> list[str]:
    """All titles of these records in all their forms, each once."""
    titles = (title for paper in papers for title in (paper.title, *paper.alternative_titles))
    return list(dict.fromkeys(it for title in titles for form in title_forms(title) for it in _spellings(form)))


def _spellings(text: str) -> tuple[str, ...]:
    """The title, and with `ae` for `ä` where it has umlauts."""
    spelled = without_umlauts(text)
    return (text,) if spelled == text else (text, spelled)


def _name(cited: str, recorded: str) -> Named:
    ours, theirs = read_title(cited), read_title(recorded)
    if ours.kinds != theirs.kinds:
        return NOT_NAMED
    naming = same_words(ours, theirs)
    if naming:
        return Named(naming, theirs)
    for main, rest in without_subtitle(recorded):
        if same_words(ours, main):
            return Named(Naming.PART if numbers_a_part(rest) else Naming.SHORTER, main)
    for main, rest in without_subtitle(cited):
        if same_words(main, theirs) and not numbers_a_part(rest) and not _continues(rest):
            return Named(Naming.LONGER, theirs)
    if ours.parts != theirs.parts:
        return NOT_NAMED
    words, whole = _without_possessive(ours.words), _without_possessive(theirs.words)
    if ours.weight >= MIN_CUT_WEIGHT and whole[: len(words)] == words:  # `BERT: Pre-training of Deep Transformers`
        return Named(_cut(words, whole), ours)
    abridged = words_in(cited, whole)
    if sum([word not in STOP_WORDS for word in abridged]) >= MIN_CUT_WEIGHT:
        return Named(_cut(abridged, whole), ours)
    return Named(_garbled(cited, words, whole) if ours.weight >= MIN_CUT_WEIGHT else Naming.OTHER, theirs)


def _cut(words: Sequence[str], whole: Sequence[str]) -> Naming:
    """CUT if these are half of the words of the whole title, or more."""
    return Naming.CUT if 2 * len(words) >= len(whole) else Naming.BEGINNING


def _continues(rest: str) -> bool:
    """Whether a text goes on with the sentence before it: `X? in children`."""
    return not (STOP_WORDS - ARTICLES).isdisjoint(words_of(rest)[:1]) and not rest[0].isupper()


def _garbled(cited: str, words: Sequence[str], whole: Sequence[str]) -> Naming:
    """GARBLED if each differing word is a misspelling or an abbreviation of the other, WRONG_WORD if one is not."""
    if len(words) != len(whole):
        return Naming.OTHER
    pairs = [(a, b) for a, b in zip(words, whole, strict=True) if a != b]
    if len(pairs) > MOST_GARBLED:
        return Naming.OTHER
    if all(a.isalpha() and b.isalpha() and (_misspelt([a], [b]) or _abbreviates(a, b, cited)) for a, b in pairs):
        return Naming.GARBLED
    return Naming.WRONG_WORD if len(pairs) == 1 else Naming.OTHER


def _abbreviates(word: str, whole: str, text: str) -> bool:
    """Whether a word stands in the text with a full stop for the letters that it lacks: `assoc.`"""
    return len(word) > 2 and whole.startswith(word) and f"{word}." in text.lower()


def _without_possessive(words: tuple[str, ...]) -> tuple[str, ...]:
    """`Alzheimer disease` for `Alzheimer's disease`."""
    return tuple(word for word in words if word != "s") if "s" in words else words


def same_words(a: Title, b: Title) -> Naming:
    """EQUAL, SPELLED or OTHER; the words are compared in their order."""
    if not a.compact or a.parts != b.parts:
        return Naming.OTHER
    words, whole = _without_possessive(a.words), _without_possessive(b.words)
    if a.numbers == b.numbers and (a.compact == b.compact or words == whole != ()):
        return Naming.EQUAL
    blocks = _differing(words, whole)
    if a.numbers != b.numbers and not all(_exchanged("".join(x), "".join(y)) for x, y in blocks):
        return Naming.OTHER
    few = len(blocks) <= max(1, len(words) // 4)
    return Naming.SPELLED if few and all(_misspelt(*block) for block in blocks) else Naming.OTHER


def _differing(a: Sequence[str], b: Sequence[str]) -> list[tuple[list[str], list[str]]]:
    """The differences of two lists of words: the differing words of each."""
    if set(a).isdisjoint(b):  # of most pairs
        return [(list(a), list(b))]
    found: list[tuple[list[str], list[str]]] = []
    after_difference = False
    for step in Levenshtein.opcodes(a, b):
        if step.tag != "equal":
            x, y = found.pop() if after_difference else ([], [])
            found.append(([*x, *a[step.src_start : step.src_end]], [*y, *b[step.dest_start : step.dest_end]]))
        after_difference = step.tag != "equal"
    return found


def _misspelt(ours: list[str], theirs: list[str]) -> bool:
    """Whether these are spellings of the same words: `program` and `programme`, not `microbiome` and `microbiota`.

    One letter in eight may differ, or the ending. A stop word may be replaced, be missing or lack a letter; a word of a
    single letter may not be replaced.
    """
    if STOP_WORDS.issuperset([*ours, *theirs]):
        return True
    a, b = "".join(ours), "".join(theirs)
    shorter, longer = sorted((a, b), key=len)
    distance, most = OSA.distance(a, b), max(1, len(longer) // 8)
    if distance > max(most, MOST_IN_ENDING):
        return False
    if _exchanged(a, b) or _lost_letter(a, b):
        return True
    if distance == 1 and any(len(side) == 1 and len(side[0]) > 1 and side[0] in STOP_WORDS for side in (ours, theirs)):
        return True
    if len(shorter) > 4 and longer.startswith(shorter) and len(longer) <= len(shorter) + MOST_IN_ENDING:
        return True
    if distance > most:
        return False
    return title_likeness(read_title(" ".join(ours)), read_title(" ".join(theirs))) >= Likeness.SPELLING


def _exchanged(a: str, b: str) -> bool:
    """Whether two neighbouring letters changed places in a word: `toekns`, `DA1P2`; not 1.67 and 1.76."""
    if len(a) != len(b) or len(a) < 4 or sorted(a) != sorted(b):
        return False
    return sum(char.isalpha() for char in a) > 2 and OSA.distance(a, b) == 1


def _lost_letter(a: str, b: str) -> bool:
    """Whether a letter of a longer word is missing in the other: `Imae`; not `typical` and `atypical`."""
    shorter, longer = sorted((a, b), key=len)
    one = len(longer) == len(shorter) + 1 > MIN_LETTERS and OSA.distance(a, b) == 1
    return one and longer.isalpha() and longer != f"a{shorter}"


_SUBTITLE = re.compile(r"\s?[:?!;]\s+|\s+[-–—]{1,3}\s+|\.\s+(?=[^\W\d_])|\s+(?=[(\[])")
_PART = re.compile(r"\W*(?:part|parts|phase|no|chapter|section|study|paper)?\.?\s*(?:\d{1,2}|[ivx]{1,4})\b", re.I)


@lru_cache(maxsize=4096)
def without_subtitle(text: str) -> tuple[tuple[Title, str], ...]:
    """For each mark that may begin a subtitle, the title before it and the text after; without those too short."""
    cuts = ((read_title(text[: sign.start()]), text[sign.end() :]) for sign in _SUBTITLE.finditer(text))
    return tuple((main, rest) for main, rest in cuts if main.weight >= MIN_MAIN_TITLE_WEIGHT and not main.generic)


def before_subtitle(cited: str, titles: Sequence[str]) -> Named:
    """SHORTER if a cited title of however few words is all that stands before the colon of one of a paper's titles."""
    for title in titles:
        main, colon, rest = title.partition(": ")
        if colon and len(words_of(main)) > 1 and words_of(main) == words_of(cited) and not numbers_a_part(rest):
            return Named(Naming.SHORTER, read_title(main))
    return NOT_NAMED


def numbers_a_part(rest: str) -> bool:
    """Whether a text after a title begins with the number of a part: `part 2`, `III`."""
    return _PART.match(rest) is not None
