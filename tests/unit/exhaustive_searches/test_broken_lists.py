"""A list that breaks off before its end is not complete, and the answer and the report say so."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from shared.exhaustive_searches.answer import search_answer
from shared.exhaustive_searches.merging import merge_all
from shared.exhaustive_searches.progress import ExhaustiveSearch, Stop
from shared.exhaustive_searches.report import search_report
from shared.exhaustive_searches.request import ExhaustiveSearchPage
from shared.legs.leg import Leg
from shared.outcomes import Outcome
from shared.providers.provider import ProviderReply
from shared.validation import validated
from tests.unit.exhaustive_searches.pages import page_of
from tests.unit.exhaustive_searches.rounds import Store, ended, only, round_of, search_of


def read(reply: Callable[[Leg], ProviderReply], store: Store | None = None) -> ExhaustiveSearch:
    """A search of one source, read until it is not read any further."""
    search = search_of("crossref", max_records=5_000)
    while not search.progress.all_read:
        search = round_of(search, reply, store=store)
    return search


def counting(total: int, listed: int) -> Callable[[Leg], ProviderReply]:
    """A source that lists fewer records than it counts."""
    return lambda leg: replace(page_of(200, listed)(leg), total_estimate=total)


def test_an_empty_page_after_200_of_4800_records_is_not_the_whole_list() -> None:
    search = round_of(search_of("crossref", max_records=5_000), page_of(200, 4_800))
    source = only(round_of(search, ended(Outcome.EMPTY, total_estimate=4_800)))
    assert (source.stopped, source.records, source.is_whole) == (Stop.END, 200, False)


@pytest.mark.parametrize(
    ("total", "listed", "is_whole"),
    [(2, 1, True), (12, 9, True), (12, 8, False), (400, 361, True), (400, 360, False), (5_000, 4_500, False),
     (300, 310, True), (0, 0, True), (4, 1, False), (3, 1, False), (1, 0, False), (4, 2, True), (4_800, 4_321, True)],
)  # fmt: skip
def test_a_few_records_fewer_than_counted_are_the_whole_list(total: int, listed: int, is_whole: bool) -> None:
    assert only(read(counting(total, listed))).is_whole is is_whole


@pytest.mark.parametrize(("total", "listed"), [(4_800, 4_321), (2, 1), (4_800, 4_799), (4, 1)])
def test_the_record_says_how_many_are_lacking_even_of_a_whole_list(total: int, listed: int) -> None:
    warning = f"its list ended with {listed} readable records of the {total} counted"
    search = read(counting(total, listed))
    assert search_answer(search, validated(ExhaustiveSearchPage, {}), [], "r")["sources"][0]["warnings"] == [warning]


@pytest.mark.parametrize("listed", [4_800, 4_900])
def test_the_record_warns_of_nothing_where_none_is_lacking(listed: int) -> None:
    search = read(counting(4_800, listed))
    assert search_answer(search, validated(ExhaustiveSearchPage, {}), [], "r")["sources"][0]["warnings"] == []


def test_records_that_cannot_be_read_lack_as_those_that_were_not_sent() -> None:
    def untitled(leg: Leg) -> ProviderReply:
        return replace(page_of(200, 96)(leg), total_estimate=100, warnings=("4 records skipped",))

    assert only(read(untitled)).is_whole


def test_a_source_that_states_no_total_is_whole_at_its_end() -> None:
    assert only(read(lambda leg: replace(page_of(200, 300)(leg), total_estimate=None))).is_whole


def test_the_answer_and_the_report_say_that_a_list_lacks_records() -> None:
    store = Store()
    search = merge_all(read(counting(480, 200), store), store, ())
    assert search
    answer = search_answer(search, validated(ExhaustiveSearchPage, {}), [], "r")
    (record,) = answer["sources"]
    assert (answer["complete"], record["complete"], record["stopped"]) == (False, False, "end")
    assert record["warnings"] == ["its list ended with 200 readable records of the 480 counted"]
    assert [hint["reason"] for hint in answer["hints"]] == ["fewer_than_counted"]
    report = search_report(search)
    assert "**Not all sources were read to their end**" in report
    assert "its list ended with 200 readable records of the 480 counted" in report
    assert "| to the end of its list, which lacks records |" in report
