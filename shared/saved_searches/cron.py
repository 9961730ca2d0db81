"""The cron expressions of EventBridge Scheduler, and the local times they stand for.

cronsim checks the fields and supports L, LW, 6L and 6#3. This module adds AWS's weekday numbers, 15W and years, and
rejects what cronsim accepts and AWS does not.
https://docs.aws.amazon.com/scheduler/latest/UserGuide/schedule-types.html#cron-based
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from cronsim import CronSim, CronSimError

FORM = "minutes hours day-of-month month day-of-week year"
EXAMPLE = "cron(0 7 ? * MON-FRI *)"
FIRST_YEAR, LAST_YEAR = 1970, 2199
_SECOND = timedelta(seconds=1)
_SATURDAY, _SUNDAY = 5, 6
_DAY = "([1-7]|[A-Z]{3})"
_SHAPES = (  # stricter than cronsim: no steps beyond the range, no lists with L or #
    re.compile(r"([^/]|/[1-5]?[0-9](?![0-9]))+"),
    re.compile(r"([^/]|/(1?[0-9]|2[0-3])(?![0-9]))+"),
    re.compile(r"LW?|([^/LW]|/([12]?[0-9]|3[01])(?![0-9]))+"),
    re.compile(r"([^/]|/([0-9]|1[0-2])(?![0-9]))+"),
    re.compile(rf"[*L]|[1-7]L|{_DAY}#[1-5]|{_DAY}([,-]{_DAY})*"),
)
_NEAR = re.compile("([0-9]{1,2})W")
_YEARS = re.compile(r"(?:\*|([0-9]{4})(?:-([0-9]{4}))?)(?:/([0-9]{1,4}))?")


@dataclass(frozen=True, slots=True)
class Cron:
    """A cron expression: the fields in cronsim's syntax, the years, and the day of `15W`."""

    fields: str
    years: list[int]
    nearest_to: int | None  # the day of the month that a weekday must be nearest to

    def local_times(self, at: datetime) -> Iterator[datetime]:
        """Yield the naive local times strictly after `at`, until the last one."""
        while (year := next((year for year in self.years if year >= at.year), None)) is not None:
            at = max(at, datetime(year, 1, 1) - _SECOND)
            following = CronSim(self.fields, at)
            for at in following:
                if at.year not in self.years:
                    break
                if self.nearest_to is None or at.day == _nearest_weekday(at.year, at.month, self.nearest_to):
                    yield at
            else:  # cronsim stops after fifty years without a match
                return


def read_cron(text: str) -> Cron:
    """Parse the six fields between the parentheses of `cron(…)`, in upper case.

    Raises ValueError, which names the invalid field and gives a valid example.
    """
    written = text.split()
    if len(written) != len(FORM.split()):
        raise ValueError(f"cron has 6 fields ({FORM}), this one has {len(written)}; such as {EXAMPLE}")
    *fields, years = written
    if (fields[2] == "?") == (fields[4] == "?"):
        raise ValueError("one of day-of-month and day-of-week must be ?, the other not: cron(0 7 * * ? *)")
    near = int(match[1]) if (match := _NEAR.fullmatch(fields[2])) else None
    fields[2] = "*" if fields[2] == "?" else fields[2] if near is None else str(near)
    fields[4] = "*" if fields[4] == "?" else fields[4]
    for place, (field, shape) in enumerate(zip(fields, _SHAPES, strict=True)):
        if not shape.fullmatch(field) or not _is_valid(*("*" * place), _numbered(field) if place == 4 else field):
            raise _wrong(place, written[place])
    fields[4] = _numbered(fields[4])
    if not _is_valid(*fields):
        raise ValueError(f"never fires: none of its months has such a day; a valid example is {EXAMPLE}")
    if near:
        fields[2] = ",".join(str(day) for day in range(near - 2, near + 3) if 1 <= day <= 31)
    return Cron(" ".join(fields), _years(years), near)


def _is_valid(*fields: str) -> bool:
    """Return whether cronsim accepts the first fields of an expression, with stars for the others."""
    try:
        CronSim(" ".join((*fields, *"*" * (5 - len(fields)))), datetime(FIRST_YEAR, 1, 1))
    except CronSimError:
        return False
    return True


def _numbered(weekdays: str) -> str:
    """Convert AWS's weekday numbers (SUN = 1) to cronsim's (SUN = 0); a lone L is the last day of the week."""
    return "6" if weekdays == "L" else re.sub("(?<!#)[1-7]", lambda digit: str(int(digit[0]) - 1), weekdays)


def _years(text: str) -> list[int]:
    years: set[int] = set()
    for part in text.split(","):
        match = _YEARS.fullmatch(part)
        first, last, step = match.groups() if match else ("0", None, None)
        low = int(first or FIRST_YEAR)
        high = int(last or (LAST_YEAR if step or not first else low))
        if not FIRST_YEAR <= low <= high <= LAST_YEAR or (step and not int(step)):
            raise _wrong(5, text)
        years.update(range(low, high + 1, int(step or 1)))
    return sorted(years)


def _nearest_weekday(year: int, month: int, day: int) -> int | None:
    """Return the nearest day from Monday to Friday in the same month; None if the month is too short (AWS skips it)."""
    last = calendar.monthrange(year, month)[1]
    if day > last:
        return None
    weekday = calendar.weekday(year, month, day)
    if weekday == _SATURDAY:
        return day - 1 if day > 1 else 3
    if weekday == _SUNDAY:
        return day + 1 if day < last else day - 2
    return day


def _wrong(place: int, value: str) -> ValueError:
    return ValueError(f"the field {FORM.split()[place]} cannot be {value!a}; a valid example is {EXAMPLE}")
