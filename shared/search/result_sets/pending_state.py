"""What a result set with pending legs is at a moment: pending, complete or incomplete.

The store of result sets reads this, so it imports nothing that a cached answer does without.
"""

from __future__ import annotations

from copy import copy
from typing import TYPE_CHECKING, Literal

from shared.legs.hint_messages import missing_message
from shared.legs.reports import missing
from shared.outcomes import Outcome

if TYPE_CHECKING:
    from shared.answers.search import Hint, LegReport
    from shared.search.result_sets.store import AnyResultSet

State = Literal["complete", "pending", "incomplete"]


def state_of(result_set: AnyResultSet) -> State:
    """Whether all was asked and has answered, or will, or has not and will not."""
    if "pending" in result_set:
        return "pending"
    return "complete" if result_set["summary"]["complete"] else "incomplete"


def ended(result_set: AnyResultSet, now: float) -> AnyResultSet:
    """The result set as it is at this moment: the legs of one that nobody has completed in time have timed out."""
    pending = result_set.get("pending")
    if pending is None or now < pending["until"]:
        return result_set
    summary = copy(result_set["summary"])
    summary["providers"] = {
        name: never_answered(report) if report["outcome"] == Outcome.PENDING else report
        for name, report in summary["providers"].items()
    }
    hint: Hint = {"reason": "providers_failed", "message": missing_message(", ".join(pending["providers"]))}
    summary["hints"] = [hint, *(it for it in summary["hints"] if it["reason"] != "pending")]
    shown = copy(result_set)
    shown["summary"] = summary
    del shown["pending"]
    return shown


def never_answered(report: LegReport) -> LegReport:
    """The report of a leg that was pending for too long."""
    warning = "its answer did not come after the others had been sent"
    return {**report, "outcome": Outcome.TIMEOUT, "warnings": [warning]}


def missing_of(result_set: AnyResultSet) -> list[str]:
    """The providers for lack of whose answers it is not complete, yet or for good."""
    named = result_set["asked"]["providers"] if "asked" in result_set else ()
    return missing(result_set["summary"]["providers"], named)
