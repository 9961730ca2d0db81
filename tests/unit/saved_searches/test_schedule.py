"""Schedules against times worked out by hand: calendars, years, zones, both changes of the clock; and bad ones."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import islice

import pytest

from shared.errors import Unprocessable
from shared.saved_searches.schedule import Schedule, firings, read_schedule

NOW = datetime(2026, 11, 22, tzinfo=UTC)  # a Sunday


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def next_firings(expression: str, count: int, after: datetime = NOW, zone: str = "UTC") -> list[datetime]:
    return list(islice(firings(read_schedule(expression, zone, now=after), after), count))


@pytest.mark.parametrize(
    ("fields", "after", "expected"),
    [
        ("0 7 * * ? *", "2026-11-22", ["2026-11-22T07:00", "2026-11-23T07:00"]),
        ("0 7 ? * MON-FRI *", "2026-11-26T07:00", ["2026-11-27T07:00", "2026-11-30T07:00"]),
        ("0 7 ? * 1 *", "2026-11-22", ["2026-11-22T07:00", "2026-11-29T07:00"]),
        ("0 7 ? * 2,7 *", "2026-11-22", ["2026-11-23T07:00", "2026-11-28T07:00", "2026-11-30T07:00"]),
        ("0 7 ? * L *", "2026-11-22", ["2026-11-28T07:00", "2026-12-05T07:00"]),
        ("0/20 7 * * ? *", "2026-11-22", ["2026-11-22T07:00", "2026-11-22T07:20", "2026-11-22T07:40"]),
        ("10/25 * * * ? *", "2026-11-22", ["2026-11-22T00:10", "2026-11-22T00:35", "2026-11-22T01:10"]),
        ("0 8-10/2 1,15 * ? *", "2026-11-22", ["2026-12-01T08:00", "2026-12-01T10:00", "2026-12-15T08:00"]),
        ("0 0 1 JAN,JUL ? *", "2026-11-22", ["2027-01-01T00:00", "2027-07-01T00:00"]),
        ("59 23 L * ? *", "2026-11-22", ["2026-11-30T23:59", "2026-12-31T23:59", "2027-01-31T23:59"]),
        ("0 7 LW * ? *", "2026-12-01", ["2026-12-31T07:00", "2027-01-29T07:00", "2027-02-26T07:00"]),
        ("0 7 15W * ? *", "2027-05-01", ["2027-05-14T07:00", "2027-06-15T07:00"]),
        ("0 7 15W * ? *", "2027-08-01", ["2027-08-16T07:00"]),
        ("0 7 1W 5,8 ? *", "2027-01-01", ["2027-05-03T07:00", "2027-08-02T07:00"]),
        ("0 7 31W * ? *", "2027-01-01", ["2027-01-29T07:00", "2027-03-31T07:00", "2027-05-31T07:00"]),
        ("0 7 30W * ? *", "2027-01-01", ["2027-01-29T07:00", "2027-03-30T07:00"]),
        ("0 7 ? * 5#3 *", "2026-11-22", ["2026-12-17T07:00", "2027-01-21T07:00"]),
        ("0 7 ? * FRI#5 *", "2026-11-22", ["2027-01-29T07:00", "2027-04-30T07:00"]),
        ("0 7 ? * 6L *", "2026-11-22", ["2026-11-27T07:00", "2026-12-25T07:00", "2027-01-29T07:00"]),
        ("0 0 31 * ? *", "2026-11-22", ["2026-12-31T00:00", "2027-01-31T00:00", "2027-03-31T00:00"]),
        ("0 0 29 2 ? *", "2026-11-22", ["2028-02-29T00:00", "2032-02-29T00:00"]),
        ("0 0 29 2 ? *", "2096-02-29", ["2104-02-29T00:00", "2108-02-29T00:00"]),
        ("0 0 ? 2 MON#5 *", "2072-03-01", ["2112-02-29T00:00"]),
        ("0 0 1 1 ? 2028,2030-2031", "2026-11-22", ["2028-01-01T00:00", "2030-01-01T00:00", "2031-01-01T00:00"]),
        ("0 12 1 1 ? 2026/2", "2026-11-22", ["2028-01-01T12:00", "2030-01-01T12:00"]),
        ("0 0 1 1 ? 2190", "2026-11-22", ["2190-01-01T00:00"]),
    ],
)  # fmt: skip
def test_cron_names_the_days_that_aws_means(fields: str, after: str, expected: list[str]) -> None:
    assert next_firings(f"cron({fields})", len(expected), at(after)) == [at(text) for text in expected]


@pytest.mark.parametrize(
    ("fields", "zone", "after", "expected"),
    [
        ("0 7 * * ? *", "Europe/Berlin", "2026-11-22", ["2026-11-22T06:00", "2026-11-23T06:00"]),
        ("0 7 * * ? *", "Europe/Berlin", "2027-03-27", ["2027-03-27T06:00", "2027-03-28T05:00"]),
        ("0 0 * * ? *", "Asia/Kolkata", "2026-11-22", ["2026-11-22T18:30"]),
        ("0 23 31 12 ? 2026", "America/New_York", "2026-11-22", ["2027-01-01T04:00"]),
        # 02:30 does not exist on 28 March 2027 in Berlin, nor on 14 March in New York.
        ("30 2 * * ? *", "Europe/Berlin", "2027-03-26T12:00", ["2027-03-27T01:30", "2027-03-29T00:30"]),
        ("30 2 * * ? *", "America/New_York", "2027-03-12T12:00", ["2027-03-13T07:30", "2027-03-15T06:30"]),
        ("0/30 1-3 * * ? *", "Europe/Berlin", "2027-03-28T00:00", ["2027-03-28T00:30", "2027-03-28T01:00"]),
        # It exists twice on 31 October in Berlin, as 01:30 does on 7 November in New York.
        ("30 2 * * ? *", "Europe/Berlin", "2027-10-30T12:00", ["2027-10-31T00:30", "2027-11-01T01:30"]),
        ("30 1 * * ? *", "America/New_York", "2027-11-05T12:00",
         ["2027-11-06T05:30", "2027-11-07T05:30", "2027-11-08T06:30"]),
        ("0 * * * ? *", "Europe/Berlin", "2027-10-30T23:30", ["2027-10-31T00:00", "2027-10-31T02:00"]),
        ("30 2 * * ? *", "Europe/Berlin", "2027-10-31T01:10", ["2027-11-01T01:30"]),  # in the second of the hours
    ],
)  # fmt: skip
def test_a_zones_clock_decides_and_a_change_of_the_clock_never_fires_twice(
    fields: str, zone: str, after: str, expected: list[str]
) -> None:
    assert next_firings(f"cron({fields})", len(expected), at(after), zone) == [at(text) for text in expected]


def test_a_schedule_ends_with_its_years() -> None:
    assert len(next_firings("cron(0 0 1 1 ? 2028,2030)", 10)) == 2
    assert next_firings("cron(0 0 1 1 ? *)", 10, at("2198-06-01")) == [at("2199-01-01")]
    assert next_firings("rate(300 days)", 10, at("2199-01-01")) == [at("2199-10-28")]


def test_a_firing_is_strictly_after() -> None:
    daily = read_schedule("cron(0 7 * * ? *)", now=NOW)
    assert next(firings(daily, at("2026-11-22T07:00"))) == at("2026-11-23T07:00")
    assert next(firings(daily, at("2026-11-22T07:00") - timedelta(microseconds=1))) == at("2026-11-22T07:00")
    assert next(firings(daily, datetime.fromisoformat("2026-11-22T07:30+01:00"))) == at("2026-11-22T07:00")


def test_a_rate_counts_elapsed_time_from_its_anchor() -> None:
    anchor = at("2027-03-27T06:10:30")
    daily = read_schedule("rate(1 day)", "Europe/Berlin", now=NOW)
    assert list(islice(firings(daily, anchor), 2)) == [anchor + timedelta(days=1), anchor + timedelta(days=2)]
    assert next(firings(daily, anchor - timedelta(days=5), anchor=anchor)) == anchor
    assert next(firings(daily, anchor, anchor=anchor)) == anchor + timedelta(days=1)
    assert next(firings(daily, anchor + timedelta(days=9, seconds=1), anchor=anchor)) == anchor + timedelta(days=10)


@pytest.mark.parametrize(
    ("expression", "zone", "expected"),
    [
        ("rate(1 day)", "UTC", Schedule("rate(1 day)", "UTC")),
        (" RATE ( 02  Days ) ", "europe/berlin", Schedule("rate(2 days)", "Europe/Berlin")),
        ("rate(1 hours)", "utc", Schedule("rate(1 hour)", "UTC")),
        ("rate(5 minute)", " UTC ", Schedule("rate(5 minutes)", "UTC")),
        ("Cron(0  7 ? * mon-fri  *)", "US/Eastern", Schedule("cron(0 7 ? * MON-FRI *)", "US/Eastern")),
        ("cron(0 7 lw jan ? *)", "Asia/Kolkata", Schedule("cron(0 7 LW JAN ? *)", "Asia/Kolkata")),
    ],
)
def test_a_schedule_is_stored_in_the_form_of_eventbridge_scheduler(
    expression: str, zone: str, expected: Schedule
) -> None:
    assert read_schedule(expression, zone, now=NOW) == expected
    assert read_schedule(expected.expression, expected.timezone, now=NOW) == expected


BAD = {
    "nothing": ("", "must be rate(value unit) or cron("),
    "a crontab line": ("0 7 * * *", "must be rate(value unit) or cron("),
    "a nickname": ("@daily", "such as rate(1 day)"),
    "two schedules": ("rate(1 day) rate(2 days)", "must be rate(value unit)"),
    "a single time": ("at(2027-01-01T00:00:00)", "fires once"),
    "zero": ("rate(0 days)", "a whole number from 1"),
    "negative": ("rate(-5 minutes)", "a whole number from 1"),
    "a fraction": ("rate(1.5 hours)", "a whole number from 1"),
    "foreign digits": ("rate(٣ days)", "a whole number from 1"),
    "no unit": ("rate(5)", "minutes, hours or days"),
    "seconds": ("rate(30 seconds)", "the shortest is rate(1 minute)"),
    "weeks": ("rate(2 weeks)", "minutes, hours or days"),
    "beyond the years": ("rate(999999999 days)", "never fires"),
    "five fields": ("cron(0 7 * * ?)", "this one has 5"),
    "seven fields": ("cron(0 0 7 * * ? *)", "this one has 7"),
    "both days": ("cron(0 7 1 * MON *)", "must be ?"),
    "neither day": ("cron(0 7 ? * ? *)", "must be ?"),
    "a question in hours": ("cron(0 ? 1 * ? *)", "the field hours cannot be '?'"),
    "minute 60": ("cron(60 7 * * ? *)", "the field minutes cannot be '60'"),
    "hour 24": ("cron(0 24 * * ? *)", "the field hours cannot be '24'"),
    "day 0": ("cron(0 7 0 * ? *)", "the field day-of-month cannot be '0'"),
    "day 32W": ("cron(0 7 32W * ? *)", "the field day-of-month cannot be '32W'"),
    "a list with L": ("cron(0 7 1,L * ? *)", "the field day-of-month cannot be '1,L'"),
    "days before the end": ("cron(0 7 L-3 * ? *)", "the field day-of-month cannot be 'L-3'"),
    "month 13": ("cron(0 7 1 13 ? *)", "the field month cannot be '13'"),
    "a month in German": ("cron(0 7 1 MAI ? *)", "the field month cannot be 'MAI'"),
    "weekday 0": ("cron(0 7 ? * 0 *)", "the field day-of-week cannot be '0'"),
    "a sixth week": ("cron(0 7 ? * 2#6 *)", "the field day-of-week cannot be '2#6'"),
    "two of #": ("cron(0 7 ? * 3#1,6#3 *)", "the field day-of-week cannot be '3#1,6#3'"),
    "a step of weekdays": ("cron(0 7 ? * MON/2 *)", "the field day-of-week cannot be 'MON/2'"),
    "a falling range": ("cron(0 7 ? * FRI-MON *)", "the field day-of-week cannot be 'FRI-MON'"),
    "a step of none": ("cron(0/0 7 * * ? *)", "the field minutes cannot be '0/0'"),
    "a step too wide": ("cron(0/60 7 * * ? *)", "the field minutes cannot be '0/60'"),
    "two steps": ("cron(*/5/2 7 * * ? *)", "the field minutes cannot be '*/5/2'"),
    "half a range": ("cron(*-5 7 * * ? *)", "the field minutes cannot be '*-5'"),
    "an empty part": ("cron(1,,2 7 * * ? *)", "the field minutes cannot be '1,,2'"),
    "year 2200": ("cron(0 7 * * ? 2200)", "the field year cannot be '2200'"),
    "weekday 8": ("cron(0 7 ? * 8 *)", "the field day-of-week"),
    "a wide step in a list": ("cron(0/5,1/60 7 * * ? *)", "the field minutes"),
    "hours too wide apart": ("cron(0 */24 * * ? *)", "the field hours"),
    "days too wide apart": ("cron(0 7 */32 * ? *)", "the field day-of-month"),
    "months too wide apart": ("cron(0 7 1 */13 ? *)", "the field month"),
    "day 0W": ("cron(0 7 0W * ? *)", "the field day-of-month cannot be '0W'"),
    "weekday beside L": ("cron(0 7 ? * MONL *)", "the field day-of-week"),
    "years that fall": ("cron(0 7 * * ? 2030-2028)", "the field year"),
    "a step of no years": ("cron(0 7 * * ? 2030/0)", "the field year"),
    "half a range of years": ("cron(0 7 * * ? *-2030)", "the field year"),
    "two digits of a year": ("cron(0 7 * * ? 27)", "the field year"),
    "a year gone by": ("cron(0 7 * * ? 1970-2025)", "never fires"),
    "30 February": ("cron(0 7 30 2 ? *)", "never fires"),
    "31st of short months": ("cron(* * 31 4,6,9,11 ? *)", "never fires"),
    "31W of short months": ("cron(* * 31W 4,6,9,11 ? *)", "never fires"),
    "no leap year": ("cron(* * 29W 2 ? 2027)", "never fires"),
    "overlong": (f"cron(0 7 * * ? {'2027,' * 60}2027)", "at most 256"),
}  # fmt: skip


@pytest.mark.parametrize(("expression", "words"), BAD.values(), ids=BAD)
def test_an_error_says_what_is_wrong_and_what_would_be_valid(expression: str, words: str) -> None:
    with pytest.raises(Unprocessable) as raised:
        read_schedule(expression, now=NOW)
    (error,) = raised.value.errors
    assert error.field == "schedule.expression"
    assert words in error.message
    if "cannot be" in words:
        assert error.message.endswith("; a valid example is cron(0 7 ? * MON-FRI *)")


def test_a_time_that_its_zone_never_shows_never_fires() -> None:
    last_sunday_in_march = "cron(30 2 ? 3 1L *)"
    assert next_firings(last_sunday_in_march, 1) == [at("2027-03-28T02:30")]
    with pytest.raises(Unprocessable, match="never fires"):
        read_schedule(last_sunday_in_march, "Europe/Berlin", now=NOW)


@pytest.mark.parametrize(
    ("zone", "words"),
    [
        ("Europe/Berlim", "did you mean Europe/Berlin?"),
        ("+02:00", "IANA"),
        ("", "such as Europe/Berlin"),
        ("../UTC", "IANA"),
        ("Europe", "IANA"),
        ("localtime", "IANA"),
        ("x" * 5000, "such as Europe/Berlin"),
        ("\udcff\x00", "IANA"),
    ],
)
def test_an_unknown_zone_is_refused(zone: str, words: str) -> None:
    with pytest.raises(Unprocessable, match="unknown") as raised:
        read_schedule("rate(1 day)", zone, now=NOW)
    (error,) = raised.value.errors
    assert error.field == "schedule.timezone"
    assert words in error.message
    assert len(error.message) < 200
    error.message.encode()
