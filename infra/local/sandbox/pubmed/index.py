"""PubMed's index over the sandbox's corpus: words and phrases of each field, and values that are compared whole.

Facts of https://pubmed.ncbi.nlm.nih.gov/help/: Greek letters are written out, accents and case do not matter, an
apostrophe or hyphen separates words. A phrase is found only if the phrase index holds it, which has short phrases only
("Phrases may appear in a PubMed record but not be in the phrase index").
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator
from datetime import date, timedelta
from functools import lru_cache

from infra.local.sandbox.corpus import Corpus
from infra.local.sandbox.facts import Fact
from infra.local.sandbox.orcids import orcids_of
from infra.local.sandbox.pubmed.vocabulary import (
    MESH,
    NARROWER_TYPES,
    OTHER_NAMES,
    language,
    publication_types,
    title_abbreviation,
)

NAME = "pubmed"
Tokens = tuple[str, ...]
LONGEST_PHRASE = 4  # words of a phrase in the phrase index; NLM's example of one that is not in it has five
FULL_NAMES_SINCE = 2002  # full names of authors are indexed from this year on
FOREVER = date(3000, 12, 31)
_WORD = re.compile(r"[^\W_]+")
_DAY = re.compile(r"(\d{4})(?:[/-](\d{1,2}))?(?:[/-](\d{1,2}))?")
_RECENT = re.compile(r"last (\d{1,5}) (day|month|year)s?")
_DAYS = {"day": 1, "month": 30, "year": 365}


def tokens(text: str) -> Tokens:
    """Return the words as the index holds them: `17β-HSD` -> `17beta`, `hsd`."""
    if not text.isascii():
        spelt = "".join(_greek(character) for character in text)
        text = "".join(it for it in unicodedata.normalize("NFKD", spelt) if not unicodedata.combining(it))
    return tuple(_WORD.findall(text.casefold()))


def _greek(character: str) -> str:
    name = unicodedata.name(character, "") if character > "\u0370" else ""
    found = re.match(r"GREEK (?:SMALL|CAPITAL) LETTER (?:FINAL )?(\w+)$", name)
    return found[1].lower() if found else character


def day(text: str, *, last: bool = False) -> date | None:
    """Return the first (or last) day of `2019`, `2019/05` or `2019/05/07`; None for anything else."""
    found = _DAY.fullmatch(text.strip())
    if not found:
        return None
    year, month, number = int(found[1]), int(found[2] or (12 if last else 1)), int(found[3] or 1)
    try:
        if found[3] or not last:
            return date(year, month, number)
        return date(year + month // 12, month % 12 + 1, 1) - timedelta(days=1)
    except ValueError:
        return FOREVER if year >= FOREVER.year else None


def period(text: str, today: date) -> tuple[date, date] | None:
    """Return the first and last day of `2019/05` or `last 5 years`; None for anything else."""
    if recent := _RECENT.fullmatch(text.lower()):
        return today - timedelta(days=min(int(recent[1]) * _DAYS[recent[2]], 300_000)), FOREVER
    first, last = day(text), day(text, last=True)
    return (first, last) if first and last else None


class Index:
    """The papers of one corpus by the words of their fields; papers are numbered from 0."""

    def __init__(self, corpus: Corpus) -> None:
        self.papers = corpus.covered(NAME)
        self.every = frozenset(range(len(self.papers)))
        self.texts = {number: _texts(fact) for number, fact in enumerate(self.papers)}
        self.words: dict[str, dict[str, set[int]]] = defaultdict(lambda: defaultdict(set))
        self.values: dict[str, dict[Tokens, set[int]]] = defaultdict(lambda: defaultdict(set))
        for number, fact in enumerate(self.papers):
            for field, parts in self.texts[number].items():
                for word in {word for part in parts for word in part}:
                    self.words[field][word].add(number)
            for field, value in _values(fact):
                self.values[field][tokens(value)].add(number)
        self._entries: dict[tuple[str, str], list[Tokens]] = defaultdict(list)  # by their field and first word
        for field, listed in self.values.items():
            for entry in filter(None, listed):
                self._entries[field, entry[0]].append(entry)
        self.headings = {
            tokens(term): heading for heading, (_, _, others) in MESH.items() for term in (heading, *others)
        }

    def phrase(self, field: str, words: Tokens, longest: int | None = None) -> frozenset[int]:
        """Return the papers with these words one after another in a field; none if the phrase is too long."""
        if longest and len(words) > longest and words not in self.values["Other Term"]:
            return frozenset()
        found = self.every
        for word in words:
            found &= frozenset(self.words[field].get(word, ()))
        return frozenset(n for n in found if len(words) == 1 or _has(self.texts[n][field], words))

    def near(self, field: str, words: Tokens, distance: int) -> frozenset[int]:
        """Return the papers with all words in any order, with at most `distance` other words among them."""
        size = len(words) + distance
        wanted = sorted(words)
        return frozenset(
            n for n in self.every for part in self.texts[n][field] for start in range(max(1, len(part) - size + 1))
            if _contains(part[start : start + size], wanted)
        )  # fmt: skip

    def starting(self, field: str, beginning: Tokens) -> frozenset[int]:
        """Return the papers with a phrase whose last word begins with the last one given."""
        ends = [word for word in self.words[field] if word.startswith(beginning[-1])]
        return frozenset(n for word in ends for n in self.phrase(field, (*beginning[:-1], word)))

    def variants(self, word: str) -> list[str]:
        """Return the indexed words that differ from a word by an ending: `microglia` -> `microglial`."""
        endings = ("s", "es", "l", "al", "ic", "ed", "ing")
        forms = [word + ending for ending in endings] + ([word[:-1]] if word.endswith("s") and len(word) > 4 else [])
        return [form for form in forms if len(word) > 3 and form in self.words["All Fields"]]

    def mesh(self, heading: str, *, explode: bool = True) -> frozenset[int]:
        """Return the papers with a heading, or one below it."""
        below = [name for name, (_, broader, _) in MESH.items() if explode and heading in broader]
        own = frozenset(self.values["MeSH Terms"].get(tokens(heading), ()))
        return own.union(*(self.mesh(name) for name in below))

    def publication_type(self, name: Tokens) -> frozenset[int]:
        """Return the papers of a publication type, or of one below it."""
        narrower = NARROWER_TYPES.get(" ".join(name), ())
        names = (name, *(tokens(kind) for kind in narrower))
        return frozenset(n for kind in names for n in self.values["Publication Type"].get(kind, ()))

    def author(self, name: Tokens, field: str = "Author", *, exact: bool = False) -> frozenset[int]:
        """Papers of `doudna ja`, of `doudna j` and `doudna` with any more initials unless exact, or by full name."""
        listed = self.values[field]
        similar = self._entries.get((field, name[0]), ()) if name and not exact else ()
        shorter = (entry for entry in similar if _shortened(entry, name))
        return frozenset(n for entry in (name, *shorter) for n in listed.get(entry, ()))

    def dated(self, field: str, first: date, last: date) -> frozenset[int]:
        """Return the papers with a date in a range; a year alone counts as its first of January."""
        revised = date(2026, 1, 15) if field == "Date - Modification" else None
        days = ((n, revised or paper_day(fact)) for n, fact in enumerate(self.papers))
        return frozenset(n for n, known in days if known and first <= known <= last)


@lru_cache(maxsize=4)
def index_of(corpus: Corpus) -> Index:
    """Return the index of a corpus; it is built once."""
    return Index(corpus)


def paper_day(fact: Fact) -> date | None:
    """Return a paper's day of publication."""
    return day(fact.publication_date or str(fact.year or ""))


