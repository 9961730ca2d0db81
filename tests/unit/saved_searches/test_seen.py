"""A reported paper is recognised under every id it may return with, and no other paper is taken for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shared.bibliography.identifiers import Identifiers
from shared.bibliography.paper import Author, MergedPaper, Paper, Retraction, RetractionStatus, Version
from shared.matching import same_paper
from shared.saved_searches.seen import (
    MAX_STUBS,
    ReportedPaper,
    SeenSet,
    is_published,
    known_from_json,
    known_paper,
    known_to_json,
)
from tests.unit.records import merge_records, preprint, published, record

TITLE = "High-throughput screening of human genetic variants by pooled prime editing"
TEAM = "Herger, Michael; Kajba, Christina M.; Buckley, Megan; Cunha, Ana"
EARLY, LATE = "10.1101/2024.04.01.587366", "10.1016/j.xgen.2025.100814"
S2 = "7e5d4466c8b8" * 3 + "0000"
SUPPLEMENT = "10.2337/db15386741"
ONSAGER = "Reciprocal Relations in Irreversible Processes. {}."


def one(*records: Paper) -> MergedPaper:
    (merged,) = merge_records(records)
    return merged


def stored(*papers: MergedPaper) -> list[ReportedPaper]:
    """Their stored form, as read back from the table."""
    known_papers = [known_paper(paper, number) for number, paper in enumerate(papers, start=1)]
    return [known_from_json(known_to_json(it), it.number) for it in known_papers]


def matches(papers: Sequence[MergedPaper], known: Sequence[ReportedPaper]) -> list[list[ReportedPaper]]:
    return SeenSet(known).matches(papers)


SAME: dict[str, tuple[Paper, Paper]] = {
    "itself": (record(TITLE, TEAM, 2025, doi=LATE), record(TITLE, TEAM, 2025, doi=LATE)),
    "another id of the same index": (
        record(TITLE, TEAM, 2025, openalex="W1", doi=LATE), record(TITLE, TEAM, 2025, openalex="W2", doi=LATE)
    ),
    "a DOI that it did not have": (
        record(TITLE, TEAM, 2025, pmid="40120586"), record(TITLE, TEAM, 2025, pmid="40120586", doi=LATE)
    ),
    "only its title before, then a DOI": (record(TITLE, TEAM, 2025), record(TITLE, TEAM, 2025, doi=LATE)),
    "a preprint in a journal, by a link": (
        record("Prime editing screens", TEAM, 2024, doi=EARLY),
        record(TITLE, TEAM, 2025, doi=LATE, versions=preprint(doi=EARLY)),
    ),
    "a preprint in a journal, by the link that it had": (
        record("Prime editing screens", TEAM, 2024, doi=EARLY, versions=published(doi=LATE)),
        record(TITLE, TEAM, 2025, doi=LATE),
    ),
    "a preprint in a journal, by title and authors": (
        record(TITLE, TEAM, 2024, "bioRxiv", doi=EARLY), record(TITLE, TEAM, 2025, "Cell Genomics 5:100814", doi=LATE)
    ),
    "an id of one index alone": (record(TITLE, paper_id=S2), record("Pooled prime editing", paper_id=S2)),
    "an arXiv paper of another version": (
        record("Attention Is All You Need", arxiv="1706.03762v1"), record("Attention", arxiv="1706.03762v7")
    ),
    "retracted since": (
        record(TITLE, TEAM, 2025, doi=LATE),
        replace(record(f"RETRACTED: {TITLE}", TEAM, 2025, doi=LATE), retraction=Retraction(RetractionStatus.RETRACTED)),
    ),
    "a longer list of authors": (
        record(TITLE, TEAM, 2025, "Cell Genomics 5:100814"),
        record(TITLE, f"{TEAM}; {'; '.join(f'Author{it}, A' for it in range(40))}", 2025, "Cell Genomics 5:100814"),
    ),
}  # fmt: skip
OTHER: dict[str, tuple[Paper, Paper]] = {
    "abstracts of a supplement that share a DOI": (
        record("A DPP-4 inhibitor but not incretins suppresses the progression of abdominal aorta aneurysms",
               "Kohashi, K.; Hiromura, M.; Mori, Y.", 2015, "Diabetes 64:A134", doi=SUPPLEMENT),
        record("A sodium glucose cotransporter-2 inhibitor prevents macrophage-driven atherosclerosis",
               "Terasaki, M.; Hiromura, M.; Mori, Y.", 2015, "Diabetes 64:A134-A135", doi=SUPPLEMENT),
    ),
    "parts I and II": (
        record(ONSAGER.format("I"), "Onsager, Lars", 1931, "Physical Review 37:405-426"),
        record(ONSAGER.format("II"), "Onsager, Lars", 1931, "Physical Review 38:2265-2279"),
    ),
    "a reply": (record(TITLE, TEAM, 2025, doi=LATE), record(f"{TITLE} - Reply", "Other, O", 2025, doi="10.1016/j.9")),
    "an erratum": (record(TITLE, TEAM, 2025), record(f"Erratum: {TITLE}", TEAM, 2025, type="erratum")),
    "one title of other authors": (
        record("Vitamin D and the immune system", "Aranow, C", 2011),
        record("Vitamin D and the immune system", "Baeke, F; Takiishi, T", 2011),
    ),
    "two PMIDs": (record(TITLE, TEAM, 2025, pmid="40120586"), record(TITLE, TEAM, 2025, pmid="37398060")),
    "two DOIs": (record(TITLE, TEAM, 2025, doi="10.1000/1"), record(TITLE, TEAM, 2025, doi="10.1000/2")),
}  # fmt: skip


@pytest.mark.parametrize(("before", "now"), SAME.values(), ids=SAME)
def test_the_same_paper_matches(before: Paper, now: Paper) -> None:
    others = [one(record(f"Glacier number {it}", f"Smith{it}, A", 2020)) for it in range(3)]
    known_papers = stored(others[0], one(before), *others[1:])
    assert [[it.number for it in found] for found in matches([one(now), *others], known_papers)] == [[2], [1], [3], [4]]


@pytest.mark.parametrize(("before", "now"), OTHER.values(), ids=OTHER)
def test_different_papers_do_not_match(before: Paper, now: Paper) -> None:
    assert matches([one(now)], stored(one(before))) == [[]]
    assert matches([one(before)], stored(one(now))) == [[]]


@pytest.mark.parametrize(("before", "now"), SAME.values(), ids=SAME)
def test_a_known_paper_matches_under_both_names(before: Paper, now: Paper) -> None:
    (known,) = stored(one(before))
    both = known_from_json(known_to_json(known_paper(one(now), 1, [known])), 1)
    for paper in (before, now):
        assert [it.number for it in matches([one(paper)], [both])[0]] == [1]
    assert known_paper(one(now), 1, [both]) == both, "what is known already is not written again"
    republished = both.published and not known.published  # under the article's key; else the key stays as reported
    assert (both.key, len(both.stubs) <= MAX_STUBS) == (one(now).key if republished else known.key, True)


def test_two_known_papers_found_to_be_one_have_the_first_number_permanently() -> None:
    early, late = record("Prime editing screens", TEAM, 2024, doi=EARLY), record(TITLE, TEAM, 2025, doi=LATE)
    known_papers = stored(one(early), one(late))
    linking = one(replace(late, versions=preprint(doi=EARLY)))
    (found,) = matches([linking], known_papers)
    assert [it.number for it in found] == [1, 2]
    joined = known_paper(linking, 1, found)
    assert joined.published and len(joined.stubs) == 2
    for _ in range(10):  # however often it is seen, the ids of later papers fit
        assert known_paper(linking, 1, [joined, known_papers[1]]) == joined


def test_publication_and_retraction_are_permanent() -> None:
    early = one(record(TITLE, TEAM, 2024, doi=EARLY))
    late = one(replace(record(TITLE, TEAM, 2025, doi=LATE), retraction=Retraction(RetractionStatus.RETRACTED)))
    assert (is_published(early), is_published(late)) == (False, True)
    first = known_paper(early, 1)
    second = known_paper(late, 1, [first])
    third = known_paper(early, 1, [second])
    assert [(it.published, it.retracted) for it in (first, second, third)] == [
        (False, False),
        (True, True),
        (True, True),
    ]


TEXT = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=20)
SOME = st.none() | TEXT
IDS = st.builds(Identifiers, doi=SOME, pmid=SOME, arxiv=SOME, paper_id=SOME, openalex=SOME, pmcid=SOME)
AUTHORS = st.builds(Author, family=SOME, given=SOME, name=SOME)
VERSIONS = st.builds(Version, st.sampled_from(["preprint", "published", "version"]), doi=SOME, title=SOME, arxiv=SOME)
STUBS = st.builds(
    Paper, provider=st.just("seen"), rank=st.just(1), title=st.text(max_size=9), ids=IDS,
    authors=st.lists(AUTHORS, max_size=3).map(tuple), author_count=st.none() | st.integers(0, 9),
    year=st.none() | st.integers(0, 3000), publication_date=SOME, journal=SOME, volume=SOME, issue=SOME, pages=SOME,
    type=SOME, versions=st.lists(VERSIONS, max_size=3).map(tuple),
    alternative_titles=st.lists(TEXT, max_size=3).map(tuple),
)  # fmt: skip


@given(st.builds(ReportedPaper, number=st.integers(1, 9), key=TEXT, stubs=st.lists(STUBS, max_size=4).map(tuple),
                 published=st.booleans(), retracted=st.booleans()))  # fmt: skip
def test_a_stored_value_is_read_back_unchanged(known: ReportedPaper) -> None:
    assert known_from_json(known_to_json(known), known.number) == known


# As in an answer, each under a key of its own.
MANY = merge_records(it for pair in {**SAME, **OTHER}.values() for it in pair)


@settings(max_examples=15)
@given(st.permutations(range(len(MANY))), st.permutations(range(len(MANY))))
def test_the_order_of_papers_and_of_known_papers_does_not_matter(papers: list[int], known: list[int]) -> None:
    known_papers = stored(*MANY)

    def found(papers: list[int], known: list[int]) -> dict[int, list[int]]:
        answer = matches([MANY[it] for it in papers], [known_papers[it] for it in known])
        return {paper: [it.number for it in its] for paper, its in zip(papers, answer, strict=True)}

    search_order = list(range(len(MANY)))
    assert found(papers, known) == found(search_order, search_order)


def _comparisons(monkeypatch: pytest.MonkeyPatch, count: int, **other: Any) -> int:
    records = [
        record(f"Microglia {it} and factor {it * 7919 % 1000} of it", f"Name{it % 97}, A", 2000 + it % 25, **other)
        for it in range(count)
    ]
    papers = [paper for record in records for paper in merge_records([record])]
    compared = [0]
    compare = same_paper.compare

    def counted(*pair: Any) -> Any:
        compared[0] += 1
        return compare(*pair)

    with monkeypatch.context() as patch:
        patch.setattr("shared.matching.collection.compare", counted)
        matches(papers[:100], stored(*papers))
    return compared[0]


@pytest.mark.slow
@pytest.mark.parametrize("other", [{}, {"place": "Diabetes 64:A134"}], ids=["plain", "one page"])
def test_the_work_grows_linearly_with_the_known_papers(monkeypatch: pytest.MonkeyPatch, other: dict[str, Any]) -> None:
    few = _comparisons(monkeypatch, 500, **other)
    many = _comparisons(monkeypatch, 2_000, **other)
    assert 0 < many <= 6 * few
