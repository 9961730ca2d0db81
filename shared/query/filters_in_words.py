"""What the words of a query say that filters do: `recent reviews on TREM2`, `TREM2 since 2015`.

They are no telling words, and a hint names the filters. Titles have such words as well, so that the text is looked for
whole, too. Of them, only years leave papers out: those before the first (`shared.search.worded_years`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from shared.bibliography.paper_types import read_paper_type
from shared.bibliography.person_names import PARTICLE
from shared.query.years_in_words import YearsInWords, years_in_words

_VERBS = (
    "(?:(?:please|pls|plz) )?(?:(?:can|could) you )?(?:(?:please|pls|plz) )?"
    "(?:(?:find|show|give|get|list|suggest|recommend|summari[sz]e|write|provide|collect)(?: me| us)?|search for"
    "|(?:i am |i'm )?looking for|i (?:need|want))"
)
_ADJECTIVES = (
    "(?:the|some|a few|most recent|most cited|highly cited|recent|latest|newest|new|current|key|important|best|top"
    "|systematic|literature|review|seminal|classic|landmark|foundational|influential|relevant|reliable|credible"
    "|peer[- ]reviewed|scientific|academic|scholarly|original|[0-9]{1,3}) "
)
_ONE = "review|paper|article|study"
_MANY = "reviews|papers|articles|studies|publications|preprints|literature|research|meta-analyses"
_SOURCES = "sources|references|citations|evidence"  # only of what is asked for: `sources of error` is a subject
_FOR_WHAT = "(?: for (?:my|our|an?) (?:essay|thesis|paper|project|review|dissertation|homework|assignment|report))?"
_GREETING = "(?:(?:hi|hello|hey|good (?:morning|afternoon|evening))(?: there| all| everyone)?[,.!]* )?"
_ABOUT = "on|about|abt|of|regarding|concerning|into|for"
# What stands before the subject.
_FRAME = re.compile(
    rf"(?:{_GREETING}{_VERBS} (?:an? )?(?:{_ADJECTIVES}){{0,4}}(?:{_ONE}|{_MANY}|{_SOURCES}){_FOR_WHAT}"
    rf"|(?:{_ADJECTIVES}){{0,4}}(?:{_MANY})) (?:{_ABOUT}) (?=\S)",
    re.I,
)
# `is there a link between`, `I am writing a thesis on`: what stands before any subject.
_LEAD = re.compile(
    r"(?:(?:is|are) there (?:an? |any )?|what is (?:the |known about the )?)"
    r"(?:link|relationship|association|correlation|connection|difference)s? between (?=\S)"
    r"|is it (?:true|known|correct|possible|the case) that (?=\S)"
    r"|(?:what are the )?(?:pros and cons|advantages and disadvantages|advantages|disadvantages) of (?=\S)"
    r"|(?:i am|i'm|we are|we're|im) (?:currently )?(?:writing|doing|working on|preparing|researching) "
    r"(?:an? |my |our |the )?(?:\w+ ){0,3}(?:on|about) (?=\S)",
    re.I,
)
# `… Can you suggest some key papers?`, `… thanks`: what stands behind it.
_TAIL = re.compile(
    rf"(?<=\S)(?:[.!?,;]? (?:thanks|thank you|thx|ty|cheers)[.!]*|[.!?] {_VERBS} (?:an? )?(?:{_ADJECTIVES}){{0,4}}"
    rf"(?:{_ONE}|{_MANY})[.!?]*)$",
    re.I,
)
# `recent TREM2 reviews`
_AROUND = re.compile(rf"(?:most recent|most cited|recent|latest|newest) (?=\S)(.*) (?:{_MANY})[.!?]?", re.I)
_ASKS = re.compile(_GREETING + _VERBS, re.I)
_REVIEWS = re.compile(r"\b(?:reviews?|meta-analyses)\b", re.I)
_NEW = re.compile(r"\b(?:recent|latest|newest)\b", re.I)
# `systematic review TREM2`, `metformin RCT`: of short texts, which are no titles. Their words stay words: titles have
# them. `clinical trial registration` and `product reviews` are subjects.
_DESIGN = r"systematic reviews?|rcts?|randomi[sz]ed (?:controlled |clinical )?trials?"
_TYPE = rf"{_DESIGN}|(?:literature |narrative )?reviews?|meta-? ?analys[ie]s|clinical trials?"
_TYPE_FIRST = re.compile(rf"(?:an? )?(?:({_TYPE}) (?:of|on|about|in|for)|({_DESIGN})) (?=\S)", re.I)
_TYPE_LAST = re.compile(rf" ({_TYPE})[.?]?$", re.I)
_NOT_BEFORE_TYPES = frozenset(
    ("peer", "book", "film", "movie", "product", "online", "customer", "systematic", "literature", "narrative")
)
_MOST_WORDS = 8
# `papers by Yann LeCun on deep learning`; `studies by country` are by nobody.
_BY = re.compile(
    rf"^(?i:(?:{_VERBS} )?(?:the )?(?:{_ADJECTIVES}){{0,4}}(?:{_MANY}|works?) (?:written |authored )?by) "
    rf"(?P<name>[A-Z]\S{{0,30}}(?: (?:[A-Z]\S{{0,30}}|{PARTICLE})){{0,4}})"
    r"(?: (?:on|about) (?P<about>\S.*))?$"
)
# `TREM2 pdf`, `TREM2 free full text`; `PDF` also is a function of physics.
_OPEN = re.compile(
    r"(?<! of)(?<! from)(?<! in)(?<! to) (?:(?:free|download) (?:pdf|full[ -]text)|full[ -]text pdf|pdf|free download)"
    r"(?: (?:free|download|pdf))*[.!?]?$"
)


@dataclass(frozen=True, slots=True)
class FiltersInWords:
    """The text without what it says of its filters, and those filters; `rest` is never empty.

    `is_request`: the text is no title, but what people say to an assistant: `find me …`, `latest research on …`.
    `subject` is the rest without the `type` of papers, which titles say as well.
    """

    rest: str
    years: YearsInWords
    subject: str = ""
    type: str | None = None
    author: str | None = None
    sort: Literal["date", "citations"] | None = None
    is_request: bool = False
    is_open: bool = False

    def fields(self, today: str | None) -> dict[str, object]:
        """The filters as fields of a request on this day, in ISO 8601; None: the day is not known."""
        first, last = self.years.dates(today)
        found: dict[str, object] = {"date_from": first, "date_to": last, "sort": self.sort}
        found |= {"author": self.author, "open_access": self.is_open or None}
        found["publication_types"] = [self.type] if self.type else None
        return {name: value for name, value in found.items() if value}


@lru_cache(maxsize=1024)
def filters_in_words(text: str) -> FiltersInWords:
    """Read a text in tidy form; of an expression, one of its terms."""
    years = years_in_words(text)
    rest, frame = _LEAD.sub("", _TAIL.sub("", years.rest), count=1), ""
    is_open = False
    if found := _OPEN.search(rest):
        rest, is_open = rest[: found.start()], True
    by = _BY.match(rest)
    if by:
        frame = rest[: by.start("name")]
    elif found := _FRAME.match(rest):
        frame, rest = found[0], rest[found.end() :]
    elif found := _AROUND.fullmatch(rest):
        frame, rest = rest.replace(found[1], "", 1), found[1]
    if not any(map(str.isalpha, rest)):
        return FiltersInWords(text, YearsInWords(text), text)
    sort: Literal["date", "citations"] | None = "citations" if "cited" in frame.casefold() else None
    sort = sort or ("date" if _NEW.search(frame) else None)
    asks = bool(rest != text and _TAIL.search(text)) or bool(by or sort or _ASKS.match(frame))
    subject, kind = (rest, "review") if _REVIEWS.search(frame) else _of_type(rest)
    if by:
        return FiltersInWords(rest, years, by["about"] or "", kind, by["name"], sort, asks, is_open)
    return FiltersInWords(rest, years, subject, kind, None, sort, asks, is_open)


def _of_type(text: str) -> tuple[str, str | None]:
    """A short text without the type of papers that it names before or behind its subject, and the type."""
    if len(text.split()) > _MOST_WORDS or ":" in text:
        return text, None
    found = _TYPE_FIRST.match(text) or _TYPE_LAST.search(text)
    if not found:
        return text, None
    subject = text[: found.start()] or text[found.end() :]
    if subject.rpartition(" ")[2].casefold() in _NOT_BEFORE_TYPES or not any(map(str.isalpha, subject)):
        return text, None
    name = next(filter(None, found.groups())).casefold()
    return subject, read_paper_type(name.removeprefix("literature ").removeprefix("narrative "))
