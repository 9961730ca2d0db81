"""Author names in the style of the reference that they are written into."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence

from shared.bibliography.name_patterns import CAPITAL, OTHERS, OTHERS_IN_PRINT
from shared.bibliography.paper import Author

Span = tuple[int, int]
_INITIALS_LAST = re.compile(rf"[^,]{{2,80}} {CAPITAL}{{1,4}}")
_CUT = re.compile(rf",? ?(?:{OTHERS}|{OTHERS_IN_PRINT}|…|\.\.\.)")
MOST_CUT_CHARS = 24
_WORD = re.compile(r"[^\W\d_]+")
_CLOSE_INITIALS = re.compile(r"\b[^\W\d_]\.-?[^\W\d_]\.")
_INITIAL = re.compile(r"\b[^\W\d_]\.")
_DOT_OF_NAME = re.compile(r"\.(?=,? ?[(&])")  # and not that of the sentence
_LAST_JOINER = re.compile(r",? (?:&|and|und|y|et|e) $")


def names_in_style(text: str, old: Sequence[str], new: Sequence[Author], at: int) -> tuple[Span | None, str]:
    """The place of all names in the text behind `at`, from the first to the last, and the new names in their style.

    Where the reference names fewer authors than there are, as before `et al.`, as many stay.
    """
    spans: list[Span] = []
    for name in old:
        start = text.find(name, at)
        if start < 0:
            return None, ""
        at = start + len(name)
        spans.append((start, at))
    if not spans:
        return None, ""
    between = [text[a[1] : b[0]] for a, b in itertools.pairwise(spans)]
    is_cut = bool(_CUT.match(text[at : at + MOST_CUT_CHARS]))
    people = new[: len(old)] if is_cut else new
    samples = (old[0], old[1] if len(old) > 1 else old[0])  # some styles turn the first name alone
    dots = _dots(text[spans[0][0] : at]) or (". " if ", " in old[0] and text[at : at + 1] == "." else "")
    at += bool(_DOT_OF_NAME.match(text, at))
    written = _joined(
        [_styled(it, samples[place > 0], dots) for place, it in enumerate(people)], between, is_cut=is_cut
    )
    return (spans[0][0], at), written.removesuffix(".") if text[at : at + 1] == "." else written


def _joined(names: Sequence[str], between: Sequence[str], *, is_cut: bool) -> str:
    """The names with the separators of the reference; the last of them may have a word, such as `and`."""
    last = between[-1] if between else ", "
    usual = between[0] if len(between) > 1 else ", " if _LAST_JOINER.search(last) else last
    if len(names) < 2 or is_cut:
        return usual.join(names)
    return last.join([usual.join(names[:-1]), names[-1]])


def _dots(names: str) -> str:
    """What stands behind an initial: nothing, a dot, or a dot and a blank."""
    return "." if _CLOSE_INITIALS.search(names) else ". " if _INITIAL.search(names) else ""


def _styled(author: Author, sample: str, dots: str) -> str:
    """One name as the sample is written: `Kober DL`, `Kober, D. L.`, `Kober, Daniel`, `D. L. Kober`, `Daniel Kober`."""
    if not author.family:
        return author.display
    given = author.given or ""
    before, comma, after = sample.partition(", ")
    if not comma and _INITIALS_LAST.fullmatch(sample) and not dots:
        return f"{author.family} {_initials(given, '')}".strip()
    in_short = all(
        len(word) == 1 or word.isupper() for word in _WORD.findall(after if comma else before.rpartition(" ")[0])
    )
    given = _initials(given, dots) if in_short else given
    return f"{author.family}, {given}".strip(", ") if comma else f"{given} {author.family}".strip()


def _initials(given: str, dots: str) -> str:
    """`Daniel L` as `DL`, `D. L.` or `D.L.`."""
    letters: list[str] = []
    for word in _WORD.findall(given):
        letters += list(word) if word.isupper() and len(word) <= 3 else [word[0]]
    return dots.join(letters) + dots.rstrip()
