"""Years in the words of a query leave older papers out, and the answer says so."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest

from tests.ways_of_asking.capture import Service, service

pytestmark = pytest.mark.slow  # many searches, whose kinds tests/ways_of_asking samples

SOURCES = ["europe_pmc", "openalex"]


@pytest.fixture(scope="module")
def running() -> Iterator[Service]:
    with service() as started:
        yield started


def _answer(running: Service, **fields: Any) -> Any:
    response, _ = running.post({"max_results": 100, "providers": SOURCES, **fields})
    assert response.status_code == 200, response.text
    return response.json()


def _said(answer: Any) -> str:
    return " ".join(hint["message"] for hint in answer["hints"] if hint["reason"] == "filters")


def _years(answer: Any) -> list[int]:
    return sorted(result["year"] for result in answer["results"])


@pytest.mark.parametrize(
    "query", ["TREM2 since 2019", "TREM2 2019-present", "TREM2 ab 2019", "papers on TREM2 after 2018"]
)
def test_older_papers_are_left_out_and_counted(running: Service, query: str) -> None:
    whole, answer = _answer(running, query="TREM2"), _answer(running, query=query)
    assert _years(answer) == [year for year in _years(whole) if year >= 2019] != []
    left_out = whole["total_count"] - answer["total_count"]
    assert f'`date_from: "2019"`: {left_out} other papers are left out' in _said(answer)


@pytest.mark.parametrize(
    "query", ["TREM2 last 5 years", "TREM2 in the past five years", "TREM2 AND microglia last 5 years"]
)
def test_the_last_years_are_counted_from_the_day_of_the_answer(running: Service, query: str) -> None:
    first = datetime.now(UTC).year - 5
    answer = _answer(running, query=query)
    assert f'`date_from: "{first}"`' in _said(answer)
    assert all(year >= first for year in _years(answer))
    whole = _answer(running, query=query.partition(" in the")[0].partition(" last")[0])
    assert answer["total_count"] == sum(year >= first for year in _years(whole)) < whole["total_count"]


def test_the_action_has_the_sources_filter_by_the_same_years(running: Service) -> None:
    first = str(datetime.now(UTC).year - 5)
    (action,) = [
        it for it in _answer(running, query="TREM2 last 5 years")["next_actions"] if "date_from" in it["arguments"]
    ]
    assert (action["arguments"]["query"], action["arguments"]["date_from"]) == ("TREM2", first)


def test_the_last_year_filters_only_where_papers_were_published_then(running: Service) -> None:
    """A paper on the years until 2015 is younger; `date_to` is named and one call away."""
    ranged, published = (
        _answer(running, query="TREM2 2014-2016"),
        _answer(running, query="TREM2 published between 2014 and 2016"),
    )
    assert (_years(ranged)[0], _years(ranged)[-1] > 2016) == (2014, True)
    assert 'No other word is a filter: `date_to: "2016"`' in _said(ranged)
    assert (_years(published)[0], _years(published)[-1]) == (2014, 2016)
    assert _years(_answer(running, query="TREM2 before 2014"))[-1] > 2014


@pytest.mark.parametrize(
    ("query", "fields"),
    [
        ("TREM2 since 2019", {"date_from": "2010"}),
        ("TREM2 since 2019", {"queries": ["TREM2 microglia"]}),
        ("TREM2 since 2099", {}),
        ("TREM2 2019-2099", {}),
    ],
)
def test_years_leave_nothing_out(running: Service, query: str, fields: dict[str, Any]) -> None:
    """The request has dates of its own, a wording has no years, a year is not yet."""
    assert min(_years(_answer(running, query=query, **fields))) < 2019


def test_a_phrase_in_quotation_marks_is_searched_for(running: Service) -> None:
    answer = _answer(running, query='TREM2 AND "since 2019"')
    assert (answer["total_count"], _said(answer)) == (0, "")


@pytest.mark.parametrize(
    "query",
    [
        "microglia 2019-2020 OR APOE", "APOE OR microglia 2019-2020", "APOE OR (microglia 2019-2020)",
        "APOE OR microglia (2019-2020)", "APOE OR microglia AND (2019-2020)",
    ],
)  # fmt: skip
def test_years_on_one_side_of_or_filter_that_side_alone(running: Service, query: str) -> None:
    other, both = _answer(running, query="microglia AND PUB_YEAR:[2019 TO 2020]"), _answer(running, query=query)
    assert set(_years(other)) == {2019, 2020}
    assert {it["key"] for it in other["results"]} <= {it["key"] for it in both["results"]}
    outside = [it for it in both["results"] if it["year"] not in (2019, 2020)]
    assert outside
    assert all("apo" in f"{it['title']} {it['abstract']}".casefold() for it in outside)


def test_the_years_that_wordings_share_are_the_widest(running: Service) -> None:
    answer = _answer(running, query="TREM2 since 2019", queries=["TREM2 microglia after 2014"])
    assert 2015 <= min(_years(answer)) < 2019


def test_a_title_with_the_words_stays_whatever_its_year(running: Service) -> None:
    title = "Epidemiology, transmission dynamics and control of SARS: the 2002–2003 epidemic"
    answer = _answer(running, query=title.replace("2002–2003", "since 2005"))
    assert not any(result["title"].startswith(title[:40]) for result in answer["results"])
    answer = _answer(running, query=title)
    assert answer["results"][0]["title"] == title
