"""Lookups, references and citation matches in Crossref's sandbox by the real provider code."""

from __future__ import annotations

import httpx
import pytest
from werkzeug import Request
from werkzeug.test import EnvironBuilder

from functions.providers import crossref as provider
from infra.local.sandbox.corpus import Corpus, default_corpus
from infra.local.sandbox.facts import Fact
from infra.local.sandbox.server import Sandbox
from infra.local.sandbox.services import crossref as sandbox
from shared.bibliography.identifiers import Identifiers
from shared.bibliography.paper import Author, Paper, Pointer, Retraction, RetractionStatus
from shared.outcomes import Outcome
from shared.providers.http_client import Client
from shared.providers.provider import ProviderReply
from shared.query.question import Citation, Links, Match, Question
from tests.replay import NOW, ask, named
from tests.unit.sandbox.bridge import over

# Characters with a meaning in a URL, as publishers use them in DOIs.
ODD = (
    "10.9999/(sici)1097-0258(19980815/30)17:15/16<1661::aid-sim968>3.0.co;2-2",
    "10.9999/a#b",
    "10.9999/what?is=this&that",
    "10.9999/50%",
    "10.9999/a+b[c]{d}|e\\f^g`h",
    "10.9999/one,two",
    "10.9999/über",
    "10.9999//a/./b/../c",
)
CITED = Fact(
    title="On being the right size", authors=(("Haldane", "John"),), year=1926, journal="Harper's Magazine",
    volume="152", issue="1", pages="424-427", doi="10.9999/Size",
)  # fmt: skip
PREPRINT = Fact(title="On arXiv.", authors=((None, "Plato"),), year=2017, doi="10.9999/p", arxiv_id="1706.03762")
ARTICLE = Fact(
    title="Turing patterns", year=1987, doi="10.9999/citing", journal="Journal of Theoretical Biology",
    references=("10.9999/size", "arXiv:1706.03762", "10.9999/SIZE", "10.9999/size", "10.9999/size", "PMID:77"),
    retraction={"status": "corrected", "notice_doi": "10.9999/notice"},
)  # fmt: skip
NOTICE = Fact(
    title="Patterns set right", year=1990, publication_date="1990-02-03", type="erratum", doi="10.9999/notice"
)
FACTS = (CITED, PREPRINT, ARTICLE, NOTICE, *(Fact(title=f"Odd {doi}", doi=doi) for doi in ODD))
LINE = "Haldane, J. On being the right size. Harper's Magazine 152, 424–427 (1926)."
pytestmark = pytest.mark.usefixtures("every_doi_is_covered")


def leg_of(question: Question, corpus: Corpus | None = None) -> ProviderReply:
    """The leg of the real provider, answered by the sandbox."""
    return ask(provider, over(sandbox, corpus or Corpus(FACTS)), question)


def test_dois_with_special_characters_arrive_intact_over_a_socket() -> None:
    with Sandbox(Corpus(FACTS), faults={}) as services, httpx.Client(trust_env=False) as http:
        client = Client(
            title="Crossref",
            base_url=services.base_urls["CROSSREF_BASE_URL"],
            http=http,
            time_left=lambda: 10.0,
            sleep=lambda _: None,
            jitter=lambda: 0.0,
            now=lambda: NOW,
            contact="dev@example.org",
        )
        alone = {doi: provider.lookup(named(doi), client) for doi in ODD}
        among = provider.lookup(named("10.9999/citing", *ODD, "10.9999/unknown"), client)
    assert {doi: [paper.title for paper in page.papers] for doi, page in alone.items()} == {
        doi: [f"Odd {doi}"] for doi in ODD
    }
    assert [paper.asked for paper in among.papers] == [(f"doi:{doi}",) for doi in ("10.9999/citing", *ODD)]


@pytest.mark.parametrize(("name", "status"), [("10.9999/Size", 200), ("10.9999%2FSize", 404)])
def test_a_doi_that_was_escaped_twice_is_not_found(name: str, status: int) -> None:
    request = Request({**EnvironBuilder("/").get_environ(), "PATH_INFO": f"/works/{name}"})
    assert sandbox.answer(request, Corpus(FACTS)).status_code == status


