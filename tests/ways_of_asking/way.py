"""One way of asking, and what must be so whatever the form of the requests: expectations from the sources' documents.

The sources' documents: what each engine requires, ignores, refuses and reads differently is in the readers' docstrings.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.ways_of_asking.expression import And, Node, Not, Or, Term, conjunction

SOURCES = ("pubmed", "semantic_scholar", "openalex", "crossref", "arxiv", "europe_pmc", "paperclip")
# They require every word of a search; the others rank papers by any of the words.
REQUIRE_ALL = ("pubmed", "semantic_scholar", "openalex", "arxiv", "europe_pmc")
Patterns = str | tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Way:
    """What a caller types, with the fields of the request beside it, and what must follow.

    telling    words that every source gets, and that engines which require all words require
    unsearched words that no search may hold, such as those of an identifier
    dropped    words that no such engine may require (the exact title in quotation marks excepted)
    means      the expression in Python's notation: `&`, `|`, `~`; a word or a "phrase"
    title      some request of every source that knows titles looks for the whole text as a title
    lookup     what must be looked up, in the forms that the sources use; no search may leave
    exact      by source, regular expressions each of which some request must match, of those read with nothing escaped
    never      regular expressions that no request to any source may match
    silent     sources that get no search
    warned     by source, what a warning in its leg's report must contain
    refused    the request is answered with 422 and nothing leaves
    hint       the reason of a hint that the answer must have
    first      an id of the paper that must come first
    among      ids of papers that must be among the first ten
    absent     ids of papers that must not be found
    not_yet    by source, why its requests are not yet as they should be; the test fails when they are
    """

    typed: str
    why: str
    fields: Mapping[str, Any] = field(default_factory=dict)
    telling: str = ""
    unsearched: str = ""
    dropped: str = ""
    means: str = ""
    title: bool = False
    lookup: tuple[str, ...] = ()
    exact: Mapping[str, Patterns] = field(default_factory=dict)
    never: tuple[str, ...] = ()
    silent: tuple[str, ...] = ()
    warned: Mapping[str, str] = field(default_factory=dict)
    refused: bool = False
    hint: str = ""
    first: str = ""
    among: tuple[str, ...] = ()
    absent: tuple[str, ...] = ()
    not_yet: Mapping[str, str] = field(default_factory=dict)
    kind: str = ""

    @property
    def name(self) -> str:
        """For the names of tests and the document: the text and the other fields."""
        shown = self.typed if len(self.typed) <= 90 else f"{self.typed[:87]}…"
        return " ".join([shown or "(no query)", *(f"{name}={value}" for name, value in self.fields.items())])

    @property
    def expression(self) -> Node | None:
        """`means` as a tree; None if it is not an expression."""
        return _tree(ast.parse(self.means, mode="eval").body) if self.means else None


def _tree(node: ast.expr) -> Node:
    match node:
        case ast.BinOp(left, ast.BitAnd(), right):
            return And((_tree(left), _tree(right)))
        case ast.BinOp(left, ast.BitOr(), right):
            return Or((_tree(left), _tree(right)))
        case ast.UnaryOp(ast.Invert(), of):
            return Not(_tree(of))
        case ast.Name(word):
            return Term(word)
        case ast.Constant(str(text)):
            return Term(text, phrase=" " in text)
    raise ValueError(ast.unparse(node))


def words_of(text: str) -> Node:
    """All words of a text as a tree."""
    return conjunction([Term(word) for word in text.split()])
