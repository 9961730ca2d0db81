"""The reports and completeness of the legs behind an answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from shared.legs.leg import LegAnswer
from shared.legs.reports import Reports, cache_state, complete, reports_of
from shared.outcomes import Outcome

if TYPE_CHECKING:
    from shared.answers.search import LegSummary


WARNINGS_SHOWN = 3


def summary_of(answers: Sequence[LegAnswer], *, is_cut: bool = False) -> LegSummary:
    """The fields `complete`, `providers` and `cache` of an answer made from these legs.

    `is_cut`: the time was used up before all legs were sent and merged.
    """
    reports = reports_of([answer.reply for answer in answers])
    return {"complete": complete(reports, ()) and not is_cut, "providers": reports, "cache": cache_state(answers)}


def joined(legs: Sequence[LegSummary]) -> LegSummary:
    """The summary of several groups of legs; of a provider in several, the first report without an answer,
    else the last one."""
    reports: Reports = {}
    for group in legs:
        for name, report in group["providers"].items():
            if name not in reports or Outcome(reports[name]["outcome"]).answered:
                reports[name] = report
    states = {group["cache"] for group in legs}
    worst = states.pop() if len(states) == 1 else "stale" if "stale" in states else "partial" if states else "hit"
    return {"complete": all(group["complete"] for group in legs), "providers": reports, "cache": worst}


def with_few_warnings(legs: LegSummary) -> LegSummary:
    """The summary with the first warnings of each provider only: every list may have some."""
    reports = {name: {**report, "warnings": _first(report["warnings"])} for name, report in legs["providers"].items()}
    return {**legs, "providers": cast("Reports", reports)}


def _first(warnings: Sequence[str]) -> list[str]:
    more = len(warnings) - WARNINGS_SHOWN
    return [*warnings[:WARNINGS_SHOWN], *([f"and {more} more warnings of other lists"] if more > 0 else [])]