def test_one_and_several_dois_return_the_same_papers() -> None:
    dois = ("10.9999/citing", "10.9999/notice")
    alone = [paper for doi in dois for paper in leg_of(named(doi)).papers]
    among = leg_of(named("10.9999/unknown", *dois)).papers
    assert [paper.title for paper in among] == ["Turing patterns", "Patterns set right"]
    for one, other in zip(alone, among, strict=True):
        for field in ("ids", "title", "asked", "type", "retraction", "references", "journal"):
            assert getattr(one, field) == getattr(other, field), field


@pytest.mark.parametrize("dois", [("10.9999/citing",), ("10.9999/citing", "10.9999/size")])
def test_a_correction_has_its_notice_and_its_date(dois: tuple[str, ...]) -> None:
    paper = leg_of(named(*dois)).papers[0]
    assert paper.retraction == Retraction(RetractionStatus.CORRECTED, "10.9999/notice", "1990-02-03")


def test_an_unknown_doi_is_empty() -> None:
    assert leg_of(named("10.48550/arxiv.1706.03762")).outcome is Outcome.EMPTY


def test_references_are_read_in_every_form_that_publishers_deposit() -> None:
    leg = leg_of(Links("references", "doi:10.9999/citing"))
    papers = {paper.rank: paper for paper in leg.papers}
    pointers = {pointer.rank: pointer for pointer in leg.pointers}
    doi = Identifiers(doi="10.9999/size")
    described = Paper(
        provider="crossref", rank=4, title=CITED.title, ids=doi, authors=(Author(family="Haldane"),), year=1926,
        publication_date="1926", journal="Harper's Magazine", volume="152", issue="1", pages="424",
    )  # fmt: skip
    assert leg.total_estimate == 6
    assert pointers[1] == Pointer(1, doi)
    line = "Plato On arXiv. Preprint at https://arxiv.org/abs/1706.03762 (2017)."
    assert pointers[2] == Pointer(2, Identifiers(arxiv="1706.03762"), line)
    assert pointers[3] == Pointer(3, doi, LINE)
    assert papers[4] == described
    assert (papers[5].ids, papers[5].title) == (Identifiers(), CITED.title)
    assert pointers[6] == Pointer(6, Identifiers(pmid="77"), "A work that was cited as PMID:77.")


def test_a_work_without_references_has_a_warning() -> None:
    leg = leg_of(Links("references", "doi:10.9999/size"))
    assert (leg.outcome, leg.total_estimate, len(leg.warnings)) == (Outcome.EMPTY, 0, 1)


@pytest.mark.parametrize(
    "citation",
    [
        pytest.param(Citation(title="On being the right size", authors=("Haldane J",), year=1926), id="title"),
        pytest.param(Citation(text=LINE), id="line"),
        pytest.param(Citation(authors=("Haldane",), journal="Harper's Magazine", year=1926, pages="424"), id="place"),
    ],
)
def test_a_citation_finds_its_paper(citation: Citation) -> None:
    assert leg_of(Match((citation,))).papers[0].ids.doi == "10.9999/size"


def test_a_word_of_the_journal_is_enough_for_a_candidate() -> None:
    """rest_api.md, field queries: any of the tokens is a match, and `bibliographic` has more than titles."""
    assert leg_of(Match((Citation(title="Zebra of a theoretical journal"),))).papers[0].title == "Turing patterns"
    assert leg_of(Match((Citation(title="Zebra of the"),))).papers == ()


def test_at_most_five_candidates_are_returned() -> None:
    corpus = default_corpus()
    found = leg_of(Match((Citation(title="Brain learning attention covid crispr review systematic"),)), corpus)
    assert len(found.papers) == 5


def test_every_reference_of_the_corpus_is_read() -> None:
    corpus = default_corpus()
    citing = [fact for fact in corpus.facts if fact.references and fact.doi]
    assert len(citing) > 5
    for fact in citing:
        leg = leg_of(Links("references", f"doi:{str(fact.doi).lower()}"), corpus)
        assert len(leg.papers) + len(leg.pointers) == len(fact.references) == leg.total_estimate
        assert leg.warnings == ()
