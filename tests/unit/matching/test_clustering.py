"""Groups: candidates from blocks, joins strongest first, no contradiction inside a group."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import pytest

from shared.bibliography.paper import Paper, Version
from shared.matching import clustering
from shared.matching.clustering import candidates, cluster
from shared.matching.features import Features, features
from shared.matching.same_paper import contradict
from tests.unit.records import identified, preprint, record

GLACIER, MARZEION = "Glacier mass balance of Hintereisferner since 1952", "Marzeion, Ben; Hofer, Marlis"


def titles_of(papers: Sequence[Paper], answers: Iterable[int] | None = None) -> list[list[str]]:
    groups, _ = cluster(identified(papers, answers))
    return [[papers[number].provider for number in group] for group in groups]


def test_ids_join_transitively() -> None:
    papers = [
        record("A", doi="10.1000/a", provider="one"),
        record("B", pmid="12", openalex="W77", provider="two"),
        record("A", doi="10.1000/a", openalex="W77", provider="three"),
    ]
    assert titles_of(papers) == [["one", "two", "three"]]


def test_a_third_record_does_not_chain_two_pmids() -> None:
    papers = [
        record(GLACIER, MARZEION, 2012, pmid="11", provider="one"),
        record(GLACIER, MARZEION, 2012, provider="two"),
        record(GLACIER, MARZEION, 2012, pmid="12", provider="three"),
    ]
    assert sorted(titles_of(papers)) == [["one", "two"], ["three"]]


def test_two_hits_of_one_answer_are_not_chained_by_a_third_record() -> None:
    papers = [
        record(GLACIER, MARZEION, 2012, provider="dblp", doi="10.1000/a"),
        record(GLACIER, MARZEION, 2012, provider="dblp"),
        record(GLACIER, MARZEION, 2012, provider="acm", doi="10.1000/a"),
    ]
    assert titles_of(papers) == [["dblp", "acm"], ["dblp"]]


def test_records_that_one_source_separates_are_joined_by_another_sources_record() -> None:
    cut, whole = "Rule management in object databases", "Rule management in object databases: a uniform approach"
    apart = [
        record(cut, "Diaz, O.; Paton, N.", provider="core"),
        record(whole, "Diaz, O.; Paton, N.", provider="core"),
    ]
    assert titles_of(apart, answers=[0, 1]) == [["core"], ["core"]]
    third = record(whole, "Diaz, O.; Paton, N.", 1991, provider="dblp")
    assert titles_of([*apart, third], answers=[0, 1, 0]) == [["core", "core", "dblp"]]


def test_a_record_without_year_and_with_a_misspelled_word_is_matched() -> None:
    cited = record("The effectivness of GlOSS for text database discovery problems", "Gravano, L.; Tomasic, A.")
    whole = record("Effectiveness of GlOSS for text database discovery problem", "Gravano, L.; Tomasic, A.", 1994)
    assert candidates([features(cited), features(whole)]) == [(0, 1)]


def test_a_record_that_names_both_joins_preprint_and_article_of_one_answer() -> None:
    papers = [
        record("Prime editing", MARZEION, 2021, provider="openalex", doi="10.1101/2024.04.01.587366"),
        record(GLACIER, MARZEION, 2025, provider="openalex", doi="10.1000/a"),
        record(GLACIER, MARZEION, 2025, provider="crossref", doi="10.1000/a",
               versions=preprint(doi="10.1101/2024.04.01.587366")),
    ]  # fmt: skip
    assert titles_of(papers) == [["openalex", "openalex", "crossref"]]


def test_preprint_and_article_with_a_pmid_each_are_joined_by_their_records() -> None:
    link = (Version("published", doi="10.1016/j.cell.2023.05.044"),)
    papers = [
        record(GLACIER, provider="pubmed", pmid="36798302", doi="10.1101/2023.02.07.527548", type="preprint"),
        record(GLACIER, provider="crossref", doi="10.1101/2023.02.07.527548", versions=link),
        record(GLACIER, provider="crossref", doi="10.1016/j.cell.2023.05.044"),
        record(GLACIER, provider="pubmed", pmid="37385249", doi="10.1016/j.cell.2023.05.044"),
    ]
    assert titles_of(papers) == [["pubmed", "crossref", "crossref", "pubmed"]]


def test_doubtful_pairs_are_linked_with_the_reason() -> None:
    papers = [record(GLACIER, MARZEION, 2012), record(GLACIER, MARZEION, 2015), record("Ice cores of Dome C")]
    groups, links = cluster(identified(papers))
    assert len(groups) == 3
    assert [(link.first, link.second, link.reason) for link in links] == [(0, 1, "years more than one apart")]


def test_candidates_are_few_where_a_block_is_large() -> None:
    papers = [record("Editorial", "Rathbone, John", 2014, "Systematic Reviews") for _ in range(400)]
    assert len(candidates([features(paper) for paper in papers])) < 400 * 10


def records_of_many_works(number: int) -> list[Paper]:
    """Each work twice, under titles that begin alike, by few authors, in few years, on few pages."""
    return [
        record(f"{GLACIER} in basin {work}", f"Name{work % 7}, A.", 2000 + work % 2, f"Cryosphere 9:{work % 11}",
               doi=f"10.1000/{work}")
        for work in range(number // 2)
        for _ in range(2)
    ]  # fmt: skip


@pytest.mark.slow
def test_ten_times_the_records_are_not_more_comparisons_for_each() -> None:
    def pairs_per_record(size: int) -> float:
        return len(candidates([features(paper) for paper in records_of_many_works(size)])) / size

    assert pairs_per_record(4000) < 1.1 * pairs_per_record(400)


def test_works_are_compared_with_their_own_records_however_many_there_are() -> None:
    papers = records_of_many_works(1000)
    pairs = set(candidates([features(paper) for paper in papers]))
    assert {(number, number + 1) for number in range(0, 1000, 2)} <= pairs


def test_the_work_grows_with_the_number_of_copies_and_not_with_its_square(monkeypatch: pytest.MonkeyPatch) -> None:
    looked_at: Counter[int] = Counter()

    def counted(a: Features, b: Features, *, joined_by_id: bool) -> bool:
        looked_at[copies] += 1
        return contradict(a, b, joined_by_id=joined_by_id)

    monkeypatch.setattr(clustering, "contradict", counted)
    for copies in (100, 400):
        papers = [record(GLACIER, MARZEION, 2012, pmid="11", provider="one", rank=rank) for rank in range(1, copies)]
        assert len(titles_of(papers)) == 1
    assert looked_at[400] < 6 * looked_at[100]
