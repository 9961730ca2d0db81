"""The end of a listing: an empty page that names a next one is a failure, and one that names none is the end."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import pytest

from shared.outcomes import Outcome
from shared.providers.provider import ProviderReply
from shared.query.query import Query
from shared.query.question import Listing
from tests.replay import replay

# The place that is requested, and an empty page in the middle of a list of 4,800 records, as the API would send it.
BROKEN: dict[str, tuple[str, dict[str, Any]]] = {
    "openalex": ("IlsxXSI=", {"results": [], "meta": {"count": 4800, "next_cursor": "IlsyXSI="}}),
    "europe_pmc": ("AoIIP1==", {"hitCount": 4800, "nextCursorMark": "AoIIP2==", "resultList": {"result": []}}),
    "datacite": (
        "MSwx",
        {"data": [], "meta": {"total": 4800}, "links": {"next": "https://api.datacite.org/dois?page%5Bcursor%5D=Miwy"}},
    ),
    "clinicaltrials": ("NF0g5JGElPYv", {"studies": [], "nextPageToken": "NF0g5JGEmPYv"}),
    "semantic_scholar": ("PCOA", {"total": 4800, "token": "PCOB", "data": []}),
    "crossref": ("200", {"status": "ok", "message-type": "work-list", "message": {"total-results": 4800, "items": []}}),
    "dblp": ("200", {"result": {"status": {"@code": "200"}, "hits": {"@total": "4800", "@sent": "0"}}}),
    "pubmed": ("200", {"esearchresult": {"count": "4800", "idlist": []}}),
}
# The same page without a next one.
LAST: dict[str, dict[str, Any]] = {
    "openalex": {"results": [], "meta": {"count": 200, "next_cursor": None}},
    "europe_pmc": {"hitCount": 200, "nextCursorMark": "AoIIP1==", "resultList": {"result": []}},
    "datacite": {"data": [], "meta": {"total": 200}, "links": {"self": "https://api.datacite.org/dois"}},
    "clinicaltrials": {"studies": []},
    "dblp": {"result": {"status": {"@code": "200"}, "hits": {"@total": "200", "@sent": "0"}}},
}


def listed(name: str, position: str, body: dict[str, Any] | str) -> ProviderReply:
    module = import_module(f"functions.providers.{name}")
    return replay(module, body, query=Listing(Query(text="microglia"), position, 200))


@pytest.mark.parametrize("name", BROKEN)
def test_an_empty_page_that_names_a_next_one_is_no_end(name: str) -> None:
    reply = listed(name, *BROKEN[name])
    assert (reply.outcome, reply.next_position) == (Outcome.BAD_RESPONSE, None)


def test_arxiv_may_send_nothing_of_what_it_announces_and_that_is_no_end() -> None:
    feed = (
        '<feed xmlns="http://www.w3.org/2005/Atom" xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/">'
        "<opensearch:totalResults>4800</opensearch:totalResults></feed>"
    )
    assert listed("arxiv", "200", feed).outcome is Outcome.UNAVAILABLE


@pytest.mark.parametrize("name", LAST)
def test_an_empty_page_that_names_no_next_one_is_the_end(name: str) -> None:
    reply = listed(name, BROKEN[name][0], LAST[name])
    assert (reply.outcome, reply.next_position, reply.partial) == (Outcome.EMPTY, None, False)
