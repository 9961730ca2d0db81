"""Two lists of one provider for one query, joined by rank."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from functions.providers import openalex
from shared.bibliography.identifiers import Identifiers
from shared.bibliography.paper import Paper
from shared.errors import Unavailable
from shared.providers.fused_lists import fused
from shared.providers.http_client import Client
from shared.providers.provider import Page
from tests.replay import client_for


def page(*numbers: int, query: str = "words", **fields: object) -> Page:
    papers = [
        Paper(provider="openalex", rank=rank, title=f"Paper {number}", ids=Identifiers(openalex=f"W{number}"))
        for rank, number in enumerate(numbers, start=1)
    ]
    return Page(**{"papers": papers, "total": len(numbers), "effective_query": query, **fields})  # type: ignore[arg-type]


def client(time_left: float = 15.0) -> Client:
    made = client_for(openalex, lambda _: pytest.fail("no request is sent here"))
    return Client(**{**{name: getattr(made, name) for name in made.__slots__}, "time_left": lambda: time_left})


def failing() -> Page:
    raise Unavailable("it is down")


def joined(first: Page, send: Callable[[], Page], limit: int = 10, time_left: float = 15.0) -> Page:
    return fused(first, send, client(time_left), limit=limit)


def test_papers_of_both_lists_come_first_and_once() -> None:
    both = joined(page(1, 2, 3), lambda: page(3, 4, query="meaning", total=50, warnings=["odd"]))
    assert [(paper.rank, paper.ids.openalex) for paper in both.papers] == [(1, "W3"), (2, "W1"), (3, "W2"), (4, "W4")]
    assert (both.total, both.effective_query, both.warnings) == (50, "words ; and meaning", ["odd"])


def test_the_limit_is_of_both() -> None:
    assert len(joined(page(1, 2, 3), lambda: page(4, 5), limit=3).papers) == 3


def test_a_failure_of_the_second_list_is_a_warning() -> None:
    both = joined(page(1), failing)
    assert (len(both.papers), both.warnings) == (1, ["a search by meaning failed: it is down"])


def test_a_failure_after_an_empty_list_is_a_failure() -> None:
    with pytest.raises(Unavailable):
        joined(page(), failing)


def test_without_time_the_first_list_stands() -> None:
    both = joined(page(1), failing, time_left=2.0)
    assert (len(both.papers), both.warnings) == (1, ["no time was left to search by meaning as well"])
