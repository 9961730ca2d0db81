"""Many titles in one request: Europe PMC by phrases of its query, Semantic Scholar by those of its bulk search."""

from __future__ import annotations

import httpx
import pytest

from functions.providers import europe_pmc, semantic_scholar
from infra.local.sandbox.corpus import Corpus
from infra.local.sandbox.facts import Fact
from infra.local.sandbox.services import europe_pmc as europe_pmc_sandbox
from infra.local.sandbox.services import semantic_scholar as semantic_scholar_sandbox
from shared.providers.provider import ProviderReply
from shared.query.question import Citation, Match
from tests.replay import ask
from tests.unit.sandbox.bridge import over

SIGNS = 'Tumour "necrosis" factor (TNF): β-cells & the (a+b)* model?'
FACTS = (
    Fact(title=SIGNS, doi="10.9999/1", pmid="900001", s2_paper_id="a" * 40),
    *(
        Fact(title=f"On the {word} of copper in mice", doi=f"10.9999/{word}", pmid=f"90001{number}",
             s2_paper_id=f"{number}" * 40)
        for number, word in enumerate(("uptake", "loss", "role", "fate", "transport", "export"))
    ),
    Fact(title="Comment on: On the role of copper in mice", doi="10.9999/c", pmid="900030", s2_paper_id="c" * 40),
)  # fmt: skip
CORPUS = Corpus(FACTS)
PROVIDERS = {
    "europe_pmc": (europe_pmc, europe_pmc_sandbox),
    "semantic_scholar": (semantic_scholar, semantic_scholar_sandbox),
}


def matched(name: str, *citations: Citation) -> tuple[ProviderReply, list[httpx.Request]]:
    """The reply, and the requests that were sent for it."""
    provider, sandbox = PROVIDERS[name]
    sent: list[httpx.Request] = []
    serve = over(sandbox, CORPUS)

    def answer(request: httpx.Request) -> httpx.Response:
        sent.append(request)
        return serve(request)

    return ask(provider, answer, Match(citations)), sent


@pytest.mark.usefixtures("everything_is_covered")
@pytest.mark.parametrize("name", PROVIDERS)
def test_all_titles_are_found_by_one_request(name: str) -> None:
    titles = [fact.title for fact in FACTS[:-1]]
    reply, sent = matched(name, *(Citation(title=title) for title in titles))
    assert reply.outcome.value == "ok"
    assert {paper.title.rstrip(".") for paper in reply.papers} >= set(titles)
    assert (len(sent), reply.not_queried) == (1, ())


@pytest.mark.parametrize("name", PROVIDERS)
def test_titles_without_a_word_and_citations_without_a_title_are_not_queried(name: str) -> None:
    reply, sent = matched(name, Citation(text="Smith 2020"), Citation(title="?!"), Citation(title='"'))
    assert reply.not_queried[0] == 0
    assert not [request for request in sent if "?!" in str(request.url)]
    assert reply.papers == ()


@pytest.mark.parametrize("name", PROVIDERS)
def test_titles_that_no_record_has_are_an_empty_answer(name: str) -> None:
    reply, _ = matched(name, *(Citation(title=f"Nothing of this kind number {number}") for number in range(7)))
    assert (reply.outcome.value, reply.papers) == ("empty", ())
