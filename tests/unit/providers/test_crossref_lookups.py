"""Works by DOI: one record, several in a list, odd DOIs, and DOIs that Crossref does not hold."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import httpx
import pytest

from functions.providers import crossref
from shared.bibliography.paper import Retraction, RetractionStatus
from shared.outcomes import Outcome
from shared.providers.provider import ProviderReply
from shared.query.question import Lookup
from shared.rate_limits.limits import RateLimitHeaders
from tests.recorded.every_recording import folder, manifest, needs_recordings
from tests.replay import OWN_RECORDINGS, ask, named, replay, requests_of

NOW = datetime(2026, 11, 22, 8, 0, tzinfo=UTC)
OWN = OWN_RECORDINGS / "crossref"
SICI = "10.1002/(sici)1097-0258(19980815/30)17:15/16<1661::aid-sim968>3.0.co;2-2#1"
CORRECTION = Retraction(RetractionStatus.CORRECTED, notice_doi="10.1073/pnas.1507001112", date="2015-05-04")


def work(doi: str, **elements: Any) -> dict[str, Any]:
    """A work's record."""
    return {"DOI": doi, "type": "journal-article", "title": [f"A work {doi}"], **elements}


def one(doi: str, **elements: Any) -> dict[str, Any]:
    """The answer of one work."""
    return {"status": "ok", "message-type": "work", "message": work(doi, **elements)}


def several(*works: dict[str, Any]) -> dict[str, Any]:
    """The answer of a list."""
    return {"status": "ok", "message-type": "work-list", "message": {"total-results": len(works), "items": works}}


def answers(leg: ProviderReply) -> list[tuple[int, tuple[str, ...]]]:
    """Rank and names of each paper."""
    return [(paper.rank, paper.asked) for paper in leg.papers]


def test_one_doi_is_requested_as_the_whole_record() -> None:
    (request,) = requests_of(crossref, named("10.5555/a"), [one("10.5555/A")])
    assert request.url.raw_path == b"/works/10.5555%2Fa?mailto=dev%40example.org"


def test_every_mark_of_a_doi_is_escaped_in_the_path() -> None:
    (request,) = requests_of(crossref, named(SICI), [one(SICI)])
    path = request.url.raw_path.partition(b"?")[0]
    assert path == (
        b"/works/10.1002%2F%28sici%291097-0258%2819980815%2F30%2917%3A15%2F16%3C1661%3A%3Aaid-sim968%3E3.0.co%3B2-2%231"
    )


def test_several_dois_are_one_list_with_updates_and_references() -> None:
    (request,) = requests_of(crossref, named("10.5555/a", "10.5555/b", SICI), [several()])
    params = dict(request.url.params)
    selected = set(params.pop("select").split(","))
    assert request.url.path == "/works"
    assert params == {
        "filter": f"doi:10.5555/a,doi:10.5555/b,doi:{SICI}", "rows": "3", "mailto": "dev@example.org"
    }  # fmt: skip
    assert {"DOI", "type", "title", "relation", "update-to", "updated-by", "reference"} <= selected


def test_a_pii_is_looked_up_as_the_publishers_own_id() -> None:
    requested = Lookup(("doi:10.5555/a", "pii:S0092867417305780"))
    sent: list[httpx.Request] = []

    def answer(request: httpx.Request) -> httpx.Response:
        sent.append(request)
        other = {"alternative-id": ["10.1016/j.cell.2017.05.018", "S0092867417305780"]}
        body = several(work("10.5555/cell", **other)) if request.url.path == "/works" else one("10.5555/a")
        return httpx.Response(200, json=body)

    found = answers(ask(crossref, answer, requested))
    assert found == [(1, ("doi:10.5555/a",)), (2, ("pii:S0092867417305780",))]
    params = sent[1].url.params
    assert params["filter"] == "alternative-id:S0092867417305780"
    assert "alternative-id" in params["select"].split(",")


def test_a_doi_with_a_comma_is_requested_alone() -> None:
    requested = named("10.5555/a", "10.5555/b,c", "10.5555/d")
    sent: list[str] = []

    def answer(request: httpx.Request) -> httpx.Response:
        sent.append(request.url.path)
        body = several(work("10.5555/d"), work("10.5555/a")) if request.url.path == "/works" else one("10.5555/B,C")
        return httpx.Response(200, json=body)

    assert answers(ask(crossref, answer, requested)) == [
        (1, ("doi:10.5555/a",)), (2, ("doi:10.5555/b,c",)), (3, ("doi:10.5555/d",))
    ]  # fmt: skip
    assert sorted(sent) == ["/works", "/works/10.5555/b,c"]


