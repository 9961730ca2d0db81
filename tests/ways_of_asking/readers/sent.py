"""What a request upstream is for, read from its HTTP form alone; the form that every reader of a source returns."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal
from urllib.parse import parse_qsl, unquote_plus

from infra.local.sandbox.server import RecordedRequest
from tests.ways_of_asking.expression import And, Malformed, Node, Not, Term, conjunction, terms

# `title`: a request for the paper of a title; `meaning`: by similarity of meaning; `names`: for the ids of persons or
# journals; `records`: for the papers that an earlier request found.
Use = Literal["search", "title", "meaning", "lookup", "names", "records", "spelling"]


@dataclass(frozen=True, slots=True)
class Sent:
    """One request: its use, its essence as text, what it means, and the whole of it with nothing escaped.

    `tree` is None where no expression is sent. `wrong` says what the source's grammar has against it.
    """

    source: str
    use: Use
    text: str
    whole: str
    tree: Node | None = None
    wrong: str | None = None


def parameters(request: RecordedRequest) -> dict[str, str]:
    """The parameters of the address and of a form, decoded."""
    form = request.body if "{" not in request.body[:1] else ""
    return dict(parse_qsl(request.query, keep_blank_values=True)) | dict(parse_qsl(form, keep_blank_values=True))


def whole(request: RecordedRequest) -> str:
    """The path, parameters and body as a person would read them."""
    body = request.body if request.body.startswith(("{", "[")) else unquote_plus(request.body)
    return " ".join(part for part in (request.method, request.path, unquote_plus(request.query), body) if part)


class Tokens:
    """The tokens of an expression, read from left to right."""

    def __init__(self, found: Sequence[str]) -> None:
        self._found = list(found)

    def __bool__(self) -> bool:
        return bool(self._found)

    @property
    def next(self) -> str:
        """The next token; "" at the end."""
        return self._found[0] if self._found else ""

    def take(self) -> str:
        """Remove and return the next token. Raises Malformed at the end."""
        if not self._found:
            raise Malformed("it ends where a term is needed")
        return self._found.pop(0)

    def require(self, token: str) -> None:
        """Remove the next token, which must be this one."""
        if self.take() != token:
            raise Malformed(f"{token!r} is missing")


def listed(names: str) -> frozenset[str]:
    """The names that a text holds, divided by blanks."""
    return frozenset(names.split())


def only_fields(node: Node, fields: frozenset[str]) -> bool:
    """Whether all terms of a tree are in some of these fields."""
    found = list(terms(node))
    return bool(found) and all(term.field in fields for term in found)


def without_filters(node: Node, filters: frozenset[str]) -> Node | None:
    """The tree without the parts, joined to the rest by AND, that are about other fields than texts."""
    parts = _conjuncts(node)
    rest = [part for part in parts if not only_fields(part, filters)]
    return conjunction(rest) if rest else None


def _conjuncts(node: Node) -> list[Node]:
    return [it for part in node.of for it in _conjuncts(part)] if isinstance(node, And) else [node]


def all_words(text: str, field: str = "") -> Node | None:
    """All words of a text, as an engine without a query language reads it."""
    found: list[Node] = [Term(word, field) for word in text.split() if re.search(r"\w", word)]
    return conjunction(found) if found else None


def excluding(left: Node, right: Node) -> Node:
    """The left side without the right side."""
    return And((left, Not(right)))
