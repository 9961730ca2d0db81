"""CORE's query syntax: AND, OR, parentheses, "phrases" and `field:"value"`, over records and full texts.

Syntax: https://api.core.ac.uk/docs/v3 (How to search). Exclusions are not part of what it documents, so they are not
sent, and neither are wildcards. A field's value stands in quotation marks, which make it a phrase: `title:X` and
`authors.name:X` without them find nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from shared.bibliography.typed_names import PersonName, read_person
from shared.providers.written_terms import grouped, nothing_to_search_for
from shared.query.field_tags import Field
from shared.query.query import Query
from shared.query.syntax import OPERATORS, All, AnyOf, Node, Phrase, Tagged, is_truncated_phrase, render
from shared.query.tagged_dates import read_date_range
from shared.query.telling_words import most_telling, telling_words
from shared.query.wildcards import whole_words

MOST_WORDS = 12
_SIGNS = re.compile(r"[^\w.'’-]+")
_FIELDS: dict[Field, tuple[str, ...]] = {
    "title": ("title",), "abstract": ("abstract",), "title_abstract": ("title", "abstract"),
}  # fmt: skip


def query_text(query: Query) -> str | None:
    """The telling words, all of them required, or the expression; None if only filters say what to search for.

    Raises UnsupportedFilter if CORE has none of the query's field tags, or if nothing but wildcards is wanted.
    """
    if query.understood.kind == "none":
        return None
    if query.understood.kind == "expression":
        return render(All((_without_exclusions(query.node),)), words=_words, phrase=_phrase, tagged=_tagged)
    if (text := _joined(most_telling(whole_words(query.telling), MOST_WORDS))) is None:
        raise nothing_to_search_for("CORE", query)
    return text


def _without_exclusions(node: Node) -> Node:
    if isinstance(node, All):
        return All(tuple(map(_without_exclusions, node.of)))
    return AnyOf(tuple(map(_without_exclusions, node.of))) if isinstance(node, AnyOf) else node


def _words(text: str) -> str | None:
    return _joined(whole_words(telling_words(text)))


def _phrase(text: str) -> str | None:
    """A phrase; of one with a wildcard its other words."""
    return _words(text) if is_truncated_phrase(Phrase(text)) else quoted(text)


def _joined(words: Iterable[str]) -> str | None:
    """The words, each required; a word with a sign within is a phrase."""
    terms = (f'"{part}"' if part in OPERATORS or "-" in part else part for part in _parts(words))
    return grouped("AND", terms) or None


def _parts(words: Iterable[str]) -> Iterator[str]:
    parts = (part.strip(".'’-") for word in words for part in _SIGNS.sub(" ", word).split())
    return (part for part in parts if part)


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
        is_whole = leaf.phrase and not is_truncated_phrase(leaf)
        texts = [leaf.text] if is_whole else _parts(whole_words(telling_words(leaf.text)))
        values = list(filter(None, map(quoted, texts)))
        either = (grouped("OR", (f"{name}:{it}" for name in _FIELDS[leaf.field])) for it in values)
        return grouped("AND", filter(None, either)) or None
    return _words(leaf.text) if leaf.field in ("all_text", "keyword", "mesh") else None


def author_clause(people: Sequence[PersonName]) -> str | None:
    """The family name of any reading of a name; CORE writes authors as `Family, Given`."""
    names = dict.fromkeys(person.family for person in people)
    return grouped("OR", (f"authors.name:{name}" for it in names if (name := quoted(it)))) or None
