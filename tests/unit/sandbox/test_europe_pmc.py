"""Europe PMC's sandbox, queried by the real provider code."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest
from werkzeug import Request
from werkzeug.test import EnvironBuilder

from functions.providers import europe_pmc as provider
from infra.local.sandbox.corpus import BIOMEDICAL, Corpus, default_corpus
from infra.local.sandbox.facts import Fact
from infra.local.sandbox.services import europe_pmc as sandbox
from shared.bibliography.identifiers import read_doi
from shared.bibliography.paper import Author, RetractionStatus, Version
from shared.bibliography.text import plain_text
from shared.outcomes import Outcome
from shared.providers.provider import ProviderReply
from shared.query.query import Query
from tests.replay import ask, replay
from tests.unit.sandbox.bridge import over

SEARCH = "/europepmc/webservices/rest/search"
TOPIC = (min(BIOMEDICAL),)
ARTICLE = Fact(
    title="Microglia clear plaques",
    authors=(("Kober", "Daniel L"), ("Plaque Study Group", None)),
    year=2021,
    publication_date="2021-03-05",
    journal="Journal of Plaques",
    volume="12",
    issue="3",
    pages="63-89",
    doi="10.9999/Plaques.2021",
    pmid="900001",
    pmcid="PMC900002",
    citation_count=300,
    is_open_access=True,
    oa_url="https://europepmc.org/articles/PMC900002?pdf=render",
    language="en",
    versions=("10.9999/preprint.2020",),
    abstract="Cells with 2 < 3 receptors clear fewer plaques.",
)
PREPRINT = Fact(
    title="Microglia clear plaques in mice",
    authors=(("Kober", "DL"),),
    year=2020,
    publication_date="2020-06-22",
    journal="bioRxiv",
    type="preprint",
    doi="10.9999/preprint.2020",
    versions=("10.9999/Plaques.2021",),
    topics=TOPIC,
)
REVIEW = Fact(
    title="Microglia reviewed",
    authors=(("Curie", "Marie"),),
    year=2010,
    publication_date="2010-07",
    type="review",
    journal="Annual Review of Glia",
    pmid="900003",
    citation_count=20,
    is_open_access=False,
)
RETRACTED = Fact(
    title="Microglia do it all",
    year=1998,
    journal="Journal of Plaques",
    pmid="900004",
    retraction={"status": "retracted", "notice_doi": "10.9999/Notice"},
)
TRANSLATED = Fact(title="Pflege im Alter", title_translated="Care of the old", year=1999, pmid="900005", language="de")
CORPUS = Corpus((ARTICLE, PREPRINT, REVIEW, RETRACTED, TRANSLATED))
EVERY_GLIA = {fact.title for fact in (ARTICLE, PREPRINT, REVIEW, RETRACTED)}


def request(path: str, corpus: Corpus = CORPUS, **params: Any) -> dict[str, Any]:
    """The sandbox's own JSON answer to one request."""
    environ = EnvironBuilder(path, query_string=params).get_environ()
    return dict(json.loads(sandbox.answer(Request(environ), corpus).get_data()))


def leg(query: Query) -> ProviderReply:
    """What the provider's code makes of the sandbox's answer."""
    return ask(provider, over(sandbox, CORPUS), query)


def test_an_article_is_read_completely() -> None:
    (paper,) = leg(Query(text="microglia", date_from="2021")).papers
    assert (paper.title, paper.abstract, paper.language) == (ARTICLE.title, ARTICLE.abstract, "en")
    assert paper.authors == (Author(family="Kober", given="Daniel L"), Author(name="Plaque Study Group"))
    assert (paper.year, paper.publication_date, paper.citation_count) == (2021, "2021-03-05", 300)
    assert (paper.journal, paper.volume, paper.issue, paper.pages) == ("Journal of Plaques", "12", "3", "63-89")
    assert (paper.ids.doi, paper.ids.pmid, paper.ids.pmcid) == ("10.9999/plaques.2021", "900001", "PMC900002")
    assert (paper.type, paper.open_access.url) == ("journal-article", ARTICLE.oa_url)


def test_a_preprint_names_its_server_and_its_article() -> None:
    (paper,) = leg(Query(text="microglia", journal="bioRxiv")).papers
    assert (paper.type, paper.journal, paper.publication_date) == ("preprint", "bioRxiv", "2020-06-22")
    assert paper.versions == (Version("published", doi="10.9999/plaques.2021", pmid="900001"),)


def test_a_date_without_a_day_gets_no_day() -> None:
    (paper,) = leg(Query(text="reviewed")).papers
    assert (paper.type, paper.publication_date) == ("review", "2010-07")


def test_a_retraction_names_its_notice() -> None:
    (paper,) = leg(Query(text='"do it all"')).papers
    assert (paper.retraction.status, paper.retraction.notice_doi) == (RetractionStatus.RETRACTED, "10.9999/notice")
    assert paper.publication_date == "1998"


