"""DBLP's query language (https://dblp.org/faq/1474589.html): words, of which all are required.

A word finds every word that begins with it, in titles, names, venues and years; with `$` at its end only itself. `|`
between words means any of them. There are no phrases, no exclusions (both are disabled since 2017: their signs do
nothing) and no parentheses, so that an expression is sent as the nearest one that finds at least the same records.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from shared.bibliography.text import fold
from shared.bibliography.typed_names import PersonName, read_person
from shared.errors import UnsupportedFilter
from shared.providers.written_terms import left_out_field
from shared.query.query import Query
from shared.query.syntax import All, AnyOf, Leaf, Node, Tagged, Words
from shared.query.telling_words import most_telling, telling_words
from shared.query.wildcards import is_truncated

MOST_WORDS = 10
WIDER_WORDS = 4
_MAX_CHARS = 800  # of words, of which a letter may be nine characters in a URL of 8 KB
_SHORT = 2  # letters of a word that begins too many others
_AS_WORDS = frozenset(("title", "title_abstract", "all_text", "keyword", "journal"))


@dataclass(slots=True)
class DblpQuery:
    """The words as they are sent, whether they mean the whole query, and what was left out."""

    words: tuple[str, ...]
    is_exact: bool = True
    warnings: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The value of `q`."""
        return " ".join(self.words)


def dblp_query(query: Query) -> DblpQuery:
    """The words of a query and of its authors' names. Raises UnsupportedFilter if there are none."""
    found = DblpQuery(())
    if query.understood.kind == "expression":
        words = list(_required(query.node, found))
    else:
        words = list(_terms(most_telling(query.telling, MOST_WORDS)))
    words += [word for readings in query.people for word in _names(readings)]
    found.words = tuple(dict.fromkeys(words))
    if not found.words:
        raise UnsupportedFilter("DBLP searches by words alone, and the query has none that it indexes")
    if len(found.text) > _MAX_CHARS:
        raise UnsupportedFilter("the expression is too long for DBLP's URLs: write fewer terms")
    return found


def wider_query(query: Query) -> DblpQuery | None:
    """The most telling words; None if they are not fewer, or if the query is an expression."""
    if query.understood.kind in ("none", "expression") or len(query.telling) <= WIDER_WORDS:
        return None
    names = [word for readings in query.people for word in _names(readings)]
    words = dict.fromkeys([*_terms(most_telling(query.telling, WIDER_WORDS)), *names])
    return DblpQuery(tuple(words)) if words else None


def _required(node: Node, found: DblpQuery) -> Iterator[str]:
    """What every record of a node has: words, and words joined by `|`."""
    match node:
        case All():
            found.is_exact = found.is_exact and not node.none_of
            for part in node.of:
                yield from _required(part, found)
        case AnyOf():
            alternatives = [list(_required(part, found)) for part in node.of]
            if all(alternatives):
                found.is_exact = found.is_exact and all(len(it) == 1 for it in alternatives)
                # Of several required words, one: what has all of them has it.
                yield "|".join(dict.fromkeys(max(it, key=len) for it in alternatives))
            else:
                found.is_exact = False
        case _:
            yield from _leaf(node, found)


def _leaf(leaf: Leaf, found: DblpQuery) -> Sequence[str]:
    if isinstance(leaf, Words):
        return list(_terms(telling_words(leaf.text)))
    found.is_exact = False
    if isinstance(leaf, Tagged) and leaf.field == "author":
        return _names(read_person(leaf.text))
    if isinstance(leaf, Tagged) and leaf.field not in _AS_WORDS:
        found.warnings.append(left_out_field("DBLP", leaf))
        return []
    return list(_terms(telling_words(leaf.text)))


def _terms(words: Iterable[str]) -> Iterator[str]:
    """The words that the index has: in lower case, without accents, divided at every sign; short ones as a whole."""
    for word in words:
        for part in fold(word).split():
            yield f"{part}$" if len(part) <= _SHORT and not is_truncated(word) else part


def _names(readings: Sequence[PersonName]) -> list[str]:
    """The family name: given names may be initials, and of several readings one word must be in all."""
    families = [set(_terms([person.family, person.given or ""])) for person in readings]
    common = set.intersection(*families) if families else set()
    first = list(_terms([readings[0].family])) if readings else []
    return first if len(readings) == 1 else [word for word in first if word in common]
