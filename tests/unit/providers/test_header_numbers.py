"""Numbers and times in response headers: every form that is documented, and whatever else somebody may send."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.clock import MAX_WAIT_S, bounded_wait_s
from shared.providers.header_numbers import MAX_CHARS, header_count, header_number, seconds_until

NOW = datetime(2026, 11, 22, 8, 0, tzinfo=UTC)
NOW_S = 1_795_334_400

# RFC 9110, 10.2.3 and 5.6.7 (its examples are in 1994 and 1999), and the times of other conventions.
TIMES = [
    ("120", 120.0), ("0", 0.0), (" 120\t", 120.0), ("007", 7.0), ("1.5", 1.5), ("30s", 30.0), ("86400", MAX_WAIT_S),
    ("86401", MAX_WAIT_S), ("99999999", MAX_WAIT_S),
    ("Fri, 31 Dec 1999 23:59:59 GMT", 0.0), ("Sun, 06 Nov 1994 08:49:37 GMT", 0.0),
    ("Sunday, 06-Nov-94 08:49:37 GMT", 0.0), ("Sun Nov  6 08:49:37 1994", 0.0),
    ("Sun, 22 Nov 2026 08:01:00 GMT", 60.0), ("Sunday, 22-Nov-26 08:01:00 GMT", 60.0),
    ("Sun Nov 22 08:01:00 2026", 60.0), ("Sun, 22 Nov 2026 10:01:00 +0200", 60.0),
    ("Fri, 01 Jan 2083 00:00:00 GMT", MAX_WAIT_S), ("Fri, 31 Dec 9999 23:59:59 -2359", MAX_WAIT_S),
    (f"{NOW_S + 60}", 60.0), (f"{NOW_S + 60}.5", 60.5), (f"{NOW_S - 60}", 0.0), ("3565728000", MAX_WAIT_S),
    (f"{NOW_S + 60}000", 60.0), (f"{NOW_S - 60}000", 0.0), ("999999999999999", MAX_WAIT_S),
    ("999999999999", MAX_WAIT_S),
    ("2026-11-22T08:01:00Z", 60.0), ("2026-11-22T09:01:00+01:00", 60.0), ("2026-11-22T08:01:00.250Z", 60.25),
    ("20261122T080100Z", 60.0), ("2026-11-22 08:01", 60.0), ("9999-12-31T23:59:59Z", MAX_WAIT_S),
    ("0001-01-01T00:00:00+23:59", 0.0),
]  # fmt: skip
NOT_ASCII = [
    chr(0xB2),
    chr(0x661) + chr(0x662),
    chr(0xFF11),
    "3" + chr(0xBD),
    f"Sun, {chr(0x662)}2 Nov 2026 08:01:00 GMT",
]
NONSENSE = [
    None, "", " ", "soon", "-1", "+1", "--", "1e9", "0x10", "1_000", "1 2", ".5", "5.", "NaN", "nan", "inf", "-inf",
    "Infinity", "9" * 16, "9" * 400, "9" * 5_000, "0." + "1" * 400, "\t" * 60_000, "1" + "\t" * 60_000 + "!", "1\r\n",
    "\x00", "1\x00", "null", "{}", "[1]", "true", *NOT_ASCII,
]  # fmt: skip
NO_TIMES = [
    "Sun, 22 Nov 2026 08:01:00 +99999999999999999999", "Sun, 22 Nov 2026 25:61:61 GMT", "Sun, 32 Foo 2026", "Sun",
    "Sun, 22 Nov 99999 08:01:00 GMT", "2026-13-01T00:00:00Z", "2026-11-22T08:01:00+99:99", "2026-11-22", ", , ,", ":::",
    "Sun, 22 Nov 2026 08:01:00 GMT" + " " * 60_000, '"default";r=50;t=30',
]  # fmt: skip


@pytest.mark.parametrize(("value", "seconds"), TIMES)
def test_a_time_is_read_in_every_documented_form(value: str, seconds: float) -> None:
    assert seconds_until(value, NOW) == seconds


@pytest.mark.parametrize("value", [*NONSENSE, *NO_TIMES], ids=lambda value: ascii(value)[:40])
def test_an_invalid_time_counts_as_absent(value: str | None) -> None:
    assert seconds_until(value, NOW) is None


def test_the_zone_of_the_clock_does_not_matter() -> None:
    east = NOW.astimezone(timezone(timedelta(hours=9)))
    assert seconds_until("Sun, 22 Nov 2026 08:01:00 GMT", east) == 60.0
    assert seconds_until("2026-11-22T08:01:00", east) == 60.0


# The list forms are those of draft-ietf-httpapi-ratelimit-headers-06; Crossref's interval has a unit.
NUMBERS = [
    ("3", 3.0), (" 1s ", 1.0), ("0.5", 0.5), ("0", 0.0), ("100, 100;w=60", 100.0), ("100;w=60", 100.0),
    ("10, 10;w=1, 50;w=60, 1000;w=3600", 10.0), ("5, 5", 5.0), ("1000", 1000.0), ("1001", 1000.0), ("9" * 15, 1000.0),
]  # fmt: skip


@pytest.mark.parametrize(("value", "number"), NUMBERS)
def test_a_number_is_read_and_never_more_than_the_stated_most(value: str, number: float) -> None:
    assert header_number({"x": value}, "x", 1000) == number
    assert header_count({"x": value}, "x", 1000) == int(number)


@pytest.mark.parametrize("value", [*NONSENSE, *NO_TIMES], ids=lambda value: ascii(value)[:40])
def test_an_invalid_number_counts_as_absent(value: str | None) -> None:
    headers = {} if value is None else {"x": value}
    assert header_number(headers, "x", 1000) is None
    assert header_count(headers, "x", 1000) is None


@given(st.text(max_size=MAX_CHARS + 5) | st.text("0123456789.,;:+-TZs \tSunNovGMT", max_size=MAX_CHARS))
def test_any_text_is_bounded_seconds_or_nothing(value: str) -> None:
    seconds = seconds_until(value, NOW)
    assert seconds is None or 0.0 <= seconds <= MAX_WAIT_S
    number = header_number({"x": value}, "x", 1000)
    assert number is None or 0.0 <= number <= 1000


class UnreadText(str):
    """A text of which only the length may be asked."""

    __slots__ = ()

    def strip(self, chars: str | None = None, /) -> str:
        raise AssertionError(f"a text of {len(self)} characters was read")


def test_a_longer_value_is_not_even_looked_at() -> None:
    assert seconds_until(UnreadText("1" * (MAX_CHARS + 1)), NOW) is None
    with pytest.raises(AssertionError, match="64 characters"):
        seconds_until(UnreadText("1" * MAX_CHARS), NOW)


@pytest.mark.parametrize(
    ("seconds", "reported"),
    [(None, None), (1.5, 1.5), (-1.0, 0.0), (1e300, MAX_WAIT_S), (float("inf"), MAX_WAIT_S), (float("nan"), None)],
)
def test_a_wait_that_an_answer_states_is_a_day_at_most(seconds: float | None, reported: float | None) -> None:
    assert bounded_wait_s(seconds) == reported
