"""Crossref's sandbox, queried by the real provider code."""

from __future__ import annotations

import httpx
import pytest

from functions.providers import crossref as provider
from infra.local.sandbox.corpus import Corpus, default_corpus
from infra.local.sandbox.facts import Fact
from infra.local.sandbox.services import crossref as sandbox
from shared.bibliography.paper import Author, Retraction, RetractionStatus, Version
from shared.bibliography.text import plain_title
from shared.outcomes import Outcome
from shared.providers.provider import ProviderReply
from shared.query.query import Query
from tests.replay import ask
from tests.unit.sandbox.bridge import over

ARTICLE = Fact(
    title="Turing patterns in sea shells & <sand>",
    authors=(("Meinhardt", "Hans"), ("Klingler", "Martin")),
    year=1987,
    publication_date="1987-05-07",
    journal="Journal of Theoretical Biology",
    volume="126",
    issue="1",
    pages="63-89",
    doi="10.9999/Shells.1987",
    citation_count=300,
    is_open_access=True,
    language="en",
    retraction={"status": "retracted", "notice_doi": "10.9999/notice.1990"},
    references=("10.9999/older", "PMID:1", "10.9999/oldest"),
    abstract="Two substances that spread at different speeds draw the stripes of shells, where p < 0.05.",
    title_translated="Turing-Muster auf Muscheln",
)
NOTICE = Fact(
    title="Turing patterns withdrawn", year=1990, publication_date="1990-02", type="retraction-notice",
    journal="Journal of Theoretical Biology", doi="10.9999/notice.1990",
)  # fmt: skip
PREPRINT = Fact(
    title="Turing machines that learn", authors=((None, "Plato"),), year=2021, publication_date="2021-03",
    type="preprint", journal="bioRxiv", doi="10.9999/preprint.2021", versions=("10.9999/article.2022", "arXiv:2103.1"),
)  # fmt: skip
UNDATED = Fact(title="Turing undated", type="conference-paper", journal="Proceedings of Computing", doi="10.9999/none")
FACTS = (ARTICLE, NOTICE, PREPRINT, UNDATED)
pytestmark = pytest.mark.usefixtures("every_doi_is_covered")


def search(query: Query, corpus: Corpus | None = None) -> ProviderReply:
    """The leg of the real provider, answered by the sandbox."""
    return ask(provider, over(sandbox, corpus or Corpus(FACTS)), query)


def found(query: Query) -> set[str]:
    """The DOIs that a query finds, without the prefix."""
    return {str(paper.ids.doi).partition("/")[2] for paper in search(query).papers}


def test_an_article_is_read_completely() -> None:
    paper = search(Query(text="shells")).papers[0]
    assert (paper.title, paper.ids.doi) == (ARTICLE.title, "10.9999/shells.1987")
    assert paper.authors == (Author(family="Meinhardt", given="Hans"), Author(family="Klingler", given="Martin"))
    assert (paper.year, paper.publication_date, paper.journal) == (1987, "1987-05-07", ARTICLE.journal)
    assert (paper.volume, paper.issue, paper.pages) == ("126", "1", "63-89")
    assert (paper.type, paper.citation_count) == ("journal-article", 300)
    assert (paper.open_access.is_oa, paper.open_access.license) == (True, "cc-by-4.0")
    assert (paper.abstract, paper.alternative_titles) == (ARTICLE.abstract, ("Turing-Muster auf Muscheln",))


def test_a_retraction_and_its_notice_refer_to_each_other() -> None:
    papers = {paper.ids.doi: paper for paper in search(Query(text="turing patterns")).papers}
    expected = Retraction(RetractionStatus.RETRACTED, "10.9999/notice.1990", "1990-02")
    assert papers["10.9999/shells.1987"].retraction == expected
    assert papers["10.9999/notice.1990"].type == "retraction-notice"
    assert papers["10.9999/none"].retraction == Retraction(RetractionStatus.NONE)


def test_a_preprint_names_its_article() -> None:
    paper = next(paper for paper in search(Query(text="machines")).papers if paper.type == "preprint")
    assert paper.versions == (Version("published", doi="10.9999/article.2022"),)
    assert (paper.authors, paper.publication_date) == ((Author(name="Plato"),), "2021-03")


def test_any_word_matches_and_the_best_hit_is_first() -> None:
    leg = search(Query(text="shells turing quasars"))
    assert (leg.papers[0].ids.doi, leg.total_estimate) == ("10.9999/shells.1987", 4)


def test_nothing_found_is_empty() -> None:
    leg = search(Query(text="quasars"))
    assert (leg.outcome, leg.total_estimate) == (Outcome.EMPTY, 0)


@pytest.mark.parametrize(
    ("query", "dois"),
    [
        pytest.param(Query(text="turing", date_from="1988"), {"notice.1990", "preprint.2021"}, id="from"),
        pytest.param(Query(text="turing", date_to="1987"), {"shells.1987"}, id="to"),
        pytest.param(Query(text="turing", date_from="1990-02", date_to="1990-02"), {"notice.1990"}, id="one-month"),
        pytest.param(Query(text="turing", exclude_preprints=True), {"shells.1987", "notice.1990", "none"}, id="no-pre"),
        pytest.param(Query(text="turing", publication_types=("preprint",)), {"preprint.2021"}, id="preprints"),
        pytest.param(Query(text="turing", publication_types=("conference-paper",)), {"none"}, id="proceedings"),
        pytest.param(Query(text="turing", publication_types=("retraction-notice",)), {"notice.1990"}, id="notices"),
        pytest.param(Query(text="turing", open_access=True), {"shells.1987", "notice.1990", "none"}, id="any-licence"),
        pytest.param(Query(text="turing", author="H. Meinhardt"), {"shells.1987"}, id="author"),
        pytest.param(Query(text='"turing patterns" NOT withdrawn', limit=1), {"notice.1990"}, id="words-only"),
    ],
)
def test_filters_narrow_the_answer(query: Query, dois: set[str]) -> None:
    assert found(query) == dois


@pytest.mark.parametrize(
    ("journal", "strict"),
    [("Theoretical Biology", {"shells.1987", "notice.1990"}), ("bioRxiv", set())],
)
def test_a_journal_excludes_others_until_a_wider_request(journal: str, strict: set[str]) -> None:
    """A preprint has no container, so that the second request has the server among its words."""
    papers = search(Query(text="turing", journal=journal)).papers
    assert {str(it.ids.doi).partition("/")[2] for it in papers if not it.relaxed} == strict
    assert {str(it.ids.doi).partition("/")[2] for it in papers} == {
        "shells.1987",
        "notice.1990",
        "preprint.2021",
        "none",
    }


def test_the_error_envelope_is_an_outage() -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        response = sandbox.error_envelope()
        return httpx.Response(
            response.status_code, content=response.get_data(), headers={"content-type": response.content_type or ""}
        )

    assert ask(provider, answer).outcome is Outcome.UNAVAILABLE


def test_the_whole_corpus_is_read_without_a_skipped_record() -> None:
    corpus = default_corpus()
    facts = {fact.doi.lower(): fact for fact in corpus.facts if fact.doi}
    leg = search(Query(text="brain learning attention covid crispr review systematic trial cell", limit=100), corpus)
    assert (leg.outcome, leg.warnings) == (Outcome.OK, ())
    assert len(leg.papers) > 50
    for paper in leg.papers:
        fact = facts[str(paper.ids.doi)]
        assert paper.title == plain_title(fact.title)
        assert paper.abstract in (fact.abstract, None)
        assert (paper.publication_date or "") == (fact.publication_date or str(fact.year or ""))
