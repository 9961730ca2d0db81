"""ClinicalTrials.gov's query syntax, Essie's expressions, in `query.term` and `filter.advanced`.

Syntax: https://clinicaltrials.gov/find-studies/constructing-complex-search-queries. Words beside one another are one
term, which also finds synonyms; all of them must occur, and studies that have them as a phrase come first. `,` is AND.
Operators are written in capitals, and are words behind a backslash. A square bracket outside them is refused with
HTTP 400. A term with a field is `AREA[Piece]term`; the pieces are those of the study's data structure. There are no
wildcards: the lexicon finds inflected words and synonyms instead.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import date

from shared.bibliography.paper_ids import read_id, scheme_of, value_of
from shared.bibliography.typed_names import PersonName, read_person
from shared.providers.written_terms import grouped, left_out_field, nothing_to_search_for
from shared.query.field_tags import Field
from shared.query.query import Query
from shared.query.syntax import All, Phrase, Tagged, is_truncated_phrase, leaves, render
from shared.query.tagged_dates import read_date_range
from shared.query.telling_words import most_telling, telling_words
from shared.query.wildcards import left_out_wildcards, whole_words

TITLE = "ClinicalTrials.gov"
MOST_WORDS = 12
WIDER_WORDS = 4
_OPERATORS = frozenset(
    ("AND", "OR", "NOT", "AREA", "SEARCH", "RANGE", "DISTANCE", "MISSING", "ALL", "MIN", "MAX", "TILT", "COVER",
     "COVERAGE", "EXPANSION")
)  # fmt: skip
_NO_LETTERS = re.compile(r"[^\w'’./+%-]+")
_EDGES = "'’./+%-"
# The pieces that a tagged term is looked for in.
_PIECES: dict[Field, tuple[str, ...]] = {
    "title": ("BriefTitle", "OfficialTitle", "Acronym"),
    "abstract": ("BriefSummary",),
    "mesh": ("ConditionMeshTerm", "InterventionMeshTerm"),
    "keyword": ("Keyword",),
}
_INVESTIGATORS = ("OverallOfficialName", "ResponsiblePartyInvestigatorFullName")
_SPONSOR = "LeadSponsorName"


def strict_terms(query: Query) -> str | None:
    """The telling words, or the expression; None if only filters say what to search for.

    Raises UnsupportedFilter if the registry has none of the query's field tags, or if nothing but wildcards is wanted.
    """
    if query.understood.kind == "none":
        return None
    if query.understood.kind == "expression":
        return _expression(query)
    if (terms := _term(most_telling(whole_words(query.telling), MOST_WORDS))) is None:
        raise nothing_to_search_for(TITLE, query)
    return terms


def wider_terms(query: Query) -> str | None:
    """The most telling words; None if that is not wider."""
    if query.sort != "relevance" or query.understood.kind in ("none", "expression"):
        return None
    wider = _term(most_telling(whole_words(query.telling), WIDER_WORDS))
    return None if wider == strict_terms(query) else wider


def _expression(query: Query) -> str:
    return render(
        All((query.node,)),
        words=_words,
        phrase=lambda text: _words(text) if is_truncated_phrase(Phrase(text)) else _quoted(text),
        tagged=_tagged,
    )


def limitations(query: Query) -> list[str]:
    """Warnings about field tags without an equal, and about wildcards."""
    found = [*leaves(query.node), *leaves(query.node, excluded=True)]
    tags = [leaf for leaf in found if isinstance(leaf, Tagged) and _tagged(leaf) is None]
    unknown = [left_out_field(TITLE, leaf) for leaf in tags if whole_words(leaf.text.split())]
    return [*unknown, *left_out_wildcards(TITLE, query.node)]


def _words(text: str) -> str | None:
    return _term(whole_words(telling_words(text)))


def _term(words: Iterable[str]) -> str | None:
    """The words as one term; None if no letter or digit is left."""
    cleaned = (part.strip(_EDGES) for word in words for part in _NO_LETTERS.sub(" ", word).split())
    return " ".join(f"\\{word}" if word in _OPERATORS else word for word in cleaned if word) or None


def _quoted(text: str) -> str | None:
    """A phrase, in which operators are words."""
    words = " ".join(_NO_LETTERS.sub(" ", text).split()).strip(_EDGES)
    return f'"{words}"' if words else None


def _tagged(leaf: Tagged) -> str | None:
    """The term in the registry's own pieces; None if it has no such piece."""
    if leaf.field == "id":
        name = read_id(leaf.text)
        return f"AREA[NCTId]{value_of(name)}" if name and scheme_of(name) == "nct" else None
    if leaf.field == "date":
        days = read_date_range(leaf.text)
        return posted(*days) if days else None
    if leaf.field == "author":
        return author_clause(read_person(leaf.text))
    is_whole = (leaf.phrase or leaf.field == "mesh") and "*" not in leaf.text
    term = _quoted(leaf.text) if is_whole else _words(leaf.text)
    if leaf.field in _PIECES:
        return term and grouped("OR", (f"AREA[{piece}]{_in_parentheses(term)}" for piece in _PIECES[leaf.field]))
    return term if leaf.field in ("title_abstract", "all_text") else None


def _in_parentheses(term: str) -> str:
    return f"({term})" if " " in term and not term.startswith('"') else term


def posted(first: date | None, last: date | None) -> str:
    """The studies that were first posted in a range of days."""
    return f"AREA[StudyFirstPostDate]RANGE[{first or 'MIN'},{last or 'MAX'}]"


def author_clause(people: Sequence[PersonName]) -> str | None:
    """Any reading of a name: a person's family name among the investigators, or a group's among the sponsors."""
    clauses = [
        f"AREA[{piece}]{name}"
        for person in people
        if (name := _quoted(person.family))
        for piece in ((_SPONSOR,) if person.of_group else (*_INVESTIGATORS, _SPONSOR))
    ]
    return grouped("OR", clauses) or None


def filter_clauses(query: Query) -> Iterator[str]:
    """The clause of each filter that the registry applies."""
    if query.first_day or query.last_day:
        yield posted(query.first_day, query.last_day)
    yield from filter(None, map(author_clause, query.people))
