"""Crossref's query parameters: words, fields, filters, the limits of their effect, and the words of a citation.

Manual: https://www.crossref.org/documentation/retrieve-metadata/rest-api
Any word of a field is a hit, and fields are joined by AND (rest_api.md of CrossRef/rest-api-doc). So a field gets only
words that no other person or journal has: the family name without `van` and initials, the journal's full name. An
apostrophe or `&` inside a word hides it (issue 385 there), so that such signs are sent as blanks.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from shared.bibliography.dates import is_first_of_january
from shared.bibliography.paper_types import NOTICES
from shared.bibliography.person_names import PARTICLES
from shared.bibliography.typed_names import PersonName, read_person
from shared.errors import UnsupportedFilter
from shared.providers.records.crossref import TYPES
from shared.providers.records.crossref_references import read_author
from shared.query.field_tags import FILTER_FIELDS
from shared.query.greek import spellings
from shared.query.identifiers import identifier_of
from shared.query.query import Query
from shared.query.question import Citation
from shared.query.syntax import All, Leaf, Tagged, has_operators, leaves
from shared.query.wildcards import truncated_words

_MAX_CITATION_CHARS = 500  # keeps the URL short enough in any script
_SEARCHED_AS_ARTICLES = {
    "review", "systematic-review", "meta-analysis", "editorial", "letter", "clinical-trial",
    "randomized-controlled-trial", "erratum", "retraction-notice",
}  # fmt: skip


_MAX_WORDS_CHARS, _MAX_NAME_CHARS = 450, 100  # of a query, for the same reason
_POSSESSIVE = re.compile(r"['’ʼ]s(?!\w)")
_HIDING = re.compile(r"['’ʼ`´&]")
_SIGNS = re.compile(r"[&'’‘ʼ`´\"“”„«»+!{}*?\[\]():;%^=_,#~|<>\\@$]+")
# The fields of tags that Crossref has, too, and its parameter for each.
_FIELDS = {"author": "author", "journal": "container-title", "affiliation": "affiliation"}


@dataclass(frozen=True, slots=True)
class Terms:
    """What a query searches for: words of references, and those that one field must have a word of."""

    bibliographic: str
    author: str = ""
    journal: str = ""
    affiliation: str = ""
    doubted: str = ""  # the author's names, if the field may miss the person

    def params(self) -> dict[str, str]:
        """The parameters `query.…` that are not empty."""
        fields = {
            "bibliographic": self.bibliographic, "author": self.author, "container-title": self.journal,
            "affiliation": self.affiliation,
        }  # fmt: skip
        return {f"query.{name}": words for name, words in fields.items() if words}

    def wider(self) -> Terms | None:
        """The same with names among the words that Crossref may write otherwise: they then exclude nothing.

        Journals may be typed as abbreviations, and preprint servers are in no field. None if all names stay.
        """
        moved = (self.doubted, self.journal, self.affiliation)
        if not self.bibliographic or not any(moved):
            return None
        return Terms(
            _joined((*moved, self.bibliographic), _MAX_WORDS_CHARS), author="" if self.doubted else self.author
        )


def terms_of(query: Query) -> Terms:
    """The words of a query in the form that Crossref reads best: of a question the telling ones.

    Raises UnsupportedFilter if the query has only terms, such as dates, that no field of Crossref holds.
    """
    own = {name: [leaf.text for leaf in _own_fields(query) if leaf.field == name] for name in _FIELDS}
    names = query.journal_names
    written = query.telling if query.understood.kind == "question" else [leaf.text for leaf in _worded(query)]
    both = (spelling for text in written for word in text.split() for spelling in spellings(word))
    bibliographic = _joined(both, _MAX_WORDS_CHARS)
    people = [readings for readings in (*query.people, *map(read_person, own["author"])) if not _orcid(readings)]
    terms = Terms(
        bibliographic,
        author=_joined(_person(readings[0], alone=not bibliographic) for readings in people if readings),
        journal=_joined([names.full if names else "", *own["journal"]]),
        affiliation=_joined(own["affiliation"]),
        doubted=_joined(
            _person(reading, alone=True) for readings in people if _doubted(readings) for reading in readings
        ),
    )
    if query.text and not terms.params() and not _orcids(query):  # the answer would be all of Crossref
        raise UnsupportedFilter("Crossref cannot search by any of the query's field tags")
    return terms


def _person(name: PersonName, *, alone: bool) -> str:
    """The family name; `alone`, without words to search for, with the given names.

    A given name or initial would be a further alternative, and find everyone who has it; where there is nothing else
    to rank by, it ranks the right person first.
    """
    words = _blank(name.family).split()
    telling = [word for word in words if word.casefold() not in PARTICLES and (len(word) > 1 or not word.isascii())]
    given = (name.given or " ".join(name.initials)) if alone else ""
    return " ".join([*(telling or words), given])


def _orcid(readings: tuple[PersonName, ...]) -> str | None:
    return readings[0].orcid if readings else None


def _orcids(query: Query) -> list[str]:
    """The ORCID iDs of authors. Raises UnsupportedFilter for several: Crossref joins values of one filter by OR."""
    authors = [read_person(leaf.text) for leaf in _own_fields(query) if leaf.field == "author"]
    found = list(dict.fromkeys(filter(None, map(_orcid, (*query.people, *authors)))))
    if len(found) > 1:
        raise UnsupportedFilter("Crossref finds papers by any of several ORCID iDs, not by all: search for one")
    return found


def _doubted(readings: tuple[PersonName, ...]) -> bool:
    """Whether another part may be the family name (`Tanaka Hiroshi`), or a sign hides it (`d'Arcy`)."""
    ambiguous = len(readings) > 1 and readings[0].given is not None
    return ambiguous or any(_HIDING.search(reading.family) for reading in readings)


def _own_fields(query: Query) -> Iterator[Tagged]:
    """The tagged terms that every hit must have and that Crossref has a field for."""
    parts = query.node.of if isinstance(query.node, All) else (query.node,)
    yield from (part for part in parts if isinstance(part, Tagged) and part.field in _FIELDS)


def _worded(query: Query) -> Iterator[Leaf]:
    """The other terms that are wanted, without dates, types and other filters by tag."""
    own = set(_own_fields(query))
    for leaf in leaves(query.node):
        if leaf not in own and not (isinstance(leaf, Tagged) and leaf.field in FILTER_FIELDS):
            yield leaf


def _blank(text: str) -> str:
    """The text with blanks for the signs that hide words from Crossref's engine."""
    words = (word.lstrip("-/") for word in _SIGNS.sub(" ", _POSSESSIVE.sub("", text)).split())
    return " ".join(filter(None, words))


