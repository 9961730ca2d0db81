"""What holds for any records in any order."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from hypothesis import given, settings
from hypothesis import strategies as st

from shared.bibliography.identifiers import Identifiers
from shared.bibliography.paper import Author, MergedPaper, Paper, RecordId, Version
from shared.matching.title_features import read_title
from shared.merging.merge import merge
from tests.unit.records import same_paper

TITLES = ("Atypical hemolytic uremic syndrome", "Reply: Atypical hemolytic uremic syndrome", "Point Transformer",
          "Processes of ice. Part I", "Processes of ice. Part II", "Editorial")  # fmt: skip
FAMILIES = ("Noris", "Loirat", "Engel", "Zhao")


def some(*values: str) -> st.SearchStrategy[str | None]:
    return st.sampled_from((None, *values))


IDS = st.builds(
    Identifiers,
    doi=some("10.1000/a", "10.1000/b", "10.1101/2024.04.01.587366", "10.48550/arxiv.2011.00931"),
    pmid=some("1", "2"),
    pmcid=some("PMC1", "PMC2"),
    arxiv=some("2011.00931", "2012.09164"),
    openalex=some("W10", "W11"),
)
VERSIONS = st.builds(
    Version, st.sampled_from(("preprint", "published", "version")), doi=some("10.1000/a"), pmid=some("1")
)
AUTHORS = st.lists(st.builds(Author, st.sampled_from(FAMILIES), st.sampled_from(("M.", "Marina"))), max_size=2)
PAPERS = st.builds(
    Paper,
    provider=st.sampled_from(("pubmed", "crossref", "openalex")),
    rank=st.integers(1, 3),
    title=st.sampled_from(TITLES),
    ids=IDS,
    authors=AUTHORS.map(tuple),
    year=st.sampled_from((None, 2009, 2010, 2013)),
    journal=some("Nature", "bioRxiv"),
    volume=some("1", "2"),
    pages=some("1-9", "10"),
    type=some("preprint", "journal-article", "erratum"),
    citation_count=st.sampled_from((None, 0, 7)),
    versions=st.lists(VERSIONS, max_size=1).map(tuple),
)
Records = list[tuple[RecordId, Paper]]
MANY = st.lists(
    st.builds(lambda paper, answer: (RecordId(paper.provider, answer, paper.rank), paper), PAPERS, st.integers(0, 1)),
    max_size=9,
)


@settings(deadline=None, max_examples=150)
@given(MANY, st.randoms(use_true_random=False))
def test_any_order_of_records_gives_the_same_papers(records: Records, random: object) -> None:
    shuffled = list(records)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert repr(merge(shuffled)) == repr(merge(records))


@settings(deadline=None, max_examples=150)
@given(MANY)
def test_every_record_is_in_exactly_one_result_and_keeps_its_id(records: Records) -> None:
    assert sorted(map(repr, _records_of(merge(records)))) == sorted(map(repr, records))


@settings(deadline=None, max_examples=150)
@given(MANY)
def test_merging_a_merged_answer_changes_nothing(records: Records) -> None:
    once = merge(records)
    assert merge(_records_of(once)) == once


@settings(deadline=None, max_examples=150)
@given(MANY)
def test_no_two_results_share_an_id(records: Records) -> None:
    for one, other in combinations(merge(records), 2):
        assert not _shared(one, other)


@settings(deadline=None, max_examples=150)
@given(MANY)
def test_no_two_results_have_the_same_key(records: Records) -> None:
    keys = [paper.key for paper in merge(records)]
    assert len(set(keys)) == len(keys)


def _records_of(papers: Sequence[MergedPaper]) -> Records:
    return [pair for paper in papers for pair in zip(paper.record_ids, paper.records, strict=True)]


def _shared(one: MergedPaper, other: MergedPaper) -> Sequence[str]:
    names = [
        name for name in ("pmid", "pmcid", "arxiv") if getattr(one.ids, name) == getattr(other.ids, name) is not None
    ]
    alike = read_title(one.title).compact == read_title(other.title).compact
    return [*names, *(["doi"] if alike and one.ids.doi and one.ids.doi == other.ids.doi else [])]


@settings(deadline=None, max_examples=200)
@given(PAPERS, PAPERS)
def test_a_comparison_reads_the_same_from_both_sides(a: Paper, b: Paper) -> None:
    assert same_paper(a, b) == same_paper(b, a)


@settings(deadline=None, max_examples=150)
@given(MANY)
def test_two_articles_with_different_pmids_are_never_one(records: Records) -> None:
    """A preprint may have a PMID of its own; one is a record with an arXiv id, no journal and no DOI."""
    for paper in merge(records):
        articles = [
            record
            for record in paper.records
            if record.type == "journal-article"
            and record.journal != "bioRxiv"
            and (record.journal or record.ids.doi or not record.ids.arxiv)
        ]
        dois = {record.ids.doi for record in articles} & {"10.1101/2024.04.01.587366", "10.48550/arxiv.2011.00931"}
        assert dois or len({record.ids.pmid for record in articles} - {None}) < 2
