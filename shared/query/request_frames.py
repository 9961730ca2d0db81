"""What stands around the subject of a request: `can you find me recent reviews on …`, `… key papers`.

`shared.query.filters_in_words` imports this for the first text that may be a request.
"""

from __future__ import annotations

import re

from shared.bibliography.stop_words import FUNCTION_WORDS
from shared.query.access_in_words import is_on_publishing
from shared.query.request_words import (
    ABOUT,
    ADJECTIVES,
    CHINESE,
    FOR_WHAT,
    FREE,
    GREETING,
    JUDGED,
    LISTS,
    MANY,
    ONE,
    OTHER_FRAMES,
    SERVICES,
    SOURCES,
    THANKS,
    VERBS,
    WHICH,
)  # fmt: skip
from shared.query.types_in_words import OTHER_TYPES, TYPES

_JUDGED = rf"(?:{ADJECTIVES}){{0,3}}{JUDGED} (?:{ADJECTIVES}){{0,3}}"
_MANY = rf"(?:{MANY})(?: (?:and|or) (?:{ADJECTIVES})?(?:{MANY}))?"
# `recent papers TREM2`, `peer-reviewed articles TREM2`: no title begins so, but `recent papers on` and `using` may.
_ALONE = "recent|latest|newest|scholarly|peer[- ]reviewed"
_GRAMMAR = f"(?:{'|'.join(sorted(FUNCTION_WORDS['en']))})"
# What stands before the subject. `in` only behind papers that are judged: `advances in`, `studies in` begin titles.
_FRAME = re.compile(
    rf"{GREETING}{VERBS} {LISTS}(?:an? )?"
    rf"(?P<asked>(?:{ADJECTIVES}){{0,4}}(?:{TYPES}|{ONE}|{_MANY}|{SOURCES})){FOR_WHAT}(?: (?:{ABOUT})|:) (?=\S)"
    rf"|{WHICH}(?P<named>(?:{ADJECTIVES}){{0,4}}(?:{_MANY})) (?:{ABOUT}) (?=\S)"
    rf"|(?:{ADJECTIVES}){{0,3}}(?:scholarly|academic|reliable|credible) sources (?:on|about|regarding) (?=\S)"
    rf"|{WHICH}(?P<judged>{_JUDGED}(?:{_MANY}|papers?|works|trials|{SOURCES}))(?: (?:on|about|in)|:| [-–—]) (?=\S)"
    rf"|(?:{SERVICES}) (?:(?P<there>(?:{ADJECTIVES}){{0,4}}(?:{TYPES}|{_MANY})) (?:{ABOUT}) )?(?=\S)"
    rf"|{GREETING}{VERBS} (?:an? )?(?P<kind>(?:{ADJECTIVES}){{0,4}}(?:{OTHER_TYPES})) (?:on|about) (?=\S)"
    rf"|{GREETING}(?:{VERBS} |(?=(?:the |most )?(?:{JUDGED}|{_ALONE}) ))"
    rf"(?P<bare>(?:{ADJECTIVES}){{0,4}}(?:journal )?(?:papers|articles|publications)) (?!{_GRAMMAR}\b)(?=\S)"
    rf"|{GREETING}(?:{VERBS} )?(?:(?:the|an?) )?(?:{ONE}) (?:titled|entitled|called|named)[:,]? (?=\S)",
    re.I,
)
# `… Can you suggest some key papers?`, `… thanks`: what stands behind it.
_TAIL = re.compile(
    rf"(?<=\S)(?:(?:[.!?,;]? (?:{THANKS})(?: in advance)?){{1,2}}[.!?]*|[.!?] {VERBS} (?:an? )?(?:{ADJECTIVES}){{0,4}}"
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
# Without a word for papers: `search for TREM2`, as some titles begin, and `show me everything on TREM2`, as none does.
_ASKS_ALONE = re.compile(
    rf"(?:(?P<title>(?:search|look)(?:ing)? for)"
    rf"|(?={GREETING}(?:please|pls|plz|can|could|i|i'm|i'd|help|\w+ (?:me|us))\b){GREETING}{VERBS})"
    rf"(?: (?:everything|anything|something|information|the latest)(?: (?:{ABOUT})))?"
    r" (?=\S)(?!(?:AND|OR|NOT) )",
    re.I,
)
_PAPERS = re.compile(rf"(?<=\S) (?:{MANY})[.!?]?$", re.I)  # `help me find TREM2 papers`
_OF_TITLES = re.compile(r"[:?] ")  # `I need a hero: …`
# Before a phrase or a group, which no title begins with: `find studies where (TREM2 OR CD33) AND mice`.
_ASKS_FOR_TERMS = re.compile(
    rf"{GREETING}{VERBS} (?:(?:{ADJECTIVES}){{0,4}}(?:{MANY}) (?:[a-z]+ ){{0,2}})?(?=[\"(])", re.I
)
_FREE = re.compile(FREE, re.I)


def without_tail(text: str) -> str:
    """A text without what is said behind its subject."""
    return _TAIL.sub("", text)


def without_beginning(text: str) -> str:
    """A text without what asks for it at its beginning."""
    found = _FRAME.match(text) or _OTHER_FRAMES.match(text) or _ASKS_FOR_TERMS.match(text) or _ASKS_ALONE.match(text)
    return text[found.end() :] if found else text


def framed(text: str) -> tuple[str, str, str]:
    """What stands around the subject of a request, its noun for papers with the adjectives, and the subject."""
    if found := _FRAME.match(text):
        return found[0], next(filter(None, found.groups()), ""), text[found.end() :]
    if found := _OTHER_FRAMES.match(text):
        return found[0], "", text[found.end() :]
    if found := _CHINESE.fullmatch(text):
        return text[: found.start("about")], "", found["about"]
    found = _AROUND.fullmatch(text) or _BEHIND.fullmatch(text)
    if not found or found["about"].split()[-1].casefold() in FUNCTION_WORDS["en"]:  # `latest trends in papers`
        asks = _ASKS_ALONE.match(text)
        if not asks:
            return "", "", text
        if asks["title"] or _OF_TITLES.search(text):
            return "", "", text[asks.end() :]
        return asks[0], "", _PAPERS.sub("", text[asks.end() :])
    first = found.groupdict().get("first", "")
    if (not first or _FREE.match(first)) and is_on_publishing(found["about"]):
        return "", "", text
    return f"{first} {found['named']}", found["named"], found["about"]
