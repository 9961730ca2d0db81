"""Any query, as our provider renders it, is understood by Semantic Scholar's engine, and as it was meant."""

from __future__ import annotations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from functions.providers import paperclip, semantic_scholar
from infra.local.sandbox.corpus import Corpus
from infra.local.sandbox.facts import Fact
from infra.local.sandbox.semantic_scholar.engine import boolean_search
from infra.local.sandbox.services import paperclip as paperclip_sandbox
from infra.local.sandbox.services import semantic_scholar as sandbox
from shared.errors import Unprocessable
from shared.outcomes import Outcome
from shared.providers.semantic_scholar_syntax import expression
from shared.query.query import Query
from shared.query.syntax import All, AnyOf, Node, Phrase, Words
from shared.query.understanding import understand
from tests.replay import ask
from tests.unit.sandbox.bridge import over

CORPUS = Corpus((Fact(title="Alpha beta", doi="10.9999/a", s2_paper_id="a" * 40),))
WORDS = ("alpha", "beta", "gamma", "delta")
ANSWERED = {Outcome.OK, Outcome.EMPTY, Outcome.SKIPPED_UNSUPPORTED_FILTER}
SIGNS = st.sampled_from(
    [
        *" \"()|+-*~\\:[]{}/?!^&=;,.<>'",
        " AND ",
        " OR ",
        " NOT ",
        "a",
        "β",
        "TNF-α",
        "alpha",
        "[ti]",
        "au:",
        "10.1000/x",
        "—",
    ]
)
TEXTS = st.one_of(st.lists(SIGNS, max_size=14).map("".join), st.text(max_size=60))


def readable(text: str) -> Query:
    """The query of a text that the service accepts."""
    try:
        understand(text)
    except Unprocessable:
        assume(False)
    return Query(text=text)


def is_answered(text: str, sort: str) -> None:
    query = readable(text)
    for provider, engine in ((semantic_scholar, sandbox), (paperclip, paperclip_sandbox)):
        leg = ask(provider, over(engine, CORPUS), Query(text=query.text, sort=sort))
        assert leg.outcome in ANSWERED or not understand(text).is_searchable, (provider.SPEC.name, leg.warnings)


@given(TEXTS, st.sampled_from(["relevance", "date"]))
def test_no_query_is_a_bad_request(text: str, sort: str) -> None:
    is_answered(text, sort)


@pytest.mark.slow
@settings(max_examples=2000)
@given(TEXTS, st.sampled_from(["relevance", "date"]))
def test_no_query_of_many_is_a_bad_request(text: str, sort: str) -> None:
    is_answered(text, sort)


def trees() -> st.SearchStrategy[Node]:
    """Expressions of any shape over four words."""
    words = st.lists(st.sampled_from(WORDS), min_size=1, max_size=3).map(lambda found: Words(" ".join(found)))
    phrases = st.lists(st.sampled_from(WORDS), min_size=1, max_size=2).map(lambda found: Phrase(" ".join(found)))

    def grown(smaller: st.SearchStrategy[Node]) -> st.SearchStrategy[Node]:
        parts = st.lists(smaller, min_size=1, max_size=3).map(tuple)
        excluded = st.lists(smaller, max_size=2).map(tuple)
        return st.one_of(st.builds(AnyOf, parts), st.builds(All, parts, excluded))

    return st.recursive(st.one_of(words, phrases), grown, max_leaves=8)


def holds(node: Node, title: list[str]) -> bool:
    """Whether a title satisfies the tree, read without any engine."""
    match node:
        case Words(text):
            return set(text.split()) <= set(title)
        case Phrase(text):
            return f" {text} " in f" {' '.join(title)} "
        case All(parts, excluded):
            return all(holds(it, title) for it in parts) and not any(holds(it, title) for it in excluded)
        case AnyOf(parts):
            return any(holds(it, title) for it in parts)
    raise AssertionError(node)


@settings(max_examples=200)
@given(trees(), st.lists(st.sampled_from(WORDS), min_size=1, max_size=4))
def test_the_bulk_search_reads_an_expression_as_it_was_meant(node: Node, title: list[str]) -> None:
    assert boolean_search(expression(node))(Fact(title=" ".join(title))) == holds(node, title)
