"""OpenAlex's sandbox, queried by the real provider code."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from functions.providers import openalex as provider
from infra.local.sandbox.corpus import Corpus, default_corpus
from infra.local.sandbox.facts import Fact
from infra.local.sandbox.services import openalex as sandbox
from shared.providers.provider import ProviderReply
from shared.query.query import Query
from tests.replay import ask
from tests.unit.sandbox.bridge import over

ARTICLE = Fact(
    title="Turing patterns in sea shells & other places",
    authors=(("van der Shell", "Hans"), ("Klingler", "Martin")),
    publication_date="2019-05-07",
    year=2019,
    journal="Journal of Shells",
    volume="126",
    issue="1",
    pages="63-89",
    doi="10.9999/SeaShells.1",
    pmid="900001",
    pmcid="PMC900002",
    openalex_id="W9900000001",
    citation_count=300,
    is_open_access=True,
    oa_url="https://example.org/shells.pdf",
    language="de",
    versions=("arXiv:1905.00001",),
    abstract="Two substances that spread at p < 3 speeds draw the stripes of shells.",
)
PREPRINT = Fact(
    title="Turing machines that learn",
    authors=(("Example Collaboration", None),),
    year=2021,
    type="preprint",
    journal="arXiv",
    arxiv_id="2103.00001",
    openalex_id="W9900000002",
    citation_count=5,
)
RETRACTED = Fact(
    title="Turing degrees taken back",
    authors=(("Post", "Emil"),),
    year=2003,
    publication_date="2003-02",
    journal="Journal of Shells and Sand",
    doi="10.9999/degrees",
    openalex_id="W9900000003",
    retraction={"status": "retracted"},
)
MISSING = Fact(title="Turing tests of a kind", openalex_id="W9900000004")
CORPUS = Corpus((ARTICLE, PREPRINT, RETRACTED, MISSING))
pytestmark = pytest.mark.usefixtures("everything_is_covered")


def leg(text: str = "turing", corpus: Corpus = CORPUS, **filters: Any) -> ProviderReply:
    return ask(provider, over(sandbox, corpus), Query(text=text, **filters))


def ids(reply: ProviderReply) -> set[str | None]:
    return {paper.ids.openalex for paper in reply.papers}


def test_an_article_is_read_completely() -> None:
    (paper,) = leg("sea shells").papers
    assert (paper.title, paper.abstract) == (ARTICLE.title, ARTICLE.abstract)
    assert [(author.family, author.given) for author in paper.authors] == list(ARTICLE.authors)
    assert (paper.ids.doi, paper.ids.pmid, paper.ids.pmcid) == ("10.9999/seashells.1", "900001", "PMC900002")
    assert (paper.year, paper.publication_date, paper.language) == (2019, "2019-05-07", "de")
    assert (paper.journal, paper.volume, paper.issue, paper.pages) == ("Journal of Shells", "126", "1", "63-89")
    assert (paper.type, paper.citation_count, paper.open_access.url) == ("journal-article", 300, ARTICLE.oa_url)
    assert [version.arxiv for version in paper.versions] == ["1905.00001"]


def test_a_preprint_has_its_datacite_doi_and_only_a_year() -> None:
    (paper,) = leg("machines").papers
    assert (paper.ids.doi, paper.ids.arxiv) == ("10.48550/arxiv.2103.00001", "2103.00001")
    assert (paper.type, paper.journal, paper.publication_date) == ("preprint", "arXiv", "2021")
    assert paper.authors[0].name == "Example Collaboration"


def test_unknown_fields_of_a_paper_are_none() -> None:
    (paper,) = leg("tests").papers
    assert (paper.year, paper.publication_date, paper.journal, paper.citation_count, paper.abstract) == (None,) * 5
    assert (paper.authors, paper.author_count, paper.ids.doi) == ((), None, None)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('"turing machines"', {"W9900000002"}),
        ("shells OR machines", {"W9900000001", "W9900000002"}),
        ("turing NOT machines NOT tests", {"W9900000001", "W9900000003"}),
        ("sea shells OR turing machines", {"W9900000001", "W9900000002"}),
    ],
)
def test_operators_work(text: str, expected: set[str]) -> None:
    assert ids(leg(text)) == expected


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ({"date_from": "2019-05-07", "date_to": "2019"}, {"W9900000001"}),
        ({"date_from": "2020"}, {"W9900000002"}),
        ({"author": "Klingler, Martin"}, {"W9900000001"}),
        ({"open_access": True}, {"W9900000001", "W9900000002"}),
        ({"min_citations": 5}, {"W9900000001", "W9900000002"}),
        ({"min_citations": 6}, {"W9900000001"}),
        ({"publication_types": ("preprint",)}, {"W9900000002"}),
        ({"publication_types": ("preprint", "journal-article"), "exclude_retracted": True, "author": "Post"}, set()),
        ({"exclude_preprints": True, "min_citations": 1}, {"W9900000001"}),
        ({"exclude_retracted": True}, {"W9900000001", "W9900000002", "W9900000004"}),
        ({"journal": "Journal of Shells"}, {"W9900000001"}),
        ({"journal": "shells"}, {"W9900000001", "W9900000003"}),
        ({"journal": "Acta Nulla"}, set()),
    ],
)
def test_filters_are_applied(filters: dict[str, Any], expected: set[str]) -> None:
    assert ids(leg(**filters)) == expected


def test_the_retraction_flag_is_read() -> None:
    assert {paper.title[:14]: paper.retraction.status.value for paper in leg("degrees OR machines").papers} == {
        "Turing degrees": "retracted",
        "Turing machine": "none",
    }


def test_results_are_sorted_by_citations_or_date() -> None:
    assert [paper.citation_count for paper in leg("shells OR machines", sort="citations").papers] == [300, 5]
    assert [paper.year for paper in leg("shells OR machines", sort="date").papers] == [2021, 2019]


def test_a_page_ends_at_the_limit_and_the_total_is_returned() -> None:
    reply = leg(limit=1)
    assert (len(reply.papers), reply.total_estimate) == (1, 4)


def test_no_hits_are_empty() -> None:
    assert leg("unheard").outcome.value == "empty"


def test_the_error_envelope_is_the_exhausted_daily_budget() -> None:
    response = sandbox.error_envelope()
    assert response.status_code == 429
    reply = ask(
        provider,
        lambda request: httpx.Response(429, content=response.get_data(), headers=dict(response.headers)),
    )
    assert (reply.outcome.value, reply.retry_after_s) == ("rate_limited", 47052.0)


def test_the_whole_corpus_can_be_read() -> None:
    reply = leg("attention OR cancer OR review OR learning", default_corpus())
    assert reply.outcome.value == "ok"
    assert reply.warnings == ()
