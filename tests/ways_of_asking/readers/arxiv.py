"""arXiv's query language (https://info.arxiv.org/help/api/user-manual.html#query_details).

The operators AND, OR and ANDNOT have one precedence and associate to the right, as in the grammar of the server
(github.com/arXiv/arxiv-search, search/domain/classic_api). Terms without an operator between them are joined by OR
there, which no caller means, so that they count as wrong here. A stop word alone is in no indexed text.
"""

from __future__ import annotations

import re

from infra.local.sandbox.server import RecordedRequest
from tests.ways_of_asking.expression import And, Malformed, Node, Or, Term, has_text
from tests.ways_of_asking.readers.sent import Sent, Tokens, excluding, listed, parameters, whole, without_filters

FIELDS = ("ti", "abs", "au", "co", "jr", "cat", "rn", "id", "all", "submittedDate")
FILTERS = frozenset(("au", "cat", "jr", "co", "rn", "id", "submittedDate"))
# Lucene's English stop words, which the fields' analyser removes.
STOP_WORDS = listed(
    "a an and are as at be but by for if in into is it no not of on or such that the their then there these "
    "they this to was will with"
)
_TOKEN = re.compile(rf'(?:{"|".join(FIELDS)}):(?:\[[^\]]*\]|"[^"]*"|[^\s()"]+)?|"[^"]*"|[()]|[^\s()"]+|"')
_OPERATORS = ("AND", "OR", "ANDNOT")


def read(request: RecordedRequest) -> Sent:
    """Read a request to `/api/query`."""
    sent = parameters(request)
    if "search_query" not in sent:
        return Sent("arxiv", "lookup", sent.get("id_list", ""), whole(request))
    text = sent["search_query"]
    try:
        tree = parse(text)
    except Malformed as error:
        return Sent("arxiv", "search", text, whole(request), wrong=str(error))
    return Sent("arxiv", "search", text, whole(request), without_filters(tree, FILTERS))


def parse(text: str) -> Node:
    """Parse a `search_query`. Raises Malformed."""
    found = Tokens(_TOKEN.findall(text))
    tree = _expression(found)
    if found:
        raise Malformed(f"no operator before {found.next!r}")
    return tree


def _expression(found: Tokens) -> Node:
    left = _operand(found)
    if found.next not in _OPERATORS:
        return left
    operator = found.take()
    right = _expression(found)
    if operator == "ANDNOT":
        return excluding(left, right)
    return And((left, right)) if operator == "AND" else Or((left, right))


def _operand(found: Tokens) -> Node:
    token = found.take()
    if token == "(":
        tree = _expression(found)
        found.require(")")
        return tree
    field, colon, value = token.partition(":")
    if token in (*_OPERATORS, ")", '"', "NOT") or not colon or field not in FIELDS:
        raise Malformed(f"{token!r} is not a term with a field")
    phrase = value.startswith('"')
    words = value.strip('"').replace("_", " ") if field == "au" else value.strip('"')
    if not has_text(words):
        raise Malformed(f"{token!r} has no text")
    if field in ("ti", "abs", "all") and STOP_WORDS.issuperset(words.casefold().split()):
        raise Malformed(f"{token!r} is a stop word, which is in no paper")
    return Term(words, field, phrase or "_" in value)
