"""A number that a source writes as text may be anything: one that cannot be read costs its field, no record or page."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from functions.providers import dblp, opencitations, paperclip, unpaywall
from shared.bibliography.paper import Paper
from shared.outcomes import Outcome
from shared.providers.records import crossref, datacite, europe_pmc, openalex
from shared.providers.records import dblp as dblp_records
from shared.query.question import Links
from tests.replay import named, replay

LONG = "9" * 5_000  # Python refuses to read 4,300 digits
ODD = [LONG, "²020", "2²20", "٢٠٢٠", "two", "2020a", "-2020", "2_02"]


def of_unpaywall(day: str) -> Paper:
    """The paper of a record that has its year in a date only."""
    record = {"doi": "10.5555/a", "title": "A title", "published_date": day, "oa_locations": []}
    (paper,) = replay(unpaywall, record, query=named("10.5555/a")).papers
    return paper


YEARS: dict[str, Callable[[str], Paper]] = {
    "crossref": lambda year: crossref.read_paper(
        {"DOI": "10.5555/a", "title": ["A title"], "issued": {"date-parts": [[year]]}}, 1
    ),
    "datacite": lambda year: datacite.read_paper(
        {"attributes": {"doi": "10.5555/a", "titles": [{"title": "A title"}], "publicationYear": year}}, 1, 2026
    ),
    "dblp": lambda year: dblp_records.read_paper({"info": {"title": "A title", "year": year}}, 1),
    "europe_pmc": lambda year: europe_pmc.read_paper({"title": "A title", "pubYear": year}, 1),
    "europe_pmc_lists": lambda year: europe_pmc.read_linked_paper({"title": "A title", "pubYear": year}, 1),
}
DATES: dict[str, Callable[[str], Paper]] = {
    "europe_pmc": lambda day: europe_pmc.read_paper({"title": "A title", "firstPublicationDate": day}, 1),
    "openalex": lambda day: openalex.read_paper({"title": "A title", "publication_date": day}, 1, 2026),
    "unpaywall": of_unpaywall,
}


@pytest.mark.parametrize("source", YEARS)
@pytest.mark.parametrize("year", ODD, ids=lambda year: year[:8])
def test_a_year_that_cannot_be_read_is_unknown(source: str, year: str) -> None:
    assert YEARS[source](year).year is None


@pytest.mark.parametrize("source", YEARS)
def test_a_year_in_four_digits_is_read(source: str) -> None:
    assert YEARS[source]("2020").year == 2020


@pytest.mark.parametrize("source", DATES)
@pytest.mark.parametrize("day", ["²020-05-01", "٢٠٢٠-05-01", "in May"])
def test_a_date_that_cannot_be_read_gives_no_year(source: str, day: str) -> None:
    assert DATES[source](day).year is None


@pytest.mark.parametrize("source", DATES)
def test_a_date_gives_the_year(source: str) -> None:
    assert DATES[source]("2020-05-02").year == 2020


@pytest.mark.parametrize(
    "parts", [[2020, "x"], [2020, LONG], [2020, None], [2020, 10**20]], ids=lambda it: str(it)[:12]
)
def test_a_date_of_crossref_is_known_as_far_as_its_parts_can_be_read(parts: list[Any]) -> None:
    paper = crossref.read_paper({"DOI": "10.5555/a", "title": ["A title"], "issued": {"date-parts": [parts]}}, 1)
    assert paper.publication_date == "2020"


@pytest.mark.parametrize("total", [LONG, "²", "٣", "many", "", "-1"], ids=lambda total: total[:8])
def test_a_total_of_dblp_that_cannot_be_read_is_a_bad_response(total: str) -> None:
    hits = {"@total": total, "hit": [{"info": {"title": "A title"}}]}
    reply = replay(dblp, {"result": {"status": {"@code": "200"}, "hits": hits}})
    assert (reply.outcome, reply.warnings) == (Outcome.BAD_RESPONSE, ("DBLP answered without the hits that it counts",))


@pytest.mark.parametrize("count", [LONG, "²", "٣"], ids=lambda count: count[:8])
def test_a_count_of_opencitations_that_cannot_be_read_is_a_bad_response(count: str) -> None:
    question = Links("citations", "doi:10.5555/a")
    assert replay(opencitations, f'[{{"count": "{count}"}}]', query=question).outcome is Outcome.BAD_RESPONSE


@pytest.mark.parametrize("number", [LONG, "²", "٣"], ids=lambda number: number[:8])
def test_a_line_of_paperclip_that_begins_with_an_odd_number_ends_no_page(number: str) -> None:
    listing = (
        f"Found 1 paper\n\n  1. A title\n     Doe J\n     PMC1 · 2020-05-01\n     {number}\n  {number}. Of the text\n"
    )
    reply = replay(paperclip, {"output": listing, "exit_code": 0})
    assert [paper.title for paper in reply.papers] == ["A title"]
