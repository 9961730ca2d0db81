"""Whether a text of a located copy is that of the paper: an address may lead to another paper, or to a supplement.

A PDF states no title that could be trusted, so that the lines of its first pages are compared: with the paper's titles
without blanks, hyphens, capitals and ligatures, and with its ids. What a comment, a correction or another part of the
same work prints is the paper's title too, with words that tell it apart.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from rapidfuzz import fuzz

from shared.bibliography.full_text import FullText
from shared.bibliography.paper_ids import scheme_of
from shared.bibliography.words import words_of
from shared.matching.title_features import Title, compact_of, read_title, title_forms
from shared.matching.title_likeness import Likeness, title_likeness

_LEAST_LETTERS = 15  # of a title that no other sentence of a page has by chance
_NEARLY_WHOLE = 97  # per cent: a ligature that the file does not spell is lost, a wrong word is not
_LEAST_WORDS = 3  # of a line that is taken for a title
_HYPHEN = re.compile(r"-\n")
_DIGITS = re.compile(r"\d+")


def is_of_paper(text: FullText, titles: Iterable[str], names: Sequence[str]) -> bool | None:
    """Whether a text is the paper's, which has these titles and names; False if its first pages name another paper.

    None if they name none: a scan, a title as a picture, no page in front of the text. A format that states what it is
    has no `front` and is not compared.
    """
    if text.front is None:
        return True
    ours = [read_title(form) for title in titles for form in title_forms(title)]
    printed = read_title(text.title) if text.title else None
    if printed and any(_is_other_piece(printed, title) for title in ours):
        return False
    if _has_id(text.front, names) or any(_names(text.front, printed, title) for title in ours):
        return True
    return False if printed and printed.weight >= _LEAST_WORDS else None


def _is_other_piece(printed: Title, ours: Title) -> bool:
    """A comment on the paper, its correction, or another part of the same work."""
    is_about = ours.compact in printed.compact and bool(printed.kinds - ours.kinds)
    return is_about or (_is_like(printed, ours) and printed.parts != ours.parts)


def _is_like(printed: Title, ours: Title) -> bool:
    return fuzz.ratio(printed.compact, ours.compact) >= _NEARLY_WHOLE or title_likeness(printed, ours) >= Likeness.NEAR


def _names(front: str, printed: Title | None, ours: Title) -> bool:
    if printed and title_likeness(printed, ours) >= Likeness.SPELLING:
        return True
    if len(ours.compact) < _LEAST_LETTERS or ours.generic:
        return any(read_title(line).compact == ours.compact for line in front.split("\n"))
    if ours.parts and not printed:  # the letters of `Part II` contain `Part I`
        return f" {' '.join(ours.words)} " in f" {' '.join(words_of(_HYPHEN.sub('', front)))} "
    return _contains(ours.compact, compact_of(words_of(front)))


def _contains(title: str, front: str) -> bool:
    """Whether a title stands among the letters, but for a few that are lost; all its numbers must."""
    if title in front:
        return True
    found = fuzz.partial_ratio_alignment(title, front, score_cutoff=_NEARLY_WHOLE)
    return found is not None and _DIGITS.findall(front[found.dest_start : found.dest_end]) == _DIGITS.findall(title)


def _has_id(front: str, names: Sequence[str]) -> bool:
    """Whether one of the paper's DOIs or arXiv ids is printed, also over the end of a line."""
    texts = (front.lower(), front.lower().replace("\n", ""))
    printed = [name.removeprefix("doi:").lower() for name in names if scheme_of(name) in ("doi", "arxiv")]
    patterns = [re.compile(rf"{re.escape(it)}(?:v\d{{1,3}})?(?!\w)") for it in printed]
    return any(pattern.search(text) for pattern in patterns for text in texts)
