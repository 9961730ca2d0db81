"""arXiv's sandbox, queried by the real provider code."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from functions.providers import arxiv as provider
from infra.local.sandbox.corpus import Corpus, default_corpus
from infra.local.sandbox.facts import Fact
from infra.local.sandbox.services import arxiv as sandbox
from shared.providers.provider import ProviderReply
from shared.query.query import Query
from tests.replay import ask
from tests.unit.sandbox.bridge import over

SHELLS = Fact(
    title="Turing patterns on sea shells & other places",
    authors=(("van der Shell", "Hans"), ("Klingler", "Martin")),
    publication_date="2019-05-07",
    year=2019,
    journal="Journal of Shells",
    volume="126",
    type="preprint",
    arxiv_id="1905.00001",
    versions=("10.9999/shells.2019", "10.9999/shells.erratum"),
    abstract="Two substances that spread at p < 3 speeds draw the stripes of COVID-19 shells.",
)
MACHINES = Fact(
    title="Turing machines that learn",
    authors=(("Example Collaboration", None),),
    year=2021,
    publication_date="2021-03",
    type="preprint",
    journal="arXiv",
    doi="10.48550/arXiv.2103.00001",
    arxiv_id="2103.00001",
)
WITHDRAWN = Fact(
    title="Turing degrees taken back",
    authors=(("Post", "Emil"),),
    year=2020,
    type="preprint",
    arxiv_id="math/0001001",
    retraction={"status": "retracted"},
)
ELSEWHERE = Fact(title="Turing tests", year=2020, doi="10.9999/elsewhere")
CORPUS = Corpus((SHELLS, MACHINES, WITHDRAWN, ELSEWHERE))


def leg(text: str = "turing", corpus: Corpus = CORPUS, **filters: Any) -> ProviderReply:
    return ask(provider, over(sandbox, corpus), Query(text=text, **filters))


def ids(reply: ProviderReply) -> set[str | None]:
    return {paper.ids.arxiv for paper in reply.papers}


def test_a_record_is_read_completely() -> None:
    (paper,) = leg("sea shells").papers
    assert (paper.title, paper.abstract) == (SHELLS.title, SHELLS.abstract)
    assert [(author.family, author.given) for author in paper.authors] == list(SHELLS.authors)
    assert (paper.ids.arxiv, paper.year, paper.publication_date) == ("1905.00001", 2019, "2019-05-07")
    assert [version.doi for version in paper.versions] == ["10.9999/shells.2019"]
    assert paper.versions[0].journal == "Journal of Shells 126 (2019)"
    assert paper.open_access.is_oa is True


def test_only_papers_on_arxiv_are_found_without_warnings() -> None:
    reply = leg()
    assert ids(reply) == {"1905.00001", "2103.00001", "math/0001001"}
    assert (reply.outcome.value, reply.total_estimate, reply.warnings) == ("ok", 3, ())


def test_a_datacite_doi_is_left_out() -> None:
    (paper,) = leg("machines").papers
    assert (paper.ids.doi, paper.versions, paper.abstract) == (None, (), None)


def test_a_withdrawn_paper_is_marked_and_has_no_file() -> None:
    (paper,) = leg("degrees").papers
    assert (paper.retraction.status.value, paper.open_access.is_oa) == ("retracted", None)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('"turing machines"', {"2103.00001"}),
        ("shells OR machines", {"1905.00001", "2103.00001"}),
        ("turing NOT machines", {"1905.00001", "math/0001001"}),
        ("turing NOT machines NOT shells", {"math/0001001"}),
        ("Will there be machines that learn if this is not such?", {"2103.00001"}),
        ("Turing patterns on sea shells & other places", {"1905.00001"}),
        ("ti:turing AND au:post", {"math/0001001"}),
        ("machin*", {"2103.00001"}),
        ("turin*", {"1905.00001", "2103.00001", "math/0001001"}),
        ("turing AND (shells OR degrees)", {"1905.00001", "math/0001001"}),
        ("COVID-19", {"1905.00001"}),
    ],
)
def test_operators_work(text: str, expected: set[str]) -> None:
    assert ids(leg(text)) == expected


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ({"date_from": "2020-02"}, {"2103.00001"}),
        ({"date_to": "2020"}, {"1905.00001", "math/0001001"}),
        ({"date_from": "2019-05-07", "date_to": "2019-05"}, {"1905.00001"}),
        ({"author": "Hans van der Shell"}, {"1905.00001"}),
        ({"author": "Post E"}, {"math/0001001"}),
        ({"field_of_study": "computer-science"}, {"1905.00001", "2103.00001", "math/0001001"}),
        ({"field_of_study": "physics"}, set()),
        ({"author": "E. Post"}, {"math/0001001"}),
        ({"author": "Post F"}, set()),
        ({"journal": "Journal of Shells"}, {"1905.00001"}),
        ({"journal": "arXiv", "open_access": True}, {"1905.00001", "2103.00001", "math/0001001"}),
        ({"author": "Klingler", "date_from": "2019", "journal": "Shells"}, {"1905.00001"}),
    ],
)
def test_filters_are_applied(filters: dict[str, Any], expected: set[str]) -> None:
    assert ids(leg("turing OR shells", **filters)) == expected


def test_a_long_query_is_answered_as_a_short_one() -> None:
    others = " OR ".join(f'"sea shells {number}"' for number in range(40))
    assert ids(leg(f"machines OR {others}")) == {"2103.00001"}


def test_sorting_by_date_puts_the_newest_first() -> None:
    days = [paper.publication_date for paper in leg(sort="date").papers]
    assert days == ["2021-03-01", "2020-01-01", "2019-05-07"]


def test_a_page_ends_at_the_limit_and_the_total_is_returned() -> None:
    reply = leg(limit=1)
    assert (len(reply.papers), reply.total_estimate, reply.warnings) == (1, 3, ())


def test_no_hits_are_empty() -> None:
    assert leg("zebrafish").outcome.value == "empty"


def test_the_error_envelope_is_a_rejected_request_under_status_200() -> None:
    response = sandbox.error_envelope()
    assert response.status_code == 200
    reply = ask(provider, lambda request: httpx.Response(200, content=response.get_data()))
    assert reply.outcome.value == "bad_response"


def test_the_whole_corpus_can_be_read() -> None:
    corpus = default_corpus()
    reply = leg("attention OR learning OR transformer OR language", corpus)
    assert reply.outcome.value == "ok"
    assert not [warning for warning in reply.warnings if "skipped" in warning]
    assert {fact.arxiv_id for fact in corpus.facts if fact.arxiv_id} >= ids(reply)
