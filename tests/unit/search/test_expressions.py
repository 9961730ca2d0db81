"""Operators applied to papers here: AND, OR and NOT as logic defines them, and as a search for each part would find."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.bibliography.paper import Paper
from shared.query.query import Query
from shared.search.filtering.expression_match import mentions

WORDS = ("trem", "mouse", "human", "brain")


def paper(title: str, abstract: str | None = "") -> Paper:
    return Paper(provider="crossref", rank=1, title=title, abstract=abstract)


@pytest.mark.parametrize(
    ("typed", "title", "passes"),
    [
        ("TREM2 NOT (mouse AND rat)", "TREM2 in the mouse", True),
        ("TREM2 NOT (mouse AND rat)", "TREM2 in mouse and rat", False),
        ("TREM2 NOT (mouse OR rat)", "TREM2 in the mouse", False),
        ("(TREM2 NOT mouse) OR APOE", "APOE in mouse brain", True),
        ("(TREM2 NOT mouse) OR APOE", "TREM2 in mouse brain", False),
        ("TREM2 NOT (mouse NOT human)", "TREM2 in mouse and human", True),
        ("TREM2 NOT (mouse NOT human)", "TREM2 in the mouse", False),
    ],
)
def test_the_operators_around_an_excluded_word_decide(typed: str, title: str, passes: bool) -> None:
    assert mentions(paper(title, "An abstract."), Query(text=typed)) is passes


@pytest.mark.parametrize(
    ("typed", "title", "verdict"),
    [
        ("TREM2 NOT mouse", "TREM2", True),  # nothing says that the paper is about mice
        ("(TREM2 NOT mouse) OR APOE", "TREM2", True),
        ("TREM2 NOT mouse", "TREM2 in the mouse", False),
        ("TREM2 NOT (mouse NOT human)", "TREM2 in the mouse", True),  # its abstract may name humans
        ("TREM2 NOT (mouse AND rat)", "TREM2 in the mouse", True),
        ("APOE NOT mouse", "TREM2", None),
    ],
)
def test_a_paper_without_an_abstract_is_not_excluded_by_what_it_may_say(
    typed: str, title: str, verdict: bool | None
) -> None:
    assert mentions(paper(title, None), Query(text=typed)) is verdict


EXPRESSIONS = st.recursive(
    st.sampled_from(WORDS),
    lambda inner: st.one_of(
        st.tuples(inner, inner).map(lambda it: f"({it[0]} AND {it[1]})"),
        st.tuples(inner, inner).map(lambda it: f"({it[0]} OR {it[1]})"),
        st.tuples(inner, inner).map(lambda it: f"({it[0]} NOT {it[1]})"),
    ),
    max_leaves=8,
)


@given(EXPRESSIONS)
def test_every_expression_is_what_python_says_of_it(typed: str) -> None:
    logic = typed.replace("AND", "and").replace("OR", "or").replace("NOT", "and not")
    for held in product((False, True), repeat=len(WORDS)):
        words = dict(zip(WORDS, held, strict=True))
        title = " ".join(["paper", *(word for word, is_in in words.items() if is_in)])
        assert mentions(paper(title, "An abstract."), Query(text=typed)) is bool(eval(logic, {}, words))
