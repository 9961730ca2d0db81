"""The cron expressions of EventBridge Scheduler, and the clock times that they mean.

cronsim checks the fields and knows the calendar (L, LW, 6L, 6#3). AWS's numbers of weekdays, 15W and years are added
here, and what cronsim takes and AWS does not is refused.
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
_SHAPES = (  # what AWS takes, where cronsim takes more: wide steps, and lists with L or #
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
    """An expression: the fields as cronsim takes them, the years, and the day of `15W`."""

    fields: str
    years: list[int]
    near: int | None

    def shown_after(self, at: datetime) -> Iterator[datetime]:
        """The times that a clock shows, without a zone, strictly after `at`; it ends when no more come."""
        while (year := next((year for year in self.years if year >= at.year), None)) is not None:
            at = max(at, datetime(year, 1, 1) - _SECOND)
            following = CronSim(self.fields, at)
            for at in following:
                if at.year not in self.years:
                    break
                if self.near is None or at.day == _nearest_weekday(at.year, at.month, self.near):
                    yield at
            else:  # cronsim gives up after fifty years
                return


def read_cron(text: str) -> Cron:
    """Six fields, in capitals, with what stands between the parentheses of `cron(…)`.

    Raises ValueError, which names the field that is wrong and gives a valid example.
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
    """Whether cronsim takes the first fields of an expression, with stars for the others."""
    try:
        CronSim(" ".join((*fields, *"*" * (5 - len(fields)))), datetime(FIRST_YEAR, 1, 1))
    except CronSimError:
        return False
    return True


def _numbered(weekdays: str) -> str:
    """AWS counts weekdays from SUN = 1, cronsim from 0; L alone is the week's last day."""
    return "6" if weekdays == "L" else re.sub("(?<!#)[1-7]", lambda digit: str(int(digit[0]) - 1), weekdays)


def _years(text: str) -> list[int]:
    found: set[int] = set()
    for part in text.split(","):
        match = _YEARS.fullmatch(part)
        first, last, step = match.groups() if match else ("0", None, None)
        low = int(first or FIRST_YEAR)
        high = int(last or (LAST_YEAR if step or not first else low))
        if not FIRST_YEAR <= low <= high <= LAST_YEAR or (step and not int(step)):
            raise _wrong(5, text)
        found.update(range(low, high + 1, int(step or 1)))
    return sorted(found)


def _nearest_weekday(year: int, month: int, day: int) -> int | None:
    """Monday to Friday, never in another month; None where the month has no such day, which AWS leaves out."""
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
