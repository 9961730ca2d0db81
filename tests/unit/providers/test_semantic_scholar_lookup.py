"""Lookups of papers in Semantic Scholar by their ids: one batch, in the order of the names, null for the unknown."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest

from functions.providers import semantic_scholar
from shared.bibliography.paper import Version
from shared.outcomes import Outcome
from shared.query.question import Lookup
from tests.recorded.every_recording import folder, needs_recordings
from tests.replay import OWN_RECORDINGS, ask, replay, requests_of

OWN = OWN_RECORDINGS / "semantic_scholar"
S2 = "204e3073870fae3d05bcbc2f6a8e263d9b72e776"


def record(number: int, **fields: Any) -> dict[str, Any]:
    return {"paperId": f"{number:040x}", "title": f"Paper {number}", **fields}


def test_a_lookup_is_one_post_with_every_name_in_their_form() -> None:
    names = ("arxiv:1706.03762", "corpus:13756489", "doi:10.1000/a:b", "pmcid:PMC123", "pmid:456", f"s2:{S2}")
    (request,) = requests_of(semantic_scholar, Lookup(names), ["[null, null, null, null, null, null]"])
    assert (request.method, request.url.path) == ("POST", "/graph/v1/paper/batch")
    assert json.loads(request.content) == {
        "ids": ["ARXIV:1706.03762", "CorpusId:13756489", "DOI:10.1000/a:b", "PMCID:123", "PMID:456", S2]
    }
    assert {"externalIds", "abstract", "authors", "journal", "tldr"} <= set(request.url.params["fields"].split(","))
    assert (request.headers["x-api-key"], "secret-key" in str(request.url)) == ("secret-key", False)


def test_without_a_key_no_header_is_sent() -> None:
    seen: list[httpx.Request] = []

    def answer(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        return httpx.Response(200, json=[record(1)])

    ask(semantic_scholar, answer, Lookup(("pmid:1",)), key=None)
    assert "x-api-key" not in seen[0].headers


def test_every_declared_scheme_can_be_queried() -> None:
    for operation in ("lookup", "references", "citations"):
        schemes = semantic_scholar.SPEC.operations[operation]
        assert schemes == ("s2", "doi", "pmid", "pmcid", "arxiv", "corpus")
    names = tuple(f"{scheme}:1" for scheme in semantic_scholar.SPEC.operations["lookup"])
    (request,) = requests_of(semantic_scholar, Lookup(names), [json.dumps([None] * len(names))])
    assert len(set(json.loads(request.content)["ids"])) == len(names)


def test_each_papers_place_identifies_the_requested_name() -> None:
    leg = replay(
        semantic_scholar,
        OWN / "batch_with_unknown_id.json",
        query=Lookup(("corpus:211530585", "corpus:470667")),
    )
    (paper,) = leg.papers
    assert (leg.outcome, leg.total_estimate, leg.warnings) == (Outcome.OK, 1, ())
    assert (paper.rank, paper.asked) == (2, ("corpus:470667",))
    assert (paper.ids.doi, paper.year, paper.citation_count) == ("10.2139/ssrn.288970", 2001, 10670)
    assert leg.effective_query == "/graph/v1/paper/batch CorpusId:211530585,CorpusId:470667"


def test_a_paper_returned_under_another_id_still_answers_the_requested_one() -> None:
    merged = record(7, externalIds={"DOI": "10.1000/Article", "ArXiv": "2304.05376"})
    (paper,) = replay(semantic_scholar, json.dumps([merged]), query=Lookup((f"s2:{S2}",))).papers
    assert (paper.asked, paper.ids.paper_id, paper.ids.doi) == ((f"s2:{S2}",), f"{7:040x}", "10.1000/article")
    assert paper.versions == (Version("preprint", arxiv="2304.05376"),)


def test_two_names_of_one_paper_bring_it_once_with_both() -> None:
    names = ("doi:10.1000/a", "pmid:1", "pmid:2")
    body = json.dumps([record(1), record(2), record(1)])
    leg = replay(semantic_scholar, body, query=Lookup(names))
    assert [(paper.rank, paper.asked) for paper in leg.papers] == [(1, ("doi:10.1000/a", "pmid:2")), (2, ("pmid:1",))]
    assert leg.total_estimate == 2


@pytest.mark.parametrize(
    ("body", "status"),
    [
        pytest.param("[null, null]", 200, id="null"),
        pytest.param(OWN / "error_400_none_known.json", 400, id="400-that-says-so"),
        pytest.param(OWN / "error_404_paper.json", 404, id="404"),
    ],
)
def test_names_of_which_none_is_known_are_empty_and_no_error(body: Any, status: int) -> None:
    leg = replay(semantic_scholar, body, status=status, query=Lookup(("pmid:1", "pmid:2")))
    assert (leg.outcome, leg.papers, leg.total_estimate, leg.warnings) == (Outcome.EMPTY, (), 0, ())
    assert leg.effective_query == "/graph/v1/paper/batch PMID:1,PMID:2"


@pytest.mark.parametrize(
    ("body", "status", "outcome"),
    [
        pytest.param(OWN / "error_400.json", 400, Outcome.BAD_RESPONSE, id="a-wrong-field"),
        pytest.param(OWN / "error_400.json", 200, Outcome.BAD_RESPONSE, id="error-under-200"),
        pytest.param('{"message": "no such route"}', 404, Outcome.BAD_RESPONSE, id="404-that-says-nothing-of-papers"),
        pytest.param(OWN / "error_403.json", 403, Outcome.UNAVAILABLE, id="wrong-key"),
        pytest.param(OWN / "error_403.json", 200, Outcome.UNAVAILABLE, id="message-under-200"),
        pytest.param(OWN / "error_429.json", 429, Outcome.RATE_LIMITED, id="too-many"),
        pytest.param("[]", 200, Outcome.BAD_RESPONSE, id="too-few-places"),
        pytest.param("[null, null, null]", 200, Outcome.BAD_RESPONSE, id="too-many-places"),
        pytest.param({"data": []}, 200, Outcome.BAD_RESPONSE, id="another-form"),
        pytest.param('["a", null]', 200, Outcome.BAD_RESPONSE, id="words-for-records"),
    ],
)
def test_a_fault_is_never_an_empty_lookup(body: Any, status: int, outcome: Outcome) -> None:
    leg = replay(semantic_scholar, body, status=status, query=Lookup(("pmid:1", "pmid:2")))
    assert (leg.outcome, leg.papers, len(leg.warnings)) == (outcome, (), 1)


def test_a_record_without_title_is_skipped_with_a_warning() -> None:
    body = json.dumps([{"paperId": "0" * 40, "title": None}, record(2)])
    leg = replay(semantic_scholar, body, query=Lookup(("pmid:1", "pmid:2")))
    assert [paper.asked for paper in leg.papers] == [("pmid:2",)]
    assert leg.warnings == (f"record 1 skipped: Semantic Scholar {'0' * 40} has no title",)


def test_a_long_list_of_names_is_cut_in_the_report() -> None:
    names = tuple(f"pmid:{number}" for number in range(1000, 1100))
    leg = replay(semantic_scholar, json.dumps([None] * 100), query=Lookup(names))
    assert leg.effective_query is not None
    assert len(leg.effective_query) == 200


@needs_recordings
def test_the_recorded_batch_answers_three_of_four_names() -> None:
    names = (
        "corpus:211530585",
        "corpus:470667",
        "doi:10.2139/ssrn.2250500",
        "s2:0f40b1f08821e22e859c6050916cec3667778613",
    )
    path = folder("semantic_scholar") / "batch-with-null-item-full-fields.json"
    leg = replay(semantic_scholar, path, query=Lookup(names))
    assert [(paper.rank, paper.asked, paper.ids.doi) for paper in leg.papers] == [
        (2, names[1:2], "10.2139/ssrn.288970"),
        (3, names[2:3], "10.2139/ssrn.2250500"),
        (4, names[3:], "10.1257/rct.1355"),
    ]
    assert (leg.papers[0].type, leg.papers[0].open_access.url) == (
        "preprint",
        "http://papers.nber.org/papers/w8841.pdf",
    )