def _joined(texts: Iterable[str], longest: int = _MAX_NAME_CHARS) -> str:
    """The words of these texts, each once, as many as fit into a URL in any script."""
    joined = " ".join(dict.fromkeys(word for text in texts for word in _blank(text).split()))
    return joined if len(joined) <= longest else joined[:longest].rpartition(" ")[0] or joined[:longest]


def filter_values(query: Query) -> list[str]:
    """The values of `filter`: Crossref joins different filters by AND, several values of one filter by OR."""
    wanted = set(query.publication_types) or set(TYPES.values()) - {"dataset", "other"}
    found = [f"{end}-pub-date:{day}" for end, day in (("from", query.first_day), ("until", query.last_day)) if day]
    found += [f"orcid:{orcid}" for orcid in _orcids(query)]
    found += ["has-license:true"] if query.open_access else []
    found += ["is-update:true"] if wanted <= NOTICES else []
    if wanted & _SEARCHED_AS_ARTICLES:
        wanted.add("journal-article")
    if query.exclude_preprints:
        wanted.discard("preprint")
    if not wanted:
        raise UnsupportedFilter("only preprints are wanted, and preprints are excluded")
    found += [f"doi:{name.removeprefix('doi:')}" for name in _required_dois(query) if "," not in name]
    return found + [f"type:{theirs}" for theirs, ours in TYPES.items() if ours in wanted]


def _required_dois(query: Query) -> Iterator[str]:
    """The DOIs that every hit must have."""
    for part in query.node.of if isinstance(query.node, All) else (query.node,):
        name = identifier_of(part) if isinstance(part, Tagged) else None
        if name and name.startswith("doi:"):
            yield name


def limitations(query: Query) -> list[str]:
    """Warnings about filters that Crossref applies in part."""
    unknown = sorted(_SEARCHED_AS_ARTICLES.intersection(query.publication_types))
    from_within_a_year = query.first_day and not is_first_of_january(query.first_day.isoformat())
    wildcards = truncated_words(query.node)
    plain_words = [leaf for leaf in _worded(query) if isinstance(leaf, Tagged)]
    left_out = [leaf for leaf in leaves(query.node) if isinstance(leaf, Tagged) and leaf.field in FILTER_FIELDS]
    warnings = {
        "does not support phrases, AND, OR, NOT: the wanted words were sent as plain ones": has_operators(query.node),
        f"has no wildcards: {' '.join(wildcards)[:60]} searched without them": wildcards,
        f"has no field for {_written(plain_words)}: searched as words": plain_words,
        f"has no field for {_written(left_out)}: left out": left_out,
        "takes any word of an author's or journal's name for a hit: the records are checked afterwards": query.journal
        or any(not _orcid(readings) for readings in query.people),
        "knows open access only where a Creative Commons licence is recorded": query.open_access,
        "dates papers of which it has only the year 1 January": from_within_a_year,
        f"has no type for {', '.join(unknown)}: journal articles were searched": unknown,
    }
    return [f"Crossref {text}" for text, applies in warnings.items() if applies]


def _written(terms: Iterable[Tagged]) -> str:
    return ", ".join(dict.fromkeys(term.written for term in terms))[:200]


def citation_words(citation: Citation) -> str:
    """Title, family names, journal and year; without a title the text as written, else volume and pages as well."""
    if citation.text and not citation.title:
        return _blank(citation.text)[:_MAX_CITATION_CHARS]
    authors = [author.family or author.name for text in citation.authors[:5] if (author := read_author(text))]
    location = [] if citation.title else [citation.volume, citation.pages]
    words = [citation.title, *authors, citation.journal, str(citation.year or ""), *location]
    return _blank(" ".join(filter(None, words)))[:_MAX_CITATION_CHARS]
