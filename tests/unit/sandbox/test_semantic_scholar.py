"""Semantic Scholar's sandbox, queried by the real provider code."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest
from werkzeug import Request
from werkzeug.test import EnvironBuilder

from functions.providers import semantic_scholar as provider
from infra.local.sandbox.corpus import Corpus, default_corpus
from infra.local.sandbox.facts import Fact
from infra.local.sandbox.services import semantic_scholar as sandbox
from shared.bibliography.identifiers import read_doi
from shared.bibliography.text import plain_title
from shared.outcomes import Outcome
from shared.providers.provider import ProviderReply
from shared.query.query import Query
from shared.query.question import Lookup
from tests.replay import ask
from tests.unit.sandbox.bridge import over

ARTICLE = Fact(
    title="Turing patterns in sea shells",
    authors=(("Meinhardt", "Hans"), ("Klingler", "Martin")),
    author_count=2,
    year=1987,
    publication_date="1987-05-07",
    journal="Journal of Theoretical Biology",
    volume="126",
    issue="1",
    pages="63-89",
    doi="10.9999/Shells.1987",
    pmid="900001",
    pmcid="PMC900002",
    s2_paper_id="a" * 40,
    citation_count=300,
    is_open_access=True,
    oa_url="https://example.org/shells.pdf",
    versions=("arXiv:9901.00001",),
    abstract="Two substances that spread at different speeds draw the stripes of shells.",
)
REVIEW = Fact(
    title="Turing patterns reviewed",
    authors=(("Kondo", "Shigeru"),),
    year=2010,
    type="review",
    journal="Science",
    doi="10.9999/review.2010",
    s2_paper_id="b" * 40,
    citation_count=20,
    is_open_access=False,
)
PREPRINT = Fact(
    title="Turing machines that learn",
    authors=((None, "Plato"),),
    year=2021,
    publication_date="2021-03",
    type="preprint",
    arxiv_id="2103.00001",
    s2_paper_id="c" * 40,
    is_open_access=True,
    oa_url="https://arxiv.org/pdf/2103.00001",
)
SPRINGER = Fact(
    title="Turing degrees",
    authors=(("Post", "Emil"),),
    year=1944,
    doi="10.1007/turing.1944",
    s2_paper_id="d" * 40,
    abstract="Problems are put in order by their difficulty.",
)
FACTS = (ARTICLE, REVIEW, PREPRINT, SPRINGER)
pytestmark = pytest.mark.usefixtures("everything_is_covered")


def request(path: str, method: str = "GET", **params: Any) -> dict[str, Any]:
    """The sandbox's own answer to one request, with its status."""
    body = params.pop("json", None)
    builder = EnvironBuilder(path, method=method, query_string=params, json=body)
    answer = sandbox.answer(Request(builder.get_environ()), Corpus(FACTS))
    return {"status": answer.status_code, "body": json.loads(answer.get_data())}


def leg(query: Query) -> ProviderReply:
    """What the provider's code makes of the sandbox's answer."""
    return ask(provider, over(sandbox, Corpus(FACTS)), query)


def test_a_paper_is_read_completely() -> None:
    (paper,) = leg(Query(text="shells")).papers
    assert (paper.title, paper.abstract) == (ARTICLE.title, ARTICLE.abstract)
    assert [(author.family, author.given) for author in paper.authors] == list(ARTICLE.authors)
    assert (paper.year, paper.publication_date, paper.citation_count) == (1987, "1987-05-07", 300)
    assert (paper.volume, paper.issue, paper.pages) == ("126", "1", "63-89")
    assert (paper.ids.doi, paper.ids.pmid, paper.ids.pmcid) == ("10.9999/shells.1987", "900001", "PMC900002")
    assert (paper.ids.paper_id, paper.ids.arxiv) == ("a" * 40, "9901.00001")
    assert paper.open_access.url == ARTICLE.oa_url
    assert paper.journal == ARTICLE.journal


def test_an_arxiv_preprint_is_read_as_a_preprint() -> None:
    (paper,) = leg(Query(text="machines")).papers
    assert (paper.type, paper.ids.arxiv, paper.ids.doi, paper.volume) == ("preprint", "2103.00001", None, None)
    assert (paper.publication_date, paper.authors[0].name) == ("2021", "Plato")


