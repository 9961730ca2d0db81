"""luqum, an independent parser of Lucene's syntax, reads the expressions that are written for OpenAlex."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("luqum")

from luqum.parser import parser
from luqum.tree import AndOperation, Group, Not, OrOperation, Phrase, UnknownOperation, Word

from shared.providers.openalex_syntax import search_text
from shared.query.understanding import understand

QUERIES = {
    "phrase": '"neural network"',
    "and": "graphene AND silicon",
    "or": "deep learning OR support vector",
    "not": "graphene NOT silicon NOT carbon",
    "nested": 'a1 AND (b1 OR "c d") NOT (e1 OR f1)',
    "ends in and": '"receptor" AND ligand',
    "braces": '{r175h} AND "gain of function"',
    "caret": "x^n AND y",
    "escape": r"\upsilon AND y\ ",
    "exclamation": "(css AND portal!)",
    "pipe": "p AND a|b AND (!important OR x)",
    "leading signs": "(tnf -alpha) AND +beta",
    "tilde": '"far apart"~ AND ~50%',
    "slash and colon": "and/or: OR a/b:c",
    "question": "How does CRISPR-Cas9 cause off-target effects in human cells?",
    "title": "Attention is all you need",
    "greek": "TNF-α & β-amyloid 50% (n=3)",
    "wildcard": "machin* learning",
    "tags": '("Alzheimer Disease"[Mesh] OR TREM2[tiab]) AND 2015:2020[dp]',
    "long": " OR ".join(f'"{letter * 90}"' for letter in "abcde"),
}


def leaves(tree: Any) -> list[str]:
    """The words and phrases of a tree, in order."""
    if isinstance(tree, Word | Phrase):
        return [str(tree).strip()]
    return [leaf for child in tree.children for leaf in leaves(child)]


@pytest.mark.parametrize("name", QUERIES)
def test_an_expression_is_lucene_syntax(name: str) -> None:
    text = search_text(understand(QUERIES[name])).text
    tree = parser.parse(text)
    assert isinstance(tree, Group), text
    _check(tree)
    assert " ".join(leaves(tree)).split() == [word for word in text.replace("(", " ").replace(")", " ").split()
                                              if word not in ("AND", "OR", "NOT")]  # fmt: skip


def _check(tree: Any) -> None:
    """Only words, phrases, groups and the three operators; AND and OR never beside each other without parentheses."""
    assert isinstance(tree, Group | AndOperation | OrOperation | UnknownOperation | Not | Word | Phrase), tree
    kinds = {type(child) for child in tree.children if isinstance(child, AndOperation | OrOperation)}
    assert not kinds or isinstance(tree, Group | Not | UnknownOperation)
    for child in tree.children:
        _check(child)


def test_the_expression_means_what_was_written() -> None:
    tree = parser.parse(search_text(understand('a1 AND (b1 OR "c d") NOT e1')).text)
    assert str(tree) == '(a1 AND (b1 OR "c d") NOT e1)'
    assert leaves(tree) == ["a1", "b1", '"c d"', "e1"]
