"""A record of a lookup that cannot be read is of one of the names without a paper: none of these is known to be absent.

A provider that holds a paper in an odd record must not make it `not_found`, nor not retracted.
"""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from shared.outcomes import Outcome
from shared.providers import answering
from shared.providers.provider import Page, ProviderReply
from shared.query.question import Lookup
from tests.benchmarks.mutate_answers import Exchange, ask, client_of, collect, module_of, replaying
from tests.unit.records import record

# For each source the list of the records in its answer to a lookup of several names.
LISTS = {
    "crossref": ("message", "items"), "europe_pmc": ("resultList", "result"), "openalex": ("results",),
    "semantic_scholar": (),
}  # fmt: skip

# Where a record is an element: the tag of its title, without which it is none.
TITLES = {"arxiv": b"<title>", "pubmed": b"<ArticleTitle>"}
UNKNOWN = dict.fromkeys(LISTS, "doi:10.1000/unknown") | {"arxiv": "arxiv:9901.00001", "pubmed": "pmid:999999999"}


@pytest.fixture(scope="module")
def lookups() -> dict[str, Exchange]:
    """The sandbox's answer to a lookup of several names at each source."""
    found = [it for it in collect(recordings=False) if isinstance(it.question, Lookup)]
    return {it.provider: it for it in found if len(it.clean.papers) > 2 and len(it.answers) == 1}


def changed(exchange: Exchange, body: bytes) -> ProviderReply:
    transport, http = replaying()
    transport.answers = [exchange.answers[0]._replace(body=body)]
    module = module_of(exchange.provider)
    return ask(module, exchange.question, client_of(module, http))


def unanswered(exchange: Exchange, reply: ProviderReply) -> set[str]:
    assert isinstance(exchange.question, Lookup)
    return {exchange.question.names[place] for place in reply.not_queried}


def with_the_last_unread(exchange: Exchange) -> ProviderReply:
    """The reply when the last record has another form."""
    whole = exchange.answers[0].body
    if exchange.provider in TITLES:
        start, title, end = whole.rpartition(TITLES[exchange.provider])
        return changed(exchange, start + end.replace(title.replace(b"<", b"</"), b"", 1))
    body = json.loads(whole)
    listed = body
    for key in LISTS[exchange.provider]:
        listed = listed[key]
    listed[-1] = [5]
    return changed(exchange, json.dumps(body).encode())


def answered(reply: ProviderReply) -> set[str]:
    return {name for paper in reply.papers for name in paper.asked}


@pytest.mark.parametrize("provider", [*LISTS, *TITLES])
def test_the_name_of_an_unread_record_has_no_answer(lookups: dict[str, Exchange], provider: str) -> None:
    exchange = lookups[provider]
    reply = with_the_last_unread(exchange)
    assert reply.outcome is Outcome.OK
    lost = answered(exchange.clean) - answered(reply)
    assert lost and lost <= unanswered(exchange, reply)


@pytest.mark.parametrize("provider", [*LISTS, *TITLES])
def test_when_every_record_is_read_a_name_without_one_is_answered(lookups: dict[str, Exchange], provider: str) -> None:
    exchange = lookups[provider]
    assert isinstance(exchange.question, Lookup)
    more = replace(exchange, question=Lookup((*exchange.question.names, UNKNOWN[provider])))
    if provider != "semantic_scholar":  # it answers each name in its place
        assert changed(more, exchange.answers[0].body).not_queried == ()
    assert changed(exchange, exchange.answers[0].body).not_queried == ()


def test_a_record_of_which_nothing_fits_is_unread_too(monkeypatch: pytest.MonkeyPatch) -> None:
    module = module_of("crossref")
    papers = [replace(record(f"Title {name}", rank=1), asked=(f"doi:10.1000/{name}",)) for name in "ab"]
    monkeypatch.setattr(module, "lookup", lambda *_: Page(papers=papers, total=2, effective_query="x"))
    fit = answering._with_fitting_records
    monkeypatch.setattr(
        answering, "_with_fitting_records", lambda reply: replace(fit(reply), papers=fit(reply).papers[:1])
    )
    _, http = replaying()
    reply = ask(module, Lookup(("doi:10.1000/a", "doi:10.1000/b", "doi:10.1000/c")), client_of(module, http))
    assert reply.not_queried == (1, 2)
