"""The client `arxiv` (lukasschwab/arxiv.py) against the sandbox, as its documentation uses it."""

from __future__ import annotations

import pytest

arxiv = pytest.importorskip("arxiv")

from infra.local.sandbox.server import Sandbox  # noqa: E402


@pytest.fixture
def client(sandbox: Sandbox) -> object:
    """A client of the sandbox that neither waits nor repeats."""
    made = arxiv.Client(page_size=10, delay_seconds=0, num_retries=0)
    made.query_url_format = f"{sandbox.base_urls['ARXIV_BASE_URL']}/api/query?{{}}"
    return made


def numbers(client: object, limit: int = 100, **search: object) -> list[str]:
    found = client.results(arxiv.Search(max_results=limit, **search))  # type: ignore[attr-defined]
    return [result.get_short_id().partition("v")[0] for result in found]


ATTENTION = "1706.03762"


@pytest.mark.parametrize(
    "query",
    [
        "attention transformer",
        'ti:"Attention Is All You Need"',
        "au:vaswani",
        "cat:cs.CL AND ti:attention",
        "submittedDate:[201706010000 TO 201706302359]",
        "ti:(attention AND need) AND au:vaswani",
        "(ti:attention OR abs:attention) ANDNOT (ti:speech OR ti:vision)",
    ],
)
def test_a_search_finds_the_paper(client: object, query: str) -> None:
    assert ATTENTION in numbers(client, query=query)


def test_pages_are_walked_to_the_end_without_repetition(client: object) -> None:
    found = numbers(client, query="cat:cs.*")
    assert len(found) == len(set(found)) > 20


def test_a_list_of_ids_is_complete_and_a_wrong_one_is_refused(client: object) -> None:
    assert numbers(client, id_list=[ATTENTION, "0000.00000"]) == [ATTENTION]
    with pytest.raises(arxiv.HTTPError, match="HTTP 400"):
        numbers(client, id_list=[ATTENTION, "abc"])


def test_a_result_has_the_fields_of_a_record(client: object) -> None:
    (result,) = client.results(arxiv.Search(id_list=[ATTENTION]))  # type: ignore[attr-defined]
    assert (result.primary_category, result.published.year) == ("cs.CL", 2017)
    assert result.authors[0].name == "Ashish Vaswani"
    assert result.updated >= result.published
    assert str(result.pdf_url).startswith("https://arxiv.org/pdf/1706.03762v")


def test_results_are_sorted_by_the_first_version(client: object) -> None:
    order = {"sort_by": arxiv.SortCriterion.SubmittedDate, "sort_order": arxiv.SortOrder.Ascending}
    found = client.results(arxiv.Search(query="ti:language", max_results=50, **order))  # type: ignore[attr-defined]
    days = [result.published for result in found]
    assert days == sorted(days)
    assert len(days) > 3
