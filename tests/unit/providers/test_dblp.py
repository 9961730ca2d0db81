"""DBLP: records, envelopes and queries."""

from __future__ import annotations

from functools import cache
from typing import Any
from urllib.parse import parse_qs

import httpx
import pytest
from defusedxml.ElementTree import parse

from functions.providers import dblp
from shared.bibliography.identifiers import Identifiers
from shared.bibliography.paper import Author, Paper
from shared.errors import UnsupportedFilter
from shared.outcomes import Outcome
from shared.providers.dblp_syntax import dblp_query, wider_query
from shared.providers.provider import ProviderReply
from shared.providers.records.dblp import read_paper
from shared.query.query import Query
from shared.query.question import Listing
from tests.recorded.every_recording import expected, folder, manifest, needs_recordings, replay_recording
from tests.replay import OWN_RECORDINGS, ask, replay

OWN = OWN_RECORDINGS / "dblp"


@cache
def reply() -> ProviderReply:
    return replay(dblp, OWN / "odd_records.json")


def paper(rank: int) -> Paper:
    return next(it for it in reply().papers if it.rank == rank)


def result(**hits: Any) -> dict[str, Any]:
    return {"result": {"status": {"@code": "200", "text": "OK"}, "hits": hits}}


def test_a_title_loses_its_full_stop_and_its_entities() -> None:
    assert (paper(1).title, paper(2).title) == ('Graphs & "Orchards": A Survey', "What Is an Orchard?")


def test_people_are_a_list_or_one_object_and_lose_their_number() -> None:
    assert paper(1).authors == (Author(family="Wang", given="Wei"), Author(family="van den Berg", given="José"))
    assert paper(2).authors == (Author(family="Wang", given="Wei"),)


def test_venues_and_links_are_a_text_or_a_list() -> None:
    assert (paper(1).journal, paper(1).ids.doi) == ("ORCHARD", "10.9999/orchard.19")
    assert (paper(2).journal, paper(2).volume, paper(2).ids.doi) == ("J. Orchards", "7", "10.9999/q.20")


def test_an_article_of_corr_is_arxivs_preprint() -> None:
    preprint = paper(3)
    assert preprint.ids == Identifiers(doi="10.48550/arxiv.2103.00001", arxiv="2103.00001")
    assert (preprint.type, preprint.journal, preprint.volume) == ("preprint", "arXiv", None)


def test_types_are_those_of_papers() -> None:
    found = {it.rank: it.type for it in reply().papers}
    assert found == {1: "conference-paper", 2: "journal-article", 3: "preprint", 4: "dissertation", 5: "other"}


def test_a_second_record_of_one_paper_and_one_without_title_are_left_out() -> None:
    assert [it.rank for it in reply().papers] == [1, 2, 3, 4, 5]
    assert reply().warnings == ("record 7 skipped: DBLP's journals/o/X has no title",)


def test_a_linked_copy_is_open_or_nothing_is_known() -> None:
    assert (paper(2).open_access.is_oa, paper(2).open_access.url) == (True, "https://orchards.example.org/7.pdf")
    assert paper(1).open_access.is_oa is None


def test_one_hit_is_sent_without_a_list() -> None:
    assert [it.title for it in replay(dblp, OWN / "one_hit.json").papers] == ['Graphs & "Orchards": A Survey']


def test_zero_hits_are_empty() -> None:
    leg = replay(dblp, OWN / "zero_hits.json")
    assert (leg.outcome, leg.total_estimate) == (Outcome.EMPTY, 0)


def test_too_many_requests_are_a_rate_limit_with_the_stated_wait() -> None:
    leg = replay(
        dblp, OWN / "too_many_requests.txt", status=429, content_type="text/html", headers={"retry-after": "60"}
    )
    assert (leg.outcome, leg.retry_after_s) == (Outcome.RATE_LIMITED, 60)


@pytest.mark.parametrize(
    ("body", "outcome"),
    [
        ({}, Outcome.BAD_RESPONSE),
        (result(), Outcome.BAD_RESPONSE),
        (result(**{"@total": "3"}), Outcome.BAD_RESPONSE),
        (result(**{"@total": "many", "hit": []}), Outcome.BAD_RESPONSE),
        ({"result": {"status": {"@code": "500", "text": "error"}}}, Outcome.UNAVAILABLE),
        ({"result": {"status": {"@code": "400", "text": "error"}}}, Outcome.BAD_RESPONSE),
    ],
)
def test_an_answer_without_hits_is_never_an_empty_list(body: Any, outcome: Outcome) -> None:
    assert replay(dblp, body).outcome is outcome


