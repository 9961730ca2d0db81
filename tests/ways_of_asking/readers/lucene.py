"""Lucene's query language as far as OpenAlex and Europe PMC document it, strictly.

AND and OR beside each other without parentheses are wrong here: Lucene's classic parser gives them no clear meaning.
https://lucene.apache.org/core/9_0_0/queryparser/org/apache/lucene/queryparser/classic/package-summary.html
"""

from __future__ import annotations

import re
from collections.abc import Callable

from tests.ways_of_asking.expression import Malformed, Node, Or, Term, conjunction, has_text
from tests.ways_of_asking.readers.sent import Tokens, excluding

_TOKEN = re.compile(r'[A-Za-z_]+:\[[^\]]*\]|[A-Za-z_]+:(?=["(])|"[^"]*"(?:~\d+)?|[()]|(?:\\.|[^\s()"\\])+|["\\]')
_ESCAPED = re.compile(r"\\(.)")
_OPERATORS = ("AND", "OR", "NOT")
_SPECIAL = re.compile(r"[{}\[\]^!]|^[+-]|&&|\|\||~(?!\d?$)")


def parse(text: str, is_field: Callable[[str], bool]) -> Node:
    """Parse an expression; `is_field` knows the names that may stand before a colon. Raises Malformed."""
    found = Tokens(_TOKEN.findall(text))
    tree = _expression(found, "", is_field)
    if found:
        raise Malformed(f"{found.next!r} closes nothing")
    return tree


def _expression(found: Tokens, field: str, is_field: Callable[[str], bool]) -> Node:
    wanted = [_operand(found, field, is_field)]
    unwanted: list[Node] = []
    used: set[str] = set()
    while found and found.next != ")":
        operator = found.take() if found.next in _OPERATORS else "AND"
        if operator == "AND" and found.next == "NOT":
            operator = found.take()
        used.add("AND" if operator == "NOT" else operator)
        (unwanted if operator == "NOT" else wanted).append(_operand(found, field, is_field))
    if len(used) > 1:
        raise Malformed("AND and OR stand beside each other without parentheses")
    left = Or(tuple(wanted)) if "OR" in used else conjunction(wanted)
    for part in unwanted:
        left = excluding(left, part)
    return left


def _operand(found: Tokens, field: str, is_field: Callable[[str], bool]) -> Node:
    token = found.take()
    if token == "(":
        tree = _expression(found, field, is_field)
        found.require(")")
        return tree
    if token in (*_OPERATORS, ")", '"', "\\"):
        raise Malformed(f"{token!r} stands where a term is needed")
    name, colon, value = token.partition(":")
    if colon and is_field(name):
        if not value:
            return _operand(found, name, is_field)
        if value.startswith("["):
            return Term(value, name)
        return _word(value, name)
    if token.startswith('"'):
        if not has_text(token):
            raise Malformed("a phrase without a word")
        return Term(token.partition('"~')[0].strip('"'), field, phrase=True)
    return _word(token, field)


def _word(word: str, field: str) -> Term:
    bare = _ESCAPED.sub("", word)
    if sign := _SPECIAL.search(bare):
        raise Malformed(f"{sign[0]!r} in {word!r} is an operator")
    if re.search(r":", bare):
        raise Malformed(f"{word!r} names no field of the source")
    if not has_text(_ESCAPED.sub(r"\1", word)):
        raise Malformed(f"{word!r} has no letter or digit")
    return Term(_ESCAPED.sub(r"\1", word), field)


def has_operators(text: str) -> bool:
    """Whether a text is an expression at all: an operator in capitals, or a quoted phrase."""
    return '"' in text or any(word.strip("()") in _OPERATORS for word in text.split())
