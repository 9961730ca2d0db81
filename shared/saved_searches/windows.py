"""The date windows of a saved search, divided until no source has to truncate its results.

A source returns a limited number of records per query. Where it has more, the window is divided in two and each half is
searched by itself, down to a single day, so that no paper is missed because a page was full. A search whose papers fit
on one page keeps a single window without bounds.

New papers are determined by windows: what a source returns now, in a window that it had covered completely before.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from typing import TypedDict

from shared.providers.provider import ProviderReply
from shared.query.query import Query, first_day, last_day
from shared.search.filtering.expression_match import mentions
from shared.search.requests.search_request import LEG_DEPTH

DAY = timedelta(days=1)
# A search that needs more windows is monitored from a later day on, and its runs report that day.
MAX_WINDOWS = 60
# For a source that also returns approximate matches: how many of the last records of a full page are checked.
LAST_RECORDS = 10


# The JSON of a window. The functional form keeps its stored names out of the vocabulary of this module.
StoredWindow = TypedDict(  # noqa: UP013
    "StoredWindow",
    {
        "first": str | None,  # ISO 8601, as `last`
        "last": str | None,
        "asked_at": str | None,
        "read": list[str],
        "owed": list[str],
        "overfull": list[str],
    },
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """The days from `first` to `last`, both inclusive (None: unbounded), and how far each source has searched them."""

    first: date | None = None
    last: date | None = None
    searched_at: str | None = None  # ISO 8601; None: not yet searched
    covered_by: frozenset[str] = field(default_factory=frozenset)  # sources that returned it completely at least once
    pending: frozenset[str] = field(default_factory=frozenset)  # sources that did not answer the last time
    truncated_by: frozenset[str] = field(default_factory=frozenset)  # sources with more on one day than they return


def to_json(window: Window) -> StoredWindow:
    """Convert the window to JSON-ready data."""
    return {
        "first": window.first.isoformat() if window.first else None,
        "last": window.last.isoformat() if window.last else None,
        "asked_at": window.searched_at,
        "read": sorted(window.covered_by),
        "owed": sorted(window.pending),
        "overfull": sorted(window.truncated_by),
    }


def from_json(data: StoredWindow) -> Window:
    """Convert the result of `to_json` back to a window."""
    return Window(
        first=date.fromisoformat(data["first"]) if data["first"] else None,
        last=date.fromisoformat(data["last"]) if data["last"] else None,
        searched_at=data["asked_at"],
        covered_by=frozenset(data["read"]),
        pending=frozenset(data["owed"]),
        truncated_by=frozenset(data["overfull"]),
    )


def search_order(windows: Iterable[Window]) -> list[Window]:
    """Sort windows for a run: the newest days, then those with pending sources, then by the last search."""
    newest_first = sorted(windows, key=lambda it: it.first or date.min, reverse=True)
    rest = sorted(newest_first[1:], key=lambda it: (not it.pending, it.searched_at or ""))
    return newest_first[:1] + rest


def bounds(window: Window, date_from: str | None, date_to: str | None) -> tuple[str | None, str | None]:
    """Return the window's first and last day; where it is unbounded, the search's own dates."""
    return (
        window.first.isoformat() if window.first else date_from,
        window.last.isoformat() if window.last else date_to,
    )


def is_truncated(reply: ProviderReply, query: Query) -> bool:
    """Return whether a source has more papers for this query than it returned.

    A source that supports operators, or a query of one word, has an exact total. Another source counts approximate
    matches too: its page is truncated when its last records still match the query.
    """
    total = reply.total_estimate
    full = len(reply.papers) >= LEG_DEPTH if total is None else total > LEG_DEPTH
    if not full or "operators" in reply.applied_filters or "operators" not in query.filters:
        return full
    return any(mentions(paper, query) for paper in reply.papers[-LAST_RECORDS:])


def after_search(
    window: Window,
    replies: Sequence[tuple[ProviderReply, Query]],
    *,
    date_from: str | None,
    date_to: str | None,
    now: str,
) -> list[Window]:
    """Return the window with the result of its search; or its two halves, not yet searched, if a source truncated it.

    `date_from` and `date_to` are the search's own dates: the bounds of an unbounded window.
    """
    truncating = {reply.provider for reply, query in replies if is_truncated(reply, query)}
    pending = frozenset(reply.provider for reply, _ in replies if reply.outcome.would_know)
    truncated = [reply for reply, _ in replies if reply.provider in truncating]
    if truncated and (middle := _middle(window, truncated, date_from, date_to)):
        half = replace(window, searched_at=None, pending=pending)
        return [replace(half, last=middle), replace(half, first=middle + DAY)]
    covering = {reply.provider for reply, _ in replies if reply.outcome.answered} - pending - truncating
    return [
        replace(
            window,
            searched_at=now,
            covered_by=window.covered_by | covering,
            pending=pending,
            truncated_by=frozenset(truncating),
        )
    ]


def _middle(window: Window, cut: Sequence[ProviderReply], date_from: str | None, date_to: str | None) -> date | None:
    """Return the last day of the first half, so that each half gets as many of the returned papers.

    None for a window of one day, and where a source that ignores dates would return the same papers again.
    """
    if (window.first or window.last) and not any("date" in reply.applied_filters for reply in cut):
        return None
    lowest = window.first or (first_day(date_from) if date_from else None)
    highest = window.last or (last_day(date_to) if date_to else None)
    texts = (paper.publication_date for reply in cut for paper in reply.papers)
    days = sorted(day for text in texts if text and (day := _day(text, lowest, highest)))
    if days:
        middle = days[(len(days) - 1) // 2]
    elif lowest and highest:  # every returned paper has a date outside the window
        middle = lowest + (highest - lowest) // 2
    else:
        return None
    if middle == (highest or date.max):
        middle = max(middle, date.min + DAY) - DAY
    return middle if (lowest or date.min) <= middle < (highest or date.max) else None


def _day(partial: str, lowest: date | None, highest: date | None) -> date | None:
    """Return the day; for a month or a year, the middle of its part inside the window.

    None for a date outside the window, and for a text that is not a date.
    """
    try:
        first, last = first_day(partial), last_day(partial)
    except ValueError:
        return None
    first, last = max(first, lowest or first), min(last, highest or last)
    return first + (last - first) // 2 if first <= last else None


def newest(windows: Iterable[Window]) -> list[Window]:
    """Return the newest windows, MAX_WINDOWS at most, in chronological order."""
    chronological = sorted(windows, key=lambda it: it.first or date.min)
    return chronological[-MAX_WINDOWS:]


def monitored_from(windows: Sequence[Window]) -> str | None:
    """Return the first day that is monitored if the search is too broad for all days; None if nothing is left out."""
    if len(windows) < MAX_WINDOWS:
        return None
    first = min((it.first or date.min) for it in windows)
    return None if first == date.min else first.isoformat()


def never_searched(windows: Iterable[Window]) -> int:
    """Return how many windows have not been searched yet."""
    return sum(window.searched_at is None for window in windows)


def was_covered_by(window: Window, providers: Collection[str]) -> bool:
    """Return whether one of these sources had covered the window: what it returns beyond that is new."""
    return not window.covered_by.isdisjoint(providers)
