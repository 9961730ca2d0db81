"""Compares what the first pages of a file print with a paper's title.

The same title may be printed in capitals, hyphenated, with ligatures that the file does not spell, with the mark of a
note, behind the kind of article, or with a subtitle that the paper's records leave out. A title that has another one
inside is another paper's (`Attention is all you need for X`), or that of a piece about the paper.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import Enum

from rapidfuzz import fuzz

from shared.bibliography.stop_words import STOP_WORDS
from shared.bibliography.text import fold
from shared.matching.recurring_titles import names_kinds_alone
from shared.matching.title_features import Title, compact_of, read_title
from shared.matching.title_likeness import Likeness, title_likeness

_TELLING_WORDS = 4  # a title with fewer stands in other papers by chance …
_SUBTITLED_WORDS = 5  # … and begins other titles
_SAME_WORD = 80  # per cent of the letters
_LIGATURE_LETTERS = 15  # of a title that is still telling without its ligatures
_MAX_LINES = 8  # of a title
_LENGTHS, _LABEL_LETTERS = 0.1, 40  # by which the same title differs in letters, and what may stand before it
_BREAK = re.compile(r"(?<=[:?!;])\s+|\.\s+|(?<!\s)\s*[–—|•]\s*|(?<!\s)\s+-+\s+")  # before a subtitle
_HYPHEN = re.compile(r"(?<=\w)-\n")
_MARK = re.compile(r"(?<!\s)\s*\^?[\d*†‡§¶#,]{1,4}$")  # of a note
_LIGATURES = re.compile(r"f[fil]+")
_LABEL = re.compile(
    r"(?:(?:original|research|review|regular|full|full[- ]length|short|brief|rapid|special|invited|feature|clinical|"
    r"technical|methods?|theoretical|experimental|case)[ -])*"
    r"(?:articles?|papers?|investigations?|contributions?|communications?|reports?|reviews?|letters?|perspectives?|"
    r"preprints?|open access|(?:accepted|author) manuscript|meta[- ]analysis|clinical trial)\s*[:|.•—–-]*\s+",
    re.IGNORECASE,
)
# A piece about the paper or a part of it, as folded words say it: before its title, behind it, or in a line alone.
_PIECE = (
    r"(?:(?:supplement(?:s|al|ary)?|supporting)(?: (?:online|information|materials?|data|text|appendix|appendices|"
    r"files?|methods|figures?|tables?|notes?|results|content|document))*|(?:online |web |technical )?appendix|"
    r"errat(?:um|a)|corrigend(?:um|a)|addend(?:um|a)|(?:author |publisher )?corrections?|retraction(?: note| notice)?|"
    r"expression of concern|(?:transparent )?peer review(?: file)?|(?:reviewers?|referees?) (?:comments|reports?)|"
    r"reporting summary|plain language summary)"
)
_ANSWER = r"(?:comment\w*|repl(?:y|ies)|response|rejoinder|discussion)"
_ALONE = re.compile(rf"{_PIECE}(?: (?:for|to|of|on))?|(?:an? )?{_ANSWER} (?:to|on|of)")
_BEFORE = re.compile(
    rf"\b(?:{_PIECE}|{_ANSWER}|editorial|(?:book )?review of|protocol|slides|poster|thesis|dissertation)\b"
)
_BEHIND = re.compile(
    rf"(?:an? |the |author s? |letter )*(?:{_PIECE}|{_ANSWER}|(?:\w+ ){{0,4}}(?:protocol|thesis)|"
    r"(?:\w+ ){0,3}follow up|(?:rationale|design|study design)(?: and (?:rationale|design))?|(?:an? )?update|"
    r"slides|poster)\b"
)
# The line before ends, or the line behind begins, in the middle of a sentence or of a longer title.
_OPEN_END = re.compile(
    r".*(?:\b(?:an?|and|article|by|entitled|for|from|in|of|on|or|paper|the|titled|to|with)|[:“\"(‘,-])$"
)
_GOES_ON = re.compile(
    r"(?:after|against|among|and|as|at|based|before|between|by|during|for|from|in|into|is|of|on|or|through|to|under|"
    r"using|versus|via|with|without)\b"
)


class TitleRelation(Enum):
    """What a printed title says of the paper with another title."""

    SAME = 1
    ABOUT = 2  # a piece about the paper, or another part of the same work
    MORE = 3  # it has the paper's title, and more
    LESS = 4  # a part of the paper's title, or one of another kind of piece
    OTHER = 5


def compared(printed: str, title: str) -> TitleRelation:
    """What a printed title says of the paper with this title."""
    theirs, ours = read_title(printed), read_title(title)
    if not theirs.compact or not ours.compact:
        return TitleRelation.OTHER
    if _is_same(printed, ours):
        return TitleRelation.LESS if names_kinds_alone(ours.words) else TitleRelation.SAME
    if theirs.parts != ours.parts and title_likeness(theirs, ours) >= Likeness.NEAR:
        return TitleRelation.ABOUT
    if ours.compact in theirs.compact:
        return _with_more(printed, theirs, ours)
    is_cut = ours.compact.startswith(theirs.compact) or title_likeness(theirs, ours) == Likeness.CUT
    return TitleRelation.LESS if is_cut else TitleRelation.OTHER


def _with_more(printed: str, theirs: Title, ours: Title) -> TitleRelation:
    before, _, behind = (it.strip() for it in " ".join(theirs.words).partition(" ".join(ours.words)))
    if theirs.kinds - ours.kinds or _BEFORE.search(before) or _BEHIND.match(behind):
        return TitleRelation.ABOUT
    heads = (printed[: it.start()] for it in _BREAK.finditer(printed))
    if ours.weight >= _SUBTITLED_WORDS and any(_is_same(head, ours) for head in heads):
        return TitleRelation.SAME
    return TitleRelation.MORE


def place_of(title: str, lines: Sequence[str]) -> tuple[int, int] | None:
    """Where whole lines are the title, from the first to behind the last; None for a title that is not telling."""
    ours = read_title(title)
    if ours.weight < _TELLING_WORDS or ours.generic:
        return None
    wanted = len(ours.compact)
    lengths = [len(read_title(it).compact) for it in lines]
    for start in range(len(lines)):
        if start and _OPEN_END.match(fold(lines[start - 1])) and not _LABEL.fullmatch(f"{lines[start - 1]} "):
            continue
        for end in range(start + 1, min(start + _MAX_LINES, len(lines)) + 1):
            letters = sum(lengths[start:end])
            if letters > (1 + _LENGTHS) * wanted + _LABEL_LETTERS:
                break
            if letters >= (1 - _LENGTHS) * wanted and _is_title(lines, start, end, ours):
                return start, end
    return None


def _is_title(lines: Sequence[str], start: int, end: int, ours: Title) -> bool:
    if lines[end - 1].endswith((":", ",", "-", "–", "—")) or (end < len(lines) and _GOES_ON.match(fold(lines[end]))):
        return False
    return _is_same(_HYPHEN.sub("", "\n".join(lines[start:end])), ours)


def is_announcement(line: str) -> bool:
    """Whether a line says that what it stands over is a supplement, a correction, a comment …"""
    return _ALONE.fullmatch(" ".join(read_title(line).words)) is not None


def _is_same(printed: str, ours: Title) -> bool:
    label = _LABEL.match(printed)
    forms = {printed, printed[label.end() :] if label else printed}
    return any(_says_the_same(read_title(it), ours) for form in forms for it in {form, _MARK.sub("", form)})


def _says_the_same(theirs: Title, ours: Title) -> bool:
    """The same words in the same order, which may be spelled differently."""
    if theirs.compact == ours.compact:
        return True
    bare = _without_ligatures(ours)
    if bare == _without_ligatures(theirs) and len(bare) >= _LIGATURE_LETTERS:
        return True
    if theirs.numbers != ours.numbers or title_likeness(theirs, ours) < Likeness.SPELLING:
        return False
    words = [[it for it in title.words if it not in STOP_WORDS] for title in (theirs, ours)]
    return len(words[0]) == len(words[1]) and all(
        fuzz.ratio(compact_of([one]), compact_of([other])) >= _SAME_WORD
        for one, other in zip(words[0], words[1], strict=True)
    )


def _without_ligatures(title: Title) -> str:
    return compact_of([_LIGATURES.sub("", "".join(title.words))])
