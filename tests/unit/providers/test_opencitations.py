"""OpenCitations: pairs of ids in both of its forms, read from the end that was not requested."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import httpx
import pytest

from functions.providers import opencitations
from shared.bibliography.identifiers import Identifiers
from shared.bibliography.paper import Pointer
from shared.outcomes import Outcome
from shared.providers.provider import ProviderReply
from shared.query.question import Links, Relation
from tests.recorded.every_recording import expected, folder, manifest, needs_recordings
from tests.replay import OWN_RECORDINGS, ask, replay, requests_of

OWN = OWN_RECORDINGS / "opencitations"
PEERJ = "doi:10.7717/peerj-cs.421"
# The recordings are of one paper; the single citation is one of what it cites.
RECORDED = "doi:10.1108/jd-12-2013-0166"
RELATIONS: dict[str, Relation] = {"coci-citations.json": "citations"}
ONE = '[{"count": "1"}]'  # what comes before a list of citations


def pair(citing: str = PEERJ, cited: str = "doi:10.9999/cited", **other: Any) -> dict[str, Any]:
    return {"oci": "1-2", "citing": citing, "cited": cited, "creation": "", "timespan": "", **other}


def leg_of(*pairs: Any, name: str = PEERJ, limit: int = 1000) -> ProviderReply:
    """The leg that asking for references makes of these pairs."""
    return replay(opencitations, json.dumps(pairs), query=Links("references", name, limit))


def test_references_are_what_is_cited() -> None:
    leg = replay(opencitations, OWN / "references_v2.json", query=Links("references", PEERJ))
    assert leg.pointers == (
        Pointer(1, Identifiers(doi="10.1007/s11192-020-03792-z", openalex="W3111111111")),
        Pointer(2, Identifiers(doi="10.7717/peerj-cs.163", pmid="33816816")),
        Pointer(5, Identifiers(doi="10.1002/(sici)1097-4571(198909)40:5<356::aid-asi9>3.0.co;2-w")),
    )
    assert (leg.outcome, leg.papers, leg.total_estimate) == (Outcome.OK, (), 5)
    assert leg.warnings == ("2 of 5 papers have no id that other services use",)


def test_citations_are_what_cites() -> None:
    leg = replay(opencitations, ONE, OWN / "citations_v2.json", query=Links("citations", PEERJ))
    assert [pointer.ids for pointer in leg.pointers] == [
        Identifiers(arxiv="2601.17238"),
        Identifiers(pmid="40000001", pmcid="PMC12000001"),
        Identifiers(doi="10.48550/arxiv.2401.00001", arxiv="2401.00001"),
    ]


def test_version_1_has_bare_dois() -> None:
    leg = replay(opencitations, OWN / "references_v1.json", query=Links("references", RECORDED))
    assert [pointer.ids.doi for pointer in leg.pointers] == ["10.1023/a:1007154515475", "10.1001/jama.295.1.90"]


def test_a_number_that_means_another_paper_there_does_not_bring_its_list() -> None:
    leg = replay(opencitations, OWN / "another_papers.json", query=Links("references", "pmid:33817056"))
    assert [pointer.ids.doi for pointer in leg.pointers] == ["10.9999/own"]
    assert (leg.total_estimate, leg.warnings) == (1, ("1 of 2 pairs belong to another paper and were left out",))


def test_a_pair_that_does_not_name_the_requested_paper_is_accepted() -> None:
    assert [pointer.ids.doi for pointer in leg_of(pair(citing="")).pointers] == ["10.9999/cited"]


def test_case_and_escapes_of_a_doi_are_ignored() -> None:
    leg = leg_of(pair(citing="omid:br/1 doi:10.7717/PEERJ-CS.421", cited="doi:10.9999/A%3Cb&gt;"))
    assert [pointer.ids.doi for pointer in leg.pointers] == ["10.9999/a<b>"]


def test_a_limit_cuts_the_list_and_not_the_total() -> None:
    leg = leg_of(*(pair(cited=f"doi:10.9999/{number}") for number in range(5)), limit=2)
    assert [pointer.ids.doi for pointer in leg.pointers] == ["10.9999/0", "10.9999/1"]
    assert leg.total_estimate == 5


@pytest.mark.parametrize(
    ("operation", "bodies"), [("references", ["[]"]), ("citations", [ONE, "[]"]), ("citations", ['[{"count": "0"}]'])]
)
def test_an_empty_list_says_that_the_paper_may_be_unknown(operation: Relation, bodies: list[str]) -> None:
    leg = replay(opencitations, *bodies, query=Links(operation, PEERJ))
    assert (leg.outcome, leg.pointers, leg.total_estimate) == (Outcome.EMPTY, (), 0)
    assert leg.warnings == (f"OpenCitations knows no {operation} of this paper, or does not know the paper",)


def test_citations_are_counted_before_their_list_is_requested_with_the_token_in_a_header() -> None:
    requests = requests_of(opencitations, Links("citations", PEERJ), [ONE, "[]"])
    assert [(request.method, request.url.path, request.url.query) for request in requests] == [
        ("GET", "/index/v2/citation-count/doi:10.7717/peerj-cs.421", b""),
        ("GET", "/index/v2/citations/doi:10.7717/peerj-cs.421", b""),
    ]
    assert {request.headers["authorization"] for request in requests} == {"secret-key"}


def test_a_list_that_is_too_long_is_not_requested_and_not_empty_either() -> None:
    """`index_v2.hf` of opencitations/api: no pages, and at most 200,000 pairs."""
    most, more = (f'[{{"count": "{count}"}}]' for count in (20_000, 20_001))
    assert len(requests_of(opencitations, Links("citations", PEERJ), [most, "[]"])) == 2
    assert len(requests_of(opencitations, Links("citations", PEERJ), [more, "[]"])) == 1
    leg = replay(opencitations, more, query=Links("citations", PEERJ))
    assert (leg.outcome, leg.pointers) == (Outcome.UNAVAILABLE, ())
    assert "20001 citations of this paper, more than the 20000" in leg.warnings[0]


@pytest.mark.parametrize("body", ["[]", "{}", '[{"count": 5}]', '[{"count": "many"}]', '[{"count": "1"}, null]'])
def test_a_count_in_another_form_is_a_bad_response(body: str) -> None:
    assert replay(opencitations, body, query=Links("citations", PEERJ)).outcome is Outcome.BAD_RESPONSE


def test_no_token_sends_no_header() -> None:
    seen: list[httpx.Request] = []

    def answer(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        return httpx.Response(200, json=[])

    leg = ask(opencitations, answer, Links("references", "pmid:33817056"), key=None)
    assert "authorization" not in seen[0].headers
    assert leg.effective_query == "/index/v2/references/pmid:33817056"


def test_a_doi_with_signs_stays_one_path() -> None:
    (request,) = requests_of(opencitations, Links("references", "doi:10.1002/(x)40:5<356::a>3.co;2-w?a#b%c"), ["[]"])
    assert request.url.raw_path == b"/index/v2/references/doi:10.1002/(x)40:5%3C356::a%3E3.co;2-w%3Fa%23b%25c"


def test_an_item_that_is_no_pair_is_skipped_with_a_warning() -> None:
    leg = leg_of(None, pair(), {"citing": PEERJ}, pair(cited=None))  # type: ignore[arg-type]
    assert [pointer.rank for pointer in leg.pointers] == [1]
    assert leg.warnings == ("3 of 4 items are not citations and were skipped",)


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(OWN / "metadata.json", id="another-endpoint"),
        pytest.param("{}", id="object"),
        pytest.param('{"error": "408"}', id="error-under-200"),
        pytest.param("[1, null]", id="no-pairs"),
        pytest.param('[{"citing": "doi:', id="cut-off"),
    ],
)
def test_a_body_that_is_not_a_list_of_citations_is_a_bad_response(body: Any) -> None:
    leg = replay(opencitations, body, query=Links("references", PEERJ))
    assert (leg.outcome, leg.pointers) == (Outcome.BAD_RESPONSE, ())


@pytest.mark.parametrize(
    ("status", "outcome"),
    [(404, Outcome.BAD_RESPONSE), (408, Outcome.UNAVAILABLE), (500, Outcome.UNAVAILABLE), (429, Outcome.RATE_LIMITED)],
)
def test_an_error_is_never_an_empty_list(status: int, outcome: Outcome) -> None:
    message = f"HTTP status code {status}: something unexpected happened"
    leg = replay(opencitations, message, status=status, content_type="text/plain", query=Links("references", PEERJ))
    assert leg.outcome is outcome


@needs_recordings
@pytest.mark.parametrize("name", sorted(expected("opencitations")))
def test_each_recording_ends_as_it_should(name: str) -> None:
    question = Links(RELATIONS.get(name, "references"), RECORDED)
    status = manifest("opencitations")[name]["status"]
    bodies: list[str | Path] = [*([ONE] if question.operation == "citations" else []), folder("opencitations") / name]
    leg = replay(opencitations, *bodies, status=status, query=question)
    assert [leg.outcome.value, len(leg.pointers)] == expected("opencitations")[name]
    assert len({pointer.ids.doi for pointer in leg.pointers}) == len(leg.pointers)
    assert all(pointer.ids.doi and f"doi:{pointer.ids.doi}" != RECORDED for pointer in leg.pointers)


@needs_recordings
def test_a_recording_is_read_in_its_order() -> None:
    body = folder("opencitations") / "coci-citations.json"
    leg = replay(opencitations, ONE, body, query=Links("citations", RECORDED))
    assert [pointer.ids.doi for pointer in leg.pointers[:3]] == [
        "10.1145/3197026.3197050",
        "10.1057/s41275-017-0070-x",
        "10.3233/ds-190016",
    ]
    assert (leg.total_estimate, leg.warnings) == (20, ())


@needs_recordings
def test_every_recording_has_an_expected_outcome() -> None:
    files = {path.name for path in folder("opencitations").iterdir()} - {"manifest.json"}
    assert set(expected("opencitations")) == files
