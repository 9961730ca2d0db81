"""Every query that is sent to Europe PMC is readable by Lucene's grammar and keeps its meaning."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from infra.local.sandbox.europe_pmc.engine import read
from infra.local.sandbox.europe_pmc.index import Entry
from infra.local.sandbox.facts import Fact
from shared.errors import Unprocessable, UnsupportedFilter
from shared.providers.europe_pmc_syntax import filter_clauses, strict_terms, wider_terms
from shared.query.query import Query
from tests.unit.providers.test_arxiv_grammar import LEAVES, TEXTS, TREES, truth


@settings(max_examples=60, deadline=None)
@given(text=TREES, present=st.frozensets(LEAVES))
def test_every_tree_keeps_its_meaning(text: str, present: frozenset[str]) -> None:
    query = Query(text=text)
    entry = Entry(Fact(title=" ".join(sorted(present))))
    assert read(strict_terms(query)).test(entry) is truth(query.node, present)


def check_all_forms(text: str) -> None:
    """Each form of a query, and each filter with such a value, is readable."""
    try:
        query = Query(text=text)
        forms = [strict_terms(query), wider_terms(query)]
    except (Unprocessable, UnsupportedFilter):
        forms = []
    filters = filter_clauses(Query(text="x", author=text, journal=text))
    for form in (*forms, *filters):
        if form:
            read(form)


@settings(max_examples=150, deadline=None)
@given(text=TEXTS)
@example(text="OR NOT ANDNOT")
@example(text='TITLE:"a\\" AND PUB_YEAR:[* TO *]')
@example(text="TO BE OR NOT TO BE")
def test_no_text_is_unreadable(text: str) -> None:
    check_all_forms(text)


@pytest.mark.slow
@settings(max_examples=3000, deadline=None)
@given(text=TEXTS)
def test_no_text_at_length_is_unreadable(text: str) -> None:
    check_all_forms(text)