def test_a_hundred_dois_are_one_request_and_long_ones_a_few_of_bounded_length() -> None:
    assert len(requests_of(crossref, named(*(f"10.1016/j.cell.2020.01.{n:03}" for n in range(100))), [several()])) == 1
    long = [f"10.1002/(sici)1097-0258(19980815/30)17:15/16<{n}::aid-sim{n}>3.0.co;2-2" for n in range(100, 200)]
    requests = requests_of(crossref, named(*long), [several()])
    assert len(requests) == 2
    assert all(len(request.url.raw_path) < 8000 for request in requests)
    requested = [condition for request in requests for condition in request.url.params["filter"].split(",")]
    assert requested == [f"doi:{doi}" for doi in long]


def test_papers_name_their_requested_ids_in_the_order_of_the_request() -> None:
    leg = replay(
        crossref, several(work("10.5555/C"), work("10.5555/a")), query=named("10.5555/a", "10.5555/b", "10.5555/c")
    )
    assert answers(leg) == [(1, ("doi:10.5555/a",)), (3, ("doi:10.5555/c",))]
    assert (leg.total_estimate, leg.warnings) == (2, ())
    assert leg.effective_query == "/works?filter=doi:10.5555/a,doi:10.5555/b,doi:10.5555/c"


def test_the_effective_query_is_cut() -> None:
    leg = replay(crossref, several(), query=named(*(f"10.5555/number.{n}" for n in range(50))))
    assert len(leg.effective_query or "") == 200


def test_a_works_references_and_versions_are_included() -> None:
    body = one(
        "10.5555/a",
        reference=[{"DOI": "10.5555/X"}, {"unstructured": "A line."}, {"DOI": "10.5555/x"}, {"DOI": "10.5555/y"}],
        relation={"is-preprint-of": [{"id-type": "doi", "id": "10.5555/z"}]},
    )
    (paper,) = replay(crossref, body, query=named("10.5555/a")).papers
    assert paper.references == ("doi:10.5555/x", "doi:10.5555/y")
    assert [version.doi for version in paper.versions] == ["10.5555/z"]


def test_an_unknown_doi_is_empty() -> None:
    leg = replay(crossref, OWN / "not_found.txt", status=404, content_type="text/plain", query=named("10.5555/a"))
    assert (leg.outcome, leg.total_estimate, leg.warnings) == (Outcome.EMPTY, 0, ())


def test_a_404_of_something_on_the_way_does_not_make_a_doi_unknown() -> None:
    page = b"<html><head><title>404 Not Found</title></head><body><center>nginx</center></body></html>"
    leg = replay(crossref, page, status=404, content_type="text/html", query=named("10.5555/a"))
    assert leg.outcome is Outcome.BAD_RESPONSE


def test_unknown_dois_are_missing_in_a_list() -> None:
    leg = replay(crossref, several(), query=named("10.5555/a", "10.5555/b"))
    assert (leg.outcome, leg.total_estimate, leg.warnings) == (Outcome.EMPTY, 0, ())


def test_a_doi_of_no_paper_is_an_answer_with_that_message() -> None:
    leg = replay(crossref, one("10.5555/g001", type="component"), query=named("10.5555/g001"))
    assert (leg.outcome, leg.warnings) == (Outcome.EMPTY, ("Crossref 10.5555/g001 is a component, not a paper",))


@pytest.mark.parametrize(
    ("dois", "body"),
    [
        pytest.param(("10.5555/a",), several(work("10.5555/a")), id="list-for-one"),
        pytest.param(("10.5555/a", "10.5555/b"), several(work("10.5555/x")), id="other-works"),
        pytest.param(("10.5555/a", "10.5555/b"), several(*[{}]), id="works-without-doi"),
        pytest.param(("10.5555/a",), one("10.5555/a", author=["A"]), id="unreadable-record"),
    ],
)
def test_an_answer_to_another_question_is_no_empty_answer(dois: tuple[str, ...], body: dict[str, Any]) -> None:
    assert replay(crossref, body, query=named(*dois)).outcome is Outcome.BAD_RESPONSE


