"""Windows of days: cut until every source shows them whole, with no day lost, none twice, and no end to it missing."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.bibliography.paper import Paper
from shared.outcomes import Outcome
from shared.providers.provider import ProviderReply
from shared.query.query import Query, first_day, last_day
from shared.saved_searches.windows import (
    DAY,
    MAX_WINDOWS,
    Window,
    after_search,
    bounds,
    from_json,
    is_truncated,
    monitored_from,
    never_searched,
    newest,
    search_order,
    to_json,
    was_covered_by,
)

NOW = "2026-11-22T06:00:00Z"
D = date.fromisoformat
QUERY = Query(text="microglia")
PHRASE = Query(text='"TREM2 microglia"')


def reply(*days: str | None, total: int | None = None, dated: bool = True, **more: object) -> ProviderReply:
    """A source's page, with papers of these days; as a rule it says that it has 500 and knows days."""
    papers = tuple(
        Paper(provider="a", rank=rank, title="TREM2 microglia", publication_date=day)
        for rank, day in enumerate(days, start=1)
    )
    found = ProviderReply(
        provider="a",
        family="a",
        outcome=Outcome.OK,
        papers=papers,
        total_estimate=500 if total is None else total,
        applied_filters=("date",) if dated else (),
    )
    return replace(found, **more)  # type: ignore[arg-type]  # the tests' own names of fields


def parts(
    window: Window, *replies: ProviderReply, date_from: str | None = None, date_to: str | None = None
) -> list[Window]:
    return after_search(window, [(it, QUERY) for it in replies], date_from=date_from, date_to=date_to, now=NOW)


def days_of(window: Window, first: date, last: date) -> list[date]:
    start, end = window.first or first, window.last or last
    return [start + timedelta(days=number) for number in range((end - start).days + 1)]


PARTIAL = st.dates(D("1990-01-01"), D("2030-12-31")).flatmap(
    lambda day: st.sampled_from([day.isoformat(), day.isoformat()[:7], day.isoformat()[:4]])
)
ODD = st.sampled_from(["0001-01-01", "9999-12-31", "9999", "2026-13", "2026-02-30", "in press", None])
NEAR = st.dates(D("2024-12-01"), D("2025-03-31"))


@given(st.lists(PARTIAL | ODD, max_size=30), st.none() | NEAR, st.none() | NEAR, st.none() | PARTIAL, st.booleans())
def test_halves_hold_exactly_the_days_of_the_whole_and_each_is_shorter(
    dates: list[str | None], first: date | None, last: date | None, date_from: str | None, dated: bool
) -> None:
    if first and last and first > last:
        first, last = last, first
    whole = Window(first=first, last=last, covered_by=frozenset("b"))
    found = parts(whole, reply(*dates, dated=dated), date_from=date_from)
    assert (found[0].first, found[-1].last) == (first, last)
    if len(found) == 1:
        return
    one, other = found
    assert one.last and other.first and one.last + DAY == other.first
    assert (first is None or first <= one.last) and (last is None or other.first <= last)
    if date_from and not first and not last:
        assert one.last >= first_day(date_from)
    assert one.covered_by == other.covered_by == {"b"}
    assert one.searched_at is other.searched_at is None


@given(PARTIAL, PARTIAL, st.lists(PARTIAL | ODD, min_size=1, max_size=20))
def test_a_search_between_two_dates_is_cut_between_them_down_to_single_days(
    one: str, other: str, dates: list[str | None]
) -> None:
    low, high = sorted([one, other], key=first_day)
    if last_day(high) < first_day(low):
        return
    waiting, whole = [Window()], []
    for _ in range(60):
        if not waiting:
            break
        window = waiting.pop()
        first, last = bounds(window, low, high)
        assert first and last and first_day(first) <= last_day(last)
        some = [it for it in dates if it and it[:4].isdigit()]
        found = parts(window, reply(*some), date_from=low, date_to=high)
        if len(found) == 1:
            whole.append(found[0])
            assert first_day(first) == last_day(last)
            assert found[0].truncated_by == {"a"}
        # Of each pair the later half goes on: as many steps as halvings, not as days.
        waiting += found[1:]
    assert not waiting
    assert len(whole) == 1


def test_a_search_without_edges_is_cut_where_half_of_the_papers_are() -> None:
    found = parts(Window(), reply("2020-01-01", "2024-05-05", "2025-01-01", "2026-01-01"))
    assert [(it.first, it.last) for it in found] == [(None, D("2024-05-05")), (D("2024-05-06"), None)]


def test_a_month_or_a_year_counts_as_its_middle_within_the_window() -> None:
    window = Window(first=D("2026-03-01"), last=D("2026-04-29"))
    one, _ = parts(window, reply("2026", "2026", "2026"))
    assert one.last == D("2026-03-30")


@pytest.mark.parametrize("dates", [[], ["1999-01-01"] * 3, ["in press", None]])
def test_papers_reported_under_other_days_do_not_move_the_cut(dates: list[str | None]) -> None:
    one, other = parts(Window(first=D("2026-01-01"), last=D("2026-12-31")), reply(*dates))
    assert abs((one.last or date.min) - D("2026-07-02")) <= 2 * DAY
    assert other.last == D("2026-12-31")


