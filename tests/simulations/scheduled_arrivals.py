"""Who comes: saved searches on their schedules, and people through the day."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import takewhile

from shared.rate_limits.budget import DAY_S
from shared.saved_searches.schedule import firings, flexible_minutes, read_schedule, spread_s
from tests.virtual_time import START

DAILY, MORNING = "rate(1 day)", "cron(0 7 * * ? *)"
MIDNIGHT = (START + timedelta(days=1)).replace(hour=0)
MIDNIGHT_S = (MIDNIGHT - START).total_seconds()  # on the clock
# OpenAlex's free key: a dollar a day, a thousandth of it for a page of a search.
CREDITS_A_DAY = 10_000
EQUAL = 0.1  # of the saved searches have another one's question


@dataclass(frozen=True, slots=True, kw_only=True)
class Load:
    """What comes: so many saved searches with this schedule, and people, from `low` to `peak` a second at noon."""

    saved: int
    expression: str = DAILY
    low: float = 0.05
    peak: float = 0.2
    days: float = 1.0
    credits: int | None = CREDITS_A_DAY  # of the credited provider; None: it counts none
    seed: int = 1


@dataclass(frozen=True, slots=True)
class Firing:
    """One run to be: its saved search, how many came before it, when it is due, and when it begins on the clock."""

    name: str
    nth: int
    due: datetime
    at: float


def firings_of(load: Load) -> Iterator[Firing]:
    """Every run of the saved searches. All were saved at midnight, which is the worst that a rate can meet."""
    just_before, end = MIDNIGHT - timedelta(microseconds=1), MIDNIGHT + timedelta(days=load.days)
    schedule = read_schedule(load.expression, now=just_before)
    window = flexible_minutes(schedule, MIDNIGHT)
    dues = list(takewhile(lambda it: it < end, firings(schedule, just_before, anchor=MIDNIGHT)))
    for number in range(load.saved):
        name = f"saved-{number}"
        for nth, due in enumerate(dues):
            at = (due - START).total_seconds() + spread_s(name, due, window)
            yield Firing(name, nth, due, at)


def visits(load: Load) -> list[float]:
    """When people come, on the clock: a Poisson process, thinned to the rate of the hour."""
    rng, at, coming = random.Random(load.seed), MIDNIGHT_S, []
    while (at := at + rng.expovariate(load.peak)) < MIDNIGHT_S + load.days * DAY_S:
        day = (1 - math.cos(2 * math.pi * (at - MIDNIGHT_S) / DAY_S)) / 2
        if rng.random() * load.peak < load.low + (load.peak - load.low) * day:
            coming.append(at)
    return coming


def question_of(name: str, saved: int) -> str:
    """The question of a saved search: one word, so that its papers are all there are; some share a question."""
    number = int(name.removeprefix("saved-"))
    return f"alert{number % math.ceil(saved * (1 - EQUAL))}"
