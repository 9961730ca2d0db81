"""Hints about a list of references or citations: why it may be shorter or poorer than the literature."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from shared.bibliography.text import number_of
from shared.legs.hint_messages import is_refused, refused_messages, stale_messages
from shared.outcomes import Outcome

if TYPE_CHECKING:
    from shared.answers.search import Hint, LegReport

OUT_OF_TIME: Hint = {
    "reason": "out_of_time",
    "message": "The time was used up before all was asked and merged: raise `timeout_ms`, or ask for less.",
}


def link_hints(
    reports: Mapping[str, LegReport],
    record_reports: Mapping[str, LegReport],
    count: int,
    *,
    undated: int = 0,
    outside: int = 0,
    is_cut: bool = False,
) -> list[Hint]:
    """The hints for a list of `count` items, without `undated` ones and those `outside` of a range of dates.

    `reports` are of the legs for the lists, `record_reports` of those for the papers' records: if these failed, no item
    is missing, but what is known of it. `is_cut`: records were left out because the time was used up.
    """
    hints: list[Hint] = [
        {
            "reason": "list_is_cut",
            "message": f"{name} knows {total:,}; {report['returned']:,} are here.",
        }
        for name, report in reports.items()
        if (total := report["total_estimate"] or 0) > report["returned"] > 0
    ]
    hints += failure_hints(reports)
    if failed := _failed(record_reports):
        hints.append({"reason": "records_missing", "message": f"Did not tell what they know of the papers: {failed}."})
    if undated:
        message = f"Left out: {number_of(undated, 'paper')} of unknown date; the list without dates has all."
        hints.append({"reason": "undecided_filter", "message": message})
    if outside and not count:
        listed = f"Listed: {number_of(outside, 'paper')}, none with a known date in the range"
        message = f"{listed}: change `date_from` or `date_to`."
        hints.append({"reason": "filters_too_narrow", "message": message})
    elif not (count or undated):
        hints.append({"reason": "no_match", "message": "No provider that answered keeps such a list of this paper."})
    return [*hints, OUT_OF_TIME] if is_cut else hints


def failure_hints(reports: Mapping[str, LegReport]) -> list[Hint]:
    """A hint with the providers that did not answer, if there are any; without those that lack an API key here."""
    messages = [f"Did not answer: {failed}; ask again."] if (failed := _failed(reports)) else []
    messages += [*stale_messages(reports), *refused_messages(reports)]
    return [{"reason": "providers_failed", "message": " ".join(messages)}] if messages else []


def _failed(reports: Mapping[str, LegReport]) -> str:
    """The providers that did not answer, with their outcomes; without those that lack a valid API key here."""
    outcomes = {name: Outcome(report["outcome"]) for name, report in reports.items() if not is_refused(report)}
    return ", ".join(f"{name} ({how})" for name, how in outcomes.items() if how.unanswered)
