"""Groups of terms in the query languages that join them by AND and OR."""

from __future__ import annotations

from collections.abc import Iterable


def grouped(operator: str, terms: Iterable[str]) -> str:
    """The terms, each once, joined by an operator, in parentheses if there are several; empty if there are none."""
    found = list(dict.fromkeys(terms))
    return f"({f' {operator} '.join(found)})" if len(found) > 1 else "".join(found)
