"""Routes, envelopes and headers of Crossref's sandbox as in recorded answers."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest
from werkzeug import Request, Response
from werkzeug.test import EnvironBuilder

from infra.local.sandbox.corpus import Corpus
from infra.local.sandbox.facts import Fact
from infra.local.sandbox.services import crossref as sandbox

FACTS = (
    Fact(
        title="Stripes of sea shells", authors=(("Meinhardt", "Hans"),), year=1987, publication_date="1987-05-07",
        journal="Journal of Theoretical Biology", volume="126", issue="1", pages="63-89", doi="10.1016/Shells",
        issn="9123-4567", is_open_access=True,
    ),
    Fact(title="Stripes of fish", year=2025, journal="Nature", doi="10.1038/fish", issn="9000-0001"),
)  # fmt: skip
pytestmark = pytest.mark.usefixtures("every_doi_is_covered")


def respond(path: str, headers: Mapping[str, str] | None = None, **params: str) -> Response:
    """The sandbox's own answer to one request."""
    builder = EnvironBuilder(path, query_string=params, headers=list((headers or {}).items()))
    return sandbox.answer(Request(builder.get_environ()), Corpus(FACTS))


def message(path: str, kind: str, **params: str) -> Any:
    """The message of an answer whose type is as expected."""
    answer = respond(path, None, **params)
    body = json.loads(answer.get_data())
    assert (answer.status_code, body["status"], body["message-type"]) == (200, "ok", kind)
    return body["message"]


def test_registries_list_what_the_works_belong_to() -> None:
    """Recorded answers of /journals, /members, /prefixes, /types, /funders and /licenses, 2026-06."""
    journals = message("/journals", "journal-list", query="theoretical biology", rows="2")
    assert [journal["ISSN"] for journal in journals["items"]] == [["9123-4567"]]
    assert message("/journals/9123-4567", "journal")["counts"]["total-dois"] == 1
    assert message("/members/78", "member")["prefixes"] == ["10.1016"]
    assert message("/members", "member-list", query="elsevier")["items"][0]["id"] == 78
    assert message("/prefixes/10.1038", "prefix")["member"] == "https://id.crossref.org/member/297"
    assert message("/types/journal-article", "type") == {"id": "journal-article", "label": "Journal Article"}
    assert message("/types", "type-list")["total-results"] == 30
    assert message("/funders/10.13039/100000001", "funder")["name"] == "National Science Foundation"
    licences = {licence["URL"] for licence in message("/licenses", "license-list")["items"]}
    assert "https://creativecommons.org/licenses/by/4.0/" in licences


@pytest.mark.parametrize(
    ("path", "dois"),
    [
        ("/journals/9123-4567/works", ["10.1016/shells"]),
        ("/members/297/works", ["10.1038/fish"]),
        ("/prefixes/10.1016/works", ["10.1016/shells"]),
        ("/types/dataset/works", []),
        ("/funders/100000001/works", []),
    ],
)
def test_the_works_of_a_registry(path: str, dois: list[str]) -> None:
    assert [work["DOI"] for work in message(path, "work-list", query="stripes")["items"]] == dois


@pytest.mark.parametrize(
    "path",
    ["/works/10.9/none", "/works/10.9/none/agency", "/journals/4444-4444", "/journals/4444-4444/works", "/members/1",
     "/types/tape", "/prefixes/10.9999", "/funders/10.13039/none", "/elsewhere"],
)  # fmt: skip
def test_an_unknown_path_or_id_gets_plain_text(path: str) -> None:
    answer = respond(path)
    assert (answer.status_code, answer.mimetype, answer.get_data()) == (404, "text/plain", b"Resource not found.")


@pytest.mark.parametrize(
    ("path", "accept", "start"),
    [
        ("/works/10.1016/shells/transform", "application/x-bibtex", " @article{Meinhardt_1987, title={Stripes of"),
        ("/works/10.1016/shells/transform/application/x-bibtex", "", " @article{Meinhardt_1987, title={Stripes of"),
        (
            "/works/10.1016/shells/transform",
            "text/x-bibliography; style = apa; locale = en-US",
            "Meinhardt, Hans (1987)",
        ),
        ("/works/10.1016/shells/transform", "application/x-research-info-systems", "TY  - JOUR\nDO  - 10.1016/shells"),
    ],
)
def test_a_work_can_be_had_in_other_formats(path: str, accept: str, start: str) -> None:
    """Recorded content negotiation, 2026-06."""
    assert respond(path, {"Accept": accept}).get_data(as_text=True).startswith(start)


def test_csl_json_has_one_title_and_an_unknown_format_is_not_acceptable() -> None:
    answer = respond("/works/10.1016/shells/transform/application/vnd.citationstyles.csl+json")
    assert json.loads(answer.get_data())["container-title"] == "Journal of Theoretical Biology"
    assert respond("/works/10.1016/shells/transform", {"Accept": "image/png"}).status_code == 406


@pytest.mark.parametrize(
    ("path", "params", "agent", "limits"),
    [
        ("/works", {}, "curl", ("1", "1", "public-array")),
        ("/works", {"mailto": "me@example.org"}, "curl", ("3", "3", "polite-array")),
        ("/works/10.1038/fish", {}, "curl", ("5", "1", "public-single")),
        ("/works/10.1038/fish", {}, "x/1 (mailto:me@example.org)", ("10", "3", "polite-single")),
    ],
)
@pytest.mark.usefixtures("declared_limits")
def test_limits_depend_on_the_pool(path: str, params: dict[str, str], agent: str, limits: tuple[str, str, str]) -> None:
    """The limits of 1 December 2025 (doi 10.64000/wadve-3tj60), with the header of concurrency as recorded."""
    headers = respond(path, {"User-Agent": agent}, **params).headers
    names = ("x-rate-limit-limit", "x-concurrency-limit", "x-api-pool")
    assert tuple(headers[name] for name in names) == limits
    assert headers["x-rate-limit-interval"] == "1s"
