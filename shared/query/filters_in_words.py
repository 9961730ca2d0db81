"""What the words of a query say that filters do: `recent reviews on TREM2`, `TREM2 since 2015`.

They are not telling words, and a hint names the filters. Titles have such words as well, so that the text is looked for
whole, too. Of them, only years leave papers out: those before the first (`shared.search.wording.worded_years`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Literal

from shared.bibliography.languages import read_language
from shared.bibliography.stop_words import FUNCTION_WORDS
from shared.query.access_in_words import citations_in_words, is_on_publishing, open_in_words
from shared.query.read_years import YearsInWords
from shared.query.request_words import (
    ABOUT,
    ADJECTIVES,
    CHINESE,
    FOR_WHAT,
    GREETING,
    JUDGED,
    MANY,
    ONE,
    OTHER_FRAMES,
    OTHER_VERBS,
    SERVICES,
    SOURCES,
    VERBS,
    WHICH,
)  # fmt: skip
from shared.query.types_in_words import OTHER_TYPES, TYPES, type_in_words, type_of_noun
from shared.query.years_in_words import years_in_words

if TYPE_CHECKING:
    from shared.query.asked_author import AskedAuthor

_JUDGED = rf"(?:{ADJECTIVES}){{0,3}}{JUDGED} (?:{ADJECTIVES}){{0,3}}"
_TITLED = f"(?:(?:the|an?) )?(?:{ONE}) (?:titled|entitled|called|named)[:,]? (?=\\S)"
_MANY = rf"(?:{MANY})(?: (?:and|or) (?:{ADJECTIVES})?(?:{MANY}))?"
# What stands before the subject. `in` only behind papers that are judged: `advances in`, `studies in` begin titles.
_FRAME = re.compile(
    rf"{WHICH}(?P<named>(?:{ADJECTIVES}){{0,4}}(?:{_MANY})) (?:{ABOUT}) (?=\S)"
    rf"|{WHICH}(?P<judged>{_JUDGED}(?:{_MANY}|papers?|works|trials|{SOURCES}))(?: (?:on|about|in)|:| [-–—]) (?=\S)"
    rf"|(?:{SERVICES}) (?:(?P<there>(?:{ADJECTIVES}){{0,4}}(?:{TYPES}|{_MANY})) (?:{ABOUT}) )?(?=\S)"
    rf"|{GREETING}{_TITLED}",
    re.I,
)


@cache
def _frame_with_verb() -> re.Pattern[str]:
    """The same behind a verb, `find me …`. Few texts have one; to compile it is a thirtieth of a cold start."""
    return re.compile(
        rf"{GREETING}{VERBS} (?:an? )?(?:"
        rf"(?P<asked>(?:{ADJECTIVES}){{0,4}}(?:{TYPES}|{ONE}|{_MANY}|{SOURCES})){FOR_WHAT}(?: (?:{ABOUT})|:) (?=\S)"
        rf"|(?P<kind>(?:{ADJECTIVES}){{0,4}}(?:{OTHER_TYPES})) (?:on|about) (?=\S))"
        rf"|{GREETING}{VERBS} {_TITLED}",
        re.I,
    )


# `is there a link between`, `I am writing a thesis on`: what stands before any subject.
_LEAD = re.compile(
    r"(?:(?:is|are) there (?:an? |any )?|what is (?:the |known about the )?)"
    r"(?:link|relationship|association|correlation|connection|difference)s? between (?=\S)"
    r"|what (?:does|do) (?:the )?(?:current |recent )?(?:research|evidence|literature|science|studies) say about (?=\S)"
    r"|(?:what is )?(?:the )?(?:doi|pmid|pmcid|arxiv id|bibtex) (?:of|for) (?:the )?(?:paper |article )?(?=\S)"
    r"|is it (?:true|known|correct|possible|the case) that (?=\S)"
    r"|(?:what are the )?(?:pros and cons|advantages and disadvantages|advantages|disadvantages) of (?=\S)"
    r"|(?:i am|i'm|we are|we're|im) (?:currently )?(?:writing|doing|working on|preparing|researching) "
    r"(?:an? |my |our |the )?(?:\w+ ){0,3}(?:on|about) (?=\S)",
    re.I,
)
# `… Can you suggest some key papers?`, `… thanks`: what stands behind it.
_TAIL = re.compile(
    rf"(?<=\S)(?:[.!?,;]? (?:thanks|thank you|thx|ty|cheers)[.!]*|[.!?] {VERBS} (?:an? )?(?:{ADJECTIVES}){{0,4}}"
    rf"(?:{ONE}|{MANY})[.!?]*)$",
    re.I,
)
# `TREM2 key papers`
_BEHIND = re.compile(rf"(?P<about>\S.*?)[:,]? (?P<named>{_JUDGED}(?:{MANY}))[.!?]?", re.I)
# `recent TREM2 reviews`, `open access TREM2 papers`
_AROUND = re.compile(
    r"(?P<first>most recent|most cited|recent|latest|newest|open[- ]access|free full[- ]text) (?=\S)(?P<about>.*?) "
    rf"(?P<named>(?:{ADJECTIVES}){{0,4}}(?:{MANY}))[.!?]?",
    re.I,
)
_OTHER_FRAMES, _CHINESE = re.compile(OTHER_FRAMES, re.I), re.compile(CHINESE)
_ASKS = re.compile(f"(?:{GREETING}{VERBS}|{OTHER_VERBS})(?![a-z])", re.I)
# Without a word for papers: `search for TREM2`, as some titles begin, and `show me everything on TREM2`, as none does.
_ASKS_ALONE = re.compile(
    rf"(?:(?P<title>(?:search|look)(?:ing)? for)"
    rf"|(?={GREETING}(?:please|pls|plz|can|could|i|i'm|i'd|help|\w+ (?:me|us))\b){GREETING}{VERBS})"
    rf"(?: (?:everything|anything|something|information|the latest)(?: (?:{ABOUT})))?"
    r" (?=\S)(?!(?:AND|OR|NOT) )",
    re.I,
)
_OF_TITLES = re.compile(r"[:?] ")  # `I need a hero: …`
# Before a phrase or a group, which no title begins with: `find studies where (TREM2 OR CD33) AND mice`.
_ASKS_FOR_TERMS = re.compile(
    rf"{GREETING}{VERBS} (?:(?:{ADJECTIVES}){{0,4}}(?:{MANY}) (?:[a-z]+ ){{0,2}})?(?=[\"(])", re.I
)
# `the effects of excluding preprints`, `should we exclude preprints` are about them.
_NO_PREPRINTS = re.compile(
    r"(?<! of)(?<! by)(?<! on)(?<! to)(?<! for)(?<! we)[ ,]{1,3}\(?(?:(?:but )?(?:excluding|exclude|without|no)"
    r"|except(?: for)?|ohne|sans|sin|sem|senza) (?:any |all )?pre-?prints?\)?(?:,? (?:please|pls|plz))?[.!?]?$",
    re.I,
)
# `TREM2, English only`, `TREM2 in English only`; `word stress in English` is about it.
_LANGUAGE = re.compile(
    rf"(?:,? \(?(?:in )?([a-z]{{4,10}})(?:[- ]language)?(?: (?:{MANY}))? only\)?|, ([a-z]{{4,10}}) language)[.!?]?$",
    re.I,
)
_NEW = re.compile(r"\b(?:recent|latest|newest)\b", re.I)
_FREE = re.compile(r"\b(?:open[- ]access|free(?:ly)?)\b", re.I)


@dataclass(frozen=True, slots=True)
class FiltersInWords:
    """The text without what it says of its filters, and those filters; `rest` is never empty.

    `is_request`: the text is not a title, but what people say to an assistant: `find me …`, `latest research on …`.
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
    min_citations: int | None = None
    without_preprints: bool = False
    language: str | None = None

    def fields(self, today: str | None) -> dict[str, object]:
        """The filters as fields of a request on this day, in ISO 8601; None: the day is not known."""
        first, last = self.years.dates(today)
        found: dict[str, object] = {"date_from": first, "date_to": last, "sort": self.sort}
        found |= {"author": self.author, "open_access": self.is_open or None, "min_citations": self.min_citations}
        found |= {"exclude_preprints": self.without_preprints, "language": self.language}
        found["publication_types"] = [self.type] if self.type else None
        return {name: value for name, value in found.items() if value}


