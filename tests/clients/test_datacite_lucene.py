"""luqum, an independent parser of Lucene's syntax, reads the queries that are written for DataCite."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("luqum")

from luqum.parser import parser
from luqum.tree import AndOperation, FieldGroup, Group, OrOperation, SearchField

from shared.providers.datacite_syntax import strict_query
from shared.query.query import Query

QUERIES = {
    "words": Query(text="orchard yield"),
    "question": Query(text="How does CRISPR-Cas9 cause off-target effects in human cells?"),
    "title": Query(text="Attention is all you need"),
    "signs": Query(text="TNF-α & β-amyloid 50% (n=3) and/or a/b:c"),
    "nested": Query(text='a1 AND (b1 OR "c d") NOT (e1 OR f1)'),
    "wildcard": Query(text="machin* AND learning"),
    "tags": Query(text='("Alzheimer Disease"[Mesh] OR TREM2[tiab]) AND 2015:2020[dp] AND Doudna Jennifer[au]'),
    "filters": Query(text="zebras OR horses", author="Doudna, Jennifer", language="de"),
}


@pytest.mark.parametrize("name", QUERIES)
def test_a_query_is_lucene_syntax_without_operators_side_by_side(name: str) -> None:
    written = strict_query(QUERIES[name])
    tree = parser.parse(written)
    assert str(tree) == written
    _check(tree)


def _check(tree: Any) -> None:
    """AND and OR never stand beside each other without parentheses."""
    kinds = {type(child) for child in tree.children if isinstance(child, AndOperation | OrOperation)}
    assert not kinds or isinstance(tree, Group | FieldGroup | SearchField) or type(tree).__name__ == "UnknownOperation"
    for child in tree.children:
        _check(child)
