"""The tables of a million searches a day, from the figures that `tests.benchmarks.million` stores."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tests.benchmarks.cost_prices import MEMORY_MB, dollars

# What `tests.benchmarks.million_day` calls the kinds of searches, and what one of each costs.
KINDS = {
    "hit": "hit",
    "hit of legs": "refused",
    "hit but for refused legs": "refused",
    "coalesced": "coalesced",
    "miss": "miss",
}
SOURCES_OF = "1, free keys"


def million_tables(days: Mapping[str, Any], whole: Mapping[str, float], lambdas: Mapping[str, float]) -> str:
    """Markdown; `whole` is the dollars of 1,000 searches of each kind, `lambdas` what of it is billed by time."""
    return "\n".join([*_days(days, whole, lambdas), "", *_sources(days), ""])


def _days(days: Mapping[str, Any], whole: Mapping[str, float], lambdas: Mapping[str, float]) -> Iterator[str]:
    yield "| Zipf, keys | questions | hit | legs refused | miss | incomplete | Lambdas at once | dollars a day |"
    yield "|---|---|---|---|---|---|---|---|"
    for name, day in days.items():
        kinds, searches = day["kinds"], sum(day["kinds"].values())
        refused = kinds.get("hit but for refused legs", 0) + kinds.get("hit of legs", 0)
        shares = [kinds.get("hit", 0), refused, kinds.get("miss", 0) + kinds.get("coalesced", 0), day["incomplete"]]
        columns = " | ".join(f"{share / searches:.0%}" for share in shares)
        at_once = f"{day['dispatchers_at_once']} + {sum(it['at_once'] for it in day['sources'].values())}"
        yield f"| {name} | {day['questions']:,} | {columns} | {at_once} | {_dollars(day, whole, lambdas):,.0f} |"


def _dollars(day: Mapping[str, Any], whole: Mapping[str, float], lambdas: Mapping[str, float]) -> float:
    """Lambda by the seconds that the day took, all else by the kind of search."""
    gb_s = day["dispatcher_s"] * MEMORY_MB["dispatcher"] / 1024 + day["provider_s"] * MEMORY_MB["provider"] / 1024
    rest: float = sum(
        times / 1000 * (whole[KINDS[kind]] - lambdas[KINDS[kind]]) for kind, times in day["kinds"].items()
    )
    return dollars("lambda", gb_s) + rest


def _sources(days: Mapping[str, Any]) -> Iterator[str]:
    yield f"| {SOURCES_OF} | legs asked | answered | refused | asked in vain | requests sent | at once | short from |"
    yield "|---|---|---|---|---|---|---|---|"
    for name, it in days[SOURCES_OF]["sources"].items():
        counts = " | ".join(f"{it[key]:,}" for key in ("legs", "answered", "refused", "in_vain", "requests", "at_once"))
        yield f"| {name} | {counts} | {_short(it)} |"


def _short(source: Mapping[str, Any]) -> str:
    """From when on more than a tenth of its legs get no answer: an hour, or the minute when its day is spent."""
    if source["spent_at"] or source["short_from"] is None:
        return source["spent_at"] or "never"
    return f"{source['short_from']:02d}:00"