@lru_cache(maxsize=1024)
def filters_in_words(text: str) -> FiltersInWords:
    """Read a text in tidy form; of an expression, one of its terms."""
    years = years_in_words(text)
    asked = _LEAD.sub("", _TAIL.sub("", years.rest), count=1)
    published = _NO_PREPRINTS.sub("", asked)
    spoken = _LANGUAGE.search(published)
    language = read_language(spoken[1] or spoken[2]) if spoken else None
    rest, fewest = citations_in_words(published[: spoken.start()] if spoken and language else published)
    without = open_in_words(rest)
    rest, is_open = (rest, False) if without is None else (without, True)
    by = _author_of(rest)
    frame, noun, rest = (by.frame, by.noun, rest) if by else _framed(rest)
    if not frame and (is_open or fewest) and (found := _ASKS.match(rest)):  # `find me TREM2 papers with …`
        frame, rest = found[0], rest[found.end() :].strip()
    if not any(map(str.isalpha, rest)):
        return FiltersInWords(text, YearsInWords(text), text)
    sort: Literal["date", "citations"] | None = "citations" if "cited" in frame.casefold() else None
    sort = sort or ("date" if _NEW.search(frame) else None)
    asks = bool(rest != text and _TAIL.search(text)) or bool(by or sort or fewest or _ASKS.match(frame))
    kind = type_of_noun(noun)
    subject, kind = (rest, kind) if kind else type_in_words(rest)
    is_open = is_open or bool(_FREE.search(frame))
    author = by.names if by else None
    subject = by.about if by else subject
    without_preprints = published != asked
    return FiltersInWords(rest, years, subject, kind, author, sort, asks, is_open, fewest, without_preprints, language)