def test_a_translated_title_is_in_brackets() -> None:
    found = request(SEARCH, query="pflege", format="json", resultType="core")["resultList"]["result"]
    assert [record["title"] for record in found] == ["[Care of the old]."]
    assert leg(Query(text="pflege")).papers[0].title == "Care of the old"


def test_a_limit_shortens_the_page_but_not_the_total() -> None:
    answer = leg(Query(text="microglia", limit=2))
    assert (len(answer.papers), answer.total_estimate) == (2, 4)


def test_zero_hits_have_an_empty_list() -> None:
    assert request(SEARCH, query="zebra", format="json")["resultList"] == {"result": []}
    assert leg(Query(text="zebra")).outcome is Outcome.EMPTY


@pytest.mark.parametrize(
    ("query", "titles"),
    [
        pytest.param(Query(text="microglia NOT plaques"), {REVIEW.title, RETRACTED.title}, id="not"),
        pytest.param(Query(text="mice OR reviewed"), {PREPRINT.title, REVIEW.title}, id="or"),
        pytest.param(Query(text="microglia", date_to="1998"), {RETRACTED.title}, id="to"),
        pytest.param(Query(text="microglia", date_from="2020-06", date_to="2020"), {PREPRINT.title}, id="between"),
        pytest.param(Query(text="microglia", journal="glia"), {REVIEW.title}, id="journal"),
        pytest.param(Query(text="microglia", author="Daniel L. Kober"), {ARTICLE.title, PREPRINT.title}, id="author"),
        pytest.param(Query(text="microglia", author="Curie M"), {REVIEW.title}, id="author-with-initial"),
        pytest.param(Query(text="microglia", author="M. Curie"), {REVIEW.title}, id="author-with-initial-first"),
        pytest.param(Query(text="microglia", author="kober dl"), {ARTICLE.title, PREPRINT.title}, id="author-folded"),
        pytest.param(Query(text="", author="Curie M"), {REVIEW.title}, id="author-alone"),
        pytest.param(Query(text="pflege", language="de"), {"Care of the old"}, id="language"),
        pytest.param(Query(text="pflege", language="en"), set(), id="other-language"),
        pytest.param(Query(text="How do microglia clear plaques?"), {ARTICLE.title, PREPRINT.title}, id="question"),
        pytest.param(Query(text="curie microglia"), {REVIEW.title}, id="wider-in-every-field"),
        pytest.param(Query(text="microgl* reviewed"), {REVIEW.title}, id="truncated"),
        pytest.param(Query(text="TITLE:reviewed AND PUB_YEAR:[2009 TO 2010]"), {REVIEW.title}, id="own-tags"),
        pytest.param(Query(text="microglia[ti] AND 2010[dp]"), {REVIEW.title}, id="tags-of-pubmed"),
        pytest.param(Query(text="microglia", open_access=True), {ARTICLE.title}, id="open-access"),
        pytest.param(Query(text="microglia", min_citations=20), {ARTICLE.title, REVIEW.title}, id="citations"),
        pytest.param(Query(text="microglia", publication_types=("review",)), {REVIEW.title}, id="type"),
        pytest.param(Query(text="microglia", exclude_preprints=True), EVERY_GLIA - {PREPRINT.title}, id="no-preprint"),
        pytest.param(Query(text="microglia", exclude_retracted=True), EVERY_GLIA - {RETRACTED.title}, id="sound"),
    ],
)
def test_filters_are_applied(query: Query, titles: set[str]) -> None:
    assert {paper.title for paper in leg(query).papers} == titles


@pytest.mark.parametrize(("sort", "first"), [("date", ARTICLE.title), ("citations", ARTICLE.title)])
def test_results_are_sorted(sort: str, first: str) -> None:
    assert leg(Query(text="microglia", sort=sort)).papers[0].title == first


def test_the_error_envelope_is_a_bad_response() -> None:
    envelope = sandbox.error_envelope()
    answer = httpx.Response(envelope.status_code, content=envelope.get_data(), headers=dict(envelope.headers))
    assert (envelope.status_code, ask(provider, lambda sent: answer).outcome) == (200, Outcome.BAD_RESPONSE)


def test_every_paper_of_the_shipped_corpus_is_read() -> None:
    corpus = default_corpus()
    held = {fact.pmid: fact for fact in corpus.facts if fact.pmid and fact.year}
    body = request(SEARCH, corpus, query="FIRST_PDATE:[1000 TO 3000]", format="json", resultType="core", pageSize=1000)
    answer = replay(provider, body)
    assert answer.warnings == ()
    found = {paper.ids.pmid: paper for paper in answer.papers if paper.ids.pmid}
    assert set(held) == set(found)
    for pmid, fact in held.items():
        paper = found[pmid]
        title = (plain_text(fact.title_translated or fact.title) or "").strip("[].")
        assert paper.title.strip("[].") == title
        assert (paper.year, paper.ids.doi) == (fact.year, read_doi(fact.doi))
        assert (fact.publication_date or str(fact.year)).startswith(paper.publication_date or "none")
