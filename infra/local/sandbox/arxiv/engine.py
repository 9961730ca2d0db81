"""How arXiv reads a query: it first rewrites what callers type to its own grammar, and then parses that.

    query = expression
    expression = term | "(" expression ")" | "ANDNOT" expression | expression ("AND" | "OR" | "ANDNOT") expression
    term = field ":" (word | '"' phrase '"')

The operators have one precedence and associate to the right: `a ANDNOT b ANDNOT c` is `a ANDNOT (b ANDNOT c)`.
Facts: `search/domain/classic_api/{classic_search_query,query_parser}.py` and
`search/services/index/classic_api/query_builder.py` of github.com/arXiv/arxiv-search (July 2026), and its tests.
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

from infra.local.sandbox.arxiv.index import BrokenQuery, Document, check, matches

FIELDS = ("submittedDate", "all", "abs", "au", "cat", "co", "doi", "id", "jr", "rn", "ti")
_OPERATORS = ("ANDNOT", "AND", "NOT", "OR")
_PREFIXES = tuple(f"{name}:" for name in (*FIELDS, "lastUpdatedDate", "title"))
_TOKEN = re.compile(
    rf'"[^"]*"|[()]|\b(?:{"|".join(_OPERATORS)})\b(?=[()\s]|$)|{"|".join(_PREFIXES)}|[^"()\s]+'
)  # a quotation mark that is not closed is skipped
_DATES = re.compile(r"submittedDate:\[([\d-]{4,14}) TO ([\d-]{4,14})\]")


class InvalidQuery(Exception):
    """A query that the grammar does not have: HTTP 400."""


@dataclass(frozen=True, slots=True)
class Term:
    """A value in a field; an empty value is in every record."""

    field: str
    value: str


@dataclass(frozen=True, slots=True)
class Not:
    """ANDNOT without a left side."""

    of: Node


@dataclass(frozen=True, slots=True)
class Pair:
    """Two expressions and the operator between them."""

    operator: str
    left: Node
    right: Node


Node = Term | Not | Pair


def rewrite(query: str) -> str:
    """Return the query as the server reads it and shows it in the feed's title; nothing may be left of it."""
    query = query.replace("\r", " ").replace("\n", " ").replace("lastUpdatedDate:", "submittedDate:")
    query = _DATES.sub(lambda dates: f'submittedDate:"{_minute(dates[1])} TO {_minute(dates[2], last=True)}"', query)
    words = _with_all(_with_inner_fields(_with_andnot(_TOKEN.findall(query))))
    words = _with_underscores_as_blanks(_with_or(_with_last_operators(words)))
    words = ["ti:" if word == "title:" else word for word in words]
    words = [word for word, after in pairwise([*words, ""]) if not _is_field(word) or _is_text(after)]
    return _joined(words)


def _is_field(word: str) -> bool:
    return word in _PREFIXES


def _is_text(word: str) -> bool:
    return bool(word) and not _is_field(word) and word not in (*_OPERATORS, "(", ")")


def _minute(day: str, *, last: bool = False) -> str:
    """Fill in a date: `2020` is its first minute, or its last one."""
    if not day.isdigit():
        return day
    day = day[:12]
    if len(day) == 6:
        month = int(day[4:])
        days = calendar.monthrange(int(day[:4]), month)[1] if 1 <= month <= 12 and int(day[:4]) else None
        day += "01" if not last else f"{days}" if days else ""
    if len(day) == 4:
        day += "1231" if last else "0101"
    return day + ("2359" if last else "0000") if len(day) == 8 else day


def _with_andnot(words: list[str]) -> list[str]:
    """`NOT` and `AND NOT` are `ANDNOT`."""
    found: list[str] = []
    for word in words:
        if word == "NOT" and found and found[-1] == "AND":
            found.pop()
        found.append("ANDNOT" if word == "NOT" else word)
    return found


def _with_inner_fields(words: list[str]) -> list[str]:
    """`ti:(a b)` is `(ti:a ti:b)`; the outermost field counts."""
    found: list[str] = []
    field, after_field, depth = "", False, 0
    for word in words:
        if depth:
            depth += (word == "(") - (word == ")")
            if _is_text(word) and not _is_field(found[-1]):
                found.append(field)
        elif after_field and word == "(":
            found.pop()
            after_field, depth = False, 1
        else:
            after_field = _is_field(word) and not after_field
            field = word
        found.append(word)
    return found


