"""Citations as they stand within a text, `Jonsson et al., 2013`: nobody can say that there is no such paper.

They are names, years and the journal, or less. Other words may be a title, `Nobody 2019 Deep Learning`, which no paper
has. In the place of a year `n.d.` or `in press` may stand (APA 7, section 8.15), or what manuscripts are said to be. A
single word that is no name, `TREM2`, may be a short form of any title. An earlier citation may stand for all of it:
`ibid.`, `Smith, op. cit., p. 45`, `see note 5 above`.

Sources of those: The Chicago Manual of Style (14.34 to 14.36), the Bluebook (rule 4), OSCOLA (1.2), and the equivalents
of German, French, Spanish, Italian, Portuguese and Russian footnotes.
"""

from __future__ import annotations

import re

from shared.bibliography.group_authors import is_group
from shared.bibliography.journal_names import known_journal
from shared.bibliography.person_names import PARTICLES
from shared.bibliography.stop_words import STOP_WORDS
from shared.bibliography.text import plain_text
from shared.bibliography.typed_names import PersonName
from shared.bibliography.typed_people import read_people
from shared.bibliography.words import words_of
from shared.query.question import Citation
from shared.references.citation_text import with_read_fields
from shared.references.journal_in_citation import UNDATED, YEAR
from shared.references.numbering import without_numbering
from shared.references.title_words import reads_like_names
from shared.references.words_behind_names import has_title_behind_names, quotes_title

MAX_CHARS = 300
MOST_WORDS = 4  # of a person's name, without particles and initials
MOST_OF_GROUP = 8
MOST_SMALL_WORDS = 2  # that may be names though they are written in small letters
_YEAR = re.compile(rf"(?<!\w)(?:{YEAR}[a-z]?|(?:{UNDATED})(?:-[a-z])?)(?!\w)", re.IGNORECASE)
_WORD_WITH_DIGITS = re.compile(r"(?=\S{0,80}\d)[^\W_]{1,20}(?:[.+-][^\W_]{1,20}){0,3}")
_SMALL = PARTICLES | {"and", "&"}  # in names of any case
_NUMBER = r"\[?\d{1,3}\]?(?!\d)"  # not a year: `Smith J, Notes 1998;5:12`
_NOTE = (
    r"(?:n(?:ote|ota)?s?|nn|fn|footnotes?|ref(?:erence|erencia)?s?|anm(?:erkung)?|fu(?:ß|ss)note|прим|сноск[аиу])\b\.?"
)
_ELSEWHERE = (
    r"(?:above|below|previous(?:ly)?|preceding|supra|infra|oben|unten|ci-dess(?:us|ous)|plus haut|arriba|sopra|acima"
    r"|выше)"
)
_SEE = r"(?:see|as|as in|same as|cf|vgl|siehe|wie|voir|ver|vea|véase|vedi|cfr|vide|см)\b\.?,? (?:also |auch |la |in )?"
_CUES = re.compile(
    r"(?<![\w.-])(?:"
    rf"{_SEE}(?:(?:the )?{_ELSEWHERE}|(?:{_NOTE} ?)?{_NUMBER}|{_NOTE})(?: {_ELSEWHERE})?"
    rf"|[sv]\. (?:{_ELSEWHERE}|{_NOTE} ?{_NUMBER})|{_ELSEWHERE},? {_NOTE} ?{_NUMBER}"
    rf"|{_NOTE} ?{_NUMBER}(?: {_ELSEWHERE})?"
    r"|ivi(?=[,.;]|$)"
    r"|supra|infra|ib[ií]d(?:em)?|idem|id\.(?= at\b|,|$)|ib\.|(?:op|loc|art|ob)\. ?cit|opus cit(?:atum)?|cit\."
    r"|a\. ?a\. ?o|ebd|ebenda|ebendort|s\. ?o\.(?=$|,)|там же|указ\. ?соч|同[上前]|同?前[掲揭]?[注註]|同[注註]|前掲"
    r")(?!\w)\.?",
    re.IGNORECASE,
)
_PAGES = re.compile(
    r"(?:\b(?:at|pp?|ss?|pages?|seiten?|págs?|pags?|с|стр)\b\.? ?)?\d{1,5}(?: ?[-–] ?\d{1,5})?(?: ?ff?\b\.?)?",
    re.IGNORECASE,
)
_MARKS = " ,.:;&()[]{}'\"‘’“”"


