"""Unpaywall's sandbox, queried by the real provider code."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest
from werkzeug import Request, Response
from werkzeug.test import EnvironBuilder

from functions.providers import unpaywall as provider
from infra.local.sandbox.corpus import Corpus, default_corpus
from infra.local.sandbox.facts import Fact
from infra.local.sandbox.services import unpaywall as sandbox
from shared.bibliography.text import plain_title
from shared.outcomes import Outcome
from shared.providers.provider import ProviderReply
from shared.query.question import Lookup
from tests.replay import ask
from tests.unit.sandbox.bridge import over

OPEN = Fact(
    title="Stripes of sea shells",
    authors=(("Meinhardt", "Hans"), ("Klingler", "Martin")),
    year=1987,
    publication_date="1987-05-07",
    journal="Journal of Theoretical Biology",
    doi="10.9999/Shells.1987",
    is_open_access=True,
    oa_url="https://example.org/shells.pdf",
)
CLOSED = Fact(title="Stripes reviewed", year=2010, publication_date="2010", doi="10.9999/review", is_open_access=False)
WITHOUT_URL = Fact(title="Stripes of fish", doi="10.9999/fish", is_open_access=True)
IN_PMC = Fact(title="Stripes of mice", year=2020, publication_date="2020-03", doi="10.9999/mice", pmcid="PMC7000001")
ARXIV = Fact(title="Stripes of zebras", type="preprint", doi="10.48550/arXiv.2103.00001", arxiv_id="2103.00001")
FACTS = (OPEN, CLOSED, WITHOUT_URL, IN_PMC, ARXIV)
pytestmark = pytest.mark.usefixtures("everything_is_covered")


def respond(path: str, **params: str) -> Response:
    """The sandbox's own answer to one request."""
    return sandbox.answer(Request(EnvironBuilder(path, query_string=params).get_environ()), Corpus(FACTS))


def request(path: str, **params: str) -> tuple[int, dict[str, Any]]:
    """Status and JSON of the sandbox's own answer."""
    answer = respond(path, **params)
    return answer.status_code, json.loads(answer.get_data())


def leg(*dois: str) -> ProviderReply:
    """What the provider's code makes of the sandbox's answers."""
    names = tuple(f"doi:{doi.lower()}" for doi in dois)
    return ask(provider, over(sandbox, Corpus(FACTS)), Lookup(names))


def test_a_paper_is_read_completely() -> None:
    (paper,) = leg("10.9999/Shells.1987").papers
    assert (paper.title, paper.ids.doi) == (OPEN.title, "10.9999/shells.1987")
    assert [(author.family, author.given) for author in paper.authors] == list(OPEN.authors)
    assert (paper.year, paper.publication_date, paper.journal) == (1987, "1987-05-07", OPEN.journal)
    assert (paper.open_access.is_oa, paper.open_access.url) == (True, OPEN.oa_url)
    assert paper.asked == ("doi:10.9999/shells.1987",)


def test_a_closed_paper_has_no_locations_and_no_best_one() -> None:
    _, body = request("/v2/10.9999/review", email="dev@example.org")
    assert (body["is_oa"], body["oa_locations"], body["best_oa_location"]) == (False, [], None)
    assert (body["published_date"], body["z_authors"]) == ("2010-01-01", None)
    (paper,) = leg("10.9999/review").papers
    assert (paper.open_access.is_oa, paper.publication_date) == (False, "2010")


def test_a_location_may_have_no_url() -> None:
    _, body = request("/v2/10.9999/fish", email="dev@example.org")
    assert (body["is_oa"], body["oa_locations"][0]["url"]) == (True, None)
    assert leg("10.9999/fish").papers[0].open_access.is_oa is None


def test_a_copy_in_pmc_is_in_a_repository() -> None:
    hosts = {place.host: place.url for place in leg("10.9999/mice").papers[0].open_access.locations}
    assert hosts["repository"] == "https://www.ncbi.nlm.nih.gov/pmc/articles/7000001"


def test_authors_have_both_forms() -> None:
    people = [sandbox.record_of(Fact(title=str(n), authors=OPEN.authors, doi="10.9/x"))["z_authors"] for n in range(9)]
    forms = {"raw_author_name" in authors[0] for authors in people}
    assert forms == {True, False}


def test_a_doi_of_another_registration_agency_is_unknown() -> None:
    """oadoi `views.py`, get_doi_endpoint_v2_new: `abort(404)` without an error handler is the framework's page."""
    answer = respond("/v2/10.48550/arXiv.2103.00001", email="dev@example.org")
    assert (answer.status_code, answer.mimetype) == (404, "text/html")
    assert b"The requested URL was not found on the server" in answer.get_data()
    assert leg("10.9999/none", "10.9999/fish", "10.9999/nobody").papers[0].rank == 2
    assert leg("10.48550/arXiv.2103.00001", "10.9999/none").outcome is Outcome.EMPTY


@pytest.mark.parametrize(
    "address",
    ["", "me@example.com", "me@mail.example.com", "your@email.org", "nobody", "YOUR_EMAIL", "email@my-email.com"],
)
def test_an_invented_address_is_refused(address: str) -> None:
    """oadoi `views.py`, stuff_before_request."""
    status, body = request("/v2/10.9999/shells.1987", email=address)
    assert (status, body["HTTP_status_code"], body["error"]) == (422, 422, True)


def test_a_parameter_that_the_service_does_not_know_is_ignored() -> None:
    assert request("/v2/10.9999/shells.1987", email="dev@example.org", verbose="1")[0] == 200


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("stripes shell", {"Stripes of sea shells"}),
        ("stripes of fish or shells", {"Stripes of sea shells", "Stripes of fish"}),
        ('"sea shells"', {"Stripes of sea shells"}),
        ('"shells sea"', set()),
        ("stripes -sea -mice -fish", {"Stripes reviewed"}),
        ("zebras", set()),
    ],
)
def test_a_search_reads_titles_as_postgresql_does(query: str, found: set[str]) -> None:
    """PostgreSQL's manual, 12.3.2: `websearch_to_tsquery` joins words by AND."""
    status, body = request("/v2/search", query=query, email="dev@example.org")
    assert (status, {hit["response"]["title"] for hit in body["results"]}) == (200, found)


def test_a_search_can_be_limited_to_open_papers() -> None:
    _, body = request("/v2/search/", query="stripes", is_oa="false", email="dev@example.org")
    assert [hit["response"]["title"] for hit in body["results"]] == ["Stripes reviewed"]
    assert request("/v2/search/", query="stripes", is_oa="maybe", email="dev@example.org")[0] == 400


def test_the_error_envelope_is_an_invalid_address() -> None:
    given = sandbox.error_envelope()
    answer = ask(provider, lambda sent: httpx.Response(given.status_code, content=given.get_data()), Lookup(("doi:x",)))
    assert (given.status_code, answer.outcome) == (422, Outcome.SKIPPED_NO_KEY)


def test_every_paper_of_the_shipped_corpus_with_a_doi_can_be_read() -> None:
    corpus = default_corpus()
    held = [fact for fact in corpus.facts if fact.doi and not fact.doi.lower().startswith("10.48550/")]
    assert len(held) > 200
    for fact in held:
        answer = ask(provider, over(sandbox, corpus), Lookup((f"doi:{(fact.doi or '').lower()}",)))
        assert answer.warnings == ()
        assert [(paper.title, paper.year) for paper in answer.papers] == [(plain_title(fact.title), fact.year)]
