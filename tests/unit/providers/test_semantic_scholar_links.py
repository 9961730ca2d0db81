"""Semantic Scholar's references and citations: title-only items, withheld lists, pages, and papers it does not know."""

from __future__ import annotations

from typing import Any

import pytest

from functions.providers import semantic_scholar
from shared.bibliography.identifiers import Identifiers
from shared.bibliography.paper import Author, Pointer
from shared.outcomes import Outcome
from shared.providers.provider import ProviderReply
from shared.query.question import Links, Relation
from tests.recorded.every_recording import folder, needs_recordings
from tests.replay import OWN_RECORDINGS, replay, requests_of

OWN = OWN_RECORDINGS / "semantic_scholar"
RELATIONS: tuple[Relation, ...] = ("references", "citations")
both = pytest.mark.parametrize("relation", RELATIONS)
DOI = "doi:10.1000/x"


def page(relation: Relation, *titles: str, **fields: Any) -> dict[str, Any]:
    side = {"references": "citedPaper", "citations": "citingPaper"}[relation]
    return {"offset": 0, **fields, "data": [{side: {"paperId": None, "title": title}} for title in titles]}


@both
def test_one_get_requests_a_whole_page_without_abstracts(relation: Relation) -> None:
    (request,) = requests_of(semantic_scholar, Links(relation, "pmcid:PMC123"), [page(relation, "A")])
    assert (request.method, request.url.path) == ("GET", f"/graph/v1/paper/PMCID:123/{relation}")
    assert request.url.params["limit"] == "1000"
    fields = set(request.url.params["fields"].split(","))
    assert {"externalIds", "title", "authors", "year", "journal", "venue"} <= fields
    assert not {"abstract", "tldr"} & fields
    assert (request.headers["x-api-key"], "secret-key" in str(request.url)) == ("secret-key", False)


@pytest.mark.parametrize(("wanted", "limit"), [(1, "1"), (999, "999"), (5000, "1000")])
def test_the_limit_stays_within_a_page(wanted: int, limit: str) -> None:
    requests = requests_of(semantic_scholar, Links("citations", DOI, wanted), [page("citations", "A", next=1)])
    assert [request.url.params["limit"] for request in requests] == [limit]


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("doi:10.1023/a:1007154515475", "DOI:10.1023/a:1007154515475"),
        ("doi:10.1000/a(b)<1::2>3.0.co;2-o", "DOI:10.1000/a%28b%29%3C1::2%3E3.0.co%3B2-o"),
        ("doi:10.1000/a?b#c%d", "DOI:10.1000/a%3Fb%23c%25d"),
        ("doi:10.1000/../../search", "DOI:10.1000%2F..%2F../search"),
        ("doi:10.1000/a//b", "DOI:10.1000/a%2F/b"),
        ("arxiv:hep-ex/0307015", "ARXIV:hep-ex/0307015"),
        (f"s2:{'a' * 40}", "a" * 40),
    ],
)
def test_an_odd_id_stays_one_id_in_the_path(name: str, path: str) -> None:
    (request,) = requests_of(semantic_scholar, Links("references", name), [page("references", "A")])
    assert request.url.raw_path.decode().partition("?")[0] == f"/graph/v1/paper/{path}/references"


def test_a_reference_without_ids_is_a_paper_with_a_title() -> None:
    leg = replay(semantic_scholar, OWN / "references_null_ids.json", query=Links("references", DOI))
    first, second = leg.papers
    assert (first.rank, first.title, first.ids) == (1, "The Miracle of Microfinance?", Identifiers())
    assert (second.rank, second.ids.paper_id) == (2, "c31c87c591a25c64fbaa82e8ac6a81831b6ac7ce")
    assert (leg.outcome, leg.total_estimate, leg.pointers, leg.warnings) == (Outcome.OK, 2, (), ())
    assert leg.effective_query == "/graph/v1/paper/DOI:10.1000/x/references?limit=1000"


def test_items_without_a_title_are_pointers_or_skipped() -> None:
    leg = replay(semantic_scholar, OWN / "citations_of_every_kind.json", query=Links("citations", DOI))
    (paper,) = leg.papers
    assert (paper.rank, paper.ids.doi, paper.year, paper.authors) == (
        1,
        "10.2139/ssrn.2250500",
        2013,
        (Author("Duflo", "E."),),
    )
    assert (paper.journal, paper.open_access.is_oa, paper.asked) == (None, None, ())
    ids = Identifiers(doi="10.1257/rct.1355", paper_id="0f40b1f08821e22e859c6050916cec3667778613")
    assert leg.pointers == (Pointer(2, ids),)
    assert [warning.partition(":")[0] for warning in leg.warnings[:2]] == ["record 3 skipped", "record 4 skipped"]


def test_a_page_that_is_not_the_last_says_so_and_has_no_total() -> None:
    leg = replay(semantic_scholar, OWN / "citations_of_every_kind.json", query=Links("citations", DOI))
    assert leg.total_estimate is None
    assert leg.warnings[-1] == "Semantic Scholar has more citations than these, and does not say how many"


def test_a_list_withheld_by_the_publisher_is_empty_and_says_so() -> None:
    leg = replay(semantic_scholar, OWN / "references_withheld.json", query=Links("references", DOI))
    assert (leg.outcome, leg.papers, leg.total_estimate) == (Outcome.EMPTY, (), None)
    assert leg.warnings == ("the publisher does not let Semantic Scholar show this paper's references",)


