"""The days that a saved search watches, cut into windows that every source can show whole.

A source shows at most so many records of one question. Where it has more, the days are cut in two and each half is
asked by itself, down to one day; so no paper is missed because a page was full. A search whose papers fit on a page has
one window, without edges, for ever.

Which papers are news follows from it: what a source shows now, in a window that it had shown whole before.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from typing import Any

from shared.errors import Outcome
from shared.providers.provider import ProviderReply
from shared.query.query import Query, first_day, last_day
from shared.search.filters import mentions
from shared.search.request import LEG_DEPTH

DAY = timedelta(days=1)
# A broader search than this is watched from a later day on, and says so.
MAX_WINDOWS = 60
# Of a source that shows what is near the question, the last records of a full page are looked at.
LAST_RECORDS = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """Days from `first` to `last`, both inclusive; None is open."""

    first: date | None = None
    last: date | None = None
    asked_at: str | None = None  # ISO 8601
    read: frozenset[str] = field(default_factory=frozenset)  # the sources that have shown it whole, at least once
    owed: frozenset[str] = field(default_factory=frozenset)  # those that did not answer the last time
    overfull: frozenset[str] = field(default_factory=frozenset)  # those with more on one day than they show


def to_json(window: Window) -> dict[str, Any]:
    """The window as JSON-ready data."""
    return {
        "first": window.first.isoformat() if window.first else None,
        "last": window.last.isoformat() if window.last else None,
        "asked_at": window.asked_at,
        **{name: sorted(getattr(window, name)) for name in ("read", "owed", "overfull")},
    }


def from_json(data: Mapping[str, Any]) -> Window:
    """The window that `to_json` wrote."""
    return Window(
        first=date.fromisoformat(data["first"]) if data["first"] else None,
        last=date.fromisoformat(data["last"]) if data["last"] else None,
        asked_at=data["asked_at"],
        **{name: frozenset(data[name]) for name in ("read", "owed", "overfull")},
    )


def in_order(windows: Iterable[Window]) -> list[Window]:
    """As they shall be asked: the newest days, what was not answered, then what was not asked for longest."""
    newest_first = sorted(windows, key=lambda it: it.first or date.min, reverse=True)
    rest = sorted(newest_first[1:], key=lambda it: (not it.owed, it.asked_at or ""))
    return newest_first[:1] + rest


def bounds(window: Window, date_from: str | None, date_to: str | None) -> tuple[str | None, str | None]:
    """The window's days, as far as it has any; else the search's own."""
    return (
        window.first.isoformat() if window.first else date_from,
        window.last.isoformat() if window.last else date_to,
    )


def is_cut(reply: ProviderReply, query: Query) -> bool:
    """Whether a source has more papers of this question than it showed.

    One that knows operators, or is asked for one word, counts what matches. Another counts what is near: its page is
    cut when its last records still match.
    """
    told = reply.total_estimate
    full = len(reply.papers) >= LEG_DEPTH if told is None else told > LEG_DEPTH
    if not full or "operators" in reply.applied_filters or "operators" not in query.filters:
        return full
    return any(mentions(paper, query) for paper in reply.papers[-LAST_RECORDS:])


def after(
    window: Window,
    replies: Sequence[tuple[ProviderReply, Query]],
    *,
    date_from: str | None,
    date_to: str | None,
    now: str,
) -> list[Window]:
    """The window as it is after having been asked: one, or its two halves, unasked, where a source showed only a part.

    The dates are the search's own: where the window is open, they are its edges.
    """
    cut = {reply.provider for reply, query in replies if is_cut(reply, query)}
    owed = {reply.provider for reply, _ in replies if _owes(reply)}
    if cut and (
        middle := _middle(window, [reply for reply, _ in replies if reply.provider in cut], date_from, date_to)
    ):
        half = replace(window, asked_at=None, owed=frozenset(owed))
        return [replace(half, last=middle), replace(half, first=middle + DAY)]
    read = {reply.provider for reply, _ in replies if reply.outcome.answered} - owed - cut
    return [
        replace(window, asked_at=now, read=window.read | read, owed=frozenset(owed), overfull=frozenset(cut)),
    ]


def _owes(reply: ProviderReply) -> bool:
    """What has no key, or cannot hold a match, owes nothing."""
    unable = (Outcome.SKIPPED_NO_KEY, Outcome.SKIPPED_UNSUPPORTED_FILTER)
    return not reply.outcome.answered and reply.outcome not in unable


def _middle(window: Window, cut: Sequence[ProviderReply], date_from: str | None, date_to: str | None) -> date | None:
    """The last day of the first half: each half gets as many of the shown papers.

    None where there is one day only, and where a source that does not know days would show the same again.
    """
    if (window.first or window.last) and not any("date" in reply.applied_filters for reply in cut):
        return None
    lowest = window.first or (first_day(date_from) if date_from else None)
    highest = window.last or (last_day(date_to) if date_to else None)
    told = (paper.publication_date for reply in cut for paper in reply.papers)
    days = sorted(day for text in told if text and (day := _day(text, lowest, highest)))
    if days:
        middle = days[(len(days) - 1) // 2]
    elif lowest and highest:  # shown under other days than it was asked for
        middle = lowest + (highest - lowest) // 2
    else:
        return None
    if middle == (highest or date.max):
        middle = max(middle, date.min + DAY) - DAY
    return middle if (lowest or date.min) <= middle < (highest or date.max) else None


def _day(partial: str, lowest: date | None, highest: date | None) -> date | None:
    """The day; of a month or a year the middle of what lies in the window. None for one outside, or no date at all."""
    try:
        first, last = first_day(partial), last_day(partial)
    except ValueError:
        return None
    first, last = max(first, lowest or first), min(last, highest or last)
    return first + (last - first) // 2 if first <= last else None


def trimmed(windows: Sequence[Window]) -> list[Window]:
    """The newest windows, no more of them than are kept, in order of time."""
    in_time = sorted(windows, key=lambda it: it.first or date.min)
    return in_time[-MAX_WINDOWS:]


def watched_from(windows: Sequence[Window]) -> str | None:
    """The first day that is watched, where a search is too broad for all; None when nothing was left out."""
    if len(windows) < MAX_WINDOWS:
        return None
    first = min((it.first or date.min) for it in windows)
    return None if first == date.min else first.isoformat()


def unread(windows: Iterable[Window]) -> int:
    """How many windows wait to be asked for the first time."""
    return sum(window.asked_at is None for window in windows)


def open_to(window: Window, providers: Collection[str]) -> bool:
    """Whether one of these sources had shown the window whole: what it shows beyond that is new."""
    return not window.read.isdisjoint(providers)
