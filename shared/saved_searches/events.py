"""The events that a run of a saved search produces about a paper."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from shared.bibliography.paper import MergedPaper
from shared.saved_searches.new_events import NewEvent, PaperEventType, bounded
from shared.saved_searches.seen import ReportedPaper, is_published, is_retracted
from shared.saved_searches.windows import Window, was_covered_by
from shared.search.requests.search_request import Sized
from shared.search.sizes.details import sized

if TYPE_CHECKING:
    from shared.answers.search import StoredPaper

EVENT_SIZE = Sized.model_validate({"detail": "standard", "abstract_chars": 600})
DAY = "2026-01-31"  # the form of a complete date


def event_types(
    paper: MergedPaper,
    before: Sequence[ReportedPaper],
    window: Window,
    *,
    without_retracted: bool,
    since: str,
    today: str,
) -> list[PaperEventType]:
    """Return the types of the events about a paper that was found in a window.

    `before` is what was reported of it, and empty for a paper found for the first time: with `without_retracted`, one
    that is retracted is never reported. `since` is when the search was saved, `today` the current day (ISO 8601).
    """
    if not before:
        suppressed = without_retracted and is_retracted(paper)
        return [] if suppressed else [_first_type(paper, window, since[: len(DAY)], today[: len(DAY)])]
    types: list[PaperEventType] = []
    if is_published(paper) and not all(it.published for it in before):
        types.append("now_published")
    if is_retracted(paper) and not any(it.retracted for it in before):
        types.append("retracted")
    return types


def _first_type(paper: MergedPaper, window: Window, saved_on: str, today: str) -> PaperEventType:
    """Return `new_paper` if a source that had covered the window returns the paper now, else `baseline`.

    If a source answers late for the first time, or covers no window, papers published since the search was saved are
    new as well; those of that very day only if another source had covered the window before.
    """
    if was_covered_by(window, {record.provider for record in paper.records}):
        return "new_paper"
    day = paper.publication_date or ""
    since = len(day) == len(DAY) and (saved_on < day <= today or (saved_on == day and bool(window.covered_by)))
    return "new_paper" if since else "baseline"


def new_events(
    types: Sequence[PaperEventType],
    result: StoredPaper,
    preprint_key: str | None,
    *,
    at: str,
    run_id: str,
) -> list[NewEvent]:
    """Return events of these types about one paper.

    `result` is the paper in the form of a search result, in full; `preprint_key` what `preprint_key_of` returns.
    """
    shown = sized(result, EVENT_SIZE) if types else None
    return [
        bounded(
            NewEvent(
                at=at,
                run_id=run_id,
                key=result["key"],
                message=None,
                type=kind,
                preprint_key=preprint_key if kind == "now_published" else None,
                paper=shown,
            )
        )
        for kind in types
    ]


def preprint_key_of(before: Sequence[ReportedPaper]) -> str | None:
    """Return the key under which a paper was reported as a preprint; None if it was not."""
    return next((it.key for it in before if not it.published), None)
