"""Unpaywall: one request a DOI, its two forms of authors, its locations, and its own word for what it does not hold."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from functions.providers import unpaywall
from shared.bibliography.identifiers import Identifiers
from shared.bibliography.paper import Author, Location, Paper, RetractionStatus
from shared.outcomes import Outcome
from shared.query.question import Lookup
from tests.recorded.every_recording import expected, folder, manifest, needs_recordings
from tests.replay import OWN_RECORDINGS, ask, replay

OWN = OWN_RECORDINGS / "unpaywall"
NATURE = "doi:10.1038/nature12373"
CLOSED = "doi:10.1063/1.4938384"


def record(name: str, **other: Any) -> dict[str, Any]:
    """A record made by hand, with some fields in another form."""
    return {**json.loads((OWN / name).read_text(encoding="utf-8")), **other}


def paper_of(body: dict[str, Any] | Path) -> Paper:
    """The one paper that a lookup makes of this record."""
    (paper,) = replay(unpaywall, body, query=Lookup((NATURE,))).papers
    return paper


def answering(bodies: dict[str, str], seen: list[httpx.Request]) -> Callable[[httpx.Request], httpx.Response]:
    """Answers each DOI with its file, and all others as Unpaywall answers unknown ones."""

    def answer(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        file = bodies.get(request.url.path.removeprefix("/v2/"))
        status, name = (200, file) if file else (404, "unknown_doi.json")
        return httpx.Response(status, json=record(name))

    return answer


def test_a_paper_is_returned_with_all_its_copies() -> None:
    paper = paper_of(OWN / "bronze.json")
    pdf = "https://www.nature.com/articles/nature12373.pdf"
    assert (paper.title, paper.ids) == (
        "Nanometre-scale thermometry in a living cell",
        Identifiers(doi="10.1038/nature12373"),
    )
    assert (paper.year, paper.publication_date, paper.journal) == (2013, "2013-07-30", "Nature")
    assert (paper.type, paper.author_count) == ("journal-article", 2)
    assert paper.authors == (Author("Kucsko", "G."), Author("Lukin", "M. D."))
    assert (paper.open_access.is_oa, paper.open_access.url, paper.open_access.license) == (True, pdf, None)
    assert paper.open_access.locations == (
        Location(pdf, "publishedVersion", None, "publisher"),
        Location("https://arxiv.org/pdf/1304.1068", "submittedVersion", None, "repository"),
        Location("https://www.ncbi.nlm.nih.gov/pmc/articles/4221854", "submittedVersion", "cc-by", "repository"),
    )
    assert paper.retraction.status is RetractionStatus.UNKNOWN


def test_a_closed_paper_has_no_copies_and_its_authors_may_come_in_parts() -> None:
    paper = paper_of(OWN / "closed.json")
    assert (paper.open_access.is_oa, paper.open_access.url, paper.open_access.locations) == (False, None, ())
    assert paper.authors == (
        Author("Skarlinski", "Michael D."),
        Author("Quesnel", "David J."),
        Author(name="The Copper Group"),
    )


def test_a_copy_without_address_is_no_open_access() -> None:
    paper = paper_of(OWN / "open_without_url.json")
    assert (paper.open_access.is_oa, paper.open_access.url, paper.open_access.locations) == (None, None, ())
    assert (paper.title, paper.author_count) == ("A paper that ought to be open", None)


def test_an_address_that_is_empty_or_not_a_pdf_is_replaced_by_the_next() -> None:
    place = {"url": "", "url_for_pdf": None, "url_for_landing_page": "https://example.org/page", "host_type": "museum"}
    access = paper_of(record("bronze.json", best_oa_location=place, oa_locations=[place, {"url": ""}])).open_access
    assert access.locations == (Location("https://example.org/page"),)
    assert access.url == "https://example.org/page"


def test_the_licence_is_the_best_copys_own() -> None:
    best = {"url": "https://example.org/best", "license": "cc-by-nc"}
    access = paper_of(record("bronze.json", best_oa_location=best)).open_access
    assert (access.url, access.license, len(access.locations)) == ("https://example.org/best", "cc-by-nc", 4)


@pytest.mark.parametrize(
    ("work", "date"),
    [
        pytest.param({"year": 2001, "published_date": "2001-01-01"}, (2001, "2001"), id="a-first-of-january"),
        pytest.param({"year": None, "published_date": "2001-02-03"}, (2001, "2001-02-03"), id="no-year"),
        pytest.param({"year": 2001, "published_date": None}, (2001, "2001"), id="no-date"),
        pytest.param({"year": None, "published_date": None}, (None, None), id="neither"),
    ],
)
def test_a_date_is_as_exact_as_it_is_known(work: dict[str, Any], date: tuple[int | None, str | None]) -> None:
    paper = paper_of(record("closed.json", **work))
    assert (paper.year, paper.publication_date) == date


@pytest.mark.parametrize(
    ("work", "kind"),
    [
        pytest.param({"genre": "posted-content"}, "preprint", id="preprint"),
        pytest.param({"genre": "proceedings-article"}, "conference-paper", id="conference"),
        pytest.param({"genre": "review"}, "review", id="our-own-word"),
        pytest.param({"genre": "journal-article", "is_paratext": True}, "other", id="paratext"),
        pytest.param({"genre": "hologram"}, None, id="unknown"),
        pytest.param({"genre": None}, None, id="none"),
    ],
)
def test_a_genre_is_one_of_our_types(work: dict[str, Any], kind: str | None) -> None:
    assert paper_of(record("closed.json", **work)).type == kind


def test_each_doi_is_one_request_with_our_address_and_unknown_ones_are_missing() -> None:
    seen: list[httpx.Request] = []
    files = {"10.1038/nature12373": "bronze.json", "10.1063/1.4938384": "closed.json"}
    names = (NATURE, "doi:10.9999/none", "pmid:1", CLOSED)
    leg = ask(unpaywall, answering(files, seen), Lookup(names))
    assert [(paper.rank, paper.asked) for paper in leg.papers] == [(1, (NATURE,)), (4, (CLOSED,))]
    assert (leg.outcome, leg.total_estimate, leg.warnings) == (Outcome.OK, 2, ())
    assert [(request.method, request.url.params["email"]) for request in seen] == [("GET", "dev@example.org")] * 3
    assert leg.effective_query == "/v2/10.1038/nature12373, 10.9999/none, 10.1063/1.4938384"


def test_only_unknown_dois_are_an_empty_answer() -> None:
    leg = replay(unpaywall, OWN / "unknown_doi.json", status=404, query=Lookup((NATURE,)))
    assert (leg.outcome, leg.papers, leg.total_estimate) == (Outcome.EMPTY, (), 0)


def test_more_dois_than_it_takes_are_left_with_a_warning() -> None:
    seen: list[httpx.Request] = []
    leg = ask(unpaywall, answering({}, seen), Lookup(tuple(f"doi:10.9999/{number}" for number in range(7))))
    assert len(seen) == 5
    assert leg.warnings == ("Unpaywall was not queried for 2 of 7 DOIs: it takes one per request",)


def test_a_doi_with_signs_stays_one_path() -> None:
    seen: list[httpx.Request] = []
    ask(unpaywall, answering({}, seen), Lookup(("doi:10.1002/(sici)1097(198909)40:5<356::aid>3.0.co;2-w?a#b%c",)))
    assert seen[0].url.raw_path.startswith(
        b"/v2/10.1002/(sici)1097(198909)40:5%3C356::aid%3E3.0.co;2-w%3Fa%23b%25c?email="
    )


def test_a_record_without_title_is_named_and_the_others_stay() -> None:
    files = {"10.9999/no.title": "no_title.json", "10.1063/1.4938384": "closed.json"}
    leg = ask(unpaywall, answering(files, []), Lookup(("doi:10.9999/no.title", CLOSED)))
    assert [paper.rank for paper in leg.papers] == [2]
    assert leg.warnings == ("record 1 skipped: Unpaywall's 10.9999/no.title is not a paper with a title",)


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(OWN / "search.json", id="another-endpoint"),
        pytest.param(OWN / "no_title.json", id="no-title"),
        pytest.param('{"doi": "10.9999/x", "title": "X"}', id="silence-on-copies"),
        pytest.param("[]", id="list"),
        pytest.param("null", id="null"),
        pytest.param("{}", id="empty-object"),
        pytest.param('{"doi": "10.1/x', id="cut-off"),
    ],
)
def test_a_body_that_is_not_a_record_is_a_bad_response(body: str | Path) -> None:
    leg = replay(unpaywall, body, query=Lookup((NATURE,)), content_type="application/json")
    assert (leg.outcome, leg.papers) == (Outcome.BAD_RESPONSE, ())


@needs_recordings
@pytest.mark.parametrize("name", sorted(expected("unpaywall")))
def test_each_recording_ends_as_it_should(name: str) -> None:
    entry = manifest("unpaywall")[name]
    leg = replay(unpaywall, folder("unpaywall") / name, status=entry["status"], query=Lookup((NATURE,)))
    assert [leg.outcome.value, len(leg.papers)] == expected("unpaywall")[name]


@needs_recordings
@pytest.mark.parametrize(
    ("name", "year", "authors", "access"),
    [
        ("doi-many-locations.json", 2013, 8, (True, "https://www.nature.com/articles/nature12373.pdf", None, 4)),
        ("doi-gold.json", 2025, 6, (True, "https://doi.org/10.1016/j.xgen.2025.100814", "cc-by", 2)),
        ("doi-bronze-or-green.json", 2015, 4, (True, "https://doi.org/10.1016/j.addr.2015.01.008", "cc-by-nc-nd", 1)),
        ("doi-closed-no-locations.json", 2023, None, (False, None, None, 0)),
    ],
)
def test_a_recording_is_read_whole(name: str, year: int, authors: int | None, access: tuple[Any, ...]) -> None:
    paper = paper_of(folder("unpaywall") / name)
    open_access = paper.open_access
    assert (paper.year, paper.author_count) == (year, authors)
    assert (open_access.is_oa, open_access.url, open_access.license, len(open_access.locations)) == access
    assert all(author.family for author in paper.authors)


@needs_recordings
def test_every_recording_has_an_expected_outcome() -> None:
    files = {path.name for path in folder("unpaywall").iterdir()} - {"manifest.json"}
    assert set(expected("unpaywall")) == files