def without_request(text: str) -> str:
    """A text without what asks for it at its beginning: `find papers on "heart failure" AND exercise`."""
    text = _LEAD.sub("", text, count=1)
    found = _frame_of(text) or _OTHER_FRAMES.match(text) or _ASKS_FOR_TERMS.match(text) or _ASKS_ALONE.match(text)
    return text[found.end() :] if found else text


def _author_of(text: str) -> AskedAuthor | None:
    if " by " not in text.casefold():
        return None
    from shared.query.asked_author import asked_author  # a hundredth of a cold start, which few texts need

    return asked_author(text)


def _frame_of(text: str) -> re.Match[str] | None:
    return (_frame_with_verb().match(text) if _ASKS.match(text) else None) or _FRAME.match(text)


def _framed(text: str) -> tuple[str, str, str]:
    """What stands around the subject of a request, its noun for papers with the adjectives, and the subject."""
    if found := _frame_of(text):
        return found[0], next(filter(None, found.groups()), ""), text[found.end() :]
    if found := _OTHER_FRAMES.match(text):
        return found[0], "", text[found.end() :]
    if found := _CHINESE.fullmatch(text):
        return text[: found.start("about")], "", found["about"]
    found = _AROUND.fullmatch(text) or _BEHIND.fullmatch(text)
    if not found or found["about"].split()[-1].casefold() in FUNCTION_WORDS["en"]:  # `latest trends in papers`
        asks = _ASKS_ALONE.match(text)
        is_title = asks and (asks["title"] or _OF_TITLES.search(text))
        return ("" if is_title else asks[0], "", text[asks.end() :]) if asks else ("", "", text)
    first = found.groupdict().get("first", "")
    if (not first or _FREE.match(first)) and is_on_publishing(found["about"]):
        return "", "", text
    return f"{first} {found['named']}", found["named"], found["about"]
