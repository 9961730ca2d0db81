"""Every expression that is sent to arXiv has one meaning by its documented grammar, and it is the query's."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from infra.local.sandbox.arxiv.engine import reader, rewrite
from shared.errors import Unprocessable
from shared.providers.arxiv_syntax import author_clause, journal_clause, strict_expression, wider_expression
from shared.query.query import Query
from shared.query.syntax import All, AnyOf, Node
from tests.arxiv_grammar import holds, read

WORDS = ("graphene", "silicon", "boron", "carbon")
LEAVES = st.sampled_from(WORDS)
TREES = st.recursive(
    LEAVES,
    lambda part: st.tuples(part, st.sampled_from((" AND ", " OR ", " NOT ")), part).map(
        lambda it: f"({it[0]}){it[1]}({it[2]})"
    ),
    max_leaves=6,
)
# What the languages of the sources consist of, and text of any kind.
PIECES = st.sampled_from(
    [
        *'"()[]{}:*?~^\\/&|!+-_$,.;',
        " ",
        " AND ",
        " OR ",
        " NOT ",
        " ANDNOT ",
        "AND",
        "OR",
        "ti:",
        "au:",
        "cat:",
        "id:",
        "jr:",
    ]
)
TEXTS = st.lists(st.one_of(PIECES, st.text(max_size=6), LEAVES), max_size=12).map("".join)


def truth(node: Node, present: frozenset[str]) -> bool:
    match node:
        case All(of, none_of):
            return all(truth(it, present) for it in of) and not any(truth(it, present) for it in none_of)
        case AnyOf(of):
            return any(truth(it, present) for it in of)
    return node.text in present


@pytest.mark.parametrize(
    "text",
    ["x1 NOT y1 NOT z1", "(x1 OR y1) NOT (z1 AND x1)", "x1 AND y1 OR z1", "x1 OR y1 NOT z1"],
)
def test_the_documented_grammar_reads_the_same_query(text: str) -> None:
    query = Query(text=text)
    tree = read(strict_expression(query).text)
    for number in range(8):
        present = frozenset(word for place, word in enumerate(("x1", "y1", "z1")) if number >> place & 1)
        assert holds(tree, in_title(present)) is truth(query.node, present)


def in_title(present: frozenset[str]) -> Callable[[str, str], bool]:
    return lambda prefix, word: prefix == "ti" and word in present


@settings(max_examples=60, deadline=None)
@given(text=TREES, present=st.frozensets(LEAVES))
def test_every_tree_keeps_its_meaning(text: str, present: frozenset[str]) -> None:
    query = Query(text=text)
    assert holds(read(strict_expression(query).text), in_title(present)) is truth(query.node, present)


def check_all_forms(text: str) -> None:
    """Each form of a query is grammatical, is not rewritten by the server, and is searchable by its index."""
    try:
        strict, wider = strict_expression(Query(text=text)), wider_expression(Query(text=text))
    except Unprocessable:
        return
    clauses = [author_clause(Query(text="x", author=text)) or "", journal_clause(text) or ""]
    for expression in (strict.text, wider.text if wider else "", *clauses):
        if expression:
            read(expression)
            understood = rewrite(expression)
            reader(understood)
            dateless = understood.replace("[", '"').replace("]", '"').replace(" ", "")
            assert dateless == expression.replace("[", '"').replace("]", '"').replace(" ", "")


@settings(max_examples=150, deadline=None)
@given(text=TEXTS)
@example(text="OR NOT ANDNOT")
@example(text='a_b AND au:x_y AND ti:"\\"')
@example(text="TO BE OR NOT TO BE")
@example(text="graphene_graphene*")
@example(text='cat:"OR" AND id:"ANDNOT" AND cat:*.CL AND ti:"OR"')
def test_no_text_makes_arxiv_refuse(text: str) -> None:
    check_all_forms(text)


@pytest.mark.slow
@settings(max_examples=3000, deadline=None)
@given(text=TEXTS)
def test_no_text_at_length_makes_arxiv_refuse(text: str) -> None:
    check_all_forms(text)
