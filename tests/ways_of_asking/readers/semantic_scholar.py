"""Semantic Scholar's searches (https://api.semanticscholar.org/api-docs/graph).

`/paper/search` takes words alone, effectively all of them required, and a word with a hyphen matches nothing there.
`/paper/search/bulk` has an expression: `+` and, `|` or, `-` not, "phrase", prefix*, parentheses; terms beside each
other are joined by AND, and operators are read from left to right.
"""

from __future__ import annotations

import re

from infra.local.sandbox.server import RecordedRequest
from tests.ways_of_asking.expression import And, Malformed, Node, Not, Or, Term, has_text
from tests.ways_of_asking.readers.sent import Sent, Tokens, all_words, parameters, whole

_TOKEN = re.compile(r'"[^"]*"(?:~\d+)?|[()|]|[+-](?=[\w"(])|[^\s()|"]+|"')


def read(request: RecordedRequest) -> Sent:
    """Read a request to the graph's API."""
    sent = parameters(request)
    path = request.path.removeprefix("/graph/v1")
    text = sent.get("query", "")
    if path == "/paper/search/match":
        return Sent("semantic_scholar", "title", f"match: {text}", whole(request), all_words(text))
    if path.startswith("/author/") and path.endswith("/papers"):
        return Sent("semantic_scholar", "search", f"papers of {path[1:].removesuffix('/papers')}", whole(request))
    if path.startswith("/author"):
        return Sent("semantic_scholar", "names", f"{path[1:]} {text}".strip(), whole(request))
    if path == "/snippet/search":
        return Sent("semantic_scholar", "meaning", f"snippets: {text}", whole(request))
    if path not in ("/paper/search", "/paper/search/bulk"):
        return Sent("semantic_scholar", "lookup", request.body or path, whole(request))
    shown = f"bulk: {text}" if path.endswith("bulk") else text
    try:
        tree = parse(text) if path.endswith("bulk") else _words(text)
    except Malformed as error:
        return Sent("semantic_scholar", "search", shown, whole(request), wrong=str(error))
    return Sent("semantic_scholar", "search", shown, whole(request), tree)


def _words(text: str) -> Node:
    if found := re.search(r"\w+-\w+", text):
        raise Malformed(f"{found[0]!r}: a word with a hyphen matches nothing")
    tree = all_words(text)
    if tree is None:
        raise Malformed("nothing to search for")
    return tree


def parse(text: str) -> Node:
    """Parse the expression of a bulk search. Raises Malformed."""
    found = Tokens(_TOKEN.findall(text))
    tree = _expression(found)
    if found:
        raise Malformed(f"{found.next!r} closes nothing")
    return tree


def _expression(found: Tokens) -> Node:
    left = _operand(found)
    while found and found.next != ")":
        if found.next == "|":
            found.take()
            left = Or((left, _operand(found)))
        else:
            left = And((left, _operand(found)))
    return left


def _operand(found: Tokens) -> Node:
    token = found.take()
    if token == "+":
        return _operand(found)
    if token == "-":
        return Not(_operand(found))
    if token == "(":
        tree = _expression(found)
        found.require(")")
        return tree
    if token in ("|", ")", '"') or not has_text(token):
        raise Malformed(f"{token!r} stands where a term is needed")
    if token.startswith('"'):
        return Term(token.partition('"~')[0].strip('"'), phrase=True)
    if token in ("AND", "OR", "NOT"):
        raise Malformed(f"{token} is a word in a bulk search")
    return Term(token)
