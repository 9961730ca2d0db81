"""How Crossref's search engine reads a query: any word is a hit, and the score decides the order.

Sources: README and rest_api.md of CrossRef/rest-api-doc (field queries, sorting, deep paging), the server's published
source CrossRef/cayenne (`api/v1/query.clj`, `fields.clj`: field queries are joined by AND, words by OR), and totals of
recorded answers: `The Dilemma and Countermeasures of … the …` has 4.7 million hits, which no engine has that counts
`the` and `of`. Words are not stemmed, abstracts are not searched, and operators and quotes are blanks. An apostrophe or
ampersand inside a word of the query hides that word (CrossRef/rest-api-doc issue 385).
"""

from __future__ import annotations

import html
import math
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Work = Mapping[str, Any]  # one record, as the API returns it
Reader = Callable[[Work], Iterable[str]]
STOP_WORDS = frozenset({  # Lucene's English list
    "a", "an", "and", "are", "as", "at", "be", "but", "by", "for", "if", "in", "into", "is", "it", "no", "not", "of",
    "on", "or", "such", "that", "the", "their", "then", "there", "these", "they", "this", "to", "was", "will", "with",
})  # fmt: skip
SATURATION, LENGTH_WEIGHT = 1.2, 0.75  # k1 and b of BM25, as Elasticsearch has them by default
_TAG = re.compile(r"<[^<>]{0,200}>")
_INDEXED = re.compile(r"\w+")
_QUERIED = re.compile(r"\w+(?:['&]\w+)*")


def _texts(name: str) -> Reader:
    return lambda work: work.get(name) or ()


def _people(role: str) -> Reader:
    return lambda work: (
        part for person in work.get(role) or () for part in map(person.get, ("given", "family", "name")) if part
    )


def _affiliations(work: Work) -> Iterable[str]:
    return (place["name"] for author in work.get("author") or () for place in author["affiliation"])


def _funders(work: Work) -> Iterable[str]:
    return (funder["name"] for funder in work.get("funder") or ())


def no_values(_work: Work) -> tuple[str, ...]:
    """The values of an element that no record of the sandbox has."""
    return ()


def every_work(_work: Work) -> bool:
    """The check of a list without a route of its own."""
    return True


def no_work(_work: Work) -> bool:
    """The check of an empty list."""
    return False


def _titles(work: Work) -> Iterable[str]:
    return (text for name in ("title", "subtitle", "original-title", "short-title") for text in work.get(name) or ())


def _bibliographic(work: Work) -> Iterable[str]:
    """Titles, people, journals, ISSN, years, volume, issue and pages: what a printed reference holds."""
    yield from _titles(work)
    yield from _people("author")(work)
    for name in ("container-title", "short-container-title", "ISSN"):
        yield from work.get(name) or ()
    yield from (str(work[name]) for name in ("volume", "issue", "page", "article-number") if work.get(name))
    yield from (str(part) for part in work["issued"]["date-parts"][0][:1] if part)


def _everything(work: Work) -> Iterable[str]:
    yield from _bibliographic(work)
    yield from _affiliations(work)
    yield from _funders(work)
    yield from (work[name] for name in ("publisher", "group-title", "DOI") if work.get(name))