@pytest.mark.parametrize("dois", [("10.5555/a",), ("10.5555/a", "10.5555/b")])
@pytest.mark.parametrize(("status", "outcome"), [(429, "rate_limited"), (500, "unavailable"), (400, "bad_response")])
def test_a_failure_is_never_an_empty_answer(dois: tuple[str, ...], status: int, outcome: str) -> None:
    leg = replay(crossref, OWN / "too_many.txt", status=status, content_type="text/html", query=named(*dois))
    assert leg.outcome.value == outcome


def aliased(request: httpx.Request) -> httpx.Response:
    """10.5555/old became an alias of 10.5555/new."""
    if request.url.path.endswith("/old"):
        return httpx.Response(301, headers={"location": str(request.url.copy_with(path="/works/10.5555%2Fnew"))})
    return httpx.Response(200, json=one("10.5555/new"))


def test_an_alias_is_answered_by_the_work_that_it_became() -> None:
    (paper,) = ask(crossref, aliased, named("10.5555/old"), key=None).papers
    assert (paper.ids.doi, paper.asked) == ("10.5555/new", ("doi:10.5555/old",))


def test_a_key_goes_along_on_the_registrys_own_host_and_nowhere_else() -> None:
    assert [paper.ids.doi for paper in ask(crossref, aliased, named("10.5555/old")).papers] == ["10.5555/new"]
    sent: list[str] = []

    def elsewhere(request: httpx.Request) -> httpx.Response:
        sent.append(request.url.host)
        return httpx.Response(301, headers={"location": "https://elsewhere.test/works/10.5555%2Fnew"})

    reply = ask(crossref, elsewhere, named("10.5555/old"))
    assert (reply.outcome, sent) == (Outcome.BAD_RESPONSE, ["provider.test"])


@pytest.mark.parametrize(
    ("headers", "rate"),
    [
        pytest.param({"x-api-pool": "polite-single", "x-rate-limit-limit": "10"}, 3.0, id="polite-record"),
        pytest.param({"x-api-pool": "public-single", "x-rate-limit-limit": "5"}, 1.0, id="public-record"),
        pytest.param({"x-api-pool": "polite-single", "x-rate-limit-limit": "2"}, 2.0, id="slower"),
        pytest.param({"x-api-pool": "polite-single", "x-rate-limit-limit": "6"}, 2.0, id="too slow for three lists"),
        pytest.param({"x-api-pool": "polite-array", "x-rate-limit-limit": "3"}, 3.0, id="list"),
        pytest.param({"x-api-pool": "plus", "x-rate-limit-limit": "150"}, 150.0, id="plus"),
        pytest.param({"x-api-pool": "polite-single"}, None, id="silent"),
    ],
)
def test_the_faster_rate_of_records_is_not_taken_for_that_of_lists(headers: dict[str, str], rate: float | None) -> None:
    assert crossref.read_limits(headers, NOW) == RateLimitHeaders(requests_per_second=rate)


@needs_recordings
@pytest.mark.parametrize(
    ("name", "doi", "retraction", "references"),
    [
        pytest.param("work-updated-by-correction.json", "10.1073/pnas.1414271111", CORRECTION, 65, id="corrected"),
        pytest.param(
            "work-update-to-and-updated-by-new-version.json", "10.1371/journal.ppat.1008184",
            Retraction(RetractionStatus.NONE), 66, id="updates-itself",
        ),
        pytest.param(
            "work-64-references-all-doi.json", "10.1038/s41598-018-27044-6", Retraction(RetractionStatus.NONE), 64,
            id="sound",
        ),
    ],
)  # fmt: skip
def test_a_recorded_record_has_its_standing(name: str, doi: str, retraction: Retraction, references: int) -> None:
    (paper,) = replay(crossref, folder("crossref") / name, query=named(doi)).papers
    assert (paper.ids.doi, paper.asked, paper.type) == (doi, (f"doi:{doi}",), "journal-article")
    assert (paper.retraction, len(paper.references)) == (retraction, references)


@needs_recordings
def test_the_recorded_answer_to_an_arxiv_doi_is_empty() -> None:
    name = "error-404-arxiv-doi-is-not-crossref.txt"
    entry = manifest("crossref")[name]
    kind = entry["headers"]["content-type"]
    requested = named("10.48550/arxiv.2312.07559")
    leg = replay(crossref, folder("crossref") / name, status=entry["status"], content_type=kind, query=requested)
    assert (leg.outcome, leg.papers) == (Outcome.EMPTY, ())
