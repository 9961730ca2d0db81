"""How arXiv's answers end: hits, none, errors under any status, empty pages, refusals."""

from __future__ import annotations

import httpx
import pytest

from functions.providers import arxiv
from shared.providers.provider import ProviderReply
from shared.query.query import Query
from tests.recorded.every_recording import expected, folder, needs_recordings, replay_recording
from tests.replay import OWN_RECORDINGS, ask, replay

BODIES = OWN_RECORDINGS / "arxiv"
OUTCOMES = expected("arxiv")
EVERYWHERE = Query(text="all:test")  # the query of the recorded feeds, which has no wider form


def body(name: str) -> str:
    return (BODIES / name).read_text(encoding="utf-8")


@needs_recordings
@pytest.mark.parametrize("name", OUTCOMES)
def test_a_recording_ends_as_judged(name: str) -> None:
    reply = replay_recording(arxiv, name)
    assert [reply.outcome.value, len(reply.papers)] == OUTCOMES[name]


@needs_recordings
def test_every_recording_is_judged() -> None:
    assert set(OUTCOMES) == {path.name for path in folder("arxiv").iterdir()} - {"manifest.json"}


@pytest.mark.parametrize("name", ["search.xml", "search-legacy.xml"])
def test_feeds_of_the_old_and_the_new_service_are_read(name: str) -> None:
    reply = replay(arxiv, BODIES / name, query=EVERYWHERE)
    assert (reply.outcome.value, len(reply.papers)) == ("ok", reply.total_estimate)
    assert reply.warnings == ()


@pytest.mark.parametrize("total", ["9" * 5_000, chr(0x661), "-1", ""], ids=lambda value: ascii(value)[:8])
def test_a_total_that_is_no_number_is_a_bad_response(total: str) -> None:
    odd = body("search.xml").replace("<opensearch:totalResults>5<", f"<opensearch:totalResults>{total}<")
    reply = replay(arxiv, odd)
    assert reply.outcome.value == "bad_response"
    assert reply.warnings == ("arXiv answered without a feed that counts its hits",)


def test_zero_hits_are_an_empty_answer() -> None:
    reply = replay(arxiv, BODIES / "zero-hits.xml", query=EVERYWHERE)
    assert (reply.outcome.value, reply.total_estimate, reply.warnings) == ("empty", 0, ())


@pytest.mark.parametrize("status", [200, 400])
def test_an_error_entry_is_a_rejected_request_under_any_status(status: int) -> None:
    reply = replay(arxiv, BODIES / "error.xml", status=status)
    assert (reply.outcome.value, reply.papers) == ("bad_response", ())
    assert "rejected the request as invalid" in reply.warnings[0]


def test_the_text_of_an_error_entry_is_not_passed_on() -> None:
    assert "incorrect" not in " ".join(replay(arxiv, BODIES / "error.xml").warnings)


def answers(*replies: httpx.Response) -> tuple[ProviderReply, int]:
    """The leg that these answers make, and how many of them were fetched; the last one is repeated."""
    fetched: list[httpx.Response] = []

    def answer(request: httpx.Request) -> httpx.Response:
        fetched.append(replies[min(len(fetched), len(replies) - 1)])
        last = fetched[-1]
        return httpx.Response(last.status_code, content=last.content, headers=last.headers)

    return ask(arxiv, answer, EVERYWHERE), len(fetched)


def feed(name: str, status: int = 200) -> httpx.Response:
    return httpx.Response(status, content=body(name), headers={"content-type": "application/atom+xml; charset=utf-8"})


def test_a_rejected_request_is_not_repeated() -> None:
    for status in (200, 400):
        assert answers(feed("error.xml", status))[1] == 1


def test_an_empty_page_with_a_positive_count_is_requested_once_more() -> None:
    reply, fetched = answers(feed("empty-page.xml"), feed("search.xml"))
    assert (reply.outcome.value, len(reply.papers), fetched) == ("ok", 5, 2)


def test_a_page_that_stays_empty_is_an_outage_and_not_zero_hits() -> None:
    reply, fetched = answers(feed("empty-page.xml"))
    assert (reply.outcome.value, fetched) == ("unavailable", 2)
    assert reply.warnings == ("arXiv announced 230 records and sent none",)


def test_a_short_page_is_reported() -> None:
    short = body("search.xml").replace("<opensearch:totalResults>5<", "<opensearch:totalResults>40<")
    assert replay(arxiv, short, query=EVERYWHERE).warnings == ("arXiv sent 5 of the 40 records that it announced",)


def test_a_429_is_a_rate_limit_though_it_names_no_time() -> None:
    reply = replay(arxiv, BODIES / "rate-limited.txt", status=429)
    assert (reply.outcome.value, reply.retry_after_s) == ("rate_limited", None)


@pytest.mark.parametrize("kind", ["text/plain", "application/atom+xml"])
def test_a_refusal_under_status_200_is_a_rate_limit_too(kind: str) -> None:
    reply = replay(arxiv, BODIES / "rate-limited.txt", content_type=kind)
    assert reply.outcome.value == "rate_limited"


@pytest.mark.parametrize(
    ("status", "outcome"),
    [(403, "unavailable"), (404, "bad_response"), (500, "unavailable"), (503, "unavailable"), (302, "bad_response")],
)
def test_statuses_become_outcomes(status: int, outcome: str) -> None:
    page = "<html>Please wait</html>"
    assert replay(arxiv, page, status=status, content_type="text/html").outcome.value == outcome


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("<html><body>Service notice</body></html>", id="another document"),
        pytest.param(body("search.xml")[:2000], id="cut off"),
        pytest.param("", id="empty"),
        pytest.param('<feed xmlns="http://www.w3.org/2005/Atom"><title>t</title></feed>', id="no count of hits"),
        pytest.param(body("zero-hits.xml").replace("Results>0<", "Results>many<"), id="a count that is not a number"),
    ],
)
def test_a_body_that_is_not_a_feed_of_hits_is_a_bad_response(text: str) -> None:
    assert replay(arxiv, text, content_type="application/atom+xml").outcome.value == "bad_response"


def test_entries_without_a_single_paper_are_a_bad_response() -> None:
    text = body("zero-hits.xml").replace(
        "</feed>", "<entry><id>http://arxiv.org/help</id><title>Help</title></entry></feed>"
    )
    assert replay(arxiv, text.replace("Results>0<", "Results>1<")).outcome.value == "bad_response"


def test_a_query_that_the_provider_changed_is_reported() -> None:
    text = body("search.xml").replace("search_query=all:test", "search_query=all:badfield:test")
    assert replay(arxiv, text).warnings == ("arXiv read the query as all:badfield:test",)


def test_a_query_in_other_spelling_is_the_same_query() -> None:
    text = body("search.xml").replace("search_query=all:test", "search_query=(ALL:test)")
    assert replay(arxiv, text, query=EVERYWHERE).warnings == ()


def test_an_order_that_was_not_applied_is_reported() -> None:
    warnings = replay(arxiv, BODIES / "search.xml", query=Query(text="all:test", sort="date")).warnings
    assert warnings == ("arXiv did not sort by date this time",)
