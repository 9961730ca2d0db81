"""A source of an exhaustive search: when it is waited for, given up, or read to its end."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from shared.exhaustive_searches.answer import search_answer
from shared.exhaustive_searches.merging import merge_all, papers_of
from shared.exhaustive_searches.progress import Stop
from shared.exhaustive_searches.report import search_report
from shared.exhaustive_searches.request import MAX_ALL_RECORDS, ExhaustiveSearchPage
from shared.exhaustive_searches.steps import FAILURES, LONGEST_WAITING_S, seconds_until_due
from shared.legs.leg import Leg
from shared.outcomes import Outcome
from shared.providers.provider import ProviderReply
from shared.query.question import Listing
from shared.validation import validated
from tests.unit.exhaustive_searches.pages import page_of
from tests.unit.exhaustive_searches.rounds import Store, ended, only, round_of, search_of, stored_round


@pytest.mark.parametrize("outcome", [Outcome.RATE_LIMITED, Outcome.SKIPPED_BUDGET, Outcome.CIRCUIT_OPEN])
def test_a_source_without_a_permit_is_waited_for_and_given_up_after_a_day(outcome: Outcome) -> None:
    search, at = search_of("pubmed"), 1_000
    while only(search).stopped is None:
        search = round_of(search, ended(outcome, retry_after_s=3_600.0), at)
        at += seconds_until_due(search.progress, datetime.fromtimestamp(at, UTC)) or 900
        assert at < 1_000 + LONGEST_WAITING_S + 2_000
    assert only(search).stopped is Stop.FAILED
    assert at > 1_000 + LONGEST_WAITING_S
    assert not only(search).is_whole


def test_a_source_that_fails_is_given_up_after_a_few_attempts_and_an_answer_between_them_counts() -> None:
    search, at = search_of("crossref"), 0
    for _ in range(FAILURES - 1):
        search, at = round_of(search, ended(Outcome.TIMEOUT), at), at + 1_000
    search = round_of(search, page_of(5, 10), at)
    assert only(search).failures == 0
    for _ in range(FAILURES):
        search, at = round_of(search, ended(Outcome.TIMEOUT), at + 1_000), at + 1_000
    source = only(search)
    assert (source.stopped, source.records, source.total, source.outcome) == (Stop.FAILED, 5, 10, Outcome.TIMEOUT)
    resumed = search.progress.resumed()
    assert resumed == search.progress, "a search that has not ended is not begun again"


@pytest.mark.parametrize("outcome", [Outcome.SKIPPED_NO_KEY, Outcome.SKIPPED_DISABLED])
def test_a_source_without_a_key_or_that_is_switched_off_is_skipped(outcome: Outcome) -> None:
    source = only(round_of(search_of("pubmed"), ended(outcome)))
    assert (source.stopped, source.records) == (Stop.SKIPPED, 0)


def test_the_last_page_is_cut_at_the_bound_and_its_records_are_counted_so() -> None:
    search, store = search_of("crossref", max_records=7), Store()
    for _ in range(2):
        search = round_of(search, page_of(5, 10), store=store)
    assert (only(search).records, only(search).stopped) == (7, Stop.BOUND)
    merged = merge_all(search, store, ())
    assert merged and merged.progress.found
    assert merged.progress.found.papers == 7
    assert len(papers_of(merged, store, 0, 100)) == 7
    assert len(papers_of(merged, store, 5, 100)) == 2


def test_all_sources_together_stay_within_the_records_that_fit_into_memory() -> None:
    search = search_of("crossref", "pubmed", queries=["a b", "c d", "e f", "g h"], max_records=5_000)
    assert len(search.progress.sources) == 10
    assert sum(source.bound for source in search.progress.sources) <= MAX_ALL_RECORDS


def test_the_bound_that_holds_is_reported_where_it_is_lower_than_requested() -> None:
    wordings = {"queries": ["a b", "c d", "e f", "g h"]}
    search = search_of("crossref", "pubmed", max_records=5_000, **wordings)
    (hint,) = search_answer(search, validated(ExhaustiveSearchPage, {}), [], "r")["hints"]
    assert hint["reason"] == "lower_max_records"
    assert "2,000 records" in hint["message"]
    assert "- at most 2000 records of each source and wording, since all together may be 20000; 5000 were" in (
        search_report(search)
    )
    granted = search_of("crossref", "pubmed", max_records=2_000, **wordings)
    assert search_answer(granted, validated(ExhaustiveSearchPage, {}), [], "r")["hints"] == []
    assert "- at most 2000 records of each source and wording\n" in search_report(granted)


def test_of_two_workers_the_slower_one_is_refused() -> None:
    assert stored_round(search_of("pubmed"), page_of(5, 5), 0.0, Store(accepts=False)) is None


def test_pages_are_requested_at_the_position_of_the_page_before() -> None:
    seen: list[str] = []

    def reply(leg: Leg) -> ProviderReply:
        assert isinstance(leg.question, Listing)
        seen.append(leg.question.position)
        return page_of(5, 12)(leg)

    search = search_of("crossref")
    while not search.progress.all_read:
        search = round_of(search, reply)
    assert seen == ["", "5", "10"]
    assert (only(search).records, only(search).stopped, only(search).is_whole) == (12, Stop.END, True)
    assert not replace(only(search), partial=True).is_whole
