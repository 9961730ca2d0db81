"""The pages of a listing adjoin: through each provider's own code, no record is skipped, and none repeated.

Each API is answered for by its module of the sandbox, over a corpus of which every page is full.
"""

from __future__ import annotations

from importlib import import_module

import httpx
import pytest
from werkzeug import Request
from werkzeug.test import EnvironBuilder

from infra.functions import providers_for
from infra.local.sandbox.corpus import Corpus
from infra.local.sandbox.facts import Fact
from shared.exhaustive_searches.steps import PAGE_RECORDS
from shared.providers.provider import ProviderReply
from shared.query.query import Query
from shared.query.question import Listing
from tests.replay import ask

pytestmark = pytest.mark.whole_tables  # a provider that skips records does so in a few of the cases


def corpus_of(size: int) -> Corpus:
    """So many papers that the same query finds, each with the ids of every provider."""
    return Corpus(tuple(_fact(number) for number in range(size)))


def _fact(number: int) -> Fact:
    return Fact(
        title=f"Microglia study number {number}", authors=(("Aldridge", "Anna"),), year=2020,
        publication_date="2020-03-04", doi=f"10.5555/{number}", pmid=str(10_000_000 + number),
        pmcid=f"PMC{1_000_000 + number}", arxiv_id=f"2003.{number:05d}", s2_paper_id=f"{number:040x}",
        openalex_id=f"W99{number:08d}", nct=f"NCT99{number:06d}", journal="Brain Studies",
    )  # fmt: skip


def pages(name: str, corpus: Corpus, size: int) -> list[ProviderReply]:
    """All pages of a listing, of so many records as an exhaustive search requests."""
    module, service = (
        import_module(f"functions.providers.{name}"),
        import_module(f"infra.local.sandbox.services.{name}"),
    )

    def answer(request: httpx.Request) -> httpx.Response:
        sent = EnvironBuilder(
            method=request.method, path=request.url.path, query_string=request.url.query.decode(),
            headers=request.headers.items(), data=request.content,
        )  # fmt: skip
        found = service.answer(Request(sent.get_environ()), corpus)
        return httpx.Response(found.status_code, content=found.get_data(), headers=dict(found.headers))

    found: list[ProviderReply] = []
    position = ""
    while not found or position:
        found.append(ask(module, answer, Listing(Query(text="microglia"), position, size)))
        position = found[-1].next_position or ""
        assert len(found) <= len(corpus.facts) + 1
    return found


# A bound of the request below PAGE_RECORDS is the size of every page.
@pytest.mark.parametrize(("size", "papers"), [(PAGE_RECORDS, PAGE_RECORDS + 10), (150, 160), (3, 7), (3, 6), (1, 2)])
@pytest.mark.parametrize("name", providers_for("listing"))
def test_consecutive_pages_skip_no_record_and_repeat_none(
    name: str, size: int, papers: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("infra.local.sandbox.corpus._covers", lambda provider, fact: True)
    # A page of Semantic Scholar has 1,000 papers, whatever is requested.
    monkeypatch.setattr("infra.local.sandbox.semantic_scholar.search.BULK_PAGE", size)
    replies = pages(name, corpus_of(papers), size)
    found = [(paper.title, str(paper.ids)) for reply in replies for paper in reply.papers]
    assert len(replies) > 1
    assert len(found) == len(set(found)) == replies[0].total_estimate
    assert not any(reply.partial or reply.limit_reached for reply in replies)