@both
def test_a_paper_that_it_does_not_know_is_empty_and_says_so(relation: Relation) -> None:
    leg = replay(semantic_scholar, OWN / "error_404_paper.json", status=404, query=Links(relation, "doi:10.9999/none"))
    assert (leg.outcome, leg.papers, leg.total_estimate) == (Outcome.EMPTY, (), None)
    assert leg.warnings == ("Semantic Scholar does not know this paper",)
    assert leg.effective_query == f"/graph/v1/paper/DOI:10.9999/none/{relation}?limit=1000"


@both
def test_a_404_of_something_on_the_way_is_no_empty_list(relation: Relation) -> None:
    leg = replay(semantic_scholar, "<html>Not Found</html>", status=404, query=Links(relation, DOI))
    assert leg.outcome is Outcome.BAD_RESPONSE


@both
def test_a_paper_without_any_has_none(relation: Relation) -> None:
    leg = replay(semantic_scholar, page(relation), query=Links(relation, DOI))
    assert (leg.outcome, leg.total_estimate, leg.warnings) == (Outcome.EMPTY, 0, ())


@both
def test_one_more_page_is_requested_after_an_empty_page_that_is_not_the_last(relation: Relation) -> None:
    pages = [page(relation, next=1000), page(relation, "A", offset=1000)]
    first, second = requests_of(semantic_scholar, Links(relation, DOI), pages)
    assert ("offset" in first.url.params, second.url.params["offset"]) == (False, "1000")
    leg = replay(semantic_scholar, *pages, query=Links(relation, DOI))
    assert [paper.title for paper in leg.papers] == ["A"]


def test_two_empty_pages_that_are_not_the_last_are_an_error_and_end_the_requests() -> None:
    empty = page("citations", next=1000)
    assert len(requests_of(semantic_scholar, Links("citations", DOI), [empty])) == 2
    assert replay(semantic_scholar, empty, query=Links("citations", DOI)).outcome is Outcome.BAD_RESPONSE


@pytest.mark.parametrize(
    ("body", "status", "outcome"),
    [
        pytest.param({}, 200, Outcome.BAD_RESPONSE, id="no-list"),
        pytest.param("[]", 200, Outcome.BAD_RESPONSE, id="a-bare-list"),
        pytest.param({"data": {}}, 200, Outcome.BAD_RESPONSE, id="data-is-no-list"),
        pytest.param({"data": [{"citingPaper": {"title": "A"}}]}, 200, Outcome.BAD_RESPONSE, id="the-other-side"),
        pytest.param({"data": ["A"]}, 200, Outcome.BAD_RESPONSE, id="words-for-items"),
        pytest.param({"data": [{"citedPaper": "A"}]}, 200, Outcome.BAD_RESPONSE, id="words-for-papers"),
        pytest.param(OWN / "error_400.json", 400, Outcome.BAD_RESPONSE, id="a-wrong-field"),
        pytest.param(OWN / "error_403.json", 200, Outcome.UNAVAILABLE, id="message-under-200"),
        pytest.param(OWN / "error_429.json", 429, Outcome.RATE_LIMITED, id="too-many"),
        pytest.param(OWN / "error_403.json", 502, Outcome.UNAVAILABLE, id="gateway"),
    ],
)
def test_a_fault_is_never_an_empty_list(body: Any, status: int, outcome: Outcome) -> None:
    leg = replay(semantic_scholar, body, status=status, query=Links("references", DOI))
    assert (leg.outcome, leg.papers, len(leg.warnings)) == (outcome, (), 1)


def recorded(name: str, relation: Relation) -> ProviderReply:
    return replay(semantic_scholar, folder("semantic_scholar") / name, query=Links(relation, DOI))


def without_ids(leg: ProviderReply) -> list[int]:
    """The ranks of the papers of which nothing but a title is known."""
    return [paper.rank for paper in leg.papers if paper.ids == Identifiers()]


@needs_recordings
@pytest.mark.parametrize(
    ("name", "relation", "papers", "bare", "total"),
    [
        ("references-contexts-intents.json", "references", 59, [50, 51, 52, 57, 59], 59),
        ("references-page1-null-paperids.json", "references", 50, [37, *range(42, 51)], None),
        ("citations-full-fields.json", "citations", 3, [], None),
        ("citations-last-page-no-next-null-paperids.json", "citations", 81, [4, 35, 66, 77], 81),
    ],
)
def test_recorded_lists_are_whole(
    name: str, relation: Relation, papers: int, bare: list[int], total: int | None
) -> None:
    leg = recorded(name, relation)
    assert [paper.rank for paper in leg.papers] == list(range(1, papers + 1))
    assert (without_ids(leg), leg.total_estimate, leg.pointers) == (bare, total, ())


@needs_recordings
def test_the_recorded_references_hold_ids_venues_and_years() -> None:
    papers = recorded("references-contexts-intents.json", "references").papers
    assert (papers[0].ids.doi, papers[0].ids.pmid) == ("10.1002/prot.22460", "19452558")
    assert (papers[0].year, papers[0].journal) == (2009, "Proteins: Structure, Function, and Bioinformatics")
    assert (papers[1].ids.doi, papers[1].ids.pmcid) == ("10.1002/humu.20880", "PMC3075918")
    assert (papers[58].title, papers[58].year) == ("Sign up to receive free email-alerts", None)


@needs_recordings
def test_the_recorded_citations_hold_whole_records() -> None:
    papers = recorded("citations-full-fields.json", "citations").papers
    assert [(paper.ids.arxiv, paper.ids.doi, paper.type) for paper in papers] == [
        ("2607.22410", None, "preprint"),
        ("2607.22154", None, "preprint"),
        (None, "10.1039/d6nr00839a", None),
    ]
    assert [(paper.open_access.is_oa, len(paper.authors)) for paper in papers] == [(None, 5), (None, 10), (True, 7)]
    assert papers[0].landing_page == "https://arxiv.org/abs/2607.22410"
