"""Which paper a reference means: the right one, or none."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from infra.local.sandbox.facts import Fact, read_facts
from shared.bibliography.identifiers import Identifiers, read_arxiv, read_doi, read_pmid
from shared.bibliography.paper import Author, MergedPaper, Paper, Version
from shared.bibliography.paper_ids import id_texts
from shared.query.question import Citation
from shared.references.judgement import Judgement
from shared.references.reasons import TOO_SHORT
from shared.references.same_citation import MAX_CANDIDATES
from tests.unit.records import merge_records, record
from tests.unit.references.known import judge
from tests.unit.references.references_to_refuse import Reference
from tests.unit.references.references_to_resolve import REFERENCES


def paper_of(rank: int, fact: Fact) -> Paper:
    """A fact of the sandbox as the record of a provider of its own."""
    relation = "published" if fact.type == "preprint" else "preprint"
    versions = [
        Version(relation, arxiv=other[6:]) if other.startswith("arXiv:") else Version(relation, doi=other.lower())
        for other in fact.versions
    ]
    return Paper(
        provider=f"provider{rank}",
        rank=rank,
        title=fact.title,
        alternative_titles=(fact.title_translated,) if fact.title_translated else (),
        ids=Identifiers(doi=read_doi(fact.doi), pmid=read_pmid(fact.pmid), arxiv=read_arxiv(fact.arxiv_id)),
        authors=tuple(Author(family=family, given=first) for family, first in fact.authors),
        year=fact.year,
        journal=fact.journal,
        volume=fact.volume,
        pages=fact.pages,
        type=fact.type,
        versions=tuple(versions),
    )


@cache
def corpus() -> tuple[MergedPaper, ...]:
    return tuple(merge_records(paper_of(rank, fact) for rank, fact in enumerate(read_facts(), start=1)))


def cited(fields: dict[str, Any]) -> Citation:
    return Citation(**{**fields, "authors": tuple(fields.get("authors", ()))})


def names_in(judgement: Judgement) -> set[str]:
    """All names of the paper that was matched."""
    best = judgement.candidates[0].paper
    return {name for one in best.records for name in id_texts(one.ids)}


@pytest.mark.parametrize("reference", REFERENCES, ids=lambda one: one["name"])
def test_a_reference_means_its_paper_or_none(reference: Reference) -> None:
    judgement = judge(cited(reference["citation"]), corpus())
    seen = [(one.paper.title, one.agrees, one.differs, one.score) for one in judgement.candidates]
    assert judgement.status == reference["status"], seen
    if judgement.status == "matched":
        assert reference["paper"] in names_in(judgement), seen
    if judgement.status == "matched":
        return
    assert judgement.candidates or judgement.reason or judgement.status == "not_found"
    assert all(one.reason for one in judgement.candidates)


@pytest.mark.slow
def test_the_table_is_long_and_mostly_resolved_correctly() -> None:
    judged = [(one, judge(cited(one["citation"]), corpus())) for one in REFERENCES]
    real = [(one, judgement) for one, judgement in judged if one["paper"]]
    found = [one for one, judgement in real if judgement.status == "matched" and one["paper"] in names_in(judgement)]
    assert len(REFERENCES) >= 60
    assert len({one["name"] for one in REFERENCES}) == len(REFERENCES)
    assert len(found) >= 0.95 * len(real)
    assert not [one["name"] for one, judgement in judged if judgement.status == "matched" and one not in found]


@pytest.mark.slow
@given(st.randoms(use_true_random=False), st.sampled_from(REFERENCES))
@settings(max_examples=25, deadline=None)
def test_the_order_of_the_candidates_never_matters(chance: Any, reference: Reference) -> None:
    shuffled = list(corpus())
    chance.shuffle(shuffled)
    citation = cited(reference["citation"])
    assert judge(citation, shuffled) == judge(citation, corpus())


def in_order(title: str, paper: MergedPaper) -> Citation:
    """A reference in which all but the title is right."""
    return Citation(
        title=title,
        authors=tuple(author.display for author in paper.authors),
        year=paper.year,
        journal=paper.journal,
        volume=paper.volume,
        pages=paper.pages,
    )


def as_line(title: str, paper: MergedPaper) -> Citation:
    names = ", ".join(f"{author.family}, J." for author in paper.authors[:3])
    return Citation(text=f"{names} ({paper.year}). {title}. {paper.journal}, {paper.volume}, {paper.pages}.")


@pytest.mark.parametrize("write", [in_order, pytest.param(as_line, marks=pytest.mark.slow)])
def test_no_title_made_of_two_is_matched_in_a_real_place(write: Any) -> None:
    papers = [one for one in corpus() if one.authors and one.year and len(one.title.split()) > 5]
    for paper, other in zip(papers, [*papers[7:], *papers[:7]], strict=True):
        words, others = paper.title.rstrip(".").split(), other.title.rstrip(".").split()
        half = [*words[: len(words) // 2], *others[len(others) // 2 :]]
        for title in (half, [*words, "in", "children"], [*words[:2], "novel", *words[2:]]):
            judgement = judge(write(" ".join(title), paper), [paper, other])
            assert judgement.status != "matched", (" ".join(title), judgement.candidates[0].paper.title)


@pytest.mark.parametrize(
    "one_of", [pytest.param(5, id="every fifth"), pytest.param(1, id="every", marks=pytest.mark.slow)]
)
def test_a_paper_is_found_by_its_title_first_author_and_year(one_of: int) -> None:
    for place, paper in list(enumerate(corpus()))[::one_of]:
        if paper.authors and paper.authors[0].family and paper.year:
            citation = Citation(title=paper.title, authors=(paper.authors[0].family,), year=paper.year)
            judgement = judge(citation, corpus()[max(0, place - 20) : place + 20])
            assert (judgement.status, judgement.candidates[0].paper) == ("matched", paper)


def test_unmerged_versions_are_one_work() -> None:
    article = record(
        "A long title of one work in two versions", "Doe, J", 2020, doi="10.1000/a", type="journal-article"
    )
    preprint = record("A long title of one work in two versions", "Doe, J", 2020, doi="10.1000/p", type="preprint")
    apart = [*merge_records([article]), *merge_records([preprint])]
    citation = Citation(title=article.title, authors=("Doe J",), year=2020)
    assert judge(citation, apart).status == "ambiguous"
    linked = replace(preprint, versions=(Version("published", doi="10.1000/a"),))
    assert judge(citation, [*merge_records([article]), *merge_records([linked])]).status == "matched"


def test_a_wrong_field_is_reported_and_candidates_are_limited() -> None:
    title = "Microglia constitute a barrier that prevents neurotoxic protofibrillar Aβ42 hotspots around plaques"
    judgement = judge(Citation(title=title, authors=("Condello C",), year=1999, journal="Nat Commun"), corpus())
    assert judgement.candidates[0].agrees == ("title", "authors", "journal")
    assert judgement.candidates[0].differs == ("year",)
    assert 0 < judgement.candidates[0].score < 1
    same = [merge_records([record("Editorial", year=2020, place=f"Gut {number}:1")])[0] for number in range(9)]
    assert len(judge(Citation(title="Editorial", year=2020), same).candidates) == MAX_CANDIDATES


@pytest.mark.parametrize(
    "text",
    ["Jonsson 2013", "(Jonsson et al., 2013)", "Jonsson and Stefansson (2013)", "Nobody 1987", "Jonsson (2013) Nature"],
)
def test_a_citation_within_a_text_is_too_short_to_say_that_there_is_no_such_paper(text: str) -> None:
    judgement = judge(Citation(text=text), corpus())
    assert judgement.status == "ambiguous"
    assert {one.reason for one in judgement.candidates} <= {TOO_SHORT}
    assert bool(judgement.candidates) is ("Jonsson" in text)


@pytest.mark.parametrize("text", ["Nobody 2019 Deep Learning For Everything", "Nobody 2019 Deep Learning"])
def test_words_beside_names_and_a_year_may_be_a_title_that_no_paper_has(text: str) -> None:
    assert judge(Citation(text=text), corpus()).status == "not_found"
