"""One odd record among good ones: it costs itself or its field, never the page, at every source and operation."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from functions.providers import crossref, europe_pmc, openalex, opencitations, semantic_scholar, unpaywall
from infra.functions import providers_for
from shared.outcomes import Outcome
from shared.providers.provider import ProviderReply, reply_from_json, reply_to_json
from shared.query.query import Query
from shared.query.question import Links, Lookup
from tests.benchmarks.mutate_answers import Exchange, ask, client_of, collect, module_of, replaying
from tests.replay import named, replay

HALF = "\ud83d"
ODD = ("5", -5, "12", 1.5, True, float("nan"), f"half {HALF} of a sign", ["x"])  # the eight forms
# For each source the path of a number in its first record, and of a text.
FIELDS: dict[str, tuple[tuple[str | int, ...], tuple[str | int, ...]]] = {
    "crossref": (("message", "items", 0, "is-referenced-by-count"), ("message", "items", 0, "volume")),
    "europe_pmc": (("resultList", "result", 0, "citedByCount"), ("resultList", "result", 0, "pageInfo")),
    "openalex": (("results", 0, "cited_by_count"), ("results", 0, "biblio", "volume")),
    "semantic_scholar": (("data", 0, "citationCount"), ("data", 0, "publicationDate")),
}


@pytest.fixture(scope="module")
def exchanges() -> dict[str, Exchange]:
    """The sandbox's answer to one search of each source."""
    found = collect(recordings=False)
    return {it.provider: it for it in reversed(found) if it.question.operation == "search"}


def changed(exchange: Exchange, change: Callable[[Any], None]) -> ProviderReply:
    """The reply when the last answer of the exchange is changed."""
    *others, last = exchange.answers
    body = json.loads(last.body)
    change(body)
    transport, http = replaying()
    transport.answers = [*others, last._replace(body=json.dumps(body).encode())]
    module = module_of(exchange.provider)
    return ask(module, exchange.question, client_of(module, http))


def put(body: Any, path: tuple[str | int, ...], value: Any) -> None:
    """Set the value at a path."""
    for key in path[:-1]:
        body = body.setdefault(key, {}) if isinstance(body, dict) else body[key]
    body[path[-1]] = value


@pytest.mark.parametrize("value", ODD, ids=repr)
@pytest.mark.parametrize("which", [0, 1], ids=["number", "text"])
@pytest.mark.parametrize("provider", FIELDS)
def test_an_odd_value_costs_no_other_record(
    exchanges: dict[str, Exchange], provider: str, which: int, value: Any
) -> None:
    exchange = exchanges[provider]
    reply = changed(exchange, lambda body: put(body, FIELDS[provider][which], value))
    assert reply.outcome is Outcome.OK
    assert {paper.title for paper in exchange.clean.papers[1:]} <= {paper.title for paper in reply.papers}
    stored = json.dumps(reply_to_json(reply), allow_nan=False, ensure_ascii=False).encode()
    assert reply_from_json(json.loads(stored)) == reply
    again = changed(exchange, lambda _: None)
    assert again.papers == exchange.clean.papers


@pytest.mark.parametrize("provider", FIELDS)
def test_the_warning_names_the_field_and_the_record(exchanges: dict[str, Exchange], provider: str) -> None:
    reply = changed(exchanges[provider], lambda body: put(body, FIELDS[provider][0], -5))
    assert reply.warnings[-1] == "papers[0].citation_count: not a whole number from 0 to 100,000,000"
    assert reply.papers[0].citation_count is None


@pytest.mark.parametrize("provider", providers_for("search"))
def test_every_source_has_a_search_to_change(exchanges: dict[str, Exchange], provider: str) -> None:
    assert len(exchanges[provider].clean.papers) > 1


def crossref_works(*works: dict[str, Any]) -> dict[str, Any]:
    """An answer of several works."""
    return {"status": "ok", "message-type": "work-list", "message": {"total-results": len(works), "items": list(works)}}


@pytest.mark.parametrize(
    "odd", [{"title": [5]}, {"title": 5}, {"type": 5}, {"DOI": ["10.1000/b"]}, {"DOI": 5}, {"title": None}], ids=str
)
def test_a_lookup_at_crossref_keeps_the_other_works(odd: dict[str, Any]) -> None:
    works = [{"DOI": f"10.1000/{name}", "type": "journal-article", "title": [f"Work {name}"]} for name in "abc"]
    body = crossref_works(works[0], {**works[1], **odd}, works[2])
    reply = replay(crossref, body, query=named("10.1000/a", "10.1000/b", "10.1000/c"))
    assert reply.outcome is Outcome.OK
    assert [paper.title for paper in reply.papers] == ["Work a", "Work c"]
    assert len(reply.warnings) == 1


