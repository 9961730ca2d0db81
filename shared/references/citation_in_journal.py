"""References that name the journal or the book after `in:`, as German and French ones do, beside their title.

    Doe, Jane: Title, in: Journal 84 (2013), S. 12-34.                   the humanities
    Jane Doe, Kim Roe: Title. In: Journal. Band 84, 2013, S. 12-34.      Wikipedia in German
    Jane Doe, Title, in: Journal 84 (2013), S. 12-34.                    history
    J. Doe, Title, in «Journal», 84, 2013, pp. 12-34.                    Italian
    Doe, J. and Roe, K.: Title, J. Climate, 84, 12-34, 2013.       Copernicus
    Doe, Jane: Title, Bd. 2, Berlin 2013.                                books
    Doe, Jane: Title. In: Roe, Kim (Hrsg.): Book. Bd. 2. Berlin 2013     chapters, whose editors are not authors

Sources: DIN ISO 690, and the rules for authors of German journals.
"""

from __future__ import annotations

import re

from shared.bibliography.name_patterns import CAPITAL, ET_AL
from shared.bibliography.person_names import PARTICLE
from shared.references.names_in_citation import are_names_before_colon
from shared.references.title_words import reads_like_names

_IN = re.compile(r"(?:, (?=in(?:: | [«„“]| Proc(?:\.|eedings) ))|\.,? (?=In: ))")
_EDITORS = re.compile(
    r"(?<=[Ii]n: )([^()\d:]{2,200}) \((?:Hrsg|Hgg?|[Ee]ds?)\.?\)[:,.]? ?|(?<=[Ii]n: )(?:Hrsg|Hg)\. v(?:on|\.) "
)
# `Doe, J. (Eds.). (2010)`, `Doe, Jane (Hrsg.):`, `Doe J, editors. Title`
_EDITED = r"\((?:Hrsg|Hgg?|[Ee]ds?)\.?\)"
_AS_EDITORS = re.compile(
    rf"\A(?!In )(?:([^()\d:]{{2,300}}?)(?:(?<=\.) {_EDITED}\.(?= )| {_EDITED}(?=[:.,]| [(‘“]))"
    r"|((?:(?!\b[a-z]{4})[^()\d:]){2,300}?), (?:eds?|editors?)(?=\.))"  # not `authors, reviewers, editors`
)
_YEAR = re.compile(r",? \(?(?:1[6-9]|20)\d\d[a-z]?\)?\Z")
_NAME = re.compile(
    rf"(?:{CAPITAL}\.[ -]?){{0,4}}[^\W\d_][^\W\d_’'-]*(?:[’'-][^\W\d_]+)*"
    rf"(?: (?:{CAPITAL}\.|{PARTICLE}|{ET_AL}|[^\W\d_a-z][^\W\d_]*(?:[’'-][^\W\d_]+)*)){{0,4}}"
)
_ARTICLES = frozenset(
    ("an", "auf", "aus", "das", "der", "die", "ein", "eine", "le", "la", "les", "the", "un", "une", "vom", "von", "zum",
     "zur", "über", "a", "zu")
)  # fmt: skip
_BOOK = re.compile(r"([^\d.?!,]{8,200}), (?:vol\. \d{1,3}, )?[^\W\d_a-z][^\d,.:]{2,40},? (?:1[6-9]|20)\d\d\.?\Z")
_JOURNAL = re.compile(
    r"((?:(?![^\W\d_]{4}\. ).){8,400}?), ([^\W\d_a-z][^\d,]{1,80}, \d{1,4}, [A-Za-z]{0,2}\d[\w–-]{0,15}, "
    r"(?:1[6-9]|20)\d\d[a-z]?[\s.,]{0,4})\Z"
)
_YEAR_FIRST = re.compile(r"\A(?:1[6-9]|20)\d\d[a-z]?\. ")
_INITIALS_LAST = re.compile(rf"\w {CAPITAL}{{1,3}}\Z")
MOST_WORDS = 4  # of one name


def without_editors(line: str) -> str:
    """The line without the editors of the book that a chapter is in, or with those of a book as its authors."""
    return _AS_EDITORS.sub(r"\1\2", _EDITORS.sub("", line))


def read_in_journal(line: str) -> tuple[str, str, str] | None:
    """The names, the title and the source of such a reference; None if the line is none."""
    found = _IN.search(line)
    if not found:
        return _book(line)
    head, source = line[: found.start()], line[found.end() :]
    names, colon, title = head.partition(": ")
    if colon and _are_names(_YEAR.sub("", names)) and len(title) > 7:
        return names, title.strip(" .,"), source
    if found[0] != ", ":
        return None
    pieces = head.split(", ")
    count = next((at for at, piece in enumerate(pieces) if not _is_name(piece)), len(pieces) - 1)
    names, title = ", ".join(pieces[:count]), _YEAR_FIRST.sub("", ", ".join(pieces[count:]))
    return (names, title.strip(" .,"), source) if count and len(title) > 7 else None


def _book(line: str) -> tuple[str, str, str] | None:
    """`Doe, Jane: Title, Bd. 2, Berlin 2013` and Copernicus' journals, where the title ends at a comma."""
    names, _, rest = line.partition(": ")
    found = _BOOK.match(rest) or _JOURNAL.match(rest)
    return (names, found[1], rest[found.end(1) :].lstrip(" ,")) if found and are_names_before_colon(names) else None


def _are_names(text: str) -> bool:
    """Names before a colon: `Doe, Jane; Roe, Kim`, `Jane Doe, Kim Roe`; not one word, which begins a title."""
    if are_names_before_colon(text):
        return True
    pieces = re.split(r", | (?:und|and|&) |; ", text)
    if _INITIALS_LAST.search(pieces[0]) and not _INITIALS_LAST.search(pieces[-1]):
        return False  # `Lee J, Yoon W. BioBERT`: the title has begun
    return (len(pieces) > 1 or " " in text) and all(_is_name(piece) for piece in pieces)


def _is_name(piece: str) -> bool:
    words = piece.split()
    few = 0 < len(words) <= MOST_WORDS and words[0].lower() not in _ARTICLES
    return few and reads_like_names(piece) and _NAME.fullmatch(piece.rstrip(".")) is not None
