"""A total of 5,000 digits, which Python refuses to read, is not a total: it is unknown, or the answer a bad one."""

from __future__ import annotations

import re

import pytest

from shared.outcomes import Outcome
from shared.query.query import Query
from tests.benchmarks.mutate_answers import Exchange, ask, client_of, collect, module_of, replaying

# Where each source states its total.
TOTALS = {
    "arxiv": rb"(totalResults[^>]*>)\d+", "clinicaltrials": rb'("totalCount": ?)\d+', "core": rb'("totalHits": ?)\d+',
    "crossref": rb'("total-results": ?)\d+', "datacite": rb'("total": ?)\d+',
    "dblp": rb'("hits": ?\{"@total": ?")\d+', "europe_pmc": rb'("hitCount": ?)\d+',
    "openalex": rb'("count": ?)\d+', "paperclip": rb'(count\\*": ?)\d+', "pubmed": rb'("count": ?")\d+',
    "semantic_scholar": rb'("total": ?)\d+',
}  # fmt: skip
# They tell an answer from a page of errors by its total.
NEEDS_A_TOTAL = ("arxiv", "dblp", "pubmed")


@pytest.fixture(scope="module")
def searches() -> dict[str, Exchange]:
    """One search of the sandbox of each source, that has papers."""
    found = [it for it in collect(recordings=False) if isinstance(it.question, Query) and it.clean.papers]
    return {it.provider: it for it in reversed(found)}


@pytest.mark.parametrize("provider", TOTALS)
def test_a_total_that_cannot_be_read_loses_no_paper(searches: dict[str, Exchange], provider: str) -> None:
    exchange = searches[provider]
    transport, http = replaying()
    bodies = [re.sub(TOTALS[provider], rb"\g<1>" + b"9" * 5_000, answer.body, count=1) for answer in exchange.answers]
    assert bodies != [answer.body for answer in exchange.answers]
    transport.answers = [answer._replace(body=body) for answer, body in zip(exchange.answers, bodies, strict=True)]
    reply = ask(module_of(provider), exchange.question, client_of(module_of(provider), http))
    if provider in NEEDS_A_TOTAL:
        assert (reply.outcome, len(reply.papers)) == (Outcome.BAD_RESPONSE, 0)
        return
    assert (reply.outcome, reply.total_estimate) == (Outcome.OK, None)
    assert [paper.title for paper in reply.papers] == [paper.title for paper in exchange.clean.papers]
