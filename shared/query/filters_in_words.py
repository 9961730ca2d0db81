"""What the words of a query say that filters do: `recent reviews on TREM2`, `TREM2 since 2015`.

They are not telling words, and a hint names the filters. Titles have such words as well, so that the text is looked for
whole, too. Of them, only years leave papers out: those before the first (`shared.search.wording.worded_years`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

from shared.bibliography.languages import read_language
from shared.bibliography.stop_words import FUNCTION_WORDS
from shared.query.access_in_words import citations_in_words, open_in_words
from shared.query.read_years import YearsInWords
from shared.query.request_words import (
    FREE,
    GREETING,
    MANY,
    ONE,
    OTHER_PAPERS,
    OTHER_VERBS,
    SERVICES,
    SOURCES,
    THANKS,
    VERBS,
)
from shared.query.types_in_words import type_in_words, type_of_noun
from shared.query.years_in_words import years_in_words

if TYPE_CHECKING:
    from shared.query.asked_author import AskedAuthor

# What is judged in a question, not a part of a name as in `the current density`.
_JUDGED = (
    r"(?:(?:cause|reason|factor|source|function|role|mechanism|driver|barrier|symptom|treatment|goal|purpose|finding"
    r"|argument|difference|challenge|guideline|recommendation)s?|evidence|state|status|knowledge|understanding)\b"
)
# `is there a link between`, `I am writing a thesis on`: what stands before any subject.
_LEAD = re.compile(
    r"(?:(?:is|are) there (?:an? |any )?|what is (?:the |known about the )?)"
    r"(?:link|relationship|association|correlation|connection|difference)s? between (?=\S)"
    r"|what (?:does|do) (?:the )?(?:current |recent )?(?:research|evidence|literature|science|studies) say about (?=\S)"
    r"|(?:(?<!. )|(?<=\bme )|(?<=\bfind ))"
    r"(?:what is )?(?:the )?(?:doi|pmid|pmcid|arxiv id|bibtex) (?:of|for) (?:the )?(?:paper |article )?(?=\S)"
    # `what are the main barriers to`; not `what are the latest papers on`, which asks to sort, nor a name that begins
    # so, as `what is the main sequence`, `what is major depression`
    r"|what (?:are (?:the |some )(?:(?:main|key|major|primary|potential)(?= (?:side |risk )?[\w-]+s\b)"
    r"|(?:current|different|various|possible)(?= (?:[\w-]+ )?[\w-]+s\b))"
    rf"|(?:is|are) the (?:(?:main|key|major|primary|current)(?= {_JUDGED})|best(?! practi[cs]e| corrected)|latest"
    r"|most (?:common|important|effective|significant|frequent))) "
    rf"(?!(?:[\w-]+ ){{0,3}}(?:{MANY}|papers?|works|trials|{SOURCES.removesuffix('|evidence')})\b)(?=\S)"
    r"|is it (?:true|known|correct|possible|the case) that (?=\S)"
    # `The advantages of being multilingual` is a title
    r"|(?:what are the |\b(?<!. )(?!(?:dis)?advantages of))"
    r"(?:pros and cons|advantages(?: and disadvantages)?|disadvantages) of (?=\S)"
    r"|(?:i am|i'm|we are|we're|im) (?:currently )?(?:writing|doing|working on|preparing|researching) "
    r"(?:an? |my |our |the )?(?:\w+ ){0,3}(?:on|about) (?=\S)",
    re.I,
)
_ASKS = re.compile(f"(?:{GREETING}{VERBS}|{OTHER_VERBS})(?![a-z])", re.I)
# What a request has that does not begin with a verb. Most texts have none of it, and need not be looked at any further:
# the expressions for requests take a thirtieth of a cold start.
_OF_REQUESTS = re.compile(
    rf"{ONE}|{MANY}|{SOURCES}|{OTHER_PAPERS}|works|trials|{SERVICES}|searching for|\b(?:{THANKS})\b", re.I
)
# `the effects of excluding preprints`, `should we exclude preprints` are about them.
_NO_PREPRINTS = re.compile(
    r"(?<! of)(?<! by)(?<! on)(?<! to)(?<! for)(?<! we)[ ,]{1,3}\(?(?:(?:but )?(?:excluding|exclude|without|no)"
    r"|except(?: for)?|ohne|sans|sin|sem|senza) (?:any |all )?pre-?prints?\)?(?:,? (?:please|pls|plz))?[.!?]?$",
    re.I,
)
# `TREM2, English only`, `TREM2 papers in English only`; `stress in English`, `syntax, Latin language` are about it.
_LANGUAGE = re.compile(
    rf"(?: (?:{MANY}))?,? \(?(?:in )?([a-z]{{4,10}})(?:[- ]language)?(?: (?:{MANY}))? only\)?[.!?]?$", re.I
)
_PAPERS_ON = ("papers on ", "papers about ", "articles on ", "articles about ", "studies about ", "publications on ")
_ON_LANGUAGES = frozenset(("language", "languages", "bilingual", "multilingual", "monolingual"))
_NEW = re.compile(r"\b(?:recent|latest|newest)\b", re.I)
_FREE = re.compile(FREE, re.I)


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
    asked = _LEAD.sub("", _without_tail(years.rest), count=1)
    published = _NO_PREPRINTS.sub("", asked)
    written, language = _language_of(published)
    rest, fewest = citations_in_words(written)
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
    asks = bool(rest != text and _without_tail(text) != text) or bool(by or sort or fewest or _ASKS.match(frame))
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
    if not _may_be_request(text):
        return text
    from shared.query.request_frames import without_beginning

    return without_beginning(text)


def _may_be_request(text: str) -> bool:
    return bool(_ASKS.match(text) or _OF_REQUESTS.search(text))


def _without_tail(text: str) -> str:
    if not _OF_REQUESTS.search(text):
        return text
    from shared.query.request_frames import without_tail

    return without_tail(text)


def _language_of(text: str) -> tuple[str, str | None]:
    """A text without the language in which its papers are to be, and that language."""
    found = _LANGUAGE.search(text)
    language = read_language(found[1]) if found else None
    if not found or not language:
        return text, None
    words = text[: found.start()].casefold().split()
    is_bare = found[0].strip(" .!?").removeprefix("in ").casefold() == f"{found[1]} only".casefold()
    # `vowel harmony in Turkish only`; not `find articles on stroke in German only`, `studies published in French only`
    is_asked = _ASKS.match(text) or text.casefold().startswith(_PAPERS_ON)
    if language != "en" and is_bare and not is_asked and words[-1:] != ["published"]:
        return text, None
    # `Against English only`, `Language policy: English only`, `Learning Chinese in Chinese only`
    is_subject = not words or words[-1].endswith(":") or words[-1] in FUNCTION_WORDS["en"]
    if is_subject or any(word in _ON_LANGUAGES or (len(word) > 3 and read_language(word)) for word in words):
        return text, None
    return text[: found.start()], language


def _author_of(text: str) -> AskedAuthor | None:
    if " by " not in text.casefold():
        return None
    from shared.query.asked_author import asked_author  # a hundredth of a cold start, which few texts need

    return asked_author(text)


def _framed(text: str) -> tuple[str, str, str]:
    """What stands around the subject of a request, its noun for papers with the adjectives, and the subject."""
    if not _may_be_request(text):
        return "", "", text
    from shared.query.request_frames import framed

    return framed(text)
