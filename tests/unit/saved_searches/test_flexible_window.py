"""The flexible window of a schedule, and how firings are spread over it."""

from __future__ import annotations

import math
from datetime import UTC, datetime, timedelta

import pytest

from shared.saved_searches.schedule import flexible_minutes, interval_s, read_schedule, spread_s

NOW = datetime(2026, 11, 22, tzinfo=UTC)  # a Sunday


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    ("expression", "seconds", "window"),
    [
        ("rate(1 minute)", 60, None),
        ("rate(2 minutes)", 120, 2),
        ("rate(1 hour)", 3600, 60),
        ("rate(1 day)", 86400, 1440),
        ("rate(7 days)", 7 * 86400, 1440),
        ("cron(0/3 * * * ? *)", 180, None),
        ("cron(0/4 * * * ? *)", 240, 2),
        ("cron(0,15 7 * * ? *)", 900, 7),
        ("cron(0 7 * * ? *)", 86400, 60),
        ("cron(0 7 ? * MON-FRI *)", 86400, 60),
        ("cron(0 0 1 1 ? 2190)", math.inf, 60),
    ],
)
def test_a_window_is_the_whole_interval_of_a_rate_and_an_hour_at_most_of_a_named_time(
    expression: str, seconds: float, window: int | None
) -> None:
    schedule = read_schedule(expression, now=NOW)
    assert interval_s(schedule, NOW) == seconds
    assert flexible_minutes(schedule, NOW) == window


def test_firings_are_spread_over_their_window_and_always_the_same() -> None:
    spread = [spread_s(f"search-{number}", NOW, 60) for number in range(1000)]
    assert all(0 <= seconds < 3600 for seconds in spread)
    assert all(60 < sum(1 for it in spread if it // 360 == tenth) < 140 for tenth in range(10))
    assert spread_s("a", NOW, 60) == spread_s("a", datetime.fromisoformat("2026-11-22T01:00+01:00"), 60)
    assert spread_s("a", NOW, 60) != spread_s("a", NOW + timedelta(days=1), 60)
    assert spread_s("a", NOW, None) == 0
