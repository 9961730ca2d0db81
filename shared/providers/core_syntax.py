"""CORE's query syntax: AND, OR, parentheses, "phrases" and `field:"value"`, over records and full texts.

Syntax: https://api.core.ac.uk/docs/v3 (How to search). Exclusions are not part of what it documents, so they are not
sent. A field's value stands in quotation marks: `authors.name:X` without them finds nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from shared.bibliography.typed_names import PersonName, read_person
from shared.query.field_tags import Field
from shared.query.query import Query
from shared.query.syntax import All, AnyOf, Node, Tagged, render
from shared.query.tagged_dates import read_date_range
from shared.query.telling_words import most_telling, telling_words

MOST_WORDS = 12
_OPERATORS = ("AND", "OR", "NOT")
_SIGNS = re.compile(r"[^\w.'’-]+")
_FIELDS: dict[Field, tuple[str, ...]] = {
    "title": ("title",), "abstract": ("abstract",), "title_abstract": ("title", "abstract"),
}  # fmt: skip


def query_text(query: Query) -> str | None:
    """The telling words, all of them required, or the expression; None if only filters say what to search for.

    Raises UnsupportedFilter if CORE has none of the query's field tags.
    """
    if query.understood.kind == "none":
        return None
    if query.understood.kind == "expression":
        return render(All((_without_exclusions(query.node),)), words=_words, phrase=quoted, tagged=_tagged)
    return _joined(most_telling(query.telling, MOST_WORDS))


def _without_exclusions(node: Node) -> Node:
    if isinstance(node, All):
        return All(tuple(map(_without_exclusions, node.of)))
    return AnyOf(tuple(map(_without_exclusions, node.of))) if isinstance(node, AnyOf) else node


def _words(text: str) -> str | None:
    return _joined(telling_words(text))


def _joined(words: Iterable[str]) -> str | None:
    """The words, each required; a word with a sign within is a phrase."""
    parts = [part.strip(".'’-") for word in words for part in _SIGNS.sub(" ", word).split()]
    terms = [f'"{part}"' if part in _OPERATORS or "-" in part else part for part in parts if part]
    return f"({' AND '.join(terms)})" if len(terms) > 1 else terms[0] if terms else None


def quoted(text: str) -> str | None:
    """A phrase: without what ends one."""
    words = " ".join(text.translate(str.maketrans('"\\', "  ")).split())
    return f'"{words}"' if words else None


def _tagged(leaf: Tagged) -> str | None:
    """The term in CORE's own field; None if it has no such field."""
    if leaf.field == "author":
        return author_clause(read_person(leaf.text))
    if leaf.field == "date":
        days = read_date_range(leaf.text)
        return f"(yearPublished>={days[0].year} AND yearPublished<={days[1].year})" if days else None
    if leaf.field in _FIELDS:
        fields = [f"{name}:{quoted(leaf.text)}" for name in _FIELDS[leaf.field]]
        return f"({' OR '.join(fields)})" if len(fields) > 1 else fields[0]
    return _words(leaf.text) if leaf.field in ("all_text", "keyword", "mesh") else None


def author_clause(people: Sequence[PersonName]) -> str | None:
    """The family name of any reading of a name; CORE writes authors as `Family, Given`."""
    names = dict.fromkeys(person.family for person in people)
    clauses = [f"authors.name:{name}" for it in names if (name := quoted(it))]
    return f"({' OR '.join(clauses)})" if len(clauses) > 1 else clauses[0] if clauses else None