# The parameters with words. `query.title` was withdrawn in 2019, and is answered again in recordings since 2025.
FIELDS: Mapping[str, Reader] = {
    "query": _everything,
    "query.bibliographic": _bibliographic,
    "query.title": _titles,
    "query.author": _people("author"),
    "query.contributor": _people("author"),
    "query.container-title": _texts("container-title"),
    "query.affiliation": _affiliations,
    "query.funder-name": _funders,
    "query.publisher-name": lambda work: [work["publisher"]],
    "query.description": _texts("group-title"),
    **dict.fromkeys(
        (
            "query.chair", "query.degree", "query.editor", "query.event-acronym", "query.event-location",
            "query.event-name", "query.event-sponsor", "query.event-theme", "query.publisher-location",
            "query.standards-body-acronym", "query.standards-body-name", "query.translator",
        ),
        no_values,
    ),
}  # fmt: skip
# Values of `sort`, and the element that each compares; None is the score.
SORTS = {
    "score": None, "relevance": None, "updated": "deposited", "deposited": "deposited", "indexed": "indexed",
    "created": "created", "published": "published", "issued": "issued", "published-print": "published-print",
    "published-online": "published-online", "is-referenced-by-count": "is-referenced-by-count",
    "references-count": "references-count",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Found:
    """A work that a query finds, and its score: 0 where there are no words."""

    work: Work
    score: float


class Index:
    """The works of one corpus, with the words of each field counted when it is first searched."""

    def __init__(self, works: Sequence[Work]) -> None:
        self.works = works
        self._counts: dict[str, list[Counter[str]]] = {}

    def find(self, words: Mapping[str, str], keep: Callable[[Work], bool]) -> list[Found]:
        """The kept works that have, for each parameter of FIELDS, at least one of its words; the best first."""
        scores = [self._scores(name, text) for name, text in words.items()]
        found = [
            Found(work, round(sum(score[number] for score in scores), 6))
            for number, work in enumerate(self.works)
            if all(number in score for score in scores) and keep(work)
        ]
        return sorted(found, key=lambda hit: (-hit.score, _descending(hit.work), hit.work["DOI"]))

    def _scores(self, name: str, text: str) -> dict[int, float]:
        """The scores (BM25) of the works that have any word of a text in a field, by their numbers."""
        counts = self._counted(name)
        average = sum(count.total() for count in counts) / len(counts) if counts else 0
        scores: dict[int, float] = {}
        for word in set(queried_words(text)):
            having = [number for number, count in enumerate(counts) if word in count]
            rarity = math.log(1 + (len(counts) - len(having) + 0.5) / (len(having) + 0.5))
            for number in having:
                times = counts[number][word]
                length = 1 - LENGTH_WEIGHT + LENGTH_WEIGHT * counts[number].total() / average
                gain = rarity * times * (SATURATION + 1) / (times + SATURATION * length)
                scores[number] = scores.get(number, 0.0) + gain
        return scores

    def _counted(self, name: str) -> list[Counter[str]]:
        if name not in self._counts:
            self._counts[name] = [Counter(indexed_words(" ".join(FIELDS[name](work)))) for work in self.works]
        return self._counts[name]


def indexed_words(text: str) -> list[str]:
    """The words of an indexed text: without markup, accents, capitals and stop words, not stemmed."""
    return _words(_INDEXED, _TAG.sub(" ", html.unescape(text)))


def queried_words(text: str) -> list[str]:
    """The words of a query: no operators, quotes or wildcards; `d'arcy` stays one word, which no text has."""
    return _words(_QUERIED, text)


def _words(pattern: re.Pattern[str], text: str) -> list[str]:
    plain = "".join(c for c in unicodedata.normalize("NFKD", text.lower()) if not unicodedata.combining(c))
    return [word for word in pattern.findall(plain.replace("_", " ")) if word not in STOP_WORDS]


def in_order(found: list[Found], sort: str, order: str) -> list[Found]:
    """The hits by a value of SORTS, `desc` or `asc`; works without the element come last in both orders."""
    element = SORTS[sort]
    if element is None:
        return found[::-1] if order == "asc" else found
    having = [hit for hit in found if _sortable(hit.work, element) is not None]
    having.sort(key=lambda hit: _sortable(hit.work, element) or (), reverse=order != "asc")
    return having + [hit for hit in found if _sortable(hit.work, element) is None]


def _sortable(work: Work, element: str) -> tuple[int, ...] | None:
    value = work.get(element)
    if value is None or isinstance(value, int):
        return None if value is None else (value,)
    return (value["timestamp"],) if "timestamp" in value else tuple(part for part in value["date-parts"][0] if part)


def _descending(work: Work) -> int:
    """Without words the works come by the time of their last deposit, the latest first."""
    return -int(work["deposited"]["timestamp"])
