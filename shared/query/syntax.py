"""The query language: words, "phrases", AND OR NOT and parentheses, parsed to a tree that each provider renders.

Grammar (operators in capitals; consecutive words are one leaf, adjacent items are joined by AND):

    any  = all {"OR" all}
    all  = item {["AND"] item | ("AND NOT" | "NOT") item}
    item = words | '"' phrase '"' | "(" any ")"

The parser and all that walks its tree are recursive, so parentheses are nested MAX_DEPTH deep at most.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import accumulate

from shared.bibliography.text import fold
from shared.errors import Unprocessable


@dataclass(frozen=True, slots=True)
class Words:
    """Free words: the provider decides how they match."""

    text: str


@dataclass(frozen=True, slots=True)
class Phrase:
    """Words that stand together in this order."""

    text: str


@dataclass(frozen=True, slots=True)
class All:
    """Every one of `of`, and none of `none_of`."""

    of: tuple[Node, ...]
    none_of: tuple[Node, ...] = ()


@dataclass(frozen=True, slots=True)
class AnyOf:
    """At least one of `of`."""

    of: tuple[Node, ...]


Node = Words | Phrase | All | AnyOf

_QUOTES = str.maketrans({"“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "‘": "'", "’": "'"})
_TOKEN = re.compile(r'"([^"]*)"|([()])|([^\s()"]+)')
_OPERATORS = ("AND", "OR", "NOT")
MAX_DEPTH = 50  # of the parentheses that a caller writes
# `render` writes at most two for each of these (`a OR b (…)` -> `a OR (b AND (…))`), and a few around the whole.
RENDERED_DEPTH = 3 * MAX_DEPTH


def tidy(text: str) -> str:
    """NFKC, straight quotes, single spaces: the text as it is sent upstream."""
    return " ".join(unicodedata.normalize("NFKC", text).translate(_QUOTES).split())


def normalise(text: str) -> str:
    """The form in which two spellings of one query are equal: tidy, case-folded except the operators."""
    parts = re.split(r'("[^"]*"|\s+|[()])', tidy(text))
    return "".join(part if part in _OPERATORS else part.casefold() for part in parts)


def parse(text: str, *, max_depth: int = RENDERED_DEPTH) -> Node:
    """Parse a query. Raises Unprocessable with what is wrong and how to correct it."""
    text = tidy(text)
    if text.count('"') % 2:
        raise _wrong('a quotation mark is not closed; write "…" around a phrase or leave the mark out')
    tokens = _tokens(text)
    if _depth(tokens) > max_depth:
        raise _wrong(f"parentheses are nested more than {max_depth} deep; write fewer of them")
    node, rest = _any(tokens)
    if rest:
        raise _wrong("a closing parenthesis has no opening one")
    if not fold("".join(leaf.text for leaf in leaves(node))):
        raise _wrong("the query holds no letter or digit to search for")
    return node


def _wrong(message: str) -> Unprocessable:
    return Unprocessable.field("query", message)


def _tokens(text: str) -> list[str | Phrase]:
    return [
        Phrase(phrase.strip()) if mark is None and word is None else (mark or word)
        for phrase, mark, word in ((m[1], m[2], m[3]) for m in _TOKEN.finditer(text))
        if mark or word or phrase.strip()
    ]


def _depth(tokens: list[str | Phrase]) -> int:
    """The most parentheses that are open at once."""
    return max(accumulate({"(": 1, ")": -1}.get(str(it), 0) for it in tokens), default=0)


def _any(tokens: list[str | Phrase]) -> tuple[Node, list[str | Phrase]]:
    node, tokens = _all(tokens)
    found = [node]
    while tokens and tokens[0] == "OR":
        node, tokens = _all(tokens[1:])
        found.append(node)
    return (found[0] if len(found) == 1 else AnyOf(tuple(found))), tokens


def _all(tokens: list[str | Phrase]) -> tuple[Node, list[str | Phrase]]:
    wanted: list[Node] = []
    excluded: list[Node] = []
    while tokens and tokens[0] not in ("OR", ")"):
        if tokens[0] == "AND":
            if not wanted and not excluded:
                raise _wrong("AND needs a term on both sides")
            tokens = tokens[1:]
            if not tokens or tokens[0] in ("AND", "OR", ")"):
                raise _wrong("AND needs a term on both sides")
        into = wanted
        if tokens[0] == "NOT":
            into, tokens = excluded, tokens[1:]
        node, tokens = _item(tokens)
        into.append(node)
    if not wanted:
        raise _wrong("OR, NOT and parentheses need a positive term: write `term NOT unwanted`, `one OR other`")
    return (wanted[0] if len(wanted) == 1 and not excluded else All(tuple(wanted), tuple(excluded))), tokens


def _item(tokens: list[str | Phrase]) -> tuple[Node, list[str | Phrase]]:
    if not tokens or tokens[0] in (*_OPERATORS, ")"):
        raise _wrong("an operator needs a term after it")
    first = tokens[0]
    if isinstance(first, Phrase):
        return first, tokens[1:]
    if first == "(":
        node, rest = _any(tokens[1:])
        if not rest:
            raise _wrong("a parenthesis is not closed")
        return node, rest[1:]
    words: list[str] = []
    while tokens and isinstance(tokens[0], str) and tokens[0] not in (*_OPERATORS, "(", ")"):
        words.append(tokens[0])
        tokens = tokens[1:]
    return Words(" ".join(words)), tokens


def leaves(node: Node, *, excluded: bool = False) -> Iterator[Words | Phrase]:
    """The words and phrases that are wanted; with `excluded`, those under a NOT instead."""
    if isinstance(node, Words | Phrase):
        if not excluded:
            yield node
        return
    for part in node.of:
        yield from leaves(part, excluded=excluded)
    if excluded and isinstance(node, All):
        for part in node.none_of:
            yield from leaves(part)


def plain(node: Node) -> str:
    """The wanted words in order, for an API without operators."""
    return " ".join(leaf.text for leaf in leaves(node))


def has_operators(node: Node) -> bool:
    """Whether the query is more than free words."""
    return not isinstance(node, Words)


def render(
    node: Node,
    *,
    words: Callable[[str], str],
    phrase: Callable[[str], str],
    and_: str = " AND ",
    or_: str = " OR ",
    not_: str = " NOT ",
) -> str:
    """The tree in an API's own syntax: leaves by the two functions, joined by the three operators."""

    def write(part: Node, nested: bool) -> str:
        if isinstance(part, Words):
            return words(part.text)
        if isinstance(part, Phrase):
            return phrase(part.text)
        joiner = and_ if isinstance(part, All) else or_
        text = joiner.join(write(child, True) for child in part.of)
        if isinstance(part, All):
            text += "".join(not_ + write(child, True) for child in part.none_of)
        return f"({text})" if nested else text

    return write(node, False)
