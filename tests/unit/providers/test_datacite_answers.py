"""DataCite's envelopes: lists, single records, errors in their two forms, cursors, and lookups of many DOIs."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qs

import httpx
import pytest

from functions.providers import datacite
from shared.outcomes import Outcome
from shared.providers.records.datacite import FIELDS
from shared.query.query import Query
from shared.query.question import Listing, Lookup
from tests.recorded.every_recording import expected, folder, manifest, needs_recordings, replay_recording
from tests.replay import OWN_RECORDINGS, ask, named, replay

OWN = OWN_RECORDINGS / "datacite"


def record(doi: str, **attributes: Any) -> dict[str, Any]:
    return {"id": doi, "type": "dois", "attributes": {"doi": doi, "titles": [{"title": f"On {doi}"}], **attributes}}


def listed(*records: dict[str, Any], total: int | None = None, following: str | None = None) -> dict[str, Any]:
    links = {"next": following} if following else {}
    return {"data": list(records), "meta": {"total": len(records) if total is None else total}, "links": links}


def test_zero_hits_are_empty() -> None:
    leg = replay(datacite, OWN / "zero_hits.json")
    assert (leg.outcome, leg.total_estimate, leg.warnings) == (Outcome.EMPTY, 0, ())


def test_a_query_that_cannot_be_parsed_is_an_error_and_not_an_empty_list() -> None:
    assert replay(datacite, OWN / "unreadable_query.json", status=400).outcome is Outcome.BAD_RESPONSE


@pytest.mark.parametrize(
    "body", ["[]", {}, {"data": None}, {"data": []}, {"data": [], "meta": {"total": 5}}, {"data": {"type": "clients"}}]
)
def test_an_answer_without_the_records_that_it_counts_is_a_bad_response(body: Any) -> None:
    assert replay(datacite, body).outcome is Outcome.BAD_RESPONSE


def test_too_many_requests_are_a_rate_limit_with_the_stated_wait() -> None:
    leg = replay(datacite, {"errors": []}, status=429, headers={"retry-after": "120"})
    assert (leg.outcome, leg.retry_after_s) == (Outcome.RATE_LIMITED, 120)


def test_fewer_records_than_counted_make_the_list_partial() -> None:
    leg = replay(datacite, listed(record("10.5072/a"), total=9))
    assert (leg.outcome, leg.partial, leg.total_estimate) == (Outcome.OK, True, 9)


def test_a_lookup_sends_all_dois_in_one_list_for_as_many_records() -> None:
    seen: list[httpx.Request] = []

    def answer(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        return httpx.Response(200, json=listed(record("10.5072/B"), record("10.5072/a")))

    leg = ask(datacite, answer, named("10.5072/a", "10.5072/b", "10.5072/c"))
    assert [(paper.rank, paper.asked) for paper in leg.papers] == [
        (1, ("doi:10.5072/a",)), (2, ("doi:10.5072/b",)),
    ]  # fmt: skip
    (sent,) = [parse_qs(request.url.query.decode()) for request in seen]
    assert (sent["ids"], sent["page[size]"]) == (["10.5072/a,10.5072/b,10.5072/c"], ["3"])


def test_many_long_dois_are_divided_into_lists_that_fit_into_urls() -> None:
    seen: list[httpx.Request] = []

    def answer(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        return httpx.Response(200, json=listed())

    ask(datacite, answer, named(*(f"10.5072/{'x' * 200}{number}" for number in range(60))))
    assert len(seen) > 1
    assert max(len(str(request.url)) for request in seen) < 8000


def test_a_doi_with_a_comma_is_queried_by_its_path() -> None:
    paths: list[str] = []

    def answer(request: httpx.Request) -> httpx.Response:
        paths.append(request.url.path)
        return httpx.Response(200, json={"data": record("10.5072/a,b")})

    leg = ask(datacite, answer, named("10.5072/a,b"))
    assert (paths, [paper.ids.doi for paper in leg.papers]) == (["/dois/10.5072/a,b"], ["10.5072/a,b"])


def test_an_unknown_doi_with_a_comma_is_empty() -> None:
    leg = replay(datacite, OWN / "unknown_doi.json", status=404, query=named("10.5072/a,b"))
    assert leg.outcome is Outcome.EMPTY


def test_an_arxiv_id_is_looked_up_by_its_doi() -> None:
    leg = replay(datacite, listed(record("10.48550/arXiv.2103.00001")), query=Lookup(("arxiv:2103.00001",)))
    assert [(paper.asked, paper.ids.arxiv) for paper in leg.papers] == [(("arxiv:2103.00001",), "2103.00001")]


def test_a_record_that_is_not_public_is_not_found() -> None:
    leg = replay(datacite, listed(record("10.5072/a", state="registered")), query=named("10.5072/a"))
    assert leg.outcome is Outcome.EMPTY


def test_records_of_other_dois_are_a_bad_response() -> None:
    assert replay(datacite, listed(record("10.5072/z")), query=named("10.5072/a")).outcome is Outcome.BAD_RESPONSE


def test_a_listing_follows_the_cursor_of_the_next_link() -> None:
    seen: list[dict[str, list[str]]] = []
    link = "https://api.datacite.org/dois?page%5Bcursor%5D=MTIzLDEwLjUwNzIvYQ&page%5Bsize%5D=1&query=orchard"

    def answer(request: httpx.Request) -> httpx.Response:
        seen.append(parse_qs(request.url.query.decode()))
        return httpx.Response(200, json=listed(record("10.5072/a"), total=2, following=link))

    first = ask(datacite, answer, Listing(Query(text="orchard"), size=1))
    ask(datacite, answer, Listing(Query(text="orchard"), position=first.next_position or "", size=1))
    assert first.next_position == "MTIzLDEwLjUwNzIvYQ"
    assert [sent["page[cursor]"] for sent in seen] == [["1"], ["MTIzLDEwLjUwNzIvYQ"]]
    assert all("sort" not in sent for sent in seen)


def test_the_page_behind_the_last_record_is_the_end() -> None:
    leg = replay(datacite, listed(total=2), query=Listing(Query(text="orchard"), position="MTIz", size=1))
    assert (leg.outcome, leg.next_position) == (Outcome.EMPTY, None)


def test_only_the_read_attributes_and_no_facets_are_requested() -> None:
    seen: list[dict[str, list[str]]] = []

    def answer(request: httpx.Request) -> httpx.Response:
        seen.append(parse_qs(request.url.query.decode()))
        return httpx.Response(200, json=listed(record("10.5072/a")))

    ask(datacite, answer, Query(text="orchard", sort="date", limit=5))
    assert seen[0]["fields[dois]"] == [",".join(FIELDS)]
    assert (seen[0]["disable-facets"], seen[0]["mailto"]) == (["true"], ["dev@example.org"])
    assert (seen[0]["sort"], seen[0]["page[size]"]) == (["-published"], ["5"])


@needs_recordings
@pytest.mark.parametrize(("name", "outcome"), sorted(expected("datacite").items()))
def test_every_recording_ends_as_judged(name: str, outcome: list[Any]) -> None:
    leg = replay_recording(datacite, name)
    assert [leg.outcome.value, len(leg.papers)] == outcome


@needs_recordings
def test_the_judgements_cover_the_whole_folder() -> None:
    files = {path.name for path in folder("datacite").iterdir()} - {"manifest.json"}
    assert set(expected("datacite")) == files == set(manifest("datacite"))
