"""Paperclip's sandbox, queried by the real provider code."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from functions.providers import paperclip as provider
from infra.local.sandbox.corpus import Corpus, default_corpus
from infra.local.sandbox.facts import Fact
from infra.local.sandbox.paperclip import engine as paperclip_engine
from infra.local.sandbox.paperclip.engine import run
from infra.local.sandbox.services import paperclip as sandbox
from shared.bibliography.text import plain_text
from shared.outcomes import Outcome
from shared.providers.provider import ProviderReply
from shared.query.query import Query
from tests.replay import ask
from tests.unit.sandbox.bridge import over

ARTICLE = Fact(
    title="Microglia clear amyloid in mice",
    authors=(("Meinhardt", "Hans"), ("Klingler", "Martin")),
    author_count=2,
    year=2019,
    publication_date="2019-05-07",
    journal="Journal of Shells",
    doi="10.9999/shells.2019",
    pmid="900001",
    pmcid="PMC9000021",
    citation_count=300,
    topics=("covid-19",),
    abstract="Cells of the brain eat what others leave.",
)
PREPRINT = Fact(
    title="Microglia in a dish",
    authors=(("Kondo", "Shigeru"),) * 10,
    author_count=25,
    year=2025,
    publication_date="2025",
    journal="medRxiv",
    type="preprint",
    doi="10.1101/2025.01.02.25300001",
    pmcid="PMC9000022",
    topics=("covid-19",),
)
ON_ARXIV = Fact(
    title="A model of microglia on lattices",
    authors=(("Turing", "Alan"),),
    year=2020,
    publication_date="2020",
    type="conference-paper",
    doi="10.9999/lattice",
    arxiv_id="2001.00001",
)
CORPUS = Corpus((ARTICLE, PREPRINT, ON_ARXIV))


def respond(request: httpx.Request, corpus: Corpus, *, rest: bool = True) -> httpx.Response:
    """The sandbox's answer; without `rest`, REST is gone."""
    if not rest and request.url.path != "/mcp":
        return httpx.Response(404)
    return over(sandbox, corpus)(request)


def search(corpus: Corpus = CORPUS, *, rest: bool = True, **fields: Any) -> ProviderReply:
    query = Query(**{"text": "microglia", **fields})
    return ask(provider, lambda request: respond(request, corpus, rest=rest), query)


def titles(reply: ProviderReply) -> set[str]:
    return {paper.title for paper in reply.papers}


@pytest.mark.parametrize("rest", [True, False], ids=["REST", "MCP"])
def test_a_paper_is_read_completely(rest: bool) -> None:
    (paper,) = search(Corpus((ARTICLE,)), rest=rest).papers
    assert paper.title == ARTICLE.title
    assert [(author.family, author.given) for author in paper.authors] == list(ARTICLE.authors)
    assert (paper.year, paper.publication_date, paper.journal) == (2019, "2019-05-07", "Journal of Shells")
    assert paper.ids.pmcid == "PMC9000021"


def test_structured_hits_have_abstract_citations_and_ids() -> None:
    replies = [search(Corpus((ARTICLE,)), limit=limit) for limit in range(1, 30)]
    whole = [paper for reply in replies for paper in reply.papers if paper.abstract]
    assert {(paper.ids.doi, paper.ids.pmid, paper.citation_count, paper.abstract) for paper in whole} == {
        ("10.9999/shells.2019", "900001", 300, ARTICLE.abstract)
    }


def test_every_form_of_answer_has_the_same_papers() -> None:
    replies = [search(limit=limit, rest=rest) for limit in range(3, 40) for rest in (True, False)]
    assert {tuple(paper.title for paper in reply.papers) for reply in replies} == {
        tuple(paper.title for paper in replies[0].papers)
    }
    assert {paper.abstract is None for reply in replies for paper in reply.papers if paper.title == ARTICLE.title} == {
        True, False,
    }  # fmt: skip


def test_a_year_alone_and_a_truncated_list_of_authors_are_not_completed() -> None:
    (paper,) = search(Corpus((PREPRINT,))).papers
    assert (paper.publication_date, paper.type, paper.journal, paper.author_count) == (
        "2025",
        "preprint",
        "medRxiv",
        None,
    )
    assert paper.ids.paperclip is not None
    assert paper.ids.paperclip.startswith("med_")


def test_an_article_on_arxiv_is_read_as_its_preprint() -> None:
    replies = [search(Corpus((ON_ARXIV,)), limit=limit) for limit in range(1, 30)]
    papers = [paper for reply in replies for paper in reply.papers]
    assert {paper.ids.arxiv for paper in papers} == {"2001.00001"}
    assert "10.9999/lattice" in {version.doi for paper in papers for version in paper.versions}


def test_the_limit_is_applied() -> None:
    assert len(search(limit=2).papers) == 2


def test_no_hit_is_empty() -> None:
    assert [search(text="zebrafish", rest=rest).outcome for rest in (True, False)] == [Outcome.EMPTY] * 2


@pytest.mark.parametrize(
    ("fields", "found"),
    [
        ({}, {ARTICLE.title, PREPRINT.title, ON_ARXIV.title}),
        ({"exclude_preprints": True}, {ARTICLE.title, ON_ARXIV.title}),
        ({"author": "turing"}, {ON_ARXIV.title}),
        ({"journal": "Shells"}, {ARTICLE.title}),
        ({"date_from": "2019-01", "date_to": "2019-06"}, {ARTICLE.title}),
        ({"text": '"microglia in a dish"'}, {PREPRINT.title}),
        ({"text": "amyloid' -s fda '"}, {ARTICLE.title}),
    ],
    ids=["none", "no preprints", "author", "journal", "year", "phrase", "quotes"],
)
def test_filters_are_applied(fields: dict[str, Any], found: set[str]) -> None:
    assert titles(search(**fields)) == found


def test_sorting_by_date_puts_the_newest_first() -> None:
    assert search(sort="date").papers[0].title == PREPRINT.title


def test_the_error_envelope_is_an_error_under_200() -> None:
    answer = sandbox.error_envelope()
    assert answer.status_code == 200
    reply = ask(provider, lambda request: httpx.Response(200, content=answer.get_data()))
    assert (reply.outcome, reply.papers) == (Outcome.BAD_RESPONSE, ())


@pytest.mark.parametrize("rest", [True, False], ids=["REST", "MCP"])
@pytest.mark.parametrize("text", ["microglia", "transformer", "crispr genome editing", "covid vaccine"])
def test_every_hit_of_the_whole_corpus_is_read(text: str, rest: bool) -> None:
    corpus = default_corpus()
    reply = search(corpus, text=text, rest=rest)
    expected = run(f"search -s papers '{text}' -n 100 --all", corpus)
    assert [paper.title for paper in reply.papers] == [plain_text(hit.fact.title) for hit in expected]
    assert not [warning for warning in reply.warnings if "REST" not in warning]


@pytest.mark.parametrize("knows_all", [True, False])
def test_papers_of_all_years_are_found_in_either_release(knows_all: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paperclip_engine, "ACCEPTS_ALL", knows_all)
    for rest in (True, False):
        assert titles(search(rest=rest)) == {ARTICLE.title, PREPRINT.title, ON_ARXIV.title}
        assert titles(search(rest=rest, date_from="2020-03")) == {PREPRINT.title, ON_ARXIV.title}
