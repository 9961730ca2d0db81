"""Whether a text of a located copy is that of the paper: an address may lead to another paper, or to a supplement.

A PDF states no title that could be trusted, so that the lines of its first pages are compared: with the paper's titles
(`copy_titles`), and with its ids. A comment, a correction, a supplement or another paper prints the paper's title and
id too: beside words that tell them apart, in a sentence, or beside an id of its own. What is in doubt is not the paper.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from shared.bibliography.full_text import FullText
from shared.bibliography.identifiers import DOI_START
from shared.bibliography.paper_ids import scheme_of, value_of
from shared.matching.title_features import read_title, title_forms
from shared.papers.texts.copy_titles import TitleRelation, compared, is_announcement, place_of

_LEAST_WORDS = 3  # of a line that is taken for a title
_LINES_BEFORE, _LINES_AFTER = 8, 1  # of a title, where a line may say that the file is about the paper
# Where no title says whose it is, an id does, unless words before it say that it is another paper's.
_REFERRED = re.compile(
    r"(?:\b(?:article|comment\w*|companion|correct\w+|corrigend\w+|data|earlier|errat\w+|in|original|previous|related|"
    r"repl(?:y|ies)|respon\w+|refer\w*|see|cf|supplement\w*|supporting)\b[^.;]{0,80}|[\[(][^.;)\]]{0,80})$",
    re.IGNORECASE,
)
_REFERS_ON = re.compile(r".*\b(?:at|cf\.?|for|in|of|on|see|to)$", re.IGNORECASE)  # the line before that of the id
_RESOLVER = re.compile(r"(?:(?:https?://)?(?:dx\.|www\.)?doi\.org/|doi:?\s*(?=$|http))+$", re.IGNORECASE)
_CITED_AS = re.compile(r"cite (?:this|it|as)\b", re.IGNORECASE)
_DOI = re.compile(rf"{DOI_START}[^\s<>\"|,;]+", re.IGNORECASE)
_FUNDERS = "10.13039/"  # the DOIs of funders (https://www.crossref.org/documentation/funder-registry/)
_OF_ARXIV = r"arxiv:\s?"
_ARXIV = re.compile(rf"{_OF_ARXIV}(\d{{4}}\.\d{{4,5}}|[a-z-]+(?:\.[a-z]{{2}})?/\d{{7}})", re.IGNORECASE)
_STAMP = re.compile(rf"{_ARXIV.pattern}v\d{{1,3}} ?\[", re.IGNORECASE)  # what arXiv prints beside the first page


def is_of_paper(text: FullText, titles: Iterable[str], names: Sequence[str]) -> bool | None:
    """Whether a text is the paper's, which has these titles and names; False if its first pages name another paper.

    None if they do not say: a scan, a title as a picture or cut short, no page in front of the text. A format that
    states what it is has no `front` and is not compared.
    """
    if text.front is None:
        return True
    lines = [line for it in text.front.split("\n") if (line := it.strip())]
    ours = [form for title in titles for form in title_forms(title)]
    found = {compared(text.title, form) for form in ours} if text.title else set()
    places = [place for form in ours if (place := place_of(form, lines))]
    if (TitleRelation.ABOUT in found and TitleRelation.SAME not in found) or _is_announced(lines, places, ours):
        return False
    if TitleRelation.SAME in found or (places and TitleRelation.MORE not in found) or _has_id(lines, names):
        return True
    if not text.title or found & {TitleRelation.MORE, TitleRelation.LESS}:
        return None
    return False if read_title(text.title).weight >= _LEAST_WORDS else None


def _is_announced(lines: Sequence[str], places: Sequence[tuple[int, int]], ours: Sequence[str]) -> bool:
    """Whether a line beside the title says that the file is a supplement, a correction …, and the paper is none."""
    if any(read_title(it).kinds for it in ours):
        return False
    start, end = min(places, default=(_LINES_BEFORE, _LINES_BEFORE))
    return any(is_announcement(line) for line in lines[max(0, start - _LINES_BEFORE) : end + _LINES_AFTER])


def _has_id(lines: Sequence[str], names: Sequence[str]) -> bool:
    """Whether one of the paper's DOIs or arXiv ids is printed, and no other one: that could be the file's own."""
    named = [(value_of(it).lower(), scheme_of(it) == "arxiv") for it in names if scheme_of(it) in ("doi", "arxiv")]
    own = [value for value, _ in named]
    patterns = [
        re.compile(rf"{_OF_ARXIV if is_arxiv else ''}{re.escape(value)}(?:\.?v\d{{1,3}})?(?![./]?\w)", re.IGNORECASE)
        for value, is_arxiv in named
    ]
    whole = "\n".join(lines)
    if stamps := [it[1].lower() for it in _STAMP.finditer(whole)]:
        return stamps[0] in own
    if any(not _is_own(it, own) for it in _printed_ids(whole)):
        return False
    return any(_is_printed_as_own(pattern, lines) for pattern in patterns)


def _is_printed_as_own(pattern: re.Pattern[str], lines: Sequence[str]) -> bool:
    """Whether an id is printed as the file's own, at its first place; the end of a line may divide it."""
    for number, line in enumerate(lines):
        for text in (line, line + "".join(lines[number + 1 : number + 2])):
            if (at := pattern.search(text)) and at.start() < len(line):
                before = _RESOLVER.sub("", text[: at.start()]).strip()
                goes_on = not before and number > 0 and _REFERS_ON.match(lines[number - 1])
                return not goes_on and (not _REFERRED.search(before) or bool(_CITED_AS.search(before)))
    return False


def _printed_ids(text: str) -> Iterator[str]:
    for it in _DOI.finditer(text):
        if not it[0].lower().startswith(_FUNDERS):
            yield it[0].lower().rstrip(".)]")
    yield from (it[1].lower() for it in _ARXIV.finditer(text))


def _is_own(printed: str, own: Sequence[str]) -> bool:
    """Also the beginning of one that a line's end divides, and the id of a figure or a file of the paper."""
    return any(printed == it or it.startswith(printed) or printed.startswith((f"{it}.", f"{it}/")) for it in own)
