"""The fields of a cron expression as EventBridge Scheduler writes them, and the clock times that they mean.

cronsim knows the calendar (L, LW, 6L, 6#3); AWS's numbers of weekdays, 15W and years are added here.
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from cronsim import CronSim, CronSimError

FORM = "minutes hours day-of-month month day-of-week year"
LAST_YEAR = 2199
_LEAP_YEAR = 2024
_SECOND = timedelta(seconds=1)
_MONTHS = ("JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC")
_WEEKDAYS = ("SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT")
_SATURDAY, _SUNDAY = 5, 6


@dataclass(frozen=True, slots=True)
class _Field:
    name: str
    low: int
    high: int
    names: tuple[str, ...] = ()
    marks: str = "* , - /"

    def numbers(self, text: str) -> list[int]:
        """What a field of stars, lists, ranges and steps means."""
        found: set[int] = set()
        for part in text.split(","):
            span, slash, step = part.partition("/")
            first, dash, last = span.partition("-")
            low = self.low if span == "*" else self._number(first, text)
            high = self._number(last, text) if dash else self.high if slash or span == "*" else low
            if low > high:
                raise self._wrong(text, "a range must rise; name the values one by one")
            if slash and ("/" not in self.marks or not re.fullmatch("[0-9]{1,4}", step)):
                raise self._wrong(text, "a step cannot stand there")
            if slash and not 1 <= int(step) <= self.high:
                raise self._wrong(text, f"a step goes from 1 to {self.high}")
            found.update(range(low, high + 1, int(step or 1)))
        return sorted(found)

    def _number(self, text: str, whole: str) -> int:
        if text in self.names:
            return self.names.index(text) + self.low
        if re.fullmatch("[0-9]{1,4}", text) and self.low <= int(text) <= self.high:
            return int(text)
        raise self._wrong(whole, f"{text!a} is out of range" if text.isdigit() else f"{text!a} is unknown")

    def _wrong(self, whole: str, reason: str) -> ValueError:
        names = f" or {self.names[0]}-{self.names[-1]}" if self.names else ""
        return ValueError(
            f"{self.name} {whole!a}: {reason}; valid are {self.low}-{self.high}{names}, with {self.marks}"
        )


_MINUTES, _HOURS, _YEARS = _Field("minutes", 0, 59), _Field("hours", 0, 23), _Field("year", 1970, LAST_YEAR)
_DAYS = _Field("day-of-month", 1, 31, (), "* , - / ?, or L, LW, 15W alone")
_MONTH = _Field("month", 1, 12, _MONTHS)
_DAY_OF_WEEK = _Field("day-of-week", 1, 7, _WEEKDAYS, "* , - ?, or L, 6L, 6#3 alone")


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
            try:
                following = CronSim(self.fields, at)
            except CronSimError:  # a day that none of its months has
                return
            for at in following:
                if at.year not in self.years:
                    break
                if self.near is None or at.day == _nearest_weekday(at.year, at.month, self.near):
                    yield at
            else:  # cronsim gives up after fifty years
                return


def read_cron(text: str) -> Cron:
    """Six fields, in capitals, with what stands between the parentheses of `cron(…)`.

    Raises ValueError, which says what is wrong and what would be valid.
    """
    fields = text.split()
    if len(fields) != 6:
        raise ValueError(f"cron has 6 fields ({FORM}), this one has {len(fields)}; such as cron(0 7 ? * MON-FRI *)")
    minutes, hours, days, months, weekdays, years = fields
    if (days == "?") == (weekdays == "?"):
        raise ValueError("one of day-of-month and day-of-week must be ?, the other not: cron(0 7 * * ? *)")
    near = re.fullmatch("([0-9]{1,2})W", days)
    day = _DAYS.numbers(near.group(1))[0] if near else None
    month = _MONTH.numbers(months)
    if day and day > max(calendar.monthrange(_LEAP_YEAR, number)[1] for number in month):
        raise ValueError(f"never fires: none of its months has a day {day}")
    parts = (_MINUTES.numbers(minutes), _HOURS.numbers(hours), _days(days, day), month, _weekdays(weekdays))
    return Cron(" ".join(_listed(part) for part in parts), _YEARS.numbers(years), day)


def _listed(part: str | list[int]) -> str:
    return part if isinstance(part, str) else ",".join(map(str, part))


def _days(text: str, near: int | None) -> str | list[int]:
    if near:
        return [day for day in range(near - 2, near + 3) if 1 <= day <= 31]
    return "*" if text in ("?", "*") else text if text in ("L", "LW") else _DAYS.numbers(text)


def _weekdays(text: str) -> str | list[int]:
    """AWS counts from SUN = 1, cronsim from 0; L alone is the week's last day."""
    if text in ("?", "*", "L"):
        return "6" if text == "L" else "*"
    if special := re.fullmatch("([1-7])(L)|([1-7]|[A-Z]{3})(#[1-5])", text):
        number = _DAY_OF_WEEK.numbers(special.group(1) or special.group(3))[0]
        return f"{number - 1}{special.group(2) or special.group(4)}"
    return [number - 1 for number in _DAY_OF_WEEK.numbers(text)]


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
