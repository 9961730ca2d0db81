"""References, citations, lookups and title matches in Semantic Scholar's sandbox by the real provider code."""

from __future__ import annotations

import json
from typing import Any

import pytest
from werkzeug import Request
from werkzeug.test import EnvironBuilder

from functions.providers import semantic_scholar as provider
from infra.local.sandbox.corpus import Corpus
from infra.local.sandbox.facts import Fact
from infra.local.sandbox.semantic_scholar.records import external_ids
from infra.local.sandbox.services import semantic_scholar as sandbox
from shared.bibliography.identifiers import Identifiers
from shared.outcomes import Outcome
from shared.providers.provider import ProviderReply
from shared.query.question import Citation, Links, Lookup, Match, Question
from tests.replay import ask
from tests.unit.sandbox.bridge import over

SHELLS = Fact(
    title="Turing patterns in sea shells",
    authors=(("Meinhardt", "Hans"),),
    year=1987,
    journal="Journal of Theoretical Biology",
    doi="10.9999/Shells<1>",
    pmid="900001",
    pmcid="PMC900002",
    s2_paper_id="a" * 40,
    versions=("arXiv:9901.00001",),
    references=("10.9999/foxes", "10.9999/lost", "arXiv:2103.00001", "10.9999/nowhere"),
)
FOXES = Fact(title="Foxes and rabbits", year=1926, doi="10.9999/foxes", s2_paper_id="b" * 40)
LOST = Fact(title="A report that got lost", year=1950, doi="10.9999/lost", s2_paper_id="c" * 40)
MACHINES = Fact(title="Machines that learn", year=2021, arxiv_id="2103.00001", s2_paper_id="d" * 40)
SPRINGER = Fact(
    title="Degrees of unsolvability",
    year=1944,
    doi="10.1007/degrees",
    s2_paper_id="e" * 40,
    references=("10.9999/foxes",),
)
CORPUS = Corpus((SHELLS, FOXES, LOST, MACHINES, SPRINGER))


@pytest.fixture(autouse=True)
def all_but_one_is_held(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("infra.local.sandbox.corpus._covers", lambda name, fact: fact is not LOST)


def leg(question: Question) -> ProviderReply:
    """What the provider's code makes of the sandbox's answer."""
    return ask(provider, over(sandbox, CORPUS), question)


def sent(path: str, method: str = "GET", body: Any = None, **params: Any) -> tuple[int, Any]:
    """The sandbox's own answer to one request: its status and its body."""
    builder = EnvironBuilder(f"/graph/v1/paper/{path}", method=method, query_string=params, json=body)
    answer = sandbox.answer(Request(builder.get_environ()), CORPUS)
    return answer.status_code, json.loads(answer.get_data())


NAMES = {
    "doi:10.9999/shells<1>": "a", "pmid:900001": "a", "pmcid:PMC900002": "a", "arxiv:9901.00001": "a",
    f"corpus:{external_ids(SHELLS)['CorpusId']}": "a", f"s2:{'a' * 40}": "a", "arxiv:2103.00001": "d",
}  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_a_paper_is_found_by_each_of_its_ids(name: str) -> None:
    (paper,) = leg(Lookup((name,))).papers
    assert (paper.ids.paper_id, paper.asked) == (NAMES[name] * 40, (name,))


@pytest.mark.parametrize("name", [name for name, letter in NAMES.items() if letter == "a"])
def test_references_are_found_by_each_id(name: str) -> None:
    assert len(leg(Links("references", name)).papers) == 3


def test_a_batch_keeps_the_order_and_skips_unknown_ids() -> None:
    found = leg(Lookup(("arxiv:2103.00001", "corpus:1", "doi:10.9999/foxes", "doi:10.9999/lost", "pmid:900001")))
    assert [(paper.rank, paper.ids.paper_id) for paper in found.papers] == [(1, "d" * 40), (3, "b" * 40), (5, "a" * 40)]
    assert found.warnings == ()


def test_a_batch_of_unknown_ids_is_rejected_and_read_as_empty() -> None:
    assert sent("batch", "POST", {"ids": ["PMID:1"]}) == (400, {"error": "No valid paper ids given"})
    assert leg(Lookup(("pmid:1", "doi:10.9999/lost"))).outcome is Outcome.EMPTY


def test_references_keep_their_order_with_titles_of_papers_outside_of_the_index() -> None:
    found = leg(Links("references", "pmid:900001"))
    assert [(paper.rank, paper.title, paper.year) for paper in found.papers] == [
        (1, FOXES.title, 1926),
        (2, LOST.title, 1950),
        (3, MACHINES.title, 2021),
    ]
    assert [paper.ids == Identifiers() for paper in found.papers] == [False, True, False]
    assert (found.total_estimate, found.pointers, found.warnings) == (3, (), ())


def test_citations_are_the_papers_in_the_index() -> None:
    found = leg(Links("citations", "doi:10.9999/foxes"))
    assert [paper.title for paper in found.papers] == [SHELLS.title, SPRINGER.title]
    assert (found.outcome, found.total_estimate) == (Outcome.OK, 2)


def test_a_limit_shortens_the_page_and_hides_the_total() -> None:
    found = leg(Links("references", "pmid:900001", 2))
    assert (len(found.papers), found.total_estimate, len(found.warnings)) == (2, None, 1)


def test_springers_references_are_withheld_and_its_citations_are_not() -> None:
    withheld = leg(Links("references", "doi:10.1007/degrees"))
    assert (withheld.outcome, withheld.total_estimate, len(withheld.warnings)) == (Outcome.EMPTY, None, 1)
    assert leg(Links("citations", "doi:10.1007/degrees")).total_estimate == 0


def test_the_references_of_an_unknown_paper_are_404() -> None:
    status, body = sent("DOI:10.9999/none/references")
    assert (status, body) == (404, {"error": "Paper with id DOI:10.9999/none not found"})
    assert leg(Links("references", "doi:10.9999/none")).warnings == ("Semantic Scholar does not know this paper",)


def test_a_title_finds_the_most_similar_one_even_of_another_paper() -> None:
    for title, paper_id in (("Sea shells: Turing-patterns in", "a" * 40), ("Machines that learn slowly", "d" * 40)):
        assert [paper.ids.paper_id for paper in leg(Match((Citation(title=title),))).papers] == [paper_id]
    assert sent("search/match", query="foxes rabbits")[1]["data"][0]["matchScore"] > 0


@pytest.mark.parametrize(
    ("title", "status", "body"),
    [
        pytest.param("zebras", 404, {"error": "Title match not found"}, id="404"),
        pytest.param("a zebra", 200, {"data": []}, id="empty-list"),
    ],
)
def test_no_title_match_has_two_forms_of_response(title: str, status: int, body: dict[str, Any]) -> None:
    assert sent("search/match", query=title) == (status, body)
    assert leg(Match((Citation(title=title),))).outcome is Outcome.EMPTY
