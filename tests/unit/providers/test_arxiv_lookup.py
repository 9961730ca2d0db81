"""arXiv's lookups: one request for all ids, old ones and new ones, and which entry answers which name."""

from __future__ import annotations

import httpx
import pytest

from functions.providers import arxiv
from shared.outcomes import Outcome
from shared.providers.provider import ProviderReply
from shared.query.question import Lookup
from tests.recorded.every_recording import folder, needs_recordings
from tests.replay import OWN_RECORDINGS, replay, requests_of

BODIES = OWN_RECORDINGS / "arxiv"
NONE = (BODIES / "zero-hits.xml").read_text(encoding="utf-8")


def feed(*ids: str, announced: int | None = None) -> str:
    """A feed with an entry for each id, written as arXiv writes it."""
    entries = "".join(
        f"<entry><id>http://arxiv.org/abs/{number}</id><title>Paper {number}</title>"
        "<published>2003-07-01T08:00:00Z</published></entry>"
        for number in ids
    )
    count = len(ids) if announced is None else announced
    start = '<feed xmlns="http://www.w3.org/2005/Atom" xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/">'
    return f"{start}<opensearch:totalResults>{count}</opensearch:totalResults>{entries}</feed>"


def sent(*names: str) -> list[httpx.Request]:
    """The requests that a lookup becomes."""
    return requests_of(arxiv, Lookup(names), [NONE])


def found(body: str, *names: str) -> ProviderReply:
    """The leg of a lookup that this feed answers."""
    return replay(arxiv, body, query=Lookup(names))


def test_all_ids_are_one_request() -> None:
    (request,) = sent("arxiv:1605.08386", "arxiv:1706.03762", "arxiv:hep-ex/0307015")
    assert (request.method, request.url.path) == ("GET", "/api/query")
    assert dict(request.url.params) == {"id_list": "1605.08386,1706.03762,hep-ex/0307015", "max_results": "3"}


def test_a_hundred_ids_are_one_request_for_a_hundred_records() -> None:
    (request,) = sent(*(f"arxiv:2001.{number:05}" for number in range(1, 101)))
    assert (request.url.params["max_results"], request.url.params["id_list"].count(",")) == ("100", 99)


@pytest.mark.parametrize("name", ["doi:10.1000/x", "arxiv:abc", "pmid:1"])
def test_an_invalid_arxiv_id_is_not_sent_with_the_list(name: str) -> None:
    assert sent(name) == []
    assert [request.url.params["id_list"] for request in sent(name, "arxiv:1605.08386")] == ["1605.08386"]
    assert found(NONE, name).outcome is Outcome.EMPTY


def test_an_entry_of_any_version_answers_its_id() -> None:
    leg = found(
        feed("hep-ex/0307015v1", "1706.03762v7"), "arxiv:1706.03762", "arxiv:2001.00001", "arxiv:hep-ex/0307015"
    )
    assert [(paper.rank, paper.ids.arxiv, paper.asked) for paper in leg.papers] == [
        (1, "1706.03762", ("arxiv:1706.03762",)),
        (3, "hep-ex/0307015", ("arxiv:hep-ex/0307015",)),
    ]
    assert (leg.outcome, leg.total_estimate, leg.warnings) == (Outcome.OK, 2, ())


def test_an_old_id_is_the_same_with_its_subject_class() -> None:
    names = ("arxiv:math.gt/0309136", "arxiv:math/0309136")
    assert [request.url.params["id_list"] for request in sent(*names)] == ["math/0309136"]
    assert [paper.asked for paper in found(feed("math/0309136v2"), *names).papers] == [names]
    assert [paper.asked for paper in found(feed("math.GT/0309136v2"), *names).papers] == [names]


def test_unknown_ids_are_an_empty_page() -> None:
    leg = found(NONE, "arxiv:0808.05394")
    assert (leg.outcome, leg.total_estimate, leg.warnings) == (Outcome.EMPTY, 0, ())
    assert leg.effective_query == "/api/query?id_list=0808.05394"


def test_the_question_is_summarised() -> None:
    id_list = found(NONE, *(f"arxiv:2001.{number:05}" for number in range(1, 101))).effective_query or ""
    assert (len(id_list), id_list.startswith("/api/query?id_list=2001.00001,2001.00002,")) == (200, True)


def test_an_unrequested_entry_is_left_out() -> None:
    assert found(feed("2001.00009v1"), "arxiv:2001.00001").outcome is Outcome.EMPTY


def test_a_short_feed_is_reported() -> None:
    leg = found(feed("2001.00001v1", announced=2), "arxiv:2001.00001", "arxiv:2001.00002")
    assert leg.warnings == ("arXiv sent 1 of the 2 records that it announced",)


@pytest.mark.parametrize("status", [200, 400])
def test_an_error_entry_is_a_bad_response_under_any_status(status: int) -> None:
    leg = replay(arxiv, BODIES / "error.xml", status=status, query=Lookup(("arxiv:1605.08386",)))
    assert (leg.outcome, leg.papers) == (Outcome.BAD_RESPONSE, ())


def test_announced_records_that_never_come_are_an_outage() -> None:
    assert found(feed(announced=1), "arxiv:2001.00001").outcome is Outcome.UNAVAILABLE


@needs_recordings
@pytest.mark.parametrize(
    ("file", "names", "answered"),
    [
        ("id-1605.08386.xml", ("arxiv:1605.08386",), ["arxiv:1605.08386"]),
        ("id-1706.03762-2026-07.xml", ("arxiv:1706.03762",), ["arxiv:1706.03762"]),
        ("id-2104.12255v1.xml", ("arxiv:2104.12255",), ["arxiv:2104.12255"]),
        ("id-list-0808.05394-1707.08567.xml", ("arxiv:0808.05394", "arxiv:1707.08567"), ["arxiv:1707.08567"]),
        ("empty-id-0808.05394.xml", ("arxiv:0808.05394",), []),
        ("empty-id-0000.0000.xml", ("arxiv:0000.0000",), []),
    ],
)
def test_the_recorded_lists_answer_the_names_that_they_hold(
    file: str, names: tuple[str, ...], answered: list[str]
) -> None:
    leg = replay(arxiv, folder("arxiv") / file, query=Lookup(names))
    assert [name for paper in leg.papers for name in paper.asked] == answered
    assert leg.outcome is (Outcome.OK if answered else Outcome.EMPTY)
    assert leg.warnings == ()


@needs_recordings
def test_the_recorded_paper_is_whole() -> None:
    names = ("arxiv:0808.05394", "arxiv:1707.08567")
    (paper,) = replay(arxiv, folder("arxiv") / "id-list-0808.05394-1707.08567.xml", query=Lookup(names)).papers
    assert (paper.rank, paper.publication_date, paper.author_count) == (2, "2017-07-27", 34)
    assert paper.title.startswith("Proceedings of Workshop AEW10")


@needs_recordings
def test_the_recorded_refusal_of_an_id_is_a_bad_response() -> None:
    leg = replay(arxiv, folder("arxiv") / "error-400-bad-id.xml", status=400, query=Lookup(("arxiv:1605.08386",)))
    assert leg.outcome is Outcome.BAD_RESPONSE