def test_a_day_with_too_many_results_is_one_window_that_names_its_provider() -> None:
    window = Window(first=D("2026-03-01"), last=D("2026-03-01"))
    (found,) = parts(window, reply("2026-03-01"), reply(total=3, provider="b"))
    assert (sorted(found.truncated_by), found.searched_at) == (["a"], NOW)
    (later,) = parts(found, reply("2026-03-01", total=7))
    assert later.truncated_by == frozenset()


def test_a_source_that_knows_no_days_cuts_an_open_window_once_at_most() -> None:
    undated = reply("2024-01-01", "2025-01-01", dated=False)
    halves = parts(Window(), undated)
    assert len(halves) == 2
    for half in halves:
        assert len(parts(half, undated)) == 1
        assert len(parts(half, undated, reply("2022-02-02", "2026-06-06", provider="b"))) == 2


def test_a_window_is_covered_by_providers_that_answered_and_pending_for_those_that_failed() -> None:
    failed = reply(outcome=Outcome.TIMEOUT, provider="b", papers=(), total_estimate=None)
    unable = replace(failed, provider="c", outcome=Outcome.SKIPPED_NO_KEY)
    (found,) = parts(Window(), reply("2026-01-01", total=1), failed, unable)
    assert (sorted(found.covered_by), sorted(found.pending)) == (["a"], ["b"])
    (found,) = parts(found, failed, reply("2026-01-01", total=1, provider="c"))
    assert (sorted(found.covered_by), sorted(found.pending)) == (["a", "c"], ["b"])
    (found,) = parts(found, reply(total=0, provider="b", outcome=Outcome.EMPTY))
    assert (sorted(found.covered_by), sorted(found.pending)) == (["a", "b", "c"], [])
    assert was_covered_by(found, ["b", "x"]) and not was_covered_by(found, ["x"])


def test_one_failed_wording_of_two_leaves_the_window_pending() -> None:
    failed = reply(outcome=Outcome.TIMEOUT, papers=(), total_estimate=None)
    (found,) = parts(Window(), reply("2026-01-01", total=1), failed)
    assert (sorted(found.covered_by), sorted(found.pending)) == ([], ["a"])


def test_windows_are_searched_newest_first_then_pending_then_least_recently_searched() -> None:
    def window(month: int, searched_at: str | None, *pending: str) -> Window:
        return Window(
            first=date(2026, month, 1), last=date(2026, month, 28), searched_at=searched_at, pending=frozenset(pending)
        )

    newest, pending, unsearched = window(9, "2026-09-09"), window(3, "2026-09-08", "a"), window(5, None)
    long_ago, oldest = window(4, "2026-01-01"), Window(last=D("2026-02-28"), searched_at="2026-05-05")
    ordered = search_order([oldest, pending, long_ago, unsearched, newest])
    assert ordered == [newest, pending, unsearched, long_ago, oldest]
    assert search_order(ordered[::-1]) == ordered


@pytest.mark.parametrize("count, since", [(1, None), (59, None), (60, None), (61, "1990-01-02"), (99, "1990-02-09")])
def test_at_most_sixty_windows_are_watched_and_dropping_the_oldest_is_reported(count: int, since: str | None) -> None:
    first = D("1990-01-01")
    windows = [Window(first=first + number * DAY, last=first + number * DAY) for number in range(count)]
    windows[0] = replace(windows[0], first=None)
    remaining = newest(windows[::-1])
    assert len(remaining) == min(count, MAX_WINDOWS) == min(count, 60)
    assert remaining == windows[-60:]
    assert monitored_from(remaining) == since


@pytest.mark.parametrize(
    "found, query, cut",
    [
        (reply("2026", total=100), QUERY, False),
        (reply("2026", total=101), QUERY, True),
        (reply(*["2026"] * 99, total_estimate=None), QUERY, False),
        (reply(*["2026"] * 100, total_estimate=None), QUERY, True),
        (reply("2026", total=9_000), PHRASE, True),  # it shows what is near, and its last records still match
        (reply("2026", total=9_000, papers=(Paper(provider="a", rank=1, title="Glaciers", abstract="Ice"),)), PHRASE,
         False),
        (reply("2026", total=9_000, applied_filters=("operators",), papers=()), PHRASE, True),
        (reply(total_estimate=None, outcome=Outcome.TIMEOUT), QUERY, False),
    ],
)  # fmt: skip
def test_a_source_has_more_when_it_says_so_or_shows_a_full_page_that_matches_to_its_end(
    found: ProviderReply, query: Query, cut: bool
) -> None:
    assert is_truncated(found, query) is cut


@given(st.none() | NEAR, st.none() | NEAR, st.sets(st.sampled_from("abc")), st.none() | st.just(NOW))
def test_a_window_is_stored_and_read_back_unchanged(
    first: date | None, last: date | None, names: set[str], searched_at: str | None
) -> None:
    window = Window(
        first=first, last=last, covered_by=frozenset(names), pending=frozenset(names), searched_at=searched_at
    )
    assert from_json(to_json(window)) == window
    assert never_searched([window, Window()]) == (1 if searched_at else 2)