def test_springers_abstracts_are_withheld() -> None:
    (paper,) = leg(Query(text="degrees")).papers
    assert (paper.ids.doi, paper.abstract) == ("10.1007/turing.1944", None)


def test_a_limit_shortens_the_page_but_not_the_total() -> None:
    answer = leg(Query(text="turing", limit=2))
    assert (len(answer.papers), answer.total_estimate) == (2, 4)


def test_zero_hits_have_no_data() -> None:
    assert request("/graph/v1/paper/search", query="zebra")["body"] == {"total": 0, "offset": 0}
    assert leg(Query(text="zebra")).outcome is Outcome.EMPTY


def test_a_word_with_a_hyphen_is_only_found_when_it_is_split() -> None:
    assert request("/graph/v1/paper/search", query="turing-patterns")["body"]["total"] == 0
    assert leg(Query(text="turing-patterns")).total_estimate == 2


@pytest.mark.parametrize(
    ("query", "titles"),
    [
        pytest.param(Query(text="turing", date_from="1987-05-08"), {REVIEW.title, PREPRINT.title}, id="from"),
        pytest.param(Query(text="turing", date_to="1987-05"), {ARTICLE.title, SPRINGER.title}, id="to"),
        pytest.param(
            Query(text="turing", date_from="2021-02", date_to="2021"), set(), id="a-bare-year-counts-as-january"
        ),
        pytest.param(Query(text="turing", journal="Science"), {REVIEW.title}, id="journal"),
        pytest.param(Query(text="turing", min_citations=100), {ARTICLE.title}, id="citations"),
        pytest.param(Query(text="turing", open_access=True), {ARTICLE.title, PREPRINT.title}, id="open-access"),
        pytest.param(Query(text="turing", publication_types=("review",)), {REVIEW.title}, id="type"),
    ],
)
def test_filters_are_applied(query: Query, titles: set[str]) -> None:
    assert {paper.title for paper in leg(query).papers} == titles


def test_a_misspelled_title_is_found() -> None:
    assert leg(Query(text="Turing pattrens in sea shells")).papers[0].title == ARTICLE.title
    assert leg(Query(text="turing degrese")).papers[0].title == SPRINGER.title


@pytest.mark.parametrize("name", ["Hans Meinhardt", "Meinhardt H", "Meinhardt, Hans"])
def test_the_papers_of_an_author_are_found_by_name(name: str) -> None:
    assert [paper.title for paper in leg(Query(text="", author=name)).papers] == [ARTICLE.title]
    assert [paper.title for paper in leg(Query(text="stripes", author=name)).papers] == [ARTICLE.title]


@pytest.mark.parametrize("name", ["J. Theor. Biol.", "Journal of Theoretical Biology"])
def test_a_journal_is_found_by_its_names(name: str) -> None:
    assert [paper.title for paper in leg(Query(text="turing", journal=name)).papers] == [ARTICLE.title]


def test_operators_and_orders_are_applied_by_the_bulk_search() -> None:
    expression = leg(Query(text='"turing patterns" NOT shells'))
    assert ([paper.title for paper in expression.papers], expression.applied_filters) == (
        [REVIEW.title],
        ("operators",),
    )
    assert [paper.title for paper in leg(Query(text="turing", sort="citations")).papers][:2] == [
        ARTICLE.title, REVIEW.title,
    ]  # fmt: skip


def test_the_error_envelope_is_a_rate_limit_without_a_wait() -> None:
    given = sandbox.error_envelope()
    answer = ask(provider, lambda sent: httpx.Response(given.status_code, content=given.get_data()))
    assert (answer.outcome, answer.retry_after_s) == (Outcome.RATE_LIMITED, None)
    assert "Retry-After" not in given.headers


def test_every_paper_of_the_shipped_corpus_can_be_read() -> None:
    corpus = default_corpus()
    names = tuple(f"s2:{fact.s2_paper_id}" for fact in corpus.facts)
    answer = ask(provider, over(sandbox, corpus), Lookup(names))
    assert answer.warnings == ()
    assert [(paper.asked, paper.title, paper.year, paper.ids.doi) for paper in answer.papers] == [
        ((name,), plain_title(fact.title), fact.year, read_doi(fact.doi))
        for name, fact in zip(names, corpus.facts, strict=True)
    ]
