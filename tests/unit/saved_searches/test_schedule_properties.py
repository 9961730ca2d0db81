"""Any expression: against another library's calendar, and against all minutes of days on which clocks are changed."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from itertools import islice, pairwise
from zoneinfo import ZoneInfo

from croniter import CroniterBadDateError, croniter  # type: ignore[import-untyped]
from hypothesis import given, settings
from hypothesis import strategies as st

from shared.errors import Unprocessable
from shared.saved_searches.schedule import Schedule, firings, read_schedule

MONTHS = ("JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC")
WEEKDAYS = ("SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT")
ZONES = ("Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "America/St_Johns", "Asia/Kolkata", "UTC")
# The Saturdays before clocks are changed in one of the zones, and a day on which nothing happens.
DAYS = [datetime(2027, *day, tzinfo=UTC) for day in ((3, 13), (3, 27), (4, 3), (6, 1), (10, 2), (10, 30), (11, 6))]


def rises(ends: Sequence[int]) -> bool:
    """croniter reads 0-0 as every weekday, and 5-5/2 as 5/2."""
    return ends[0] < ends[1]


def numbers(low: int, high: int) -> st.SearchStrategy[str]:
    """Stars, steps, ranges and lists, as both libraries write them."""
    number = st.integers(low, high)
    pair = st.tuples(number, number).map(sorted).filter(rises)
    step = st.integers(2, max(3, high // 3))
    return st.one_of(
        st.just("*"),
        number.map(str),
        st.lists(number, min_size=2, max_size=4).map(lambda some: ",".join(map(str, some))),
        pair.map(lambda ends: f"{ends[0]}-{ends[1]}"),
        st.tuples(pair, step).map(lambda it: f"{it[0][0]}-{it[0][1]}/{it[1]}"),
        step.map(lambda it: f"*/{it}"),
    )


@st.composite
def day_fields(draw: st.DrawFn) -> tuple[str, str, str, str]:
    """Day-of-month and day-of-week: as AWS writes them, and as croniter does, which counts weekdays from SUN = 0."""
    if draw(st.booleans()):
        day = draw(st.one_of(numbers(1, 31), st.just("L"), st.integers(1, 28).map(lambda it: f"{it}W")))
        return day, "?", day, "*"
    first, last = draw(st.tuples(st.integers(0, 6), st.integers(0, 6)).map(sorted).filter(rises))
    nth = draw(st.integers(1, 5))
    aws, other = draw(
        st.sampled_from(
            [
                (f"{first + 1}", f"{first}"),
                (WEEKDAYS[first], f"{first}"),
                (f"{WEEKDAYS[first]}-{WEEKDAYS[last]}", f"{first}-{last}"),
                (f"{first + 1},{last + 1}", f"{first},{last}"),
                (f"{first + 1}L", f"L{first}"),
                (f"{first + 1}#{nth}", f"{first}#{nth}"),
                (f"{WEEKDAYS[first]}#{nth}", f"{first}#{nth}"),
            ]
        )
    )
    return "?", aws, "*", other


@settings(max_examples=300)
@given(
    minutes=numbers(0, 59),
    hours=numbers(0, 23),
    days=day_fields(),
    months=st.one_of(numbers(1, 12), st.sampled_from(MONTHS)),
    after=st.datetimes(datetime(2020, 1, 1), datetime(2060, 1, 1)),
)
def test_another_library_counts_the_same_days(
    minutes: str, hours: str, days: tuple[str, str, str, str], months: str, after: datetime
) -> None:
    expression = f"cron({minutes} {hours} {days[0]} {months} {days[1]} *)"
    oracle = croniter(f"{minutes} {hours} {days[2]} {months} {days[3]}", after, max_years_between_matches=60)
    try:
        expected = [oracle.get_next(datetime).replace(tzinfo=UTC) for _ in range(8)]
    except CroniterBadDateError:
        expected = []
    after = after.replace(tzinfo=UTC)
    try:
        found = list(islice(firings(read_schedule(expression, now=after), after), 8))
    except Unprocessable:
        found = []
    assert found == expected


@settings(max_examples=60)
@given(
    minutes=st.sets(st.integers(0, 59), min_size=1, max_size=4),
    hours=st.sets(st.integers(0, 23), min_size=1, max_size=24),
    zone=st.sampled_from(ZONES),
    day=st.sampled_from(DAYS),
    late_s=st.integers(0, 86400),
)
def test_a_repeated_local_minute_fires_the_first_time_only(
    minutes: set[int], hours: set[int], zone: str, day: datetime, late_s: int
) -> None:
    listed = [",".join(map(str, sorted(some))) for some in (minutes, hours)]
    after, end = day + timedelta(seconds=late_s), day + timedelta(days=3)
    expected = []
    for step in range(3 * 24 * 60 + 1):
        at = day + timedelta(minutes=step)
        shown = at.astimezone(ZoneInfo(zone))
        if at > after and shown.minute in minutes and shown.hour in hours and not shown.fold:
            expected.append(at)
    schedule = Schedule(f"cron({listed[0]} {listed[1]} * * ? *)", zone)
    found = []
    for at in firings(schedule, after):
        if at > end:
            break
        found.append(at)
    assert found == expected


@given(
    value=st.integers(1, 5000),
    unit=st.sampled_from(["minute", "hour", "day"]),
    anchor=st.datetimes(datetime(1990, 1, 1), datetime(2060, 1, 1), timezones=st.just(UTC)),
    after=st.datetimes(datetime(1990, 1, 1), datetime(2060, 1, 1), timezones=st.just(UTC)),
)
def test_a_rate_fires_at_exact_intervals(value: int, unit: str, anchor: datetime, after: datetime) -> None:
    interval = timedelta(**{f"{unit}s": value})
    schedule = read_schedule(f"rate({value} {unit})", now=after)
    found = list(islice(firings(schedule, after, anchor=anchor), 5))
    assert all(at > after and at >= anchor and (at - anchor) % interval == timedelta() for at in found)
    assert all(later - earlier == interval for earlier, later in pairwise(found))
    assert found[0] == anchor or found[0] - interval <= after
