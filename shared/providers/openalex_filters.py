"""OpenAlex's filters of works: `name:value,name:value`, with `|` for or and `!` for not.

Manual: https://developers.openalex.org/guides/filtering
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import accumulate
from urllib.parse import quote

from shared.bibliography.fields_of_study import FIELDS_OF_STUDY
from shared.bibliography.text import fold
from shared.bibliography.typed_names import PersonName
from shared.query.query import Query
from shared.query.syntax import OPERATORS

_TYPES = {"journal-article": "article", "retraction-notice": "retraction", "clinical-trial": "article"} | {
    "systematic-review": "review", "meta-analysis": "article|review", "randomized-controlled-trial": "article",
    "clinical-trial-registration": "other",
}  # fmt: skip
# Signs with a meaning in a filter, in a search parameter or in Lucene's syntax; the quotes are those that the server
# takes for one.
_SIGNS = str.maketrans(dict.fromkeys('|!{}^\\~*?[]()"“”„‟<>:/&', " "))
_NO_VALUES = ("none", "undefined")  # the server takes them for a mistake
_IDENTIFIERS = {"doi": "doi", "pmid": "ids.pmid"}
_NO_VALUE = frozenset(',|"!')
_AUTHOR_BYTES = 800  # of all forms of a name, escaped: the URL has 4 KB
# The filters that a search by meaning takes (ourresearch/openalex-elastic-api, core/vector_index.py).
_OF_MEANING = frozenset(
    ("publication_year", "type", "open_access.is_oa", "language", "is_retracted", "primary_location.source.id")
)


def filter_texts(query: Query) -> list[str]:
    """The filters of a query, except the journal, whose id must be looked up."""
    types = dict.fromkeys(_TYPES.get(kind, kind) for kind in query.publication_types)
    found = (
        (query.first_day, f"from_publication_date:{query.first_day}"),
        (query.last_day, f"to_publication_date:{query.last_day}"),
        *((author, author) for author in map(author_filter, query.people)),  # one filter again means all of them
        (query.open_access, "open_access.is_oa:true"),
        (query.min_citations, f"cited_by_count:>{(query.min_citations or 0) - 1}"),
        (types, f"type:{'|'.join(types)}"),
        (query.exclude_preprints, "type:!preprint"),
        (query.exclude_retracted, "is_retracted:false"),
        (query.language, f"language:{query.language}"),
        (field := FIELDS_OF_STUDY.get(query.field_of_study or ""), field.openalex if field else ""),
    )
    return [text for in_use, text in found if in_use]


def plain_words(text: str) -> list[str]:
    """The words of a text without signs that have a meaning to the server; capitals do not make an operator."""
    words = (word.lstrip("+-") for word in text.translate(_SIGNS).split())
    return [word.lower() if word in OPERATORS else word for word in words if any(map(str.isalnum, word))]


def search_filter(name: str, text: str, *, phrase: bool = False) -> str:
    """A filter that searches one field for words; "" without any."""
    value = " ".join(plain_words(text.replace(",", " ")))
    quoted = phrase or value.lower() in _NO_VALUES
    return f'{name}.search:"{value}"' if value and quoted else f"{name}.search:{value}" if value else ""


def identifier_filter(name: str) -> str:
    """A filter by a DOI or PMID in normal form; "" for any other, and for one that a filter would misread."""
    scheme, _, value = name.partition(":")
    return f"{_IDENTIFIERS[scheme]}:{value}" if scheme in _IDENTIFIERS and _NO_VALUE.isdisjoint(value) else ""


def author_filter(readings: Iterable[PersonName]) -> str:
    """The filter by the readings of an author's name; "" without any.

    By the names as they are printed, not by the ids of profiles (`/authors?search=`): that is one request instead of
    two, it also finds those without a profile, and a common name has more profiles than one page. Every word of a
    value must be among the names of a work's authors, of whatever person, so that papers are checked afterwards.
    """
    readings = tuple(readings)
    if readings and (orcid := readings[0].orcid):
        return f"authorships.author.orcid:{orcid}"
    values = dict.fromkeys(value for person in readings for value in _printed(person) if value)
    sizes = accumulate(len(quote(value, safe="")) for value in values)
    fitting = [value for value, size in zip(values, sizes, strict=True) if size <= _AUTHOR_BYTES]
    if len(fitting) < 2:
        return search_filter("raw_author_name", "".join(fitting))
    return f"raw_author_name.search:{'|'.join(fitting)}"


def _printed(person: PersonName) -> Iterator[str]:
    """How a name may be printed: `Doudna Jennifer`, `Doudna J`, `Doudna JA`, `Doudna J.A.`; the order is of no account.

    With initials alone the family name: `Doudna J` is not in `Jennifer Doudna`. The index takes `J.A.` for one word, so
    that a name typed with one initial does not find it.
    """
    family = _name(person.family)
    for name in (family,) if family.isascii() else (family, fold(family)):
        if not person.given:
            yield name
            continue
        initials = person.initials
        for given in (_name(person.given).partition(" ")[0], initials[:1], initials, ".".join(initials)):
            yield f"{name} {given}"


def _name(text: str) -> str:
    return " ".join(plain_words(text.replace(",", " ")))


def filters_of_meaning(query: Query, filters: Iterable[str]) -> list[str] | None:
    """The filters for a search by meaning, which takes years instead of dates; None if it does not take them all."""
    years = _whole_years(query)
    dated = ("from_publication_date", "to_publication_date")
    others = [text for text in filters if not (years and text.startswith(dated))]
    found = others + ([f"publication_year:{years}"] if years else [])
    return found if all(text.partition(":")[0] in _OF_MEANING for text in found) else None


def _whole_years(query: Query) -> str:
    """The years that the dates of a query are, as a range; "" if they are not whole years."""
    first, last = query.first_day, query.last_day
    if not query.in_whole_years:
        return ""
    if first and last:
        return f"{first.year}-{last.year}"
    return f">{first.year - 1}" if first else f"<{last.year + 1}" if last else ""
