"""Lookups, references and citations in Europe PMC's sandbox by the real provider code."""

from __future__ import annotations

import pytest

from functions.providers import europe_pmc as provider
from infra.local.sandbox.corpus import BIOMEDICAL, Corpus, default_corpus
from infra.local.sandbox.facts import Fact
from infra.local.sandbox.services import europe_pmc as sandbox
from shared.bibliography.identifiers import read_doi
from shared.bibliography.paper import Pointer, Retraction, RetractionStatus
from shared.bibliography.paper_ids import id_texts
from shared.providers.provider import ProviderReply
from shared.query.question import Links, Lookup, Question
from tests.replay import ask
from tests.unit.sandbox.bridge import over

BAILEY = Fact(title="Receptors bind", authors=(("Bailey", "CC"),), year=2015, doi="10.9999/Bind", pmid="900001")
YEARLESS = Fact(title="Glia without a year", pmid="900002")
PREPRINT = Fact(
    title="Glia in preprint",
    year=2020,
    type="preprint",
    doi="10.9999/pre",
    topics=(min(BIOMEDICAL),),
    journal="bioRxiv",
)
REVIEW = Fact(
    title="Receptors reviewed",
    year=2020,
    journal="Journal of Glia",
    pmid="900003",
    pmcid="PMC900004",
    citation_count=7,
    references=("10.9999/bind", "PMID:900002", "10.9999/nowhere", "10.9999/noplace", "arXiv:2001.00001"),
    retraction={"status": "corrected", "notice_pmid": "900009"},
)
CORPUS = Corpus((BAILEY, YEARLESS, PREPRINT, REVIEW))


def leg(question: Question, corpus: Corpus = CORPUS) -> ProviderReply:
    """What the provider's code makes of the sandbox's answer."""
    return ask(provider, over(sandbox, corpus), question)


def test_papers_are_found_by_every_kind_of_id() -> None:
    names = ("doi:10.9999/bind", "doi:10.9999/pre", "pmcid:PMC900004", "pmid:900003", "pmid:999999")
    assert [(paper.title, paper.asked) for paper in leg(Lookup(names)).papers] == [
        (BAILEY.title, names[:1]),
        (PREPRINT.title, names[1:2]),
        (REVIEW.title, names[2:4]),
    ]


def test_a_lookup_returns_the_notice_by_its_pmid() -> None:
    (paper,) = leg(Lookup(("pmid:900003",))).papers
    assert paper.retraction == Retraction(RetractionStatus.CORRECTED, notice_pmid="900009")


def test_many_ids_are_sent_as_a_form() -> None:
    names = ("doi:10.9999/bind", *(f"pmid:{number}" for number in range(800_000, 800_099)))
    assert [paper.asked for paper in leg(Lookup(names)).papers] == [names[:1]]


def test_references_in_the_index_are_matched() -> None:
    answer = leg(Links("references", "pmid:900003"))
    assert [(paper.rank, paper.title, paper.year) for paper in answer.papers] == [
        (1, BAILEY.title, 2015),
        (2, YEARLESS.title, None),
    ]
    assert (answer.outcome.value, answer.total_estimate, answer.warnings) == ("ok", 5, ())


def test_references_outside_of_the_index_are_pointers() -> None:
    pointers = leg(Links("references", "pmid:900003")).pointers
    assert [pointer.rank for pointer in pointers] == [3, 4, 5]
    assert [name_of(pointer) for pointer in pointers] == ["10.9999/nowhere", "10.9999/noplace", "arXiv:2001.00001"]
    assert {pointer.text is None for pointer in pointers} == {True, False}, "both forms are shown"


def name_of(pointer: Pointer) -> str:
    """Return a pointer's id, from its ids or from the end of its text."""
    return pointer.ids.doi or (pointer.text or "").split()[-1].rstrip(".")


def test_citations_are_the_citing_papers() -> None:
    answer = leg(Links("citations", "pmid:900001"))
    (paper,) = answer.papers
    assert (paper.rank, paper.ids.pmid, paper.citation_count, answer.total_estimate) == (1, "900003", 7, 1)


def test_a_pmcid_has_the_same_references() -> None:
    by_pmid, by_pmcid = (leg(Links("references", name)) for name in ("pmid:900003", "pmcid:PMC900004"))
    assert (by_pmid.papers, by_pmid.pointers) == (by_pmcid.papers, by_pmcid.pointers)


@pytest.mark.parametrize("name", ["pmid:999999", "pmid:900001"])
def test_an_unknown_paper_and_one_without_references_have_the_same_answer(name: str) -> None:
    answer = leg(Links("references", name))
    assert (answer.outcome.value, answer.total_estimate, len(answer.warnings)) == ("empty", 0, 1)


def test_the_shipped_corpus_is_linked_both_ways() -> None:
    corpus = default_corpus()
    review = corpus.find("europe_pmc", pmid="29618526")
    assert review
    cited = leg(Links("references", "pmid:29618526"), corpus)
    assert (len(cited.papers) + len(cited.pointers), cited.warnings) == (len(review.references), ())
    assert {paper.ids.pmid for paper in cited.papers} == {fact.pmid for fact in corpus.cited("europe_pmc", review)}
    first = next(paper for paper in cited.papers if paper.ids.pmid)
    assert "29618526" in {paper.ids.pmid for paper in leg(Links("citations", f"pmid:{first.ids.pmid}"), corpus).papers}


def test_every_doi_of_the_shipped_corpus_is_found() -> None:
    corpus = default_corpus()
    held = {read_doi(fact.doi) for fact in corpus.facts if fact.doi and fact.pmid}
    names = tuple(sorted(f"doi:{doi}" for doi in held if doi))[:100]
    answer = leg(Lookup(names), corpus)
    assert answer.warnings == ()
    assert {name for paper in answer.papers for name in paper.asked} == set(names)
    assert all(set(paper.asked) <= set(id_texts(paper.ids)) for paper in answer.papers)
