"""Europe PMC's references and citations: the requests, and how matched and unmatched items are read."""

from __future__ import annotations

from typing import Any

import pytest

from functions.providers import europe_pmc
from shared.bibliography.identifiers import Identifiers
from shared.bibliography.paper import Author, Paper, Pointer, Retraction, RetractionStatus
from shared.outcomes import Outcome
from shared.providers.provider import ProviderReply
from shared.providers.records.europe_pmc import read_linked
from shared.query.question import Links
from tests.recorded.every_recording import folder, needs_recordings
from tests.replay import OWN_RECORDINGS, replay, requests_of

OWN = OWN_RECORDINGS / "europe_pmc"
CITED = Links("references", "pmid:29618526")
CITING = Links("citations", "pmid:15723116")
UNKNOWN = "of this paper or does not know the paper; its answer is the same"


def page(count: int, total: int, first: int = 1, **fields: Any) -> dict[str, Any]:
    """A page of citations with the ids `first`, `first + 1` …"""
    items = [{"id": str(first + n), "source": "MED", "title": f"Paper {first + n}.", **fields} for n in range(count)]
    return {"hitCount": total, "citationList": {"citation": items}}


def item(**fields: Any) -> ProviderReply:
    """The leg of a list with one item."""
    return replay(europe_pmc, {"hitCount": 1, "citationList": {"citation": [fields]}}, query=CITING)


@pytest.mark.parametrize(
    ("question", "path", "size"),
    [
        pytest.param(Links("references", "pmid:123"), "MED/123/references", "1000", id="references"),
        pytest.param(Links("citations", "pmid:123", 25), "MED/123/citations", "25", id="citations"),
        pytest.param(Links("references", "pmcid:PMC9"), "PMC/PMC9/references", "1000", id="pmcid"),
        pytest.param(Links("citations", "pmid:123", 1500), "MED/123/citations", "1000", id="more-than-a-page"),
    ],
)
def test_a_list_is_requested_by_source_and_id(question: Links, path: str, size: str) -> None:
    (request,) = requests_of(europe_pmc, question, [{"hitCount": 0}])
    assert request.url.path == f"/europepmc/webservices/rest/{path}"
    assert dict(request.url.params) == {"page": "1", "pageSize": size, "format": "json"}


def test_a_matched_reference_is_a_paper_with_the_given_fields() -> None:
    leg = replay(europe_pmc, OWN / "references.json", query=CITED)
    paper = leg.papers[0]
    assert (leg.outcome, leg.total_estimate, leg.effective_query) == (Outcome.OK, 6, "MED/29618526/references")
    assert paper.title == "The Triggering Receptor Expressed on Myeloid Cells 2 Binds Apolipoprotein E"
    assert (paper.ids.pmid, paper.ids.doi) == ("26374897", "10.1074/jbc.m115.677286")
    assert (paper.ids.europe_pmc, paper.landing_page) == ("MED/26374897", "https://europepmc.org/article/MED/26374897")
    assert paper.authors[1] == Author(family="DeVaux", given="LB")
    assert (paper.author_count, paper.year, paper.type) == (3, 2015, "journal-article")
    assert (paper.journal, paper.volume, paper.issue, paper.pages) == ("J Biol Chem", "290", "43", "26033-26042")


def test_a_rank_is_the_place_in_the_list() -> None:
    leg = replay(europe_pmc, OWN / "references.json", query=CITED)
    assert [paper.rank for paper in leg.papers] == [1, 3, 6]
    assert [pointer.rank for pointer in leg.pointers] == [2, 4, 5]


def test_an_unmatched_reference_with_a_title_is_a_paper_without_ids() -> None:
    paper = replay(europe_pmc, OWN / "references.json", query=CITED).papers[1]
    assert (paper.title, paper.ids, paper.year) == ("How receptors are found", Identifiers(), None)
    assert (paper.journal, paper.landing_page) == ("Methods of Glia", None)


def test_et_al_is_no_author_and_leaves_their_number_open() -> None:
    paper = replay(europe_pmc, OWN / "references.json", query=CITED).papers[1]
    assert (paper.authors, paper.author_count) == ((Author(family="Curie", given="M"),), None)


def test_a_preprint_in_the_list_is_one() -> None:
    paper = replay(europe_pmc, OWN / "references.json", query=CITED).papers[2]
    assert (paper.type, paper.ids, paper.authors) == (
        "preprint",
        Identifiers(europe_pmc="PPR/PPR179288"),
        (Author(name="RECOVERY Collaborative Group"),),
    )


def test_a_reference_without_title_is_a_pointer() -> None:
    assert replay(europe_pmc, OWN / "references.json", query=CITED).pointers == (
        Pointer(2, text="Anon. Microglia, a handbook. Somewhere Press; 1999."),
        Pointer(4, Identifiers(doi="10.9999/bare.doi")),
        Pointer(5, text="Franklin RE, Gosling RG, Nature, 1953, 171, 740"),
    )


def test_an_item_without_an_id_is_reported() -> None:
    items = [{"id": "1", "source": "MED", "title": "A."}, {"pubYear": 2011}]
    leg = replay(europe_pmc, {"hitCount": 2, "citationList": {"citation": items}}, query=CITING)
    assert (len(leg.papers), leg.pointers) == (1, ())
    assert leg.warnings == ("1 items of Europe PMC's list name no paper",)


