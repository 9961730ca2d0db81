"""A large collection is looked at only where it may matter, and answers as if all of it were clustered anew."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shared.bibliography.identifiers import Identifiers
from shared.bibliography.paper import Paper, RecordId, Version
from shared.matching.clustering import cluster
from shared.matching.collection import Collection, Member
from shared.matching.same_paper import compare
from tests.unit.records import identified, record

WORDS = ("microglia", "prime", "editing", "retina", "glacier", "oxide", "tensor")
TEAM = ("Herger, M", "Kajba, C", "Buckley, Megan", "Cunha, Ana", "Smith, J")


def some_record(rng: Random) -> Paper:
    """One of few titles, authors, places and ids, so that blocks are large and much resembles much."""
    title = " ".join(rng.sample(WORDS, rng.choice((4, 5, 5)))) + rng.choice(("", "", ": a reply", " part II"))
    authors = "; ".join(rng.sample(TEAM, rng.choice((0, 1, 2, 2))))
    place = rng.choice(("", "", "bioRxiv", f"Cell {rng.randint(1, 2)}:{rng.randint(1, 3)}"))
    linked = rng.random() < 0.2
    ids = Identifiers(
        doi=f"10.1000/{rng.randint(1, 25)}" if rng.random() < 0.5 else None,
        pmid=str(rng.randint(1, 25)) if rng.random() < 0.3 else None,
        openalex=f"W{rng.randint(1, 25)}" if rng.random() < 0.3 else None,
    )
    made = record(title, authors, rng.choice((None, 2024, 2025)), place, provider=rng.choice("abc"), rank=1)
    links = (Version("preprint", doi=f"10.1000/{rng.randint(1, 25)}"),) if linked else ()
    return replace(made, ids=ids, versions=links)


def member_of(place: Member, paper: Paper) -> Paper:
    return replace(paper, provider=f"kept {place}")


def some_records(rng: Random, count: int) -> list[tuple[RecordId, Paper]]:
    return identified([some_record(rng) for _ in range(count)], [rng.randint(0, 1) for _ in range(count)])


def whole(papers: list[tuple[RecordId, Paper]], members: dict[Member, Paper]) -> list[list[Member]]:
    """The groups that hold a paper, when everything is clustered."""
    places: list[Member] = [*((0, number) for number in range(len(papers))), *sorted(members)]
    groups, _ = cluster([*papers, *identified(members[place] for place in sorted(members))])
    return [[places[it] for it in group] for group in groups if group[0] < len(papers)]


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**9), st.integers(1, 12), st.integers(0, 120))
def test_incremental_groups_equal_those_of_clustering_everything(seed: int, few: int, many: int) -> None:
    rng = Random(seed)
    papers = some_records(rng, few)
    members = {place: member_of(place, some_record(rng)) for place in ((1 + n // 2, n % 2) for n in range(many))}
    collection = Collection()
    for place in rng.sample(sorted(members), len(members)):
        collection.put(place, members[place])
    assert collection.groups_with(papers) == whole(papers, members)


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**9))
def test_additions_and_removals_do_not_change_the_groups(seed: int) -> None:
    rng, collection, members = Random(seed), Collection(), dict[Member, Paper]()
    for _ in range(8):
        for _ in range(12):
            place = (rng.randint(1, 30), rng.randint(0, 1))
            if place in members:
                collection.remove(place)
                del members[place]
            if rng.random() < 0.7:
                members[place] = member_of(place, some_record(rng))
                collection.put(place, members[place])
        papers = some_records(rng, 4)
        assert collection.groups_with(papers) == whole(papers, members)


def test_a_chain_leads_to_members_that_share_nothing_with_the_paper() -> None:
    chain = [
        record("Prime editing screens", doi="10.1000/1"),
        record("Pooled prime editing of variants", doi="10.1000/2", versions=(Version("preprint", doi="10.1000/1"),)),
        record("Variants, screened", pmid="7", versions=(Version("preprint", doi="10.1000/2"),)),
    ]
    collection = Collection()
    for number, it in enumerate((*chain[1:], record("Glaciers of the north", doi="10.1000/9")), start=1):
        collection.put((number, 0), it)
    assert collection.groups_with(identified(chain[:1])) == [[(0, 0), (1, 0), (2, 0)]]


@pytest.mark.parametrize("count", [200, 2_000])
def test_a_match_compares_no_more_in_a_larger_collection(monkeypatch: pytest.MonkeyPatch, count: int) -> None:
    compared = [0]

    def counted(*pair: Any) -> Any:
        compared[0] += 1
        return compare(*pair)

    monkeypatch.setattr("shared.matching.collection.compare", counted)
    collection = Collection()
    for it in range(count):
        collection.put(
            (1 + it, 0), record(f"Factor {it} of {it * 7919 % 100_003}", f"Name{it % 97}, A", 2000 + it % 25)
        )
    known = [record(f"Factor {it} of {it * 7919 % 100_003}", f"Name{it % 97}, A") for it in range(20)]
    collection.groups_with(identified(known))
    assert 20 <= compared[0] < 2_000
