"""Everything that a query finds, page by page: each provider that lists papers, against the sandbox."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from infra.functions import providers_for
from infra.local.machine import Machine, machine
from infra.local.sandbox.server import Sandbox
from shared.providers.provider import reply_from_json
from tests.integration.sources.test_every_provider import CONTACT, WORD

LISTING = providers_for("listing")
# A page of Semantic Scholar's bulk search has 1,000 papers, whatever is requested.
SIZED = [name for name in LISTING if name != "semantic_scholar"]
SIZE = 3


@pytest.fixture(scope="module")
def running() -> Iterator[Machine]:
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("CONTACT_EMAIL", CONTACT)
        with machine(sandbox=Sandbox(faults={})) as local:
            yield local


def page(local: Machine, name: str, position: str = "", size: int = SIZE, **query: Any) -> dict[str, Any]:
    sent: Mapping[str, Any] = {"text": WORD.get(name, "TREM2"), **query}
    event = {"operation": "listing", "query": sent, "position": position, "size": size, "timeout_ms": 8000}
    return dict(local.invoke(name, event))


def pages(local: Machine, name: str, size: int = SIZE, **query: Any) -> list[dict[str, Any]]:
    found = [page(local, name, size=size, **query)]
    while position := found[-1].get("next_position"):
        assert len(found) < 200
        found.append(page(local, name, position, size, **query))
    return found


def ids(replies: list[dict[str, Any]]) -> list[str]:
    return [str(sorted(it for it in paper["ids"].items() if it[1])) for reply in replies for paper in reply["papers"]]


@pytest.mark.parametrize("name", SIZED)
def test_pages_hold_each_paper_once_and_as_many_as_the_provider_counts(running: Machine, name: str) -> None:
    replies = pages(running, name)
    found = ids(replies)
    assert len(replies) > 1
    assert len(found) == len(set(found)) == replies[0]["total_estimate"]
    assert not any(reply["partial"] or reply.get("limit_reached") for reply in replies)


@pytest.mark.parametrize("name", SIZED)
def test_the_size_of_pages_changes_nothing_in_the_whole(running: Machine, name: str) -> None:
    assert sorted(ids(pages(running, name))) == sorted(ids(pages(running, name, size=100)))


@pytest.mark.parametrize("name", SIZED)
def test_a_page_that_is_requested_twice_is_the_same(running: Machine, name: str) -> None:
    """A worker that dies after a page requests it again."""
    position = page(running, name)["next_position"]
    assert ids([page(running, name, position)]) == ids([page(running, name, position)])


@pytest.mark.parametrize("name", LISTING)
def test_nothing_found_is_one_empty_page(running: Machine, name: str) -> None:
    reply = page(running, name, text="zzyzx quuxology")
    assert (reply["outcome"], reply["papers"], reply.get("next_position")) == ("empty", [], None)


@pytest.mark.parametrize("name", LISTING)
def test_the_request_is_reported_as_it_was_sent_without_the_caller(running: Machine, name: str) -> None:
    query = page(running, name)["effective_query"]
    assert query.startswith(("GET https://", "POST https://"))
    assert CONTACT not in query
    assert "sandbox-key" not in query


@pytest.mark.parametrize("name", LISTING)
def test_a_reply_with_a_position_survives_the_cache(running: Machine, name: str) -> None:
    reply = page(running, name)
    assert (reply_from_json(reply).next_position or None) == reply.get("next_position")


def test_semantic_scholar_lists_its_papers_by_a_token(running: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("infra.local.sandbox.semantic_scholar.search.BULK_PAGE", 4)
    replies = pages(running, "semantic_scholar")
    found = ids(replies)
    assert len(replies) > 1
    assert len(found) == len(set(found)) == replies[0]["total_estimate"]


def test_a_provider_that_lists_no_further_says_so(running: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    """Crossref's offset ends at 10,000, PubMed's at 9,999: here they end at five."""
    crossref = __import__("functions.providers.crossref", fromlist=["_REACH"])
    monkeypatch.setattr(crossref, "_REACH", 5)
    replies = pages(running, "crossref")
    assert [len(reply["papers"]) for reply in replies] == [3, 2]
    assert replies[-1]["limit_reached"] is True
    assert replies[0]["total_estimate"] > 5


@pytest.mark.parametrize("name", SIZED)
def test_the_page_behind_the_last_paper_is_the_end_and_no_failure(running: Machine, name: str) -> None:
    """Where the total is a multiple of the size, a cursor names one more page, which is empty."""
    total = page(running, name)["total_estimate"]
    replies = pages(running, name, size=total)
    assert [reply["outcome"] for reply in replies][:1] == ["ok"]
    assert {reply["outcome"] for reply in replies[1:]} <= {"empty"}
    assert len(ids(replies)) == total
