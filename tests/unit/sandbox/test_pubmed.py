"""PubMed's sandbox, queried by the real provider code."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from functions.providers import pubmed as provider
from infra.local.sandbox.corpus import Corpus, default_corpus
from infra.local.sandbox.facts import Fact
from infra.local.sandbox.services import pubmed as sandbox
from shared.bibliography.paper import Author, RetractionStatus
from shared.bibliography.text import fold
from shared.outcomes import Outcome
from shared.providers.provider import ProviderReply
from shared.query.query import Query
from tests.replay import ask
from tests.unit.sandbox.bridge import over

ARTICLE = Fact(
    title="Microglia prune the synapses of mice",
    authors=(("Paolicelli", "Rosa Chiara"), ("Bolasco", "Giulia"), (None, "Synapse Group")),
    author_count=3,
    year=2011,
    publication_date="2011-09-09",
    journal="Science",
    volume="333",
    issue="6048",
    pages="1456-1458",
    doi="10.9999/Prune.2011",
    pmid="900001",
    pmcid="PMC900001",
    is_open_access=True,
    references=("10.9999/someone.else",),
    abstract="Cells of the brain eat what is not needed, at p < 0.05.",
)
RETRACTED = Fact(
    title="Microglia reviewed in haste",
    authors=(("Hasty", None),),
    author_count=12,
    year=2015,
    publication_date="2015",
    journal="Journal of Haste",
    type="review",
    doi="10.9999/haste",
    pmid="900002",
    retraction={"status": "retracted", "notice_doi": "10.9999/notice"},
)
PREPRINT = Fact(
    title="Microglia counted by machines",
    year=2023,
    publication_date="2023-02",
    journal="bioRxiv",
    type="preprint",
    doi="10.1101/2023.02.01",
    pmid="900003",
    versions=("10.9999/counted",),
)
TRANSLATED = Fact(
    title="Mikroglia und Schlaf",
    title_translated="Microglia and sleep",
    year=1998,
    publication_date="1998",
    language="de",
    pmid="900004",
)
CHAPTER = Fact(
    title="Microglia in textbooks",
    authors=(("Writer", "Anna"),),
    year=2001,
    publication_date="2001-03-04",
    journal="Handbook of Cells",
    type="book-chapter",
    pmid="900005",
)
UNKNOWN = Fact(title="Microglia that PubMed does not hold", year=2020, doi="10.9999/elsewhere")
CORPUS = Corpus((ARTICLE, RETRACTED, PREPRINT, TRANSLATED, CHAPTER, UNKNOWN))
FACTS = {fact.pmid: fact for fact in CORPUS.facts}


def search(**fields: Any) -> ProviderReply:
    return ask(provider, over(sandbox, CORPUS), Query(**{"text": "microglia", **fields}))


def pmids(**fields: Any) -> set[str | None]:
    return {paper.ids.pmid for paper in search(**fields).papers}


@pytest.mark.parametrize("pmid", ["900001", "900002", "900003", "900004", "900005"])
def test_a_paper_is_read_completely(pmid: str) -> None:
    fact = FACTS[pmid]
    paper = next(paper for paper in search().papers if paper.ids.pmid == pmid)
    assert paper.title == (fact.title_translated or fact.title)
    assert paper.ids.doi == (fact.doi.lower() if fact.doi else None)
    assert paper.ids.pmcid == fact.pmcid
    assert (paper.year, paper.publication_date) == (fact.year, fact.publication_date)
    assert (paper.journal, paper.volume, paper.issue, paper.pages) == (
        fact.journal, fact.volume, fact.issue, fact.pages,
    )  # fmt: skip
    assert paper.abstract == fact.abstract
    assert paper.type == fact.type


def test_authors_are_read_as_people_and_groups() -> None:
    paper = next(paper for paper in search().papers if paper.ids.pmid == "900001")
    assert paper.authors == (
        Author("Paolicelli", "Rosa Chiara"), Author("Bolasco", "Giulia"), Author(name="Synapse Group"),
    )  # fmt: skip
    assert paper.author_count == 3


def test_a_truncated_list_of_authors_is_marked_as_incomplete() -> None:
    paper = next(paper for paper in search().papers if paper.ids.pmid == "900002")
    assert paper.authors == (Author("Hasty"),)
    assert paper.author_count is None


def test_notices_versions_and_vernacular_titles_are_read() -> None:
    papers = {paper.ids.pmid: paper for paper in search().papers}
    assert papers["900002"].retraction.status is RetractionStatus.RETRACTED
    assert papers["900002"].retraction.notice_doi == "10.9999/notice"
    assert [(version.relation, version.doi) for version in papers["900003"].versions] == [
        ("published", "10.9999/counted")
    ]
    assert (papers["900004"].language, papers["900004"].alternative_titles) == ("de", ("Mikroglia und Schlaf",))


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"text": "microglia NOT mice"}, {"900002", "900003", "900004", "900005"}),
        ({"text": '"prune the synapses" OR sleep'}, {"900001", "900004"}),
        ({"date_from": "2011-09", "date_to": "2015"}, {"900001", "900002"}),
        ({"date_to": "2001"}, {"900004", "900005"}),
        ({"journal": "science"}, {"900001"}),
        ({"author": "Paolicelli RC"}, {"900001"}),
        ({"author": "R. Paolicelli"}, {"900001"}),
        ({"author": "Paolicelli X"}, {"900001"}),  # X is unknown and left out
        ({"open_access": True}, {"900001"}),
        ({"publication_types": ("review", "preprint")}, {"900002", "900003"}),
        ({"publication_types": ("book-chapter",)}, {"900005"}),
        ({"exclude_preprints": True, "exclude_retracted": True}, {"900001", "900004", "900005"}),
    ],
    ids=[
        "not", "phrase-or", "range", "before", "journal", "initials", "initial-first", "another-initial",
        "open-access", "types", "chapter", "exclusions",
    ],
)  # fmt: skip
def test_filters_work_by_pubmeds_own_syntax(fields: dict[str, Any], expected: set[str]) -> None:
    assert pmids(**fields) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("microglia[tiab] AND review[pt]", {"900002"}), ("microglia[mesh]", set()),
        ('TITLE:"microglia and sleep"', {"900004"}),
        ("MICROGLIA PRUNE THE SYNAPSES OF MICE", {"900001"}), ("microglia (prune) synapses", {"900001"}),
        ("what does sleep do to microglia?", {"900004"}), ('"prune the synapses of mice" AND microglia', {"900001"}),
        ("AU:Paolicelli AND PUB_YEAR:2011", {"900001"}), ("microglia NOT 2000:2015[dp]", {"900003", "900004"}),
    ],
)  # fmt: skip
def test_each_kind_of_query_finds_what_it_means(text: str, expected: set[str]) -> None:
    """Phrases of more words than the phrase index holds, tags of three sources, titles in capitals, abbreviations."""
    assert {paper.ids.pmid for paper in search(text=text).papers if not paper.relaxed} == expected


def test_an_unknown_term_is_ignored_with_a_warning() -> None:
    reply = search(text="microglia xqzzv")
    assert len(reply.papers) == 5
    assert "PubMed does not know and left out: xqzzv" in reply.warnings


def test_a_misspelt_word_that_finds_nothing_has_a_suggestion() -> None:
    reply = search(text="microglya")
    assert (reply.papers, "PubMed suggests the spelling: microglia" in reply.warnings) == ((), True)
    assert not any("suggests" in warning for warning in search(text="xqzzv").warnings)


def test_an_unknown_journal_finds_nothing_and_is_not_reported_as_applied() -> None:
    reply = search(journal="Journal of Nowhere")
    assert len(reply.papers) == 0
    assert reply.unsupported_filters == ("journal",)


def test_nothing_found_is_empty() -> None:
    assert search(text="xqzzv").outcome is Outcome.EMPTY
    assert search(text="microglia", date_from="2030").outcome is Outcome.EMPTY


def test_sorting_by_date_puts_the_newest_first() -> None:
    assert [paper.ids.pmid for paper in search(sort="date").papers] == [
        "900003", "900002", "900001", "900005", "900004",
    ]  # fmt: skip


def test_the_limit_is_applied_and_the_total_returned() -> None:
    reply = search(limit=2)
    assert (len(reply.papers), reply.total_estimate) == (2, 5)


def test_the_error_envelope_is_an_outage() -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        response = sandbox.error_envelope()
        return httpx.Response(response.status_code, content=response.get_data(), headers=dict(response.headers))

    assert ask(provider, answer).outcome is Outcome.UNAVAILABLE


def test_every_paper_of_the_shipped_corpus_can_be_read() -> None:
    corpus = default_corpus()
    held = [fact for fact in corpus.facts if fact.pmid]
    form = {"id": ",".join(str(fact.pmid) for fact in held), "retmode": "xml"}
    response = over(sandbox, corpus)(httpx.Request("POST", "http://x.test/entrez/eutils/efetch.fcgi", data=form))
    found = {"esearchresult": {"count": str(len(held)), "idlist": [fact.pmid for fact in held]}}
    steps = iter([httpx.Response(200, json=found), response])
    reply = ask(provider, lambda request: next(steps), Query(text="x", limit=len(held)))
    assert reply.warnings == ()
    titles = {paper.ids.pmid: fold(paper.title) for paper in reply.papers}
    assert titles == {fact.pmid: fold(fact.title_translated or fact.title) for fact in held}
    dois = {paper.ids.pmid: paper.ids.doi for paper in reply.papers}
    assert dois == {fact.pmid: fact.doi.lower() if fact.doi else None for fact in held}
