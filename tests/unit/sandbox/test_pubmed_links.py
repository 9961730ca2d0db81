"""Lookups, links and citation matches in PubMed's sandbox by the real provider code."""

from __future__ import annotations

import re

import httpx
import pytest

from functions.providers import pubmed as provider
from infra.local.sandbox.corpus import Corpus, default_corpus
from infra.local.sandbox.facts import Fact
from infra.local.sandbox.services import pubmed as sandbox
from shared.outcomes import Outcome
from shared.providers.provider import ProviderReply
from shared.query.question import Citation, Links, Lookup, Match, Question
from tests.replay import ask
from tests.unit.sandbox.bridge import over


def fact(pmid: str, title: str, *references: str, pages: str = "1-9", journal: str = "Behaviour of Examples") -> Fact:
    return Fact(
        title=title,
        authors=(("Able", "Ann B"),),
        year=1984,
        journal=journal,
        volume="98",
        pages=pages,
        doi=f"10.9999/{pmid}",
        pmid=pmid,
        references=references,
    )


CORPUS = Corpus((
    fact("11", "Play among macaques", pages="35-44"),
    fact("12", "Kin among macaques", "10.9999/11", "10.8888/elsewhere", "arXiv:1706.03762"),
    fact("13", "Sleep among macaques", "PMID:12", "10.9999/11"),
    *(fact(str(number), f"Letter number {number}", journal="Letters") for number in range(20, 24)),
    Fact(title="Not held", doi="10.8888/elsewhere"),
))  # fmt: skip


def reply(question: Question, corpus: Corpus = CORPUS) -> ProviderReply:
    return ask(provider, over(sandbox, corpus), question)


def titles(answer: ProviderReply) -> list[str]:
    return [paper.title for paper in answer.papers]


def test_papers_are_returned_in_the_order_of_the_request() -> None:
    answer = reply(Lookup(("pmid:11", "pmid:13", "pmid:99")))
    assert [(paper.asked, paper.title) for paper in answer.papers] == [
        (("pmid:11",), "Play among macaques"), (("pmid:13",), "Sleep among macaques"),
    ]  # fmt: skip
    assert reply(Lookup(("pmid:99",))).outcome is Outcome.EMPTY


def test_references_are_listed_and_linked() -> None:
    answer = reply(Links("references", "pmid:12"))
    assert titles(answer) == ["Play among macaques"]
    assert [it.ids.doi for it in answer.pointers] == ["10.8888/elsewhere", None]
    assert answer.pointers[1].text == "Somebody A, et al. As cited under arXiv:1706.03762."
    assert answer.total_estimate == 3
    assert sorted(titles(reply(Links("references", "pmid:13")))) == ["Kin among macaques", "Play among macaques"]


def test_citing_papers_are_sorted_newest_first() -> None:
    answer = reply(Links("citations", "pmid:11"))
    assert (titles(answer), answer.total_estimate) == (["Sleep among macaques", "Kin among macaques"], 2)
    assert reply(Links("citations", "pmid:13")).outcome is Outcome.EMPTY


def test_similar_papers_come_by_score_where_it_is_requested_and_else_the_newest_first() -> None:
    client = httpx.Client(transport=httpx.MockTransport(over(sandbox, CORPUS)), base_url="https://eutils.example")
    asked = {"dbfrom": "pubmed", "id": "11", "linkname": "pubmed_pubmed"}
    lists = {
        command: re.findall(
            r"<Link><Id>(\d+)", client.get("/entrez/eutils/elink.fcgi", params={**asked, "cmd": command}).text
        )
        for command in ("neighbor", "neighbor_score")
    }
    assert lists == {"neighbor": ["13", "12", "11"], "neighbor_score": ["11", "13", "12"]}


@pytest.mark.parametrize("operation", ["references", "citations"])
def test_an_unknown_paper_has_no_links_and_a_warning(operation: str) -> None:
    answer = reply(Links("references" if operation == "references" else "citations", "pmid:99"))
    assert answer.outcome is Outcome.EMPTY
    assert "PMID 99" in answer.warnings[0]


@pytest.mark.parametrize(
    ("citation", "found"),
    [
        (Citation(journal="Behaviour of Examples", year=1984, volume="98", pages="35"), ["Play among macaques"]),
        (Citation(journal="Behaviour of Examples", year=1984, volume="98", pages="1"),
         ["Kin among macaques", "Sleep among macaques"]),
        (Citation(journal="Letters", year=1984, volume="98"), []),
        (Citation(journal="Nowhere", year=1984, volume="98"), []),
        (Citation(journal="Letters", year=1984, volume="77"), []),
        (Citation(title="Kin Among Macaques."), ["Kin among macaques"]),
        (Citation(title="Kin among unicorns"), ["Kin among macaques"]),
        (Citation(title="Sleep", authors=("Ann B. Able",), year=1985), ["Sleep among macaques"]),
        (Citation(title="Sleep", authors=("Baker B",)), ["Sleep among macaques"]),  # an unknown author is left out
    ],
    ids=[
        "one", "ambiguous", "too-many", "journal", "none", "title", "title-with-an-unknown-word", "short-title",
        "another-author",
    ],
)  # fmt: skip
def test_a_citation_finds_its_candidates(citation: Citation, found: list[str]) -> None:
    assert titles(reply(Match((citation,)))) == found


@pytest.mark.slow
def test_every_paper_of_the_shipped_corpus_is_found_by_its_own_title_or_place() -> None:
    corpus = default_corpus()
    held = [fact for fact in corpus.facts if fact.pmid and fact.journal and fact.year and fact.volume and fact.pages]
    assert len(held) > 50
    found = 0
    for one in held:
        citation = Citation(
            title=one.title_translated or one.title,
            authors=tuple(f"{family} {given}" for family, given in one.authors if family and given),
            year=one.year,
            journal=one.journal,
            volume=one.volume,
            pages=one.pages,
        )
        found += one.pmid in {paper.ids.pmid for paper in reply(Match((citation,)), corpus).papers}
    assert found == len(held)