@pytest.mark.parametrize(
    ("text", "sent", "is_exact"),
    [
        ("Neural Networks for off-target graphs", "neural networks off target graphs", True),
        ("ML C++ graphs", "ml$ c$ graphs", True),  # short words begin too many others
        ("graph AND (network OR tree)", "graph network|tree", True),
        ("graph NOT tree", "graph", False),
        ('"gene drive" AND mice', "gene drive mice", False),
        ('(gene AND suppression) OR "neural network"', "suppression|network", False),
        ("ti:attention AND au:vaswani", "attention vaswani", False),
        ("graph AND (2015:2020[dp] OR tree)", "graph", False),
        ("micro* AND graph", "micro graph", True),
    ],
)
def test_a_text_is_sent_as_the_nearest_query_that_finds_at_least_the_same(text: str, sent: str, is_exact: bool) -> None:
    found = dblp_query(Query(text=text))
    assert (found.text, found.is_exact) == (sent, is_exact)


def test_the_family_name_of_an_author_is_one_of_the_words() -> None:
    assert dblp_query(Query(text="attention", author="Vaswani, Ashish")).text == "attention vaswani"
    assert dblp_query(Query(text="", author="Vaswani A")).text == "vaswani"


def test_a_long_query_widens_to_its_most_telling_words() -> None:
    assert wider_query(Query(text="graph networks")) is None
    wider = wider_query(Query(text="message passing neural networks predict quantum chemistry energies"))
    assert wider
    assert len(wider.words) == 4


@pytest.mark.parametrize("text", ["2015:2020[dp]", " OR ".join(f"word{number}" for number in range(400))])
def test_a_query_without_words_or_too_long_is_refused(text: str) -> None:
    with pytest.raises(UnsupportedFilter):
        dblp_query(Query(text=text))


def test_filters_are_not_sent_and_reported() -> None:
    leg = replay(dblp, OWN / "one_hit.json", query=Query(text="graph NOT tree", date_from="2019", author="Wang"))
    assert (leg.applied_filters, leg.unsupported_filters) == (("author",), ("date", "operators"))


def test_a_listing_goes_on_by_the_number_of_the_first_hit() -> None:
    seen: list[dict[str, list[str]]] = []

    def answer(request: httpx.Request) -> httpx.Response:
        seen.append(parse_qs(request.url.query.decode()))
        hit = {"@id": "1", "info": {"title": "A.", "key": "a"}}
        return httpx.Response(200, json=result(**{"@total": "3", "hit": [hit, hit] if len(seen) == 1 else hit}))

    first = ask(dblp, answer, Listing(Query(text="graph"), size=2))
    last = ask(dblp, answer, Listing(Query(text="graph"), position=first.next_position or "", size=2))
    assert (first.next_position, last.next_position, last.partial) == ("2", None, False)
    assert [(sent["f"], sent["h"], sent["format"]) for sent in seen] == [
        (["0"], ["2"], ["json"]),
        (["2"], ["2"], ["json"]),
    ]


@needs_recordings
@pytest.mark.parametrize(("name", "outcome"), sorted(expected("dblp").items()))
def test_every_recording_ends_as_judged(name: str, outcome: list[Any]) -> None:
    leg = replay_recording(dblp, name)
    assert [leg.outcome.value, len(leg.papers)] == outcome
    assert set(expected("dblp")) == set(manifest("dblp"))


@needs_recordings
def test_the_hits_of_the_recorded_xml_are_read_in_their_json_form() -> None:
    hits = [
        {"info": {it.tag: it.text for it in hit.iterfind("info/*") if it.tag != "authors"}
         | {"authors": {"author": [{"text": one.text} for one in hit.iter("author")]}}}
        for hit in parse(folder("dblp") / "publ-search-xml.txt").iter("hit")
    ]  # fmt: skip
    papers = replay(dblp, result(**{"@total": "3", "hit": hits})).papers
    assert [(it.ids.doi, it.type, len(it.authors)) for it in papers] == [
        ("10.1007/s11063-025-11757-7", "journal-article", 8), ("10.4108/eetsis.9117", "journal-article", 5),
    ]  # fmt: skip


def test_a_paper_of_a_venue_that_links_to_its_copy_at_arxiv_is_no_preprint() -> None:
    links = ["https://proceedings.example.org/v1/a.pdf", "https://arxiv.org/abs/1706.03762"]
    info = {"title": "A.", "type": "Conference and Workshop Papers", "venue": "ICML", "volume": "3", "ee": links}
    found = read_paper({"info": info}, 1)
    assert (found.type, found.journal, found.volume) == ("conference-paper", "ICML", "3")
    assert found.ids.arxiv == "1706.03762"
