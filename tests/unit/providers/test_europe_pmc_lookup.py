"""Europe PMC's lookups: one request for names of three kinds, and which record answers which name."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qs

import httpx
import pytest

from functions.providers import europe_pmc
from shared.bibliography.paper import RetractionStatus
from shared.outcomes import Outcome
from shared.providers.provider import ProviderReply
from shared.query.question import Lookup
from tests.recorded.every_recording import folder, needs_recordings
from tests.replay import OWN_RECORDINGS, replay, requests_of

OWN = OWN_RECORDINGS / "europe_pmc"
API = "/europepmc/webservices/rest"
EMPTY = {"hitCount": 0, "resultList": {"result": []}}
SICI = "10.1002/(sici)1097-0258(19980815/30)17:15/16<1661::aid-sim968>3.0.co;2-2"


def sent(*names: str) -> list[httpx.Request]:
    """The requests that a lookup becomes."""
    return requests_of(europe_pmc, Lookup(names), [EMPTY])


def found(records: list[dict[str, Any]], *names: str) -> ProviderReply:
    """The leg of a lookup that these records answer."""
    body = {"hitCount": len(records), "resultList": {"result": records}}
    return replay(europe_pmc, body, query=Lookup(names))


@pytest.mark.parametrize(
    ("name", "clause"),
    [
        ("pmid:9500320", "(EXT_ID:9500320 AND SRC:MED)"),
        ("pmcid:PMC3040717", "PMCID:PMC3040717"),
        ("doi:10.1000/x", 'DOI:"10.1000/x"'),
        (f"doi:{SICI}", f'DOI:"{SICI}"'),
    ],
)
def test_each_kind_of_name_has_its_clause(name: str, clause: str) -> None:
    (request,) = sent(name)
    assert (request.method, request.url.path) == ("GET", f"{API}/search")
    assert dict(request.url.params) == {"query": clause, "format": "json", "resultType": "core", "pageSize": "1000"}


def test_names_of_all_kinds_are_one_request() -> None:
    (request,) = sent("doi:10.1000/x", "pmcid:PMC2", "pmid:1")
    assert request.url.params["query"] == 'DOI:"10.1000/x" OR PMCID:PMC2 OR (EXT_ID:1 AND SRC:MED)'


def test_a_hundred_names_are_one_form() -> None:
    names = [f"pmid:{number}" for number in range(20_000_000, 20_000_100)]
    (request,) = sent(*names)
    assert (request.method, request.url.path, request.url.query) == ("POST", f"{API}/searchPOST", b"")
    form = {name: values[0] for name, values in parse_qs(request.content.decode()).items()}
    assert form["query"].split(" OR ") == [f"(EXT_ID:{name.removeprefix('pmid:')} AND SRC:MED)" for name in names]
    assert (form["format"], form["resultType"], form["pageSize"]) == ("json", "core", "1000")


@pytest.mark.parametrize("doi", ['10.1000/a"b', "10.1000/a\\b"])
def test_a_doi_that_would_end_its_quotes_is_reported_and_not_sent(doi: str) -> None:
    assert sent(f"doi:{doi}") == []
    assert [request.url.params["query"] for request in sent(f"doi:{doi}", "pmid:1")] == ["(EXT_ID:1 AND SRC:MED)"]
    leg = found([], f"doi:{doi}")
    assert (leg.outcome, leg.warnings) == (Outcome.EMPTY, (f"Europe PMC cannot be queried for the DOI {doi}",))


def test_ids_of_other_kinds_are_not_requested() -> None:
    assert sent("arxiv:1706.03762", "openalex:W1") == []


def test_records_answer_their_names_in_the_order_of_the_names() -> None:
    records = [
        {"id": "PMC7", "source": "PMC", "pmcid": "PMC7", "title": "Third."},
        {"id": "1", "source": "MED", "pmid": "1", "doi": "10.1000/ABC", "title": "First."},
    ]
    leg = found(records, "doi:10.1000/abc", "doi:10.1000/unknown", "pmcid:PMC7", "pmid:1")
    assert [(paper.rank, paper.title, paper.asked) for paper in leg.papers] == [
        (1, "First", ("doi:10.1000/abc", "pmid:1")),
        (3, "Third", ("pmcid:PMC7",)),
    ]
    assert (leg.outcome, leg.total_estimate, leg.warnings) == (Outcome.OK, 2, ())


def test_two_records_may_answer_one_name() -> None:
    records = [
        {"id": "1", "source": "MED", "doi": "10.1000/x", "title": "An article."},
        {"id": "PPR2", "source": "PPR", "doi": "10.1000/x", "title": "An article"},
    ]
    leg = found(records, "doi:10.1000/x")
    assert [paper.asked for paper in leg.papers] == [("doi:10.1000/x",)] * 2


def test_a_record_that_answers_no_name_is_left_out() -> None:
    leg = found([{"id": "1", "source": "PMC", "title": "Another."}], "pmid:1")
    assert (leg.outcome, leg.total_estimate) == (Outcome.EMPTY, 0)


def test_unknown_names_are_an_empty_page() -> None:
    leg = found([], "pmid:999999999")
    assert (leg.outcome, leg.papers, leg.total_estimate, leg.warnings) == (Outcome.EMPTY, (), 0, ())


def test_the_question_is_summarised() -> None:
    assert found([], "pmid:1").effective_query == "search?query=(EXT_ID:1 AND SRC:MED)"
    many = found([], *(f"pmid:{number}" for number in range(1, 90))).effective_query or ""
    assert (len(many), many.startswith("search?query=(EXT_ID:1 AND")) == (200, True)


def test_a_record_is_translated_as_in_a_search() -> None:
    leg = replay(europe_pmc, OWN / "retractions.json", query=Lookup(("pmid:40517245", "pmid:9500320")))
    searched = {paper.ids.pmid: paper for paper in replay(europe_pmc, OWN / "retractions.json").papers}
    assert [paper.ids.pmid for paper in leg.papers] == ["40517245", "9500320"]
    paper = leg.papers[1]
    assert (paper.retraction.status, paper.retraction.notice_pmid) == (RetractionStatus.RETRACTED, "20137807")
    assert (paper.title, paper.retraction) == (searched["9500320"].title, searched["9500320"].retraction)


def test_fewer_records_than_counted_are_reported() -> None:
    body = {"hitCount": 3, "resultList": {"result": [{"id": "1", "source": "MED", "title": "A."}]}}
    leg = replay(europe_pmc, body, query=Lookup(("pmid:1", "pmid:2")))
    assert leg.warnings == ("Europe PMC counts 3 records of these names, but sent only 1",)


@pytest.mark.parametrize(
    "body",
    [
        pytest.param({"hitCount": 2}, id="counted-without-list"),
        pytest.param({"errCode": 404, "errMsg": "Invalid page size"}, id="error-under-200"),
        pytest.param({"hitCount": 1, "resultList": {"result": [{"id": "1"}]}}, id="no-record-can-be-read"),
    ],
)
def test_a_failed_lookup_is_not_an_empty_one(body: dict[str, Any]) -> None:
    assert replay(europe_pmc, body, query=Lookup(("pmid:1",))).outcome is Outcome.BAD_RESPONSE


@needs_recordings
@pytest.mark.parametrize(
    ("number", "names"),
    [
        ("20516115", ("doi:10.1158/0008-5472.can-09-4563", "pmcid:PMC3040717", "pmid:20516115")),
        ("22663011", ("doi:10.1056/nejmoa1203421", "pmid:22663011")),
    ],
)
def test_a_recorded_record_answers_all_its_names(number: str, names: tuple[str, ...]) -> None:
    leg = replay(europe_pmc, folder("europe_pmc") / f"search-ext-id-{number}.json", query=Lookup(names))
    assert [(paper.ids.pmid, paper.rank, paper.asked) for paper in leg.papers] == [(number, 1, names)]
    assert leg.warnings == ()