def _with_all(words: list[str]) -> list[str]:
    """A text without a field is looked for in all fields."""
    found: list[str] = []
    for word in words:
        if _is_text(word) and not (found and _is_field(found[-1])):
            found.append("all:")
        found.append(word)
    return found


def _with_last_operators(words: list[str]) -> list[str]:
    """Of several operators in a row, the last one counts."""
    return [word for word, after in pairwise([*words, ""]) if word not in _OPERATORS or after not in _OPERATORS]


def _with_or(words: list[str]) -> list[str]:
    """Terms without an operator between them are joined by OR."""
    found: list[str] = []
    for word in words:
        before = found[-1] if found else "("
        ended = before == ")" or _is_text(before)
        if (_is_field(before) and _is_field(word)) or (ended and (_is_field(word) or word == "(" or _is_text(word))):
            found.append("OR")
        found.append(word)
    return found


def _with_underscores_as_blanks(words: list[str]) -> list[str]:
    """`au:del_maestro` is `au:"del maestro"`: the server looks at the query's first term for it, wherever `au:` is."""
    if len(words) < 2 or "_" not in words[1]:
        return words
    second = words[1].replace("_", " ")
    second = second if '"' in second else f'"{second}"'
    found = list(words)
    for place in range(1, len(words)):
        if words[place - 1] == "au:" and _is_text(words[place]) and "_" in found[1]:
            found[place] = second
    return found


def _joined(words: list[str]) -> str:
    text = ""
    before = ""
    for word in words:
        tight = not before or (before == "(" and _is_field(word)) or (_is_text(before) and word == ")")
        text += word if tight or (_is_field(before) and _is_text(word)) else f" {word}"
        before = word
    return text.strip()


def parse(query: str) -> Node:
    """Parse a rewritten query. Raises InvalidQuery if the grammar does not have it, BrokenQuery if the index fails."""
    words = _TOKEN.findall(query)
    node, rest = _expression(words)
    if rest:
        raise InvalidQuery(query)
    return node


def _expression(words: list[str]) -> tuple[Node, list[str]]:
    if not words:
        raise InvalidQuery("an operand is missing")
    node, words = _operand(words)
    chain: list[tuple[Node, str]] = []
    while words and words[0] in _OPERATORS:
        chain.append((node, words[0]))
        node, words = _operand(words[1:])
    for left, operator in reversed(chain):
        node = Pair(operator, left, node)
    return node, words


def _operand(words: list[str]) -> tuple[Node, list[str]]:
    match words:
        case ["ANDNOT", *rest]:
            node, rest = _expression(rest)
            if not isinstance(node, Term):
                raise BrokenQuery("the server negates a single term only")
            return Not(node), rest
        case ["(", *rest]:
            node, rest = _expression(rest)
            if rest[:1] != [")"]:
                raise InvalidQuery("a parenthesis is not closed")
            return node, rest[1:]
        case [field, value, *rest] if _is_field(field) and _is_text(value) and not value.endswith('\\"'):
            text = value.strip('"').strip() if value.startswith('"') else value
            term = Term(field[:-1], f'"{text}"' if value.startswith('"') and text else text)
            if text:
                check(term.field, term.value)
            return term, rest
    raise InvalidQuery("an operand is missing")


def reader(query: str) -> Callable[[Document], bool]:
    """Return what tests a record with a rewritten query. Raises InvalidQuery or BrokenQuery."""
    node = parse(query)
    return lambda document: _test(node, document)


def _test(node: Node, document: Document) -> bool:
    match node:
        case Term(field, value):
            return not value or matches(field, value, document)
        case Not(of):
            return not _test(of, document)
        case Pair("AND", left, right):
            return _test(left, document) and _test(right, document)
        case Pair("OR", left, right):
            return _test(left, document) or _test(right, document)
        case Pair(_, left, right):
            return _test(left, document) and not _test(right, document)