def author_names(fact: Fact) -> list[str]:
    """Return the authors as PubMed lists them: `Doudna JA`."""
    return [
        " ".join(filter(None, (family, initials(given)))) if family else given or "" for family, given in fact.authors
    ]


def initials(given: str | None) -> str:
    """`Jennifer A` -> `JA`; initials stay as they are."""
    parts = re.findall(r"\w+", given or "")
    return "".join(part if part.isupper() and len(part) < 3 else part[0].upper() for part in parts)[:3]


def _shortened(entry: Tokens, name: Tokens) -> bool:
    """Whether a name leaves out initials of an entry: `smith j` for `smith ja`, `smith` for either."""
    if entry[: len(name)] == name:
        return len(entry) == len(name) + 1 and len(entry[-1]) <= 3
    return (
        len(entry) == len(name) > 1
        and entry[:-1] == name[:-1]
        and len(entry[-1]) <= 3
        and entry[-1].startswith(name[-1])
    )


def _has(parts: Iterable[Tokens], words: Tokens) -> bool:
    return any(part[start : start + len(words)] == words for part in parts for start in range(len(part)))


def _contains(part: Tokens, wanted: list[str]) -> bool:
    rest = list(part)
    for word in wanted:
        if word not in rest:
            return False
        rest.remove(word)
    return True


