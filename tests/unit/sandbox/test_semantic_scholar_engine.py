"""How Semantic Scholar's engine reads queries.

Expectations: the examples and sentences of https://api.semanticscholar.org/api-docs/graph (paper relevance search, bulk
search, title search), and for the Boolean syntax Elasticsearch's page on `simple_query_string`.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from infra.local.sandbox.facts import Fact
from infra.local.sandbox.semantic_scholar.engine import boolean_search, plain_search, ranked, title_match

FISH = Fact(title="Fish climb the ladder")
FARM = Fact(title="Farmed fish", abstract="Cages without ladders, and an outflow of off-target feed.")
BARN = Fact(title="A ladder in the barn")
PAPERS = (FISH, FARM, BARN)


def bulk(query: str) -> list[Fact]:
    return [fact for fact in PAPERS if boolean_search(query)(fact)]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("fish ladder", [FISH, FARM]),
        ("fish + ladder", [FISH, FARM]),
        ("fish | ladder", [FISH, FARM, BARN]),
        ("fish -ladder", []),
        ("ladder -fish", [BARN]),
        ("fish -cage", [FISH]),
        ('"farmed fish"', [FARM]),
        ('"fish ladder"', []),
        ('"fish ladder"~3', [FISH]),
        ("cag*", [FARM]),
        ("lader~1", [FISH, FARM, BARN]),
        ("laddre~1", [FISH, FARM, BARN]),
        ("ldr~1", []),
        ("ladders~1", [FISH, FARM, BARN]),
        ("outflowing~2", []),  # what is compared approximately is not stemmed
        ("(fish outflow) | barn", [FARM, BARN]),
        ("-fish", [BARN]),
    ],
)
def test_the_documented_operators_of_the_bulk_search(query: str, found: list[Fact]) -> None:
    assert bulk(query) == found


def test_operators_are_read_from_left_to_right_without_precedence() -> None:
    assert bulk("barn | fish outflow") == [FARM]
    assert bulk("barn | (fish outflow)") == [FARM, BARN]


def test_english_inflections_are_the_same_term() -> None:
    assert bulk("climbed") == bulk("climbing") == [FISH]
    assert plain_search("ladders barns")(BARN)


def test_a_minus_belongs_only_to_what_follows_at_once_and_splits_no_word() -> None:
    assert bulk("fish - outflow") == [FARM]
    assert bulk("off-target") == [FARM]


@pytest.mark.parametrize("query", ["the", "()", '""', "*", "~", "~~~3", "|", "+", " "])
def test_a_query_without_a_term_finds_nothing(query: str) -> None:
    assert bulk(query) == []


@pytest.mark.parametrize(
    ("query", "found"), [('"farmed fish', [FARM]), ("((fish climb", [FISH]), ("barn)) | |", [BARN])]
)
def test_an_unclosed_sign_is_ignored(query: str, found: list[Fact]) -> None:
    assert bulk(query) == found


@given(st.text(alphabet=' ab"()|+-*~\\9', max_size=40))
def test_no_query_is_an_error(query: str) -> None:
    assert set(map(id, bulk(query))) <= set(map(id, PAPERS))


@pytest.mark.slow
def test_a_query_of_any_depth_is_read() -> None:
    assert bulk("(" * 5000 + "barn" + ")" * 5000) == [BARN]


def test_the_plain_search_requires_all_words_and_has_no_operators() -> None:
    assert [fact for fact in PAPERS if plain_search("fish ladder")(fact)] == [FISH, FARM]
    assert not plain_search("fish zebra")(FISH)
    assert not plain_search('fish OR "zebra"')(FISH)
    assert plain_search("-fish +ladder")(FISH)


def test_a_hyphenated_term_yields_no_matches_in_the_plain_search() -> None:
    assert not plain_search("off-target feed")(FARM)
    assert plain_search("off target feed")(FARM)


def test_a_word_of_the_title_counts_more_than_one_of_the_abstract() -> None:
    assert [fact for _, fact in ranked("ladder", PAPERS)][-1] is FARM


def test_a_title_is_matched_with_the_most_similar_one() -> None:
    found = title_match("Fish climb a tall ladder", PAPERS)
    assert found is not None
    assert found[0] is FISH
    assert title_match("Zebras climb trees", PAPERS) is None
