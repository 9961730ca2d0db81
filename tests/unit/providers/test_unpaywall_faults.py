"""Unpaywall's refusals and faults: what it does not hold, addresses that it refuses, and one DOI that fails."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import httpx
import pytest

from functions.providers import unpaywall
from shared.outcomes import Outcome
from shared.providers.answering import answer_question
from shared.query.question import Lookup
from tests.replay import ask, client_for, replay
from tests.unit.providers.test_unpaywall import NATURE, OWN, answering, record


@pytest.mark.parametrize("body", ["<!doctype html><title>404 Not Found</title>", '{"message": "no such route"}', ""])
def test_a_404_is_an_unknown_doi_whatever_its_body(body: str) -> None:
    """`views.py` of ourresearch/oadoi, get_doi_endpoint_v2_new: `abort(404)` sends the web framework's page."""

    def answer(request: httpx.Request) -> httpx.Response:
        known = request.url.path.endswith("nature12373")
        return httpx.Response(200, json=record("bronze.json")) if known else httpx.Response(404, text=body)

    leg = ask(unpaywall, answer, Lookup(("doi:10.9999/none", NATURE)))
    assert (leg.outcome, [paper.rank for paper in leg.papers], leg.partial) == (Outcome.OK, [2], False)
    assert ask(unpaywall, answer, Lookup(("doi:10.9999/none",))).outcome is Outcome.EMPTY


def test_dois_of_datacite_are_not_requested() -> None:
    """support.unpaywall.org: Unpaywall has DOIs of Crossref only; others are a 404."""
    seen: list[httpx.Request] = []
    names = ("doi:10.48550/arxiv.1706.03762", "doi:10.5281/zenodo.1", NATURE)
    leg = ask(unpaywall, answering({"10.1038/nature12373": "bronze.json"}, seen), Lookup(names))
    assert ([request.url.path for request in seen], len(leg.papers)) == (["/v2/10.1038/nature12373"], 1)
    assert leg.warnings == ("Unpaywall was not queried for 2 DOIs of DataCite: it has those of Crossref",)


def test_a_refused_address_is_reported_with_the_setting_to_change() -> None:
    leg = replay(unpaywall, OWN / "bad_email.json", status=422, query=Lookup((NATURE,)))
    assert (leg.outcome, leg.papers) == (Outcome.SKIPPED_NO_KEY, ())
    assert "CONTACT_EMAIL" in leg.warnings[0]


@pytest.mark.parametrize(
    "address",
    ["you@example.com", "you@mail.example.com", "YOUR_EMAIL", "your@email.org", "email@my.email.com", "nobody"],
)
def test_an_address_that_unpaywall_would_refuse_is_not_sent(address: str) -> None:
    """`views.py` of ourresearch/oadoi, stuff_before_request, answers these with 422."""
    seen: list[httpx.Request] = []
    client = replace(client_for(unpaywall, answering({}, seen)), contact=address)
    leg = answer_question(unpaywall.SPEC, unpaywall.lookup, Lookup((NATURE,)), client, lambda: 0.0)
    assert (leg.outcome, seen) == (Outcome.SKIPPED_NO_KEY, [])
    assert "CONTACT_EMAIL" in leg.warnings[0]


def test_without_an_address_no_request_is_sent() -> None:
    seen: list[httpx.Request] = []
    client = replace(client_for(unpaywall, answering({}, seen)), contact=None)
    leg = answer_question(unpaywall.SPEC, unpaywall.lookup, Lookup((NATURE,)), client, lambda: 0.0)
    assert (leg.outcome, seen) == (Outcome.SKIPPED_NO_KEY, [])
    assert "CONTACT_EMAIL" in leg.warnings[0]


def failing(statuses: dict[str, int], seen: list[str]) -> Callable[[httpx.Request], httpx.Response]:
    """Answers the DOIs with these statuses, and all others with a record."""

    def answer(request: httpx.Request) -> httpx.Response:
        doi = request.url.path.removeprefix("/v2/")
        seen.append(doi)
        return httpx.Response(statuses.get(doi, 200), json=record("bronze.json", doi=doi))

    return answer


@pytest.mark.parametrize("status", [500, 400])
def test_the_fault_of_one_doi_does_not_cost_the_others(status: int) -> None:
    leg = ask(
        unpaywall, failing({"10.9999/b": status}, []), Lookup(("doi:10.9999/a", "doi:10.9999/b", "doi:10.9999/c"))
    )
    assert (leg.outcome, leg.partial, [paper.rank for paper in leg.papers]) == (Outcome.OK, True, [1, 3])
    assert leg.warnings[0].startswith(f"Unpaywall did not answer for 1 of 3 DOIs: Unpaywall answered HTTP {status}")
    assert leg.not_queried == (1,)


def test_after_an_error_that_all_dois_share_the_rest_is_not_requested() -> None:
    seen: list[str] = []
    names = tuple(f"doi:10.9999/{letter}" for letter in "abcd")
    leg = ask(unpaywall, failing({"10.9999/b": 429}, seen), Lookup(names))
    assert ([paper.rank for paper in leg.papers], set(seen)) == ([1], {"10.9999/a", "10.9999/b"})
    assert leg.warnings[0].startswith("Unpaywall did not answer for 3 of 4 DOIs")


def test_an_outage_is_not_an_empty_answer_and_ends_after_two_dois() -> None:
    seen: list[str] = []
    names = tuple(f"doi:10.9999/{letter}" for letter in "abcd")
    leg = ask(unpaywall, failing({name.removeprefix("doi:"): 503 for name in names}, seen), Lookup(names))
    assert (leg.outcome, leg.papers, set(seen)) == (Outcome.UNAVAILABLE, (), {"10.9999/a", "10.9999/b"})


def test_an_unknown_doi_beside_a_failing_one_is_not_an_empty_answer() -> None:
    leg = ask(unpaywall, failing({"10.9999/a": 404, "10.9999/b": 500}, []), Lookup(("doi:10.9999/a", "doi:10.9999/b")))
    assert leg.outcome is Outcome.UNAVAILABLE
