"""How a network is built outwards: which providers it queries, in which share of its time, and what it makes of it."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import pairwise

import pytest

from shared.bibliography.identifiers import Identifiers
from shared.errors import AllProvidersFailed, NotFound, Unprocessable
from shared.networks.build import EXPANDED, BuiltNetwork
from shared.papers.leg_summary import WARNINGS_SHOWN
from shared.query.question import Links, Lookup
from tests.unit.networks.literature import QUICK, SLOW, Literature, record

LETTERS = "abcdefghijklmnopqrstuvwxyz"


def keys(built: BuiltNetwork) -> str:
    return "".join(node.key.removeprefix("doi:10.1000/") for node in built.network.nodes)


def pairs(built: BuiltNetwork) -> set[str]:
    return {"".join(end.removeprefix("doi:10.1000/") for end in (it.source, it.target)) for it in built.network.edges}


@pytest.mark.parametrize(
    ("direction", "depth", "expected"),
    [
        ("references", 1, "cd"), ("references", 2, "cde"), ("citations", 1, "bc"), ("citations", 2, "abc"),
        ("both", 1, "bcd"), ("both", 2, "abcde"),
    ],
)  # fmt: skip
def test_a_network_has_the_requested_depth_and_directions(direction: str, depth: int, expected: str) -> None:
    chain = Literature({"a": "b", "b": "c", "c": "d", "d": "e", "e": "f"})
    built = chain.build("c", direction=direction, depth=depth)
    assert keys(built) == expected
    assert pairs(built) == {one + other for one, other in pairwise(expected)}
    assert {node.depth for node in built.network.nodes} == set(range(depth + 1))


def test_papers_listed_by_id_alone_get_their_record() -> None:
    built = Literature({"a": "bc"}, bare="b").build("a")
    assert [node.title for node in built.network.nodes] == [f"What doi:10.1000/{it} is about" for it in "abc"]


def test_citations_among_the_papers_come_from_their_records_too() -> None:
    cites = {"a": "bc", "b": "c"}
    records = {"b": record("doi:10.1000/b", references=("doi:10.1000/c", "doi:10.1000/elsewhere"))}
    built = Literature(cites, records=records).build("a")
    assert pairs(built) == {"ab", "ac", "bc"}


def test_a_listed_title_that_matches_another_listed_paper_is_one_paper_with_it() -> None:
    lone = record("doi:10.1000/b", title="A title that is known before its id is", ids=Identifiers())
    with_id = replace(lone, ids=Identifiers(doi="10.1000/b"))
    built = Literature({"a": "b"}, bare="b", extra={"a": [lone]}, records={"b": with_id}).build("a")
    assert keys(built) == "ab"
    assert built.network.nodes[1].title == lone.title


def test_two_seeds_that_list_the_same_paper_come_before_those_that_one_lists() -> None:
    built = Literature({"a": "zcd", "b": "zef"}).build("a", "b", max_nodes=3)
    assert keys(built) == "abz"
    assert built.truncated == {"nodes": 4, "not_expanded": 0, "only_text": 0}


def test_at_depth_2_the_number_of_lists_is_limited_and_the_rest_is_counted() -> None:
    literature = Literature({"a": LETTERS[1:]}, capabilities={"quick": replace(QUICK, requests_per_second=100.0)})
    built = literature.build("a", depth=2)
    queried = Counter(leg.question.operation for leg, _ in literature.legs if isinstance(leg.question, Links))
    assert queried == {"references": 1 + EXPANDED, "citations": 1 + EXPANDED}
    assert built.truncated is not None
    assert built.truncated["not_expanded"] == 25 - EXPANDED


def test_a_provider_with_a_low_rate_limit_is_queried_for_the_seeds_only_with_a_hint() -> None:
    literature = Literature({"a": LETTERS[1:]}, capabilities={"quick": QUICK, "slow": SLOW})
    built = literature.build("a", depth=2)
    queried = Counter(leg.provider for leg, _ in literature.legs if isinstance(leg.question, Links))
    assert queried == {"quick": 2 * (1 + EXPANDED), "slow": 2}
    (hint,) = built.hints
    assert hint["reason"] == "asked_about_seeds_only"
    assert hint["message"].endswith("more: slow.")


def test_a_provider_with_a_low_rate_limit_is_queried_for_few_papers_all_the_same() -> None:
    literature = Literature({"a": "bc"}, capabilities={"slow": SLOW})
    assert literature.build("a", depth=2).hints == []
    assert sum(isinstance(leg.question, Links) for leg, _ in literature.legs) == 2 * 3


def test_the_largest_network_sends_each_provider_a_limited_number_of_queries() -> None:
    cites = {seed: [f"{seed}{number}" for number in range(30)] for seed in LETTERS[:10]}
    literature = Literature(cites)
    built = literature.build(*LETTERS[:10], depth=2, max_nodes=200)
    assert len(built.network.nodes) == 200
    kinds = Counter(type(leg.question) for leg, _ in literature.legs)
    assert kinds == {Lookup: 1 + 2, Links: 2 * (10 + EXPANDED)}
    lookups = [len(leg.question.names) for leg, _ in literature.legs if isinstance(leg.question, Lookup)]
    assert sorted(lookups) == [10, 90, 100]


@pytest.mark.parametrize("depth", [1, 2])
def test_a_provider_that_never_answers_leaves_time_for_every_step(depth: int) -> None:
    literature = Literature(
        {"a": "bc", "b": "d"}, capabilities={"quick": QUICK, "stuck": QUICK}, takes_s={"stuck": 60.0}
    )
    built = literature.build("a", depth=depth, timeout_ms=8_000)
    assert keys(built) == "abcd"[: 2 + depth]
    assert built.search_time_ms <= 8_000
    assert not built.legs["complete"]
    assert {name: it["outcome"] for name, it in built.legs["providers"].items()} == {
        "quick": "ok",
        "stuck": "timeout",
    }
    assert all(seconds >= 1.0 for leg, seconds in literature.legs if leg.provider == "quick")


def test_a_request_of_one_second_spends_it_on_the_seeds() -> None:
    literature = Literature({"a": "bc"}, capabilities={"quick": QUICK, "stuck": QUICK}, takes_s={"stuck": 60.0})
    built = literature.build("a", timeout_ms=1_000)
    assert keys(built) == "a"
    assert built.search_time_ms <= 1_000


def test_seeds_that_are_not_found_differ_from_seeds_without_an_answer() -> None:
    literature = Literature(
        {"a": "b"},
        capabilities={"one": replace(QUICK, operations={"lookup": ("doi",), "references": ("doi",)}, lookup_names=1)},
    )
    with pytest.raises(NotFound, match=r"10\.1000/x is not held by one"):
        literature.build("x")
    literature.down_for = "y"
    with pytest.raises(AllProvidersFailed, match=r"nobody who might know doi:10\.1000/y answered"):
        literature.build("y")


def test_an_unknown_seed_is_not_found_and_one_without_any_answer_is_unanswered() -> None:
    index = replace(QUICK, operations={**QUICK.operations, "search": ()})
    by_pmid = replace(QUICK, operations={"lookup": ("pmid",)})
    literature = Literature({"a": "b"}, capabilities={"quick": index, "medical": by_pmid}, takes_s={"medical": 60.0})
    built = literature.build("a", "x", "pmid:1", timeout_ms=8_000)
    assert (built.seeds_not_found, built.seeds_unanswered) == (["doi:10.1000/x"], ["pmid:1"])


def test_more_seeds_than_nodes_are_rejected_with_the_name_of_the_field() -> None:
    with pytest.raises(Unprocessable) as refused:
        Literature({}).build("a", "b", "c", max_nodes=2)
    assert [fault.field for fault in refused.value.errors] == ["max_nodes"]


def test_each_citation_within_the_network_is_published_with_its_providers() -> None:
    literature = Literature({"a": "bcd", "b": "c"}, capabilities={"one": QUICK, "two": QUICK})
    literature.build("a", max_nodes=3)
    published = {paper["key"]: paper["references"] for paper in literature.published}
    listed = ["doi:10.1000/b", "doi:10.1000/c"]
    assert published == {"doi:10.1000/a": {"one": listed, "two": listed}, "doi:10.1000/b": {}, "doi:10.1000/c": {}}


def test_of_many_warnings_the_first_are_shown() -> None:
    built = Literature({"a": LETTERS[1:]}).build("a", depth=2, direction="references")
    *shown, rest = built.legs["providers"]["quick"]["warnings"]
    assert [text.partition("(")[0] for text in shown] == WARNINGS_SHOWN * ["nothing is known about Links"]
    assert rest == f"and {EXPANDED - WARNINGS_SHOWN} more warnings of other lists"
    one = Literature({"a": "b"}).build("a", direction="citations")
    assert len(one.legs["providers"]["quick"]["warnings"]) == 1
