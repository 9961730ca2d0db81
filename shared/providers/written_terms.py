"""Terms of a query as several providers get them, and what a reply says of those that a provider cannot search for."""

from __future__ import annotations

from collections.abc import Iterable

from shared.errors import UnsupportedFilter
from shared.query.query import Query
from shared.query.syntax import Tagged

_NAMED_CHARS = 100


def grouped(operator: str, terms: Iterable[str]) -> str:
    """The terms, each once, joined by an operator, in parentheses if there are several; empty if there are none."""
    found = list(dict.fromkeys(terms))
    return f"({f' {operator} '.join(found)})" if len(found) > 1 else "".join(found)


def left_out_field(title: str, leaf: Tagged) -> str:
    """The warning that the provider with this title has no field for a term."""
    return f"{title} cannot search for {leaf.written[:_NAMED_CHARS]}: left out"


def nothing_to_search_for(title: str, query: Query) -> UnsupportedFilter:
    """The error of a query of which nothing can be sent to the provider with this title."""
    return UnsupportedFilter(f"{title} cannot search for {query.text!r:.{_NAMED_CHARS}}")
