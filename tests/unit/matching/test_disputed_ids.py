"""An id alone does not make one paper of two that have nothing in common (a wrong PMID, a wrong arXiv id)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import permutations
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shared.bibliography.paper import MergedPaper, Paper
from shared.matching.clustering import cluster
from shared.matching.collection import Collection, Member
from shared.matching.same_paper import Decision
from tests.unit.records import identified, merge_records, record, same_paper

MICROGLIA: tuple[Any, ...] = ("Microglia and amyloid in early dementia", "Smith, Anna", 2019)
SOIL: tuple[Any, ...] = ("Soil carbon under permanent grassland", "Jones, Bert", 2021)
IDS = {"pmid": "222", "pmcid": "PMC222", "arxiv": "2011.00931"}
REGISTRY = {"pmid": "pubmed", "pmcid": "europe_pmc", "arxiv": "arxiv"}


def rogue(name: str) -> list[Paper]:
    """Two sources know one paper, the registry another, and one record has the first paper's DOI and the other's id."""
    own: dict[str, Any] = {name: IDS[name]}
    return [
        record(*MICROGLIA, doi="10.1000/a", provider="crossref", rank=1),
        record(*MICROGLIA, doi="10.1000/a", provider="openalex", rank=1),
        record(*MICROGLIA, doi="10.1000/a", provider="semantic_scholar", rank=1, paper_id="a" * 40, **own),
        record(*SOIL, doi="10.1000/b", provider=REGISTRY[name], rank=1, **own),
    ]


def providers_of(papers: Sequence[MergedPaper]) -> list[list[str]]:
    return sorted(sorted(record.provider for record in paper.records) for paper in papers)


@pytest.mark.parametrize("name", IDS)
def test_one_id_does_not_join_papers_that_have_nothing_in_common(name: str) -> None:
    *_, bridge, other = rogue(name)
    verdict = same_paper(bridge, other)
    assert verdict.decision is Decision.DISPUTED
    assert verdict.reason == "same id, but other title, authors and DOI"


@pytest.mark.parametrize("name", IDS)
def test_the_record_between_two_papers_stays_apart_in_every_order(name: str) -> None:
    papers = rogue(name)
    answers = [merge_records(order) for order in permutations(papers)]
    assert providers_of(answers[0]) == sorted([["crossref", "openalex"], [REGISTRY[name]], ["semantic_scholar"]])
    assert all(answer == answers[0] for answer in answers)


@pytest.mark.parametrize("name", IDS)
def test_the_record_between_two_papers_is_linked_to_both_with_the_reasons(name: str) -> None:
    by_key = {paper.key: paper for paper in merge_records(rogue(name))}
    odd = by_key.pop("s2:" + "a" * 40)
    assert {link.key: link.reason for link in odd.possible_duplicates} == {
        "doi:10.1000/a": "same doi, but other records contradict that",
        "doi:10.1000/b": "same id, but other title, authors and DOI",
    }
    for key in ("doi:10.1000/a", "doi:10.1000/b"):
        assert [link.key for link in by_key[key].possible_duplicates] == [odd.key]


@pytest.mark.parametrize("name", IDS)
def test_the_id_stays_with_the_paper_to_which_its_registry_gives_it(name: str) -> None:
    holders = [paper.title for paper in merge_records(rogue(name)) if getattr(paper.ids, name)]
    assert holders == [SOIL[0]]


def test_two_records_that_share_nothing_but_an_id_are_linked() -> None:
    first, second = merge_records([record(*MICROGLIA, pmid="222"), record(*SOIL, doi="10.1000/b", pmid="222")])
    assert [link.key for link in first.possible_duplicates] == [second.key]
    assert [link.key for link in second.possible_duplicates] == [first.key]


def test_a_record_without_authors_does_not_connect_two_papers() -> None:
    papers = rogue("pmid")
    papers[2] = replace(papers[2], authors=())
    assert providers_of(merge_records(papers)) == [["crossref", "openalex"], ["pubmed"], ["semantic_scholar"]]


def test_records_without_authors_do_not_chain_two_papers() -> None:
    papers = [
        record(*MICROGLIA, doi="10.1000/a", provider="crossref"),
        record(MICROGLIA[0], doi="10.1000/a", provider="openalex", openalex="W77"),
        record("Untitled", provider="semantic_scholar", openalex="W77", pmid="222"),
        record(*SOIL, doi="10.1000/b", provider="pubmed", pmid="222"),
    ]
    (home,) = [group for group in providers_of(merge_records(papers)) if "pubmed" in group]
    assert "crossref" not in home


def test_a_paper_with_a_wrong_id_stays_whole_where_all_its_records_have_it() -> None:
    papers = [
        record(*MICROGLIA, doi="10.1000/a", pmid="222", provider="openalex"),
        record(*MICROGLIA, doi="10.1000/a", pmid="222", provider="semantic_scholar"),
        record(*SOIL, doi="10.1000/b", pmid="222", provider="pubmed"),
    ]
    assert providers_of(merge_records(papers)) == [["openalex", "semantic_scholar"], ["pubmed"]]


@pytest.mark.parametrize(
    "changed",
    [
        {"title": MICROGLIA[0]},  # authors misread
        {"authors": record("x", MICROGLIA[1]).authors},  # a new title
        {"authors": ()},  # nobody known
        {"ids": record("x", doi="10.1000/a", pmid="222").ids},  # one DOI
        {"title": "[Soil carbon under permanent grassland]", "ids": record("x", pmid="222").ids},  # a translation
    ],
    ids=["title", "authors", "authors unknown", "DOI", "translated"],
)
def test_an_id_still_joins_where_one_thing_agrees_or_cannot_be_compared(changed: dict[str, Any]) -> None:
    one = record(*MICROGLIA, doi="10.1000/a", pmid="222")
    assert same_paper(one, replace(record(*SOIL, doi="10.1000/b", pmid="222"), **changed))


def test_a_retitled_preprint_with_its_arxiv_id_is_one_with_its_article() -> None:
    early = record("A first draft on glaciers", "Smith, Anna; Weber, C.", 2011, arxiv="2011.00931")
    assert same_paper(early, record(*MICROGLIA, doi="10.1000/a", arxiv="2011.00931"))


def test_two_pmids_never_meet_through_a_third_record_and_are_linked() -> None:
    papers = [
        record(*MICROGLIA, pmid="11", doi="10.1000/a", provider="one"),
        record(*MICROGLIA, doi="10.1000/a", pmcid="PMC222", provider="two"),
        record(*MICROGLIA, pmid="12", pmcid="PMC222", provider="three"),
    ]
    for order in permutations(papers):
        groups = merge_records(order)
        assert providers_of(groups) == [["one"], ["three", "two"]]
        assert all(paper.possible_duplicates for paper in groups)


def clashing(rng: Random, number: int) -> Paper:
    """A record of one of three unlike papers, whose ids are often another's."""
    title, authors, year = rng.choice((MICROGLIA, SOIL, ("Ice cores of Dome C reveal past climates", "Ono, C.", 2001)))
    made = record(title, authors if rng.random() < 0.8 else "", rng.choice((year, year, None)), provider=f"p{number}")
    ids = record(
        title,
        doi=rng.choice((None, "10.1000/a", "10.1000/b", "10.1000/c")),
        pmid=rng.choice((None, "1", "2")),
        pmcid=rng.choice((None, None, "PMC222")),
    ).ids
    return replace(made, ids=ids, rank=number)


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 10**9), st.integers(1, 3), st.integers(0, 7))
def test_a_stored_collection_keeps_the_same_records_apart(seed: int, few: int, many: int) -> None:
    rng = Random(seed)
    new = identified(clashing(rng, number) for number in range(few))
    kept: dict[Member, Paper] = {(1 + number, 0): clashing(rng, 100 + number) for number in range(many)}
    collection = Collection()
    for place, paper in kept.items():
        collection.put(place, paper)
    groups, _ = cluster([*new, *identified(kept.values())])
    places: list[Member] = [*((0, number) for number in range(few)), *kept]
    assert collection.groups_with(new) == [[places[it] for it in group] for group in groups if group[0] < few]


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 10**9), st.integers(1, 8))
def test_no_order_of_clashing_records_changes_the_answer(seed: int, many: int) -> None:
    rng = Random(seed)
    papers = [clashing(rng, number) for number in range(many)]
    assert merge_records(rng.sample(papers, many)) == merge_records(papers)


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 10**9), st.integers(2, 8))
def test_no_answer_holds_two_pmids_in_one_paper(seed: int, many: int) -> None:
    rng = Random(seed)
    for paper in merge_records([clashing(rng, number) for number in range(many)]):
        assert len({it.ids.pmid for it in paper.records} - {None}) < 2
