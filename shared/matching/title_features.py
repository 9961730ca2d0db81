"""What a title says, in a form that two titles can be compared by: words, spelling, numbers and the kind of piece.

Comparing is tolerant of what databases do to titles (case, accents, symbols, Greek letters, British and American
spelling, brackets around translations, notes such as `[abstract]`) and strict with what tells papers apart: numerals,
`Part II`, `Reply to`, `Erratum`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from shared.bibliography.stop_words import STOP_WORDS
from shared.bibliography.words import UNSPACED, words_of
from shared.matching.recurring_titles import recurs


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_NUMERALS = {
    name: str(number)
    for number, names in enumerate(
        ("i one first 1st", "ii two second 2nd", "iii three third 3rd", "iv four fourth 4th", "v five fifth 5th",
         "vi six sixth 6th", "vii seven seventh 7th", "viii eight eighth 8th", "ix nine ninth 9th", "x ten tenth 10th"),
        start=1,
    )
    for name in names.split()
} | {"ia": "1a", "ib": "1b", "iia": "2a", "iib": "2b", "iiia": "3a", "iiib": "3b"}  # fmt: skip
_NUMERAL_WORDS = frozenset(_NUMERALS)
_ROMAN_ALONE = _set("ii iii iv vi vii viii ix")  # i, v and x are letters as often as numbers
_COUNTED = _set("part parts phase type stage chapter volume vol grade class section paper series study no")

# Kinds of piece that are about a paper and not the paper. Each is looked for where such a note stands.
_KINDS = {
    "reply": re.compile(
        r"^(?:the )?(?:authors? )?(?:repl(?:y|ies)|respon(?:se|ds?)|in reply)(?: to\b| by\b| from\b|$)"
        r"|^authors? response\b"
        r"|\b(?:authors?|letter) (?:reply|response)$|\breply$|\bresponse to letter$"
    ),
    "comment": re.compile(
        r"^(?:comments?|commentary)(?: on\b| to\b| regarding\b)|\b(?:comment|commentary)$"
        r"|^(?:re:|letter to the editor|letter regarding) \w"
    ),
    "erratum": re.compile(
        r"^(?:errat(?:um|a)|corrigend(?:um|a)|(?:publisher |author )?corrections?|addendum|department of error)\b"
        r"|\b(?:erratum|corrigendum|addendum)$"
        r"|\bvol \d+ pg \d|\b(?:19|20)\d\d \d+ \d+ \d+$"  # a title that ends in the citation of what it corrects
    ),
    "retraction": re.compile(
        r"^(?:retraction|retracted|withdrawal|(?:editorial )?expression of concern|notice of retraction)\b"
    ),
}
# No title without one of these words is of such a kind, unless it ends in numbers.
_KIND_WORDS = _set(
    "addendum comment commentary comments concern correction corrections corrigenda corrigendum errata erratum error "
    "letter pg replies reply respond responds response retracted retraction withdrawal"
)
_LANGUAGES = "french|german|spanish|italian|chinese|japanese|russian|polish|portuguese|dutch"
_NOTE = re.compile(
    r"(?:[\s.]*[\[(](?:(?:meeting )?abstract|letter|preprint|review|\d+ refs?|see comments?|multiple letters|"
    r"version \d{1,2}[;:,] (?:peer review|referees?)\b[^\])]{0,80}|"
    rf"(?:erratum|comment|retraction|summary)[^\])]* in\b[^\]]*|in [a-z]+|[a-z]{{4,10}} language|{_LANGUAGES})[\])])+"
    r"[\s.]*$", re.I
)  # fmt: skip
_TWO_TITLES = re.compile(r"^(.{12,}?)\s*\[([^\]]{12,})\]\W*$")


MAX_TITLE_CHARS = 2_000  # the patterns of titles take quadratic time


class Title(NamedTuple):
    """One title, read once."""

    words: tuple[str, ...]
    compact: str  # all words without blanks, spelling variants evened
    numbers: frozenset[str]  # 38 of "p38", 2 of "two"
    parts: frozenset[str]  # 2 of "Part II" and "phase 2"
    kinds: frozenset[str]
    weight: int  # words that mean something; of scripts without blanks, two characters count as a word
    telling: tuple[str, ...]  # its longest words
    generic: bool  # a title that recurs over other pieces (`shared.matching.recurring_titles`)


def compact_of(words: Iterable[str]) -> str:
    """The words run together, British and American spellings evened."""
    text = "".join(words)
    return text.replace("ae", "e").replace("oe", "e").replace("our", "or").replace("is", "iz").replace("ys", "yz")


@lru_cache(maxsize=8192)
def read_title(text: str) -> Title:
    """The title without brackets, closing notes and the publisher's `RETRACTED:`; its words, numbers and kinds."""
    text = text[:MAX_TITLE_CHARS]
    if notice := _RETRACTED.match(text):
        text = text[notice.end() :]
    if text.rstrip(" .")[-1:] in (")", "]"):
        text = _NOTE.sub("", text) or text
    words = words_of(_without_commands(text) if "\\" in text else text)
    line = " ".join(words)
    numbers, parts = _numbers(words, line)
    meaning = [word for word in words if word not in STOP_WORDS]
    weight = len(meaning) - (0 if line.isascii() else len(UNSPACED.findall(line)) // 2)
    return Title(
        words=tuple(words),
        compact=compact_of(words),
        numbers=numbers,
        parts=parts,
        kinds=_kinds(words, "re: " + line if _REGARDING.match(text) else line),
        weight=weight,
        telling=tuple(sorted(sorted(set(meaning)), key=len, reverse=True)[:3]),
        generic=recurs(meaning, weight),
    )


def _without_commands(text: str) -> str:
    r"""The text without the commands of TeX that set type or signs that are no words, `\mathrm` or `\sqrt`.

    Others count: `\epsilon` is a letter of the other source's title, and `$D^\pm$` is not `$D$`.
    """
    return re.sub(r"\\(?:var)?([A-Za-z]+)", lambda it: " " if it[1] in _TYPE_COMMANDS else f" {it[1]} ", text)


_TYPE_COMMANDS = _set(
    "bf bm boldsymbol cal em emph hbox it left mathbb mathbf mathcal mathfrak mathit mathrm mathscr mathsf mbox "
    "operatorname right rightarrow rm sc sf sqrt text textbf textit textrm textsc textsf tt to"
)


_RETRACTED = re.compile(r"\W*(?:retracted|withdrawn)(?: article| paper)?\s*[:.\]-]+\s*", re.I)
_REGARDING = re.compile(r"\W*re\s*:", re.I)  # not: Re-evaluation of
_DIGITS = re.compile(r"\d+")
_NONE: frozenset[str] = frozenset()


def _numbers(words: list[str], line: str) -> tuple[frozenset[str], frozenset[str]]:
    """All numbers, and those of them that count parts."""
    digits = _DIGITS.findall(line)
    if not digits and _NUMERAL_WORDS.isdisjoint(words):
        return _NONE, _NONE
    numbers = {number.lstrip("0") or "0" for number in digits}
    parts = set()
    before = ""
    for word in words:
        counted = before in _COUNTED
        if word in _NUMERALS and (counted or len(word) > 2 or word in _ROMAN_ALONE):
            numbers.add(_NUMERALS[word])
            if counted or word in _ROMAN_ALONE:
                parts.add(_NUMERALS[word])
        elif counted and word[0].isdigit():
            numbers.add(word)
            parts.add(word)
        before = word
    return frozenset(numbers), frozenset(parts)


def _kinds(words: list[str], line: str) -> frozenset[str]:
    if _KIND_WORDS.isdisjoint(words) and not line.startswith("re: ") and not line[-1:].isdigit():
        return _NONE
    return frozenset(kind for kind, pattern in _KINDS.items() if pattern.search(line))


def title_forms(text: str) -> list[str]:
    """The title, and where two stand in one (`Original [Translation]`) by itself; not `Title [Response to Letter]`."""
    text = text[:MAX_TITLE_CHARS]
    two = _TWO_TITLES.match(text)
    if not two:
        return [text]
    second = read_title(two[2])  # [Response to chemotherapy in children] has a subject
    return [text] if second.kinds and second.generic else [text, two[1], two[2]]
