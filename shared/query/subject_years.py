"""Whether years in a query are a part of its subject, and so words to search for: `the 2014-2016 Ebola outbreak`.

Anything about the years since 2015 was published since 2015, so that a first year that was read wrongly leaves few
right papers out; but a text that lost the years of its subject finds another one: `influenza pandemic 1918-1919`.
"""

from __future__ import annotations

import re

# The indexes have few papers that are older: who writes an earlier year means a time, not a date of publication.
FIRST_YEAR_OF_PAPERS = 1950
LONGEST_RECALL = 24  # months
_EVENTS = (
    "epidemics?|pandemics?|outbreaks?|cris[ie]s|recession|wars?|genocide|famine|season|drought|earthquakes?|floods?"
    "|(?:wild|bush)?fires|hurricane|eruption|heat ?waves?|elections?|olympics|games|world cup|strikes?|protests?"
    "|el niño|budget|framework|strategy|epidemia|pandemia|épidémie|pandémie|epidemie|pandemie"
)
EVENT_BEHIND = rf"(?: [^\s,;:]+){{0,3}} (?:{_EVENTS})\b"
_EVENT = re.compile(EVENT_BEHIND, re.I)
_EVENT_BEFORE = re.compile(rf"\b(?:{_EVENTS})$", re.I)
# `Lancet 365 1957-1959`, `pp. 1957-1959`, `367(20): 1957-59`
_BEFORE_PAGES = re.compile(r"(?:^|\s)(?:pp?\.?|pages?|[0-9]{1,4}(?: ?\([0-9-]{1,9}\)[,:;.]?|[,:;.])) $", re.I)
_ARTICLE = re.compile(r"(?:^|\s)the $", re.I)
# What surveys and studies count over a time before them: `alcohol use in the past 12 months`.
_COUNTED = re.compile(
    r"\b(?:use|users?|consumption|intake|smoking|smokers?|drinking|drinkers|violence|abuse|bullying|suicid\w+|ideation"
    r"|prevalence|incidence|history|falls?|fallen|fractures?|visits?|admissions?|hospitali[sz]ations?|exacerbations?"
    r"|episodes?|relapses?|recurrences?|symptoms|infections?|pregnancy|surgery|screened|tested|vaccinated|diagnosed"
    r"|treated|received|experienced|exposed)$",
    re.I,
)
# `adherence to the guidelines published in 2016`: they are a document that papers are about.
_DOCUMENT = re.compile(
    r"\b(?:to|with|of|by|from|against|under|using|versus) (?:[^\s,;:]+ ){0,3}"
    r"(?:guidelines?|criteria|recommendations?|reports?|definitions?|standards?|statements?|consensus)$",
    re.I,
)


def names_a_time(first: int | None, last: int | None) -> bool:
    """Whether such years are those of a subject, whatever the words around them."""
    return min(filter(None, (first, last)), default=FIRST_YEAR_OF_PAPERS) < FIRST_YEAR_OF_PAPERS


def belongs_to_subject(before: str, years: str, after: str) -> bool:
    """Whether the words around calendar years make them a part of the subject; `years`: as they are written."""
    if years[:1] in "<>≤≥" and years.rstrip(".?!").endswith("00"):  # `Reynolds number > 2000`
        return True
    if years.casefold().startswith("published"):
        return bool(_DOCUMENT.search(before.rstrip()))
    if not years[:1].isdigit():
        return False
    return bool(_EVENT.match(after) or _BEFORE_PAGES.search(before) or _ARTICLE.search(before))


def follows_event(before: str) -> bool:
    """Whether years in parentheses are those of what is named before them: `Ebola outbreak (2014-2016)`."""
    return _EVENT_BEFORE.search(before.rstrip(' "')) is not None


def is_recalled(before: str, months: int) -> bool:
    """Whether time that is counted back from now is that over which something is counted."""
    return months <= LONGEST_RECALL and bool(_COUNTED.search(before.rstrip()))
