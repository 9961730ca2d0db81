"""Lookups, references and citations in OpenAlex's sandbox by the real provider code, and rejected requests."""

from __future__ import annotations

import httpx
import pytest

from functions.providers import openalex as provider
from infra.local.sandbox.corpus import Corpus, default_corpus
from infra.local.sandbox.facts import Fact
from infra.local.sandbox.services import openalex as sandbox
from shared.providers.provider import ProviderReply
from shared.query.question import Links, Lookup, Question, Relation
from tests.replay import ask
from tests.unit.sandbox.bridge import over

OLD = Fact(
    title="Turing patterns in sea shells",
    doi="10.9999/Shells(1)<2;3",
    pmid="900001",
    pmcid="PMC900002",
    openalex_id="W9900000001",
    citation_count=300,
    oa_url="https://example.org/shells.pdf",
    journal="Journal of Shells",
    versions=("arXiv:1905.00001",),
)
COMMA = Fact(
    title="Turing degrees taken back",
    doi="10.9999/degrees,2",
    openalex_id="W9900000002",
    citation_count=5,
    retraction={"status": "retracted"},
    references=("10.9999/shells(1)<2;3",),
)
NEW = Fact(
    title="Turing machines that learn",
    arxiv_id="2103.00001",
    type="preprint",
    openalex_id="W9900000003",
    citation_count=40,
    references=("PMID:900001", "10.9999/degrees,2", "10.9999/nowhere"),
)
CORPUS = Corpus((OLD, COMMA, NEW))
pytestmark = pytest.mark.usefixtures("everything_is_covered")


def leg(question: Question, corpus: Corpus = CORPUS) -> tuple[ProviderReply, list[httpx.Request]]:
    """The reply, and the requests that were sent for it."""
    sent: list[httpx.Request] = []
    serve = over(sandbox, corpus)

    def answer(request: httpx.Request) -> httpx.Response:
        sent.append(request)
        return serve(request)

    return ask(provider, answer, question), sent


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("doi:10.9999/shells(1)<2;3", OLD.title),
        ("pmid:900001", OLD.title),
        ("openalex:W9900000001", OLD.title),
        ("doi:10.9999/degrees,2", COMMA.title),
        ("doi:10.9999/nowhere", None),
        ("pmid:900009", None),
        ("openalex:W9900000009", None),
    ],
)
def test_a_paper_is_found_by_one_id(name: str, title: str | None) -> None:
    reply, sent = leg(Lookup((name,)))
    assert [(paper.title, paper.asked) for paper in reply.papers] == ([(title, (name,))] if title else [])
    assert (reply.outcome.value, len(sent)) == ("ok" if title else "empty", 1)


def test_papers_are_found_by_many_ids() -> None:
    names = (
        "doi:10.9999/degrees,2", "doi:10.9999/nowhere", "doi:10.9999/shells(1)<2;3", "openalex:W9900000001",
        "openalex:W9900000003", "pmid:900001", "pmid:900009",
    )  # fmt: skip
    reply, sent = leg(Lookup(names))
    assert [(paper.title, paper.asked, paper.rank) for paper in reply.papers] == [
        (COMMA.title, ("doi:10.9999/degrees,2",), 1),
        (OLD.title, ("doi:10.9999/shells(1)<2;3", "openalex:W9900000001", "pmid:900001"), 3),
        (NEW.title, ("openalex:W9900000003",), 5),
    ]
    assert [paper.retraction.status.value for paper in reply.papers] == ["retracted", "none", "none"]
    assert (len(sent), reply.warnings) == (4, ())


def test_a_hundred_ids_of_the_corpus_need_three_requests() -> None:
    corpus = default_corpus()
    held = [fact for fact in corpus.facts if corpus.find("openalex", openalex_id=fact.openalex_id) is fact]
    dois = [f"doi:{fact.doi.lower()}" for fact in held if fact.doi][:34]
    pmids = [f"pmid:{fact.pmid}" for fact in held if fact.pmid][-33:]
    names = (*dois, *(f"openalex:{fact.openalex_id}" for fact in held[100:133]), *pmids)
    reply, sent = leg(Lookup(names), corpus)
    assert {name for paper in reply.papers for name in paper.asked} == set(names)
    assert (len(names), len(sent), reply.warnings) == (100, 3, ())


@pytest.mark.parametrize(
    ("relation", "number", "titles"),
    [
        ("references", 3, {OLD.title, COMMA.title}),
        ("references", 2, {OLD.title}),
        ("citations", 1, {COMMA.title, NEW.title}),
        ("citations", 2, {NEW.title}),
    ],
)
def test_references_and_citations_are_found(relation: Relation, number: int, titles: set[str]) -> None:
    reply, sent = leg(Links(relation, f"openalex:W990000000{number}"))
    assert {paper.title for paper in reply.papers} == titles
    assert (reply.total_estimate, len(sent), reply.warnings) == (len(titles), 1, ())


def test_citations_are_sorted_by_their_own_citations() -> None:
    reply, _ = leg(Links("citations", "openalex:W9900000001"))
    assert [paper.citation_count for paper in reply.papers] == [40, 5]


@pytest.mark.parametrize(
    ("relation", "number", "warnings"),
    [
        ("references", 1, ()),
        ("citations", 3, ("OpenAlex counts 40 of them and lists none",)),
        ("references", 9, ("OpenAlex does not know W9900000009",)),
        ("citations", 9, ("OpenAlex does not know W9900000009",)),
    ],
)
def test_an_empty_list_has_a_warning_with_the_reason(
    relation: Relation, number: int, warnings: tuple[str, ...]
) -> None:
    reply, sent = leg(Links(relation, f"openalex:W990000000{number}"))
    assert (reply.outcome.value, reply.warnings, len(sent)) == ("empty", warnings, 2)


def test_open_copies_have_versions_and_hosts() -> None:
    reply, _ = leg(Lookup(("openalex:W9900000001",)))
    assert [(copy.version, copy.host) for copy in reply.papers[0].open_access.locations] == [
        ("publishedVersion", "publisher"),
        ("submittedVersion", "repository"),
        (None, "repository"),
    ]
