"""Schedules of saved searches: EventBridge Scheduler's expressions, parsed, checked and enumerated.

`rate(value unit)` counts elapsed time. `cron(minutes hours day-of-month month day-of-week year)` names local times in a
time zone: a time skipped by daylight saving is left out, a repeated one fires once.
https://docs.aws.amazon.com/scheduler/latest/UserGuide/schedule-types.html
"""

from __future__ import annotations

import difflib
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from itertools import islice, pairwise
from zoneinfo import ZoneInfo, available_timezones

from shared.canonical_json import digest
from shared.clock import timestamp
from shared.errors import Unprocessable
from shared.saved_searches.cron import FORM, LAST_YEAR, Cron, read_cron

MAX_CHARS = 256
MAX_WINDOW_MINUTES = 1440
MAX_CRON_WINDOW_MINUTES = 60
MIN_WINDOW_MINUTES = 2
COMPARED_FIRINGS = 20
MAX_AHEAD = timedelta(hours=1)  # how far a run's scheduled time may be ahead of the function's clock
EXAMPLES = "rate(1 day) or cron(0 7 ? * MON-FRI *)"
_EXPRESSION = re.compile(r"([a-z]+)\s*\(([^()]*)\)", re.IGNORECASE)
_UNITS = {"minute": timedelta(minutes=1), "hour": timedelta(hours=1), "day": timedelta(days=1)}


@dataclass(frozen=True, slots=True)
class Schedule:
    """An expression in the form that AWS accepts, such as `rate(1 day)`, and the IANA name of its time zone."""

    expression: str
    timezone: str


def read_schedule(expression: str, timezone: str = "UTC", *, now: datetime) -> Schedule:
    """Parse and check a caller's schedule; `now` is aware.

    Raises Unprocessable, naming `schedule.expression` or `schedule.timezone`, also if it never fires after `now`.
    """
    zone = _zone(timezone)
    if len(expression) > MAX_CHARS:
        raise _wrong(f"has {len(expression)} characters; at most {MAX_CHARS} are valid")
    kind, inside = _parts(expression)
    words = inside.upper() if kind == "cron" else _rate_text(*_rate(inside))
    schedule = Schedule(f"{kind}({words})", zone)
    if next(firings(schedule, now), None) is None:
        raise _wrong(f"never fires after {now:%Y-%m-%d}: no such day is left up to the end of {LAST_YEAR}")
    return schedule


def rejected(expression: str) -> Unprocessable:
    """Return the error for an expression that passed the checks here, but that EventBridge Scheduler rejects."""
    return _wrong(f"EventBridge Scheduler does not accept {expression}; valid examples are {EXAMPLES}")


def firings(schedule: Schedule, after: datetime, anchor: datetime | None = None) -> Iterator[datetime]:
    """Yield the firing times in UTC, strictly after the aware `after`, until the last one.

    A rate counts from `anchor`, its first firing, or from `after`. Raises Unprocessable, as `read_schedule` does.
    """
    kind, inside = _parts(schedule.expression)
    if kind == "cron":
        return _local_times(_cron(inside), ZoneInfo(schedule.timezone), after.astimezone(UTC))
    value, unit = _rate(inside)
    return _elapsed(value * _UNITS[unit], after.astimezone(UTC), (anchor or after).astimezone(UTC))


def interval_s(schedule: Schedule, after: datetime) -> float:
    """Return the shortest interval between the next firings in seconds; infinite if there is at most one firing."""
    times = list(islice(firings(schedule, after), COMPARED_FIRINGS + 1))
    return min(((later - earlier).total_seconds() for earlier, later in pairwise(times)), default=math.inf)


def flexible_minutes(schedule: Schedule, after: datetime) -> int | None:
    """Return the default flexible window in minutes, by which a firing may be late; None: on the minute.

    A rate does not name a time, so its window is the whole interval. A cron schedule does, so its window is at most an
    hour, and at most half an interval.
    """
    minutes = interval_s(schedule, after) / 60
    rate = schedule.expression.startswith("rate")
    window = int(min(minutes, MAX_WINDOW_MINUTES) if rate else min(minutes / 2, MAX_CRON_WINDOW_MINUTES))
    return window if window >= MIN_WINDOW_MINUTES else None


