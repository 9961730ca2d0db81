"""How papers are requested from OpenAlex by id, and which answer belongs to which name."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest

from functions.providers import openalex
from shared.providers.provider import ProviderReply
from shared.providers.records.openalex import FIELDS
from shared.query.question import Lookup
from tests.replay import OWN_RECORDINGS, ask, replay, requests_of

NOT_FOUND = (OWN_RECORDINGS / "openalex" / "not-found.html").read_bytes()
NONE: dict[str, Any] = {"meta": {"count": 0}, "results": []}


def work(number: int, doi: str | None = None, pmid: str | None = None, **fields: Any) -> dict[str, Any]:
    """A work of little but its ids."""
    ids = {"pmid": f"https://pubmed.ncbi.nlm.nih.gov/{pmid}"} if pmid else {}
    fields_of_ids = {"id": f"https://openalex.org/W{number}", "doi": doi and f"https://doi.org/{doi}", "ids": ids}
    return {**fields_of_ids, "title": f"Paper {number}", **fields}


def list_of(*works: Any) -> dict[str, Any]:
    return {"meta": {"count": len(works)}, "results": list(works)}


def sent(*names: str) -> list[httpx.Request]:
    return requests_of(openalex, Lookup(names), [NONE])


def answered(reply: ProviderReply) -> list[tuple[str, tuple[str, ...], int]]:
    return [(paper.title, paper.asked, paper.rank) for paper in reply.papers]


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("doi:10.1000/x", "/works/doi:10.1000%2Fx"),
        ("doi:10.1890/0012(2006)87[2832:t]2.0.co;2", "/works/doi:10.1890%2F0012%282006%2987%5B2832%3At%5D2.0.co%3B2"),
        ("doi:10.1000/a#b?c%d", "/works/doi:10.1000%2Fa%23b%3Fc%25d"),
        ("openalex:W123", "/works/W123"),
        ("pmid:456", "/works/pmid:456"),
    ],
)
def test_a_single_id_is_requested_at_its_own_path(name: str, path: str) -> None:
    (request,) = sent(name)
    assert request.url.raw_path.decode().partition("?")[0] == path
    assert dict(request.url.params) == {"select": ",".join(FIELDS)}


def test_ids_of_one_scheme_are_requested_together() -> None:
    requests = sent("doi:10.1000/a", "doi:10.1000/b", "openalex:W11", "openalex:W22", "pmid:3", "pmid:4")
    assert [request.url.path for request in requests] == ["/works"] * 3
    assert [request.url.params["filter"] for request in requests] == [
        "doi:10.1000/a|10.1000/b",
        "ids.openalex:W11|W22",
        "ids.pmid:3|4",
    ]
    assert {request.url.params["per_page"] for request in requests} == {"100"}


def test_a_hundred_mixed_names_are_three_requests() -> None:
    dois = [f"doi:10.1016/j.cell.2020.{number:05d}" for number in range(34)]
    names = [*dois, *(f"openalex:W40000{n:05d}" for n in range(33)), *(f"pmid:3000{n:04d}" for n in range(33))]
    requests = sent(*names)
    assert len(requests) == 3
    filters = "|".join(request.url.params["filter"].partition(":")[2] for request in requests)
    assert filters.split("|") == [name.partition(":")[2] for name in names]


def test_a_hundred_dois_of_usual_length_are_one_request() -> None:
    assert len(sent(*(f"doi:10.1038/s41586-020-{number:04d}-x" for number in range(100)))) == 1


def test_no_url_is_longer_than_openalex_takes() -> None:
    requests = sent(*(f"doi:10.1000/{'(long)' * 20}{number}" for number in range(100)))
    assert 3 < len(requests) < 20
    assert max(len(str(request.url)) for request in requests) < 4094 - len("https://api.openalex.org")
    assert sum(len(request.url.params["filter"].split("|")) for request in requests) == 100


def test_a_filter_holds_no_more_than_a_hundred_names() -> None:
    requests = sent(*(f"pmid:{number}" for number in range(1, 152)))
    assert [request.url.params["filter"].count("|") + 1 for request in requests] == [100, 51]


@pytest.mark.parametrize("doi", ["10.1000/a,b", "10.1000/a|b", '10.1000/a"b', "10.1000/!a", "10.1000/type:a"])
def test_a_doi_with_filter_syntax_is_requested_alone(doi: str) -> None:
    requests = sent("doi:10.1000/c", f"doi:{doi}", "doi:10.1000/d")
    assert [request.url.path for request in requests] == [f"/works/doi:{doi}", "/works"]
    assert requests[1].url.params["filter"] == "doi:10.1000/c|10.1000/d"


def test_the_key_travels_in_a_header_only() -> None:
    requests = sent("doi:10.1000/a", "doi:10.1000/b", "pmid:3")
    assert [request.headers["authorization"] for request in requests] == ["Bearer secret-key"] * 2
    assert not any("secret-key" in str(request.url) for request in requests)


def test_ids_of_other_schemes_are_not_requested() -> None:
    assert sent("title:0123456789abcdef0123", "corpus:5") == []


def test_each_paper_has_the_names_it_answers_in_the_order_of_the_question() -> None:
    names = ("doi:10.1000/a", "doi:10.1000/b", "openalex:W77", "openalex:W88", "pmid:5", "pmid:6")
    bodies = [
        list_of(work(22, "10.1000/b"), work(11, "10.1000/a")),
        list_of(work(88), work(77)),
        list_of(work(66, pmid="6")),
    ]
    reply = replay(openalex, *bodies, query=Lookup(names))
    assert answered(reply) == [
        ("Paper 11", ("doi:10.1000/a",), 1),
        ("Paper 22", ("doi:10.1000/b",), 2),
        ("Paper 77", ("openalex:W77",), 3),
        ("Paper 88", ("openalex:W88",), 4),
        ("Paper 66", ("pmid:6",), 6),
    ]
    assert (reply.outcome.value, reply.total_estimate, reply.warnings) == ("ok", 5, ())


def test_a_paper_requested_by_two_ids_is_returned_once() -> None:
    same = work(11, doi="10.1000/a", pmid="6")
    reply = replay(openalex, same, query=Lookup(("doi:10.1000/a", "pmid:6")))
    assert answered(reply) == [("Paper 11", ("doi:10.1000/a", "pmid:6"), 1)]


def test_a_doi_is_one_in_any_case() -> None:
    reply = replay(openalex, list_of(work(11, doi="10.1000/AbC")), query=Lookup(("doi:10.1000/aBc", "doi:10.1000/d")))
    assert answered(reply) == [("Paper 11", ("doi:10.1000/aBc",), 1)]


def test_two_works_of_one_doi_both_answer_it() -> None:
    reply = replay(
        openalex, list_of(work(11, "10.1000/a"), work(22, "10.1000/a")), query=Lookup(("doi:10.1000/a", "doi:x"))
    )
    assert [paper.asked for paper in reply.papers] == [("doi:10.1000/a",)] * 2


def test_a_merged_work_answers_the_requested_id() -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        if request.url.path == "/works/W11":
            return httpx.Response(301, headers={"location": "/works/W22?select=id"})
        return httpx.Response(200, json=work(22))

    assert answered(ask(openalex, answer, Lookup(("openalex:W11",)))) == [("Paper 22", ("openalex:W11",), 1)]


def test_a_redirect_to_another_host_is_named_and_not_followed() -> None:
    sent: list[str] = []

    def answer(request: httpx.Request) -> httpx.Response:
        sent.append(request.url.host)
        return httpx.Response(301, headers={"location": "https://elsewhere.test/works/W22?token=hidden"})

    reply = ask(openalex, answer, Lookup(("openalex:W11",)))
    assert (reply.outcome.value, sent) == ("bad_response", ["provider.test"])
    assert reply.warnings == ("OpenAlex redirected to another host (https://elsewhere.test), which is not followed",)


def test_a_merged_work_keeps_its_old_name_when_it_also_comes_by_its_new_one() -> None:
    reply = replay(openalex, work(22, doi="10.1000/new"), query=Lookup(("doi:10.1000/old", "openalex:W22")))
    assert answered(reply) == [("Paper 22", ("doi:10.1000/old", "openalex:W22"), 1)]


def test_a_merged_work_of_a_list_answers_the_one_name_that_is_left() -> None:
    reply = replay(openalex, list_of(work(11), work(22)), query=Lookup(("openalex:W11", "openalex:W22")))
    assert answered(reply) == [("Paper 11", ("openalex:W11",), 1), ("Paper 22", ("openalex:W22",), 2)]


def test_ambiguous_works_are_left_out_with_a_warning() -> None:
    reply = replay(openalex, list_of(work(33), work(44)), query=Lookup(("openalex:W11", "openalex:W22")))
    assert (reply.outcome.value, reply.papers) == ("empty", ())
    assert reply.warnings == ("2 works left out: they have none of the requested ids",)


def test_an_unknown_single_id_is_not_an_error() -> None:
    reply = replay(openalex, NOT_FOUND, status=404, content_type="text/html", query=Lookup(("doi:10.1000/a",)))
    assert (reply.outcome.value, reply.papers, reply.total_estimate, reply.warnings) == ("empty", (), 0, ())


def test_unknown_names_among_others_are_simply_missing() -> None:
    reply = replay(openalex, list_of(work(11, "10.1000/a")), query=Lookup(("doi:10.1000/0", "doi:10.1000/a")))
    assert answered(reply) == [("Paper 11", ("doi:10.1000/a",), 2)]


def test_a_list_that_is_not_found_is_an_internal_error() -> None:
    reply = replay(openalex, NOT_FOUND, status=404, content_type="text/html", query=Lookup(("pmid:1", "pmid:2")))
    assert reply.outcome.value == "bad_response"


@pytest.mark.parametrize(
    ("status", "outcome"), [(400, "bad_response"), (401, "unavailable"), (429, "rate_limited"), (500, "unavailable")]
)
@pytest.mark.parametrize("names", [("pmid:1",), ("pmid:1", "pmid:2")])
def test_a_failure_is_never_an_unknown_name(status: int, outcome: str, names: tuple[str, ...]) -> None:
    reply = replay(openalex, {"error": "x"}, status=status, query=Lookup(names))
    assert (reply.outcome.value, reply.papers) == (outcome, ())


def test_a_failing_later_request_fails_the_leg() -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        return httpx.Response(500) if "pmid" in str(request.url) else httpx.Response(200, json=work(11, "10.1000/a"))

    assert ask(openalex, answer, Lookup(("doi:10.1000/a", "pmid:2"))).outcome.value == "unavailable"


def test_the_effective_query_is_cut_and_has_no_key() -> None:
    lookup = Lookup(("doi:10.1000/a", *(f"pmid:{number}" for number in range(10_000, 10_100))))
    effective_query = replay(openalex, NONE, query=lookup).effective_query or ""
    assert effective_query.startswith("/works/doi:10.1000%2Fa; /works?filter=ids.pmid:10000|10001|")
    assert len(effective_query) == 200


@pytest.mark.parametrize(("flag", "status"), [(True, "retracted"), (False, "none"), (None, "unknown")])
def test_a_paper_lookup_returns_the_retraction_status(flag: bool | None, status: str) -> None:
    reply = replay(openalex, work(11, is_retracted=flag), query=Lookup(("openalex:W11",)))
    assert reply.papers[0].retraction.status.value == status
    assert openalex.SPEC.tracks_integrity


def test_a_work_without_a_title_is_left_out_and_named() -> None:
    works = list_of(work(11), {**work(22), "title": None})
    reply = replay(openalex, works, query=Lookup(("openalex:W11", "openalex:W22")))
    assert answered(reply) == [("Paper 11", ("openalex:W11",), 1)]
    assert [warning[:16] for warning in reply.warnings] == ["record 2 skipped"]


def test_a_lookup_reads_nothing_that_it_does_not_select() -> None:
    whole = json.loads((OWN_RECORDINGS / "openalex" / "search.json").read_text(encoding="utf-8"))["results"]
    cut = [{field: it[field] for field in FIELDS if field in it} for it in whole]
    first, second = (replay(openalex, list_of(*works)).papers for works in (whole, cut))
    assert len(first) == 10
    assert first == second
