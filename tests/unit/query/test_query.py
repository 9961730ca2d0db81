"""Queries: what their words and operators mean, and which spellings are one question."""

from __future__ import annotations

import pytest

from shared.query.parser import parse
from shared.query.query import Query, first_day, last_day, query_from_json, query_to_json
from shared.query.syntax import All, AnyOf, Node, Phrase, Words, leaves, normalise, plain, render, tidy

TREES: list[tuple[str, Node]] = [
    ("TREM2 microglia", Words("TREM2 microglia")),
    ('"innate immunity"', Phrase("innate immunity")),
    ("a AND b", All((Words("a"), Words("b")))),
    ('a "b c" d', All((Words("a"), Phrase("b c"), Words("d")))),
    ("a OR b", AnyOf((Words("a"), Words("b")))),
    ("a OR b AND c", AnyOf((Words("a"), All((Words("b"), Words("c")))))),
    ("(a OR b) AND c", All((AnyOf((Words("a"), Words("b"))), Words("c")))),
    ("a NOT b", All((Words("a"),), (Words("b"),))),
    ("a AND NOT (b OR c)", All((Words("a"),), (AnyOf((Words("b"), Words("c"))),))),
    ("salt and pepper", Words("salt and pepper")),
    ("“Alzheimer’s disease”", Phrase("Alzheimer's disease")),
    ("Attention is not (not) Explanation", Words("Attention is not not Explanation")),
    ("retrieval-augmented generation (RAG)", Words("retrieval-augmented generation RAG")),
    ("[18F]FDG: a review", Words("18F FDG: a review")),
    ("ATTENTION IS NOT EXPLANATION", Words("ATTENTION IS NOT EXPLANATION")),
    ("TREM2 OR IL6", AnyOf((Words("TREM2"), Words("IL6")))),
    ("TREM2 OR %- NOT ^", Words("TREM2")),
    ('?[tiab] AND "=" AND tau', Words("tau")),
]


@pytest.mark.parametrize(("text", "tree"), TREES, ids=[text for text, _ in TREES])
def test_a_query_is_parsed_by_its_grammar(text: str, tree: Node) -> None:
    assert parse(text) == tree


@pytest.mark.parametrize(("text", "tree"), TREES, ids=[text for text, _ in TREES])
def test_a_rendered_query_reads_as_the_same_tree(text: str, tree: Node) -> None:
    assert parse(render(tree, words=str, phrase=lambda words: f'"{words}"')) == tree


SAME = [
    pytest.param("TREM2 Microglia", "trem2 microglia", id="case"),
    pytest.param("TREM2   microglia ", "TREM2 microglia", id="white space"),
    pytest.param("caf\u00e9", "cafe\u0301", id="composed and decomposed accents"),
    pytest.param("“innate immunity”", '"innate immunity"', id="typographic quotes"),
    pytest.param("ﬁbrosis", "fibrosis", id="ligature"),
    pytest.param("ＴＲＥＭ２", "trem2", id="full width"),
]
UNWRITABLE = ("\x00", "\x07", "\x1b", "\x7f", "\x85", "\x9f", "\ufffe", "\uffff", "\u2028")
DIFFERENT = [
    pytest.param("cat or dog", "cat OR dog", id="word and operator"),
    pytest.param('"innate immunity"', "innate immunity", id="phrase and words"),
    pytest.param("resume", "résumé", id="accents"),
    pytest.param("a b", "b a", id="order of words"),
    pytest.param("p53", "p-53", id="hyphen"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_spellings_of_one_question_share_a_cache_key(one: str, other: str) -> None:
    assert Query(text=tidy(one)).cache_key() == Query(text=tidy(other)).cache_key()


@pytest.mark.parametrize("sign", UNWRITABLE, ids=ascii)
def test_a_character_that_no_text_holds_parts_words_and_is_not_sent(sign: str) -> None:
    assert tidy(f"{sign}gut{sign}brain{sign}") == "gut brain"


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_questions_of_another_meaning_have_another_cache_key(one: str, other: str) -> None:
    assert Query(text=tidy(one)).cache_key() != Query(text=tidy(other)).cache_key()


def test_operators_keep_their_case_when_the_rest_is_folded() -> None:
    assert normalise('Cat OR (Dog NOT "Old OR Mouse")') == 'cat OR (dog NOT "old or mouse")'


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param(Query(text="a", date_from="2020"), Query(text="a", date_from="2020-01-01"), id="from a year"),
        pytest.param(Query(text="a", date_to="2020"), Query(text="a", date_to="2020-12-31"), id="to a year"),
        pytest.param(Query(text="a", journal="Nature"), Query(text="a", journal="NATURE"), id="journal's case"),
        pytest.param(
            Query(text="a", publication_types=("review", "letter")),
            Query(text="a", publication_types=("letter", "review")),
            id="order of types",
        ),
    ],
)
def test_filters_have_one_form_in_the_cache_key(one: Query, other: Query) -> None:
    assert one.cache_key() == other.cache_key()


def test_each_filter_changes_the_cache_key() -> None:
    changed = [
        Query(text="a"), Query(text="a", limit=50), Query(text="a", date_from="2020"), Query(text="a", date_to="2020"),
        Query(text="a", journal="x"), Query(text="a", author="x"), Query(text="a", open_access=True),
        Query(text="a", min_citations=1), Query(text="a", publication_types=("review",)),
        Query(text="a", exclude_preprints=True), Query(text="a", exclude_retracted=True), Query(text="a", sort="date"),
        Query(text="a", language="de"), Query(text="a", field_of_study="law"),
    ]  # fmt: skip
    assert len({query.cache_key() for query in changed}) == len(changed)


def test_a_query_survives_the_way_to_its_provider() -> None:
    query = Query(text='"a b" NOT c', date_from="2020", publication_types=("review",), min_citations=3)
    assert query_from_json(query_to_json(query)) == query


@pytest.mark.parametrize(
    ("partial", "first", "last"),
    [
        ("2020", "2020-01-01", "2020-12-31"), ("2020-02", "2020-02-01", "2020-02-29"),
        ("2021-02", "2021-02-01", "2021-02-28"), ("2020-05-07", "2020-05-07", "2020-05-07"),
    ],
)  # fmt: skip
def test_a_partial_date_covers_all_its_days(partial: str, first: str, last: str) -> None:
    assert (first_day(partial).isoformat(), last_day(partial).isoformat()) == (first, last)


def test_the_filters_in_use_are_named() -> None:
    assert Query(text="a").filters == ()
    query = Query(text="a NOT b", author="x", date_to="2020", exclude_preprints=True)
    assert query.filters == ("date", "author", "exclude_preprints", "operators")


def test_excluded_terms_are_distinguished_from_required_ones() -> None:
    node = parse('a "b c" NOT (d OR "e f")')
    assert [leaf.text for leaf in leaves(node)] == ["a", "b c"]
    assert [leaf.text for leaf in leaves(node, excluded=True)] == ["d", "e f"]
    assert plain(node) == "a b c"
