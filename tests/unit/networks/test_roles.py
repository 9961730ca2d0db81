"""Roles in a citation network: betweenness as counted by hand, the rules of the first five, and one form for all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from shared.networks.roles import EXACT_BETWEENNESS, Edge, Network, NetworkPaper, NodeRoles, roles_of

THIS_YEAR = 2025


def node(key: str, *, seed: bool = False, **paper: Any) -> NetworkPaper:
    fields: Any = {"title": f"Paper {key}", **paper}
    return NetworkPaper(key, fields, seed, 0 if seed else 1)


def network(keys: Sequence[str], *citations: str, papers: dict[str, dict[str, Any]] | None = None) -> Network:
    """`"ab"`: a cites b; `papers` gives fields of some."""
    nodes = tuple(node(key, **(papers or {}).get(key, {})) for key in keys)
    return Network(nodes, tuple(Edge(source, target, ("openalex",)) for source, target in map(tuple, citations)))


def with_role(found: Network, role: str) -> str:
    return "".join(sorted(key for key, it in roles_of(found, THIS_YEAR).items() if role in it.roles))


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (network("abc", "ab", "bc"), {"a": 0, "b": 1, "c": 0}),
        (network("abcde", "ba", "ca", "da", "ea"), {"a": 1, "b": 0, "c": 0, "d": 0, "e": 0}),
        (network("abcd", "ab", "bc", "cd", "da"), dict.fromkeys("abcd", 0.166667)),
        (network("abcde", "ab", "bc", "cd", "de"), {"a": 0, "b": 0.5, "c": 0.666667, "d": 0.5, "e": 0}),
        (network("abc", "ab", "ba"), {"a": 0, "b": 0, "c": 0}),
        (network("a"), {"a": 0}),
        (network(""), {}),
    ],
    ids=["a chain of three", "a star", "a ring", "a chain of five", "two that cite each other", "one", "none"],
)
def test_betweenness_is_the_share_of_shortest_paths_in_either_direction(
    found: Network, expected: dict[str, float]
) -> None:
    assert {key: it.betweenness for key, it in roles_of(found, THIS_YEAR).items()} == expected


def test_a_bridge_joins_two_parts_and_no_leaf_is_one() -> None:
    found = network("abcdefgx", "ab", "bc", "ca", "ax", "xd", "de", "ef", "fd", "gd")
    assert with_role(found, "bridge") == "adx"


def test_a_network_without_paths_between_others_has_no_bridge() -> None:
    assert with_role(network("abc", "ab", "bc", "ca"), "bridge") == ""


def test_key_papers_are_the_five_most_cited_within_of_equals_the_first_by_name() -> None:
    found = network("abcdefgxyz", *(f"{source}{target}" for source in "yz" for target in "gfedcba"), "xg", "xf")
    assert with_role(found, "key") == "abcfg"
    assert {key: it.cited_within for key, it in roles_of(found, THIS_YEAR).items() if key in "fgax"} == {
        "f": 3, "g": 3, "a": 2, "x": 0,
    }  # fmt: skip


def test_a_seed_is_never_key_or_bridge_and_leaves_the_places_to_others() -> None:
    links = [f"{source}{target}" for source in "xyz" for target in "abcdef"]
    found = network("abcdefxyz", *links)
    around_a = Network(tuple(replace(it, seed=it.key in "ax") for it in found.nodes), found.edges)
    assert with_role(found, "key") == "abcde"
    assert with_role(around_a, "key") == "bcdef"
    assert set(with_role(found, "bridge")) & {"a", "x"}
    assert not set(with_role(around_a, "bridge")) & {"a", "x"}
    assert roles_of(around_a, THIS_YEAR)["a"].cited_within == 3


def test_a_star_around_one_seed_has_neither_key_nor_bridge() -> None:
    cited = Network((node("a", seed=True), *map(node, "bcd")), tuple(Edge(it, "a", ()) for it in "bcd"))
    assert (with_role(cited, "key"), with_role(cited, "bridge")) == ("", "")


def test_a_seed_may_be_rising() -> None:
    seed = node("a", seed=True, year=2024, citation_count=9)
    assert with_role(Network((seed,), ()), "rising") == "a"


def test_a_paper_cited_once_within_is_not_key_however_often_it_is_cited_elsewhere() -> None:
    assert with_role(network("ab", "ba", papers={"a": {"citation_count": 90_000}}), "key") == ""


@pytest.mark.parametrize(
    ("year", "count", "rate"),
    [
        (2025, 7, 7.0), (2024, 7, 3.5), (2016, 1, 0.1), (2026, 7, 7.0), (2020, 0, 0.0), (2023, 10, 3.33),
        (None, 7, None), (2020, None, None),
    ],
)  # fmt: skip
def test_citations_a_year_count_the_papers_own_year_and_are_unknown_if_year_or_count_is(
    year: int | None, count: int | None, rate: float | None
) -> None:
    found = network("a", papers={"a": {"year": year, "citation_count": count}})
    assert roles_of(found, THIS_YEAR)["a"].citations_a_year == rate


def test_rising_are_the_five_fastest_of_the_last_five_years() -> None:
    counts = {"a": 50, "b": 60, "c": 60, "d": 70, "e": 80, "f": 90}
    papers = {key: {"year": 2021, "citation_count": count} for key, count in counts.items()}
    papers["o"] = {"year": 2020, "citation_count": 9_000}
    assert with_role(network("abcdefo", papers=papers), "rising") == "bcdef"


def test_a_new_paper_with_less_than_one_citation_a_year_is_not_rising() -> None:
    papers = {"a": {"year": 2022, "citation_count": 3}, "b": {"year": 2022, "citation_count": 4}}
    assert with_role(network("abc", papers=papers), "rising") == "b"


def test_a_paper_may_have_all_roles_in_their_order() -> None:
    papers = {"a": {"year": 2024, "citation_count": 20}}
    assert roles_of(network("abc", "ba", "ca", papers=papers), THIS_YEAR)["a"] == NodeRoles(
        2, 1.0, 10.0, ("key", "bridge", "rising")
    )


def test_a_paper_known_by_its_key_alone_has_roles_too() -> None:
    found = Network((NetworkPaper("x", None, False, 1), node("a"), node("b")), (Edge("a", "x", ()), Edge("b", "x", ())))
    assert roles_of(found, THIS_YEAR)["x"] == NodeRoles(2, 1.0, None, ("key", "bridge"))


def test_the_same_network_in_any_order_is_equal() -> None:
    nodes, edges = (node("b"), node("a")), (Edge("b", "a", ("s2", "openalex")), Edge("a", "b", ("crossref",)))
    one, other = Network(nodes, edges), Network(nodes[::-1], edges[::-1])
    assert one == other
    assert [it.key for it in one.nodes] == ["a", "b"]
    assert one.edges[1].asserted_by == ("openalex", "s2")


def test_equal_citations_are_joined_with_all_their_providers() -> None:
    nodes = (node("a"), node("b"))
    assert Network(nodes, (Edge("a", "b", ("s2",)), Edge("a", "b", ("crossref", "s2")))).edges == (
        Edge("a", "b", ("crossref", "s2")),
    )


def test_self_citations_and_citations_from_or_to_outside_are_left_out() -> None:
    assert network("ab", "aa", "ax", "xb", "ab").edges == (Edge("a", "b", ("openalex",)),)


def test_two_nodes_with_one_key_are_rejected() -> None:
    with pytest.raises(ValueError, match="same key"):
        Network((node("a"), node("a", seed=True)), ())


@pytest.mark.slow
def test_a_network_too_large_for_exact_betweenness_has_the_same_estimate_every_time() -> None:
    keys = [f"{number:03}" for number in range(EXACT_BETWEENNESS + 20)]
    edges = tuple(Edge(one, other, ()) for one, other in zip(keys[1:], keys, strict=False))
    found = Network(tuple(map(node, keys)), edges)
    roles = roles_of(found, THIS_YEAR)
    assert roles == roles_of(found, THIS_YEAR)
    assert 0.4 < roles[keys[len(keys) // 2]].betweenness < 0.6