@pytest.mark.parametrize("count", ["7", 1.5, [], {}, True, None])
def test_references_of_crossref_need_no_count(count: Any) -> None:
    work = {"DOI": "10.1000/a", "title": ["A"], "references-count": count, "reference": [{"DOI": "10.1000/b"}]}
    body = {"status": "ok", "message-type": "work", "message": work}
    reply = replay(crossref, body, query=Links("references", "doi:10.1000/a"))
    assert (reply.outcome, len(reply.pointers), reply.total_estimate) == (Outcome.OK, 1, 1)


@pytest.mark.parametrize("odd", [None, 5, "x", [], {}, {"citedPaper": None}, {"citedPaper": {"externalIds": "x"}},
                                 {"citedPaper": {"title": 5}}, {"citedPaper": "x"}], ids=str)  # fmt: skip
def test_references_of_semantic_scholar_skip_the_odd_one(odd: Any) -> None:
    good = {"citedPaper": {"paperId": "a" * 40, "title": "A good one"}}
    body = {"data": [good, odd, {"citedPaper": {"title": "Another"}}]}
    reply = replay(semantic_scholar, body, query=Links("references", "doi:10.1000/a"))
    assert [(paper.rank, paper.title) for paper in reply.papers] == [(1, "A good one"), (3, "Another")]
    assert [warning for warning in reply.warnings if warning.startswith("record 2 skipped: ")]


@pytest.mark.parametrize("odd", [None, 5, "x", [], {"title": 5, "doi": 5}, {"unstructuredInformation": 5}], ids=str)
def test_references_of_europe_pmc_skip_the_odd_one(odd: Any) -> None:
    good = {"id": "7", "source": "MED", "title": "A good one", "pubYear": 2001}
    body = {"hitCount": 3, "referenceList": {"reference": [good, odd, {"unstructuredInformation": "A line of text"}]}}
    reply = replay(europe_pmc, body, query=Links("references", "pmid:1"))
    assert ([paper.title for paper in reply.papers], [it.text for it in reply.pointers]) == (
        ["A good one"], ["A line of text"],
    )  # fmt: skip
    assert len(reply.warnings) == 1


def test_references_of_opencitations_skip_the_odd_one() -> None:
    pair = {"citing": "doi:10.1000/a", "cited": "doi:10.1000/b"}
    body = json.dumps([pair, None, {**pair, "cited": 5}, {**pair, "cited": "doi:10.1000/c"}])
    reply = replay(opencitations, body, query=Links("references", "doi:10.1000/a"))
    assert [pointer.ids.doi for pointer in reply.pointers] == ["10.1000/b", "10.1000/c"]
    assert reply.warnings == ("2 of 4 items are not citations and were skipped",)


def test_a_lookup_at_unpaywall_keeps_the_other_dois() -> None:
    good = {"doi": "10.1000/a", "title": "A good one", "oa_locations": []}
    reply = replay(unpaywall, good, {"doi": "10.1000/b"}, query=Lookup(("doi:10.1000/a", "doi:10.1000/b")))
    assert [paper.title for paper in reply.papers] == ["A good one"]
    assert reply.warnings == ("record 2 skipped: Unpaywall answered without a record",)


@pytest.mark.parametrize("number", ["NaN", "Infinity", "9" * 5_000, f'"{HALF}"', "[" * 400 + "]" * 400])
def test_a_search_survives_what_no_json_should_hold(number: str) -> None:
    record = f'{{"id": "https://openalex.org/W11", "title": "A", "cited_by_count": {json.dumps(HALF)}}}'
    odd = record.replace(json.dumps(HALF), number).replace("W11", "W22")
    body = f'{{"meta": {{"count": 2}}, "results": [{record.replace(json.dumps(HALF), "3")}, {odd}]}}'
    reply = replay(openalex, body.encode("utf-8", "surrogatepass"), query=Query(text="x"))
    assert [paper.citation_count for paper in reply.papers] == [3, None]


@pytest.mark.parametrize("odd_id", [f"W1{HALF}", "W" * 5_000, {"id": [HALF] * 900}], ids=["half", "long", "nested"])
def test_the_reason_of_a_failed_leg_can_be_encoded_and_is_short(odd_id: Any) -> None:
    reply = replay(openalex, json.dumps({"id": odd_id, "title": None}), query=Query(text="x"))
    assert reply.outcome is Outcome.BAD_RESPONSE
    assert len(reply.warnings[0]) <= 500
    json.dumps(reply_to_json(reply), ensure_ascii=False).encode()


def test_a_leg_has_at_most_fifty_warnings_and_says_that_there_are_more() -> None:
    odd = [{"citedPaper": {"title": 5}}] * 80
    body = {"data": [{"citedPaper": {"paperId": "a" * 40, "title": "A good one"}}, *odd]}
    reply = replay(semantic_scholar, body, query=Links("references", "doi:10.1000/a"))
    assert len(reply.warnings) == 50
    assert reply.warnings[-1] == "warnings: only the first 50 of 80 taken"
    assert reply_from_json(json.loads(json.dumps(reply_to_json(reply)))) == reply