def test_a_single_item_may_come_without_its_list() -> None:
    body = {"hitCount": 1, "citationList": {"citation": {"id": "1", "source": "MED", "title": "Alone."}}}
    assert [paper.title for paper in replay(europe_pmc, body, query=CITING).papers] == ["Alone"]


def test_the_retraction_status_is_known_only_from_the_type() -> None:
    retracted = item(title="A.", citationType="Journal Article; Retracted Publication").papers[0]
    assert retracted.retraction == Retraction(RetractionStatus.RETRACTED)
    assert item(title="A.", citationType="Journal Article").papers[0].retraction == Retraction()


@pytest.mark.parametrize(("year", "expected"), [(0, None), ("2005", 2005), (2005, 2005), ("in press", None)])
def test_a_year_is_read_from_text_and_number(year: int | str, expected: int | None) -> None:
    assert item(title="A.", pubYear=year).papers[0].year == expected


@pytest.mark.parametrize("body", [OWN / "unknown_paper.json", {"hitCount": 0, "referenceList": {"reference": []}}])
def test_no_references_are_empty_with_a_warning(body: Any) -> None:
    leg = replay(europe_pmc, body, query=CITED)
    assert (leg.outcome, leg.total_estimate) == (Outcome.EMPTY, 0)
    assert leg.warnings == (f"Europe PMC holds no references {UNKNOWN}",)


def test_a_long_list_takes_two_requests_and_no_more() -> None:
    bodies = [page(1000, 2500), page(1000, 2500, first=1001), page(500, 2500, first=2001)]
    question = Links("citations", "pmid:1", 5000)
    assert [request.url.params["page"] for request in requests_of(europe_pmc, question, bodies)] == ["1", "2"]


def test_the_second_page_goes_on_where_the_first_ends_and_the_limit_cuts_it() -> None:
    query = Links("citations", "pmid:1", 1200)
    leg = replay(europe_pmc, page(1000, 2500), page(1000, 2500, first=1001), query=query)
    assert (len(leg.papers), leg.total_estimate, leg.warnings) == (1200, 2500, ())
    assert (leg.papers[-1].rank, leg.papers[-1].ids.pmid) == (1200, "1200")


def test_fewer_items_than_counted_are_reported() -> None:
    leg = replay(europe_pmc, page(3, 5), page(0, 5), query=CITING)
    assert (len(leg.papers), leg.total_estimate) == (3, 5)
    assert leg.warnings == ("Europe PMC counts 5 citations, but sent only 3",)


@pytest.mark.parametrize(
    "body",
    [
        pytest.param({}, id="empty-object"),
        pytest.param({"hitCount": 3}, id="counted-without-list"),
        pytest.param({"hitCount": 3, "citationList": {"citation": []}}, id="counted-and-none-sent"),
        pytest.param({"hitCount": 1, "citationList": []}, id="no-object"),
        pytest.param({"hitCount": 1, "citationList": {"citation": ["1"]}}, id="only-words"),
        pytest.param({"citationList": {"citation": []}}, id="no-count"),
        pytest.param({"errCode": 404, "errMsg": "Invalid page size"}, id="error-under-200"),
        pytest.param(OWN / "database_links.json", id="another-endpoint"),
        pytest.param(OWN / "references.json", id="references-for-citations"),
    ],
)
def test_an_undocumented_answer_is_a_bad_response(body: Any) -> None:
    leg = replay(europe_pmc, body, query=CITING)
    assert (leg.outcome, leg.papers, leg.pointers) == (Outcome.BAD_RESPONSE, (), ())


@needs_recordings
@pytest.mark.parametrize(
    ("name", "count", "last"),
    [
        ("citations-2016-page1.json", 25, "19167326"),
        ("citations-2016-page2.json", 25, "22351564"),
        ("citations-2016-lastpage.json", 10, "26528912"),
    ],
)
def test_the_recorded_citations_are_read_whole(name: str, count: int, last: str) -> None:
    leg = replay(europe_pmc, folder("europe_pmc") / name, query=Links("citations", "pmid:15723116", count))
    assert (leg.outcome, len(leg.papers), leg.total_estimate, leg.warnings) == (Outcome.OK, count, 810, ())
    assert leg.papers[-1].ids.pmid == last
    assert all(paper.authors and paper.year and paper.journal for paper in leg.papers)


@needs_recordings
def test_the_first_recorded_citation_is_whole() -> None:
    name = folder("europe_pmc") / "citations-2016-page1.json"
    paper = replay(europe_pmc, name, query=Links("citations", "pmid:15723116", 25)).papers[0]
    assert (paper.rank, paper.ids.pmid, paper.year, paper.citation_count) == (1, "16271386", 2005, 402)
    assert (paper.journal, paper.volume, paper.issue, paper.pages) == ("Cell", "123", "4", "607-620")
    assert (paper.author_count, paper.type) == (5, "journal-article")


def test_only_the_first_characters_of_an_endless_title_are_read() -> None:
    paper = read_linked({"title": "&amp; glia " * 100_000}, 1)
    assert isinstance(paper, Paper) and paper.title and len(paper.title) < 10_000