def says_too_little(citation: Citation) -> bool:
    """Whether a citation has neither a title nor a place in a journal, nor words that may be a title."""
    read = with_read_fields(citation)
    is_placed = read.journal and ((read.volume and read.pages) or ((read.volume or read.pages) and read.authors))
    if citation.title:
        return False
    if citation.text and not citation.journal and _means_an_earlier(citation.text):
        return True  # its page is read as a place: `Smith, op. cit., p. 45`
    if is_placed:
        return False
    return _is_brief(citation.text) if citation.text else bool(read.journal or read.authors)


def _means_an_earlier(text: str) -> bool:
    beside = _beside_an_earlier(_line(text)) if len(text) <= MAX_CHARS else None
    return beside is not None and (not beside or (_are_names(beside) and not beside.islower()))


def _beside_an_earlier(line: str) -> str | None:
    """What a line has besides the words for an earlier citation and pages; None if it has no such words."""
    rest = _CUES.sub(" ", line)
    return None if rest == line else " ".join(_PAGES.sub(" ", rest).strip(" ,.:;()[]").split())


def _line(text: str) -> str:
    return without_numbering(plain_text(text[: MAX_CHARS + 1]) or "")


def _is_brief(text: str) -> bool:
    line = _line(text)
    if quotes_title(line):
        return False
    is_dated = _YEAR.search(line) is not None
    return len(line) <= MAX_CHARS and all(_is_cited(part, is_dated=is_dated) for part in line.split(";"))


def _is_cited(text: str, *, is_dated: bool) -> bool:
    """Whether a text has names before each year, or behind the first, and at most a journal behind them."""
    *dated, last = (piece.strip(_MARKS) for piece in _YEAR.split(text))
    if not any(dated):
        dated, last = [last], ""
    return all(_is_source(piece, is_dated=is_dated) for piece in dated) and (not last or _is_journal(last))


def _is_source(text: str, *, is_dated: bool) -> bool:
    """Whether a text is names, perhaps with a journal behind them, or a journal; without a year only a single name.

    So is a single word with digits in it, `GPT-4`.
    """
    if not any(map(str.isalpha, text)) or _is_journal(text) or _WORD_WITH_DIGITS.fullmatch(text):
        return True
    words = text.split()
    return any(
        (end == len(words) or _is_journal(" ".join(words[end:]))) and _are_names(" ".join(words[:end]))
        for end in range(len(words) if is_dated else min(len(words), 1), 0, -1)
    )


def _is_journal(text: str) -> bool:
    return known_journal(text) is not None


def _are_names(text: str) -> bool:
    if has_title_behind_names(text):
        return False
    words = text.split()
    if text.islower() and sum(word not in _SMALL for word in words) <= MOST_SMALL_WORDS:
        text = " ".join(word if word in _SMALL else word.title() for word in words)
    other = " ".join(word for word in text.split() if not word.isupper())  # `WHO` is not a pronoun
    return (reads_like_names(other) or _is_printed_group(text)) and all(map(_is_name, read_people(text)))


def _is_printed_group(text: str) -> bool:
    return is_group(text) and all(word[0].isupper() or word in STOP_WORDS for word in text.split())


def _is_name(readings: tuple[PersonName, ...]) -> bool:
    """Whether a name is no longer than those of people and groups are: a title may be written in capitals as well."""
    words = [word for word in words_of(readings[0].display) if word not in PARTICLES]
    spelled = [word for word in words if len(word) > 1 or not word.isascii()]
    return len(spelled) <= (MOST_OF_GROUP if readings[0].of_group else MOST_WORDS)
