"""Words with a wildcard at their end (`immun*`), for engines without wildcards.

A `*` elsewhere is part of a name (`HLA-A*02:01`). Such a word without its wildcard would find next to nothing, and look
as if no papers existed, so that it is left out with a warning.
"""

from __future__ import annotations

from collections.abc import Iterable

from shared.query.syntax import Node, leaves


def is_truncated(word: str) -> bool:
    """Whether a word ends with a wildcard, whatever punctuation follows."""
    return word.rstrip(",;.").endswith("*")


def whole_words(words: Iterable[str]) -> tuple[str, ...]:
    """The words without those that end with a wildcard."""
    return tuple(word for word in words if not is_truncated(word))


def truncated_words(node: Node) -> list[str]:
    """The words of a query that end with a wildcard, excluded ones included, each once."""
    found = [*leaves(node), *leaves(node, excluded=True)]
    return list(dict.fromkeys(word for leaf in found for word in leaf.text.split() if is_truncated(word)))


def left_out_wildcards(title: str, node: Node) -> list[str]:
    """The warning of an engine with this title that a query's wildcards were left out; none without wildcards."""
    words = truncated_words(node)
    return [f"{title} has no wildcards: {' '.join(words)[:60]} left out"] if words else []
