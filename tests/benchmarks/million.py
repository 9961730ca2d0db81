"""A million searches in a day: `python -m tests.benchmarks.million` (eight minutes).

`… million SEARCHES SKEW PLAN …` for some of it; `--write` stores the figures for infra/cost.md. The day begins with an
empty cache at midnight UTC; searches follow Zipf's law over a million questions, and the hour of the day. The busiest
minute, with the real waiting, is in `million_peak.py`.
"""

from __future__ import annotations

import json
import math
import random
import sys
import time
from bisect import bisect_left
from collections import Counter
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from infra.functions import provider_spec, searched_by_default
from shared.rate_limits.budget import DAY_S
from shared.rate_limits.limits import Overrides, limits_of
from tests.benchmarks.cost import MEASURED
from tests.benchmarks.million_day import Day, Source

SEARCHES, QUESTIONS = 1_000_000, 1_000_000
PEAK_HOUR, KAPPA = 14, 1.75  # von Mises: the busiest moment has three times the day's mean
SKEWS = (1.0, 0.8, 1.2)


@dataclass(frozen=True, slots=True)
class Plan:
    """Which keys a deployment has; OpenAlex's allowance is a key's dollar, or a tenth of it, in searches."""

    keys: frozenset[str] = frozenset()
    openalex_a_day: int | None = 100
    crossref_at_once: int | None = None


FREE = frozenset({"openalex", "paperclip", "pubmed", "semantic_scholar"})
PLANS = {
    "no keys": Plan(),
    "free keys": Plan(FREE, 1000),
    "paid": Plan(FREE | {"crossref"}, None, 50),  # Crossref Plus, and OpenAlex without an allowance
}


def sources(plan: Plan) -> dict[str, Source]:
    """Those that can be searched."""
    found = {}
    for name in searched_by_default():
        spec, has_key = provider_spec(name), name in plan.keys
        if has_key or not spec.needs_key:
            at_once = plan.crossref_at_once if name == "crossref" else None
            found[name] = Source(name, limits_of(spec, has_key=has_key, overrides=Overrides(concurrency=at_once)))
    found["openalex"].credits = plan.openalex_a_day
    return found


def arrivals(searches: int, skew: float, seed: int = 1) -> list[tuple[float, int]]:
    """When each search comes, in epoch seconds of a first day, and its question."""
    chance = random.Random(seed)
    weights = list(accumulate((number + 1) ** -skew for number in range(QUESTIONS)))
    middle = PEAK_HOUR / 24 * 2 * math.pi
    moments = sorted(chance.vonmisesvariate(middle, KAPPA) / (2 * math.pi) * DAY_S for _ in range(searches))
    return [(DAY_S + at, bisect_left(weights, chance.random() * weights[-1])) for at in moments]


def _is_short(source: Source, hour: int) -> bool:
    """Whether more than a tenth of an hour's legs got no answer."""
    return 9 * (source.refused[hour] + source.late[hour]) > source.answered[hour]


def figures(day: Day) -> dict[str, Any]:
    """What a day has brought, JSON-ready."""
    kinds = Counter[str]()
    for (_, kind), times in day.kinds.items():
        kinds[kind] += times
    return {
        "kinds": dict(kinds),
        "incomplete": day.incomplete.total(),
        "dispatchers_at_once": round(max(day.busy_s.values()) / 3600),
        "dispatcher_s": round(sum(day.busy_s.values())),
        "provider_s": round(sum(sum(it.busy_s.values()) for it in day.sources.values())),
        "sources": {
            name: {
                "legs": it.asked,
                "answered": it.answered.total(),
                "refused": it.refused.total(),
                "in_vain": it.late.total(),
                "requests": it.sent.total(),
                "at_once": round(max(it.busy_s.values(), default=0.0) / 3600),
                "short_from": next((hour for hour in range(24) if _is_short(it, hour)), None),
                "spent_at": it.spent_at and time.strftime("%H:%M", time.gmtime(it.spent_at)),
            }
            for name, it in day.sources.items()
        },
    }


def main() -> None:
    """A JSON object for each skew and plan; with `--write`, stored for infra/cost.md."""
    arguments = [it for it in sys.argv[1:] if it != "--write"]
    searches = int(arguments[0]) if arguments else SEARCHES
    for skew in [float(arguments[1])] if len(arguments) > 1 else SKEWS:
        coming = arrivals(searches, skew)
        distinct = len({question for _, question in coming})
        for name in arguments[2:] or PLANS:
            day = Day(sources(PLANS[name]))
            day.run(coming)
            found = {"questions": distinct, **figures(day)}
            print(f"{skew:g}, {name}: {json.dumps(found, indent=1)}", flush=True)
            if "--write" in sys.argv:
                stored = json.loads(MEASURED.read_text(encoding="utf-8"))
                stored.setdefault("million", {})[f"{skew:g}, {name}"] = found
                MEASURED.write_text(json.dumps(stored, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