def spread_s(search_id: str, due: datetime, window_minutes: int | None) -> float:
    """Return the delay of a firing after `due` in seconds, in [0, window): deterministic, and spread over searches."""
    share = int(digest(f"{search_id} {due.astimezone(UTC).isoformat()}", 8), 16) / 2**32
    return share * 60 * (window_minutes or 0)


def _wrong(message: str, field: str = "expression") -> Unprocessable:
    return Unprocessable.field(f"schedule.{field}", message)


@cache
def _zones() -> dict[str, str]:
    """Return all time zone names by their casefolded names; two entries of the database are not zones."""
    return {name.casefold(): name for name in available_timezones() - {"Factory", "localtime"}}


def _zone(text: str) -> str:
    name = _zones().get(text.strip().casefold())
    if name is None:
        close = difflib.get_close_matches(text[:MAX_CHARS].casefold(), _zones(), n=1)
        hint = f"; did you mean {_zones()[close[0]]}?" if close else ", such as Europe/Berlin, or UTC"
        raise _wrong(f"{text[:64]!a} is unknown; valid is a name of the IANA time zones{hint}", "timezone")
    return name


def due_time(scheduled: object, now: datetime) -> str:
    """The time for which a run is due, ISO 8601 in UTC: that of its event, at most MAX_AHEAD from now; else now.

    A run that is not due after the last one is skipped, so a time far ahead would stop the search for good.
    """
    try:
        due = datetime.fromisoformat(str(scheduled))
        due = due.replace(tzinfo=due.tzinfo or UTC).astimezone(UTC)
    except (ValueError, OverflowError):
        return timestamp(now)
    return timestamp(min(due, now + MAX_AHEAD))


def _parts(expression: str) -> tuple[str, str]:
    """Split an expression into `rate` or `cron`, and the text between its parentheses."""
    match = _EXPRESSION.fullmatch(expression.strip())
    kind = match.group(1).lower() if match else ""
    if kind == "at":
        raise _wrong(f"at(…) fires once, a saved search again and again: {EXAMPLES}")
    if match is None or kind not in ("rate", "cron"):
        raise _wrong(f"must be rate(value unit) or cron({FORM}), such as {EXAMPLES}")
    inside = " ".join(match.group(2).split())
    return kind, inside


def _rate(inside: str) -> tuple[int, str]:
    """Return the value, and the unit in the singular: AWS's documentation is inconsistent about plurals."""
    value, _, unit = inside.lower().partition(" ")
    unit = unit.removesuffix("s")
    if unit == "second":
        raise _wrong("under a minute: the shortest is rate(1 minute)")
    if not re.fullmatch("[0-9]{1,9}", value) or not int(value):
        raise _wrong("the value of a rate must be a whole number from 1 on, as in rate(1 day) or rate(12 hours)")
    if unit not in _UNITS:
        raise _wrong("the unit of a rate must be minutes, hours or days, as in rate(7 days)")
    return int(value), unit


def _rate_text(value: int, unit: str) -> str:
    return f"{value} {unit}" if value == 1 else f"{value} {unit}s"


def _elapsed(interval: timedelta, after: datetime, anchor: datetime) -> Iterator[datetime]:
    steps = max(0, (after - anchor) // interval + 1)
    try:
        while (at := anchor + steps * interval).year <= LAST_YEAR:
            yield at
            steps += 1
    except OverflowError:  # beyond the last date that Python supports
        return


def _cron(inside: str) -> Cron:
    try:
        return read_cron(inside.upper())
    except ValueError as error:
        raise _wrong(str(error)) from None


def _local_times(cron: Cron, zone: ZoneInfo, after: datetime) -> Iterator[datetime]:
    """Yield local times in UTC: the first of a repeated local time, and none for a skipped one."""
    for local in cron.local_times(after.astimezone(zone).replace(tzinfo=None)):
        at = local.replace(tzinfo=zone).astimezone(UTC)
        if at > after and at.astimezone(zone).replace(tzinfo=None) == local:
            yield at