def _texts(fact: Fact) -> dict[str, list[Tokens]]:
    """The fields whose words are searched, each in parts over whose ends no phrase reaches."""
    title = [tokens(fact.title_translated or fact.title)]
    vernacular = [tokens(fact.title)] if fact.title_translated else []
    both = [*title, *([tokens(fact.abstract)] if fact.abstract else []), *map(tokens, fact.keywords)]
    words = [*both, *vernacular, *map(tokens, fact.mesh), *map(tokens, publication_types(fact))]
    marks = ["hasabstract"] if fact.abstract else []
    rest = [*author_names(fact), *marks, *filter(None, (fact.journal, fact.pmcid, fact.doi, fact.volume))]
    abstract = [tokens(fact.abstract)] if fact.abstract else []
    return {"Title": title + vernacular, "Abstract": abstract, "Title/Abstract": both + vernacular, "Text Word": words,
            "All Fields": [*words, *map(tokens, rest)], "Affiliation": []}  # fmt: skip


def _values(fact: Fact) -> Iterator[tuple[str, str]]:
    """The fields whose values are compared whole."""
    yield "UID", fact.pmid or ""
    for name in filter(None, (fact.doi, fact.pmcid)):
        yield "DOI", name
    names = author_names(fact)
    full = [it for family, given in fact.authors if family and given and (fact.year or 0) >= FULL_NAMES_SINCE
            for first in {given, given.split()[0]} for it in (f"{first} {family}", f"{family} {first}")]  # fmt: skip
    yield from (("Author", name) for name in (*names, *full))
    yield from (("Author - Full", name) for name in full)
    yield from (("Author - Identifier", form) for orcid in orcids_of(fact) for form in (orcid, f"orcid {orcid}"))
    yield from (("Corporate Author", given or "") for family, given in fact.authors if not family)
    yield from (("Author - First", name) for name in names[:1])
    yield from (("Author - Last", name) for name in names[-1:])
    if fact.journal:
        short = title_abbreviation(fact.journal)
        bare = re.split(r" [:=] | ?[(\[]", fact.journal)[0]
        forms = {fact.journal, bare, bare.removeprefix("The "), short, fact.issn or short, *OTHER_NAMES.get(short, ())}
        yield from (("Journal", form) for form in forms)
    yield from (("Publication Type", kind) for kind in publication_types(fact))
    yield from (("MeSH Terms", heading) for heading in fact.mesh)
    yield from (("Other Term", keyword) for keyword in fact.keywords)
    yield from (("Language", name) for name in language(fact))
    pages = re.split(r"[-–]", fact.pages or "")[0]
    yield from (
        (field, value)
        for field, value in (("Volume", fact.volume), ("Issue", fact.issue), ("Pagination", pages))
        if value
    )
    subsets = {"all": True, "medline": True, "hasabstract": fact.abstract, "has abstract": fact.abstract,
               "free full text": fact.pmcid or fact.is_open_access, "full text": fact.doi, "pubmed pmc": fact.pmcid,
               "pubmed books": fact.type.startswith("book"),
               "systematic": "Systematic Review" in publication_types(fact)}  # fmt: skip
    yield from (("Subset", name) for name, holds in subsets.items() if holds)
