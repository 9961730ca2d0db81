"""Where the title of a printed reference ends, once its beginning is known."""

from __future__ import annotations

import re
from itertools import zip_longest

from shared.references.title_words import reads_like_title

MOST_IN_BRACKETS = 100  # characters
_END_OF_TITLE = re.compile(r"[.?!…]['’”\"]?\s+(?=\S)")
_GOES_ON = re.compile(r"(?:…|\.\.)\.?\s+(?![a-z]{1,3}[A-Z])[^\W\d_A-Z]")  # an ellipsis inside a title
# A title that ends in a letter, like `hepatitis B. J Hepatol`; not `E. coli`, `J. S. Bach`.
# Before `J. Am. Chem. Soc. 2000` too.
_END_IN_LETTER = re.compile(
    r"(?<=\w\w [A-Z])\. (?=(?P<journal>J\. (?:[A-Z][a-z]{0,9}\.,? ){1,6}\(?\d)|[^\W\d_a-z](?!\.))"
)
_PART = re.compile(r"(?<=[\s:])\d{1,2}\Z")  # at the end of the text that is searched
# `Density-functional thermochemistry. III. The role of exact exchange`
_ROMAN_PART = re.compile(r"[IVX]{1,5}\. (?=[^\W\d_a-z][^.]{0,100}[a-z]{4})")
_BEHIND_ROMAN = re.compile(r"[.?!:] [IVX]{2,5}\Z")
_IN_JOURNAL = re.compile(r"\. (?=In: )")
_NO_END = re.compile(r"(?:^|[\s(.“\"-])(?:[A-Za-z]|vs|cf|sp|spp|ssp|subsp|var|no|vol|pp|St|Dr|e\.g|i\.e|al)$")


def title_and_source(rest: str) -> tuple[str | None, str]:
    """The title, up to the end of its sentence, and the rest; None if no other sentence follows."""
    in_journal = _IN_JOURNAL.search(rest)
    if in_journal and in_journal.start() > 7:
        return rest[: in_journal.start()].strip(" .,"), rest[in_journal.end() :]
    ends = [
        end
        for end in _END_OF_TITLE.finditer(rest)
        if not _NO_END.search(rest[max(0, end.start() - 8) : end.start()])
        and not _is_in_brackets(rest, end.start())
        and not _GOES_ON.match(rest, max(0, end.start() - (rest[end.start()] == ".")))
    ]
    letter = _END_IN_LETTER.search(rest)
    if (
        letter
        and (not ends or letter.end() < ends[0].end())
        and (not ends or letter["journal"] or not re.match(r"[^\W\d_]", rest[ends[0].end() :]))
        and reads_like_title(rest[: letter.start() - 2])
    ):
        ends = [letter, *ends]  # else the journal would be a part of the title, and the source have none
    for end, following in zip_longest(ends, ends[1:]):
        is_question = rest[end.start()] in "?!"
        if is_question and following and not _is_behind_title(rest, end.end(), following):
            continue  # `What is X? A survey. Journal …`
        if _PART.search(rest, 0, end.start()) and following and reads_like_title(rest[end.end() : following.start()]):
            continue  # `A model of glaciers 1. Theory and examples. Journal …`
        if following and (_ROMAN_PART.match(rest, end.end()) or _BEHIND_ROMAN.search(rest, 0, end.start())):
            continue
        title = rest[: end.start()].strip(" .,\"'“”")
        return (title if len(title) > 7 and " " in title else None), rest[end.end() :]
    return None, rest


def _is_in_brackets(rest: str, at: int) -> bool:
    """Whether a full stop belongs to what stands in round brackets: `X (3rd ed., Vol. 2)`."""
    opened = rest.rfind("(", max(0, at - MOST_IN_BRACKETS), at)
    return opened >= 0 and rest.find(")", opened, at) < 0 < rest.find(")", at, opened + MOST_IN_BRACKETS)


def _is_behind_title(rest: str, start: int, end: re.Match[str]) -> bool:
    """Whether this is the journal behind a question, as `Phys Rev. 1935`, `Phys. Rev. 1935`: no sentence of a title."""
    text = rest[start : end.start()]
    is_abbreviated = " " not in text or "." in text
    has_place = re.search(r"\d", text) or re.match(r"\(?\d", rest[end.end() :])
    return not reads_like_title(text) and bool(is_abbreviated or has_place)
