"""One run of a saved search. Read this after `shared.search.run`.

    date windows -> query every source -> merge -> filter -> compare with reported papers -> events -> next window

Events are stored before the windows advance: if a run dies, its events are not repeated, and the next run continues.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

from shared.bibliography.paper import MergedPaper
from shared.legs.coalescing import answer_legs
from shared.legs.leg import Leg, LegAnswer, LegDependencies
from shared.legs.reports import reports_of
from shared.providers.provider import ProviderReply
from shared.query.query import Query
from shared.saved_searches import windows as date_windows
from shared.saved_searches.events import event_types, new_events, preprint_key_of
from shared.saved_searches.new_events import NewEvent
from shared.saved_searches.seen import ReportedPaper, SeenSet, known_paper, with_same_state
from shared.saved_searches.windows import Window
from shared.search.filtering.filters import apply_filters
from shared.search.integrity import unanswered_trackers, with_unknown_retraction
from shared.search.publishing import Publish, publish_results
from shared.search.ranked_set import merged_of
from shared.search.requests.search_request import SearchRequest
from shared.search.results import unranked
from shared.search.search_legs import legs_of
from shared.search.sizes.report_sizes import light_report

if TYPE_CHECKING:
    from shared.answers.saved_search_runs import EventCounts, LastRun
    from shared.answers.search import StoredPaper

WINDOWS_A_RUN = 8
# A leg has 15 s. No window is started with less than MIN_WINDOW_S left, plus the time that processing has taken so far.
WINDOW_S, MIN_WINDOW_S = 16.0, 5.0


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchToRun:
    """The part of a saved search that a run reads."""

    id: str
    owner: str
    request: SearchRequest  # from `shared.saved_searches.request.monitoring_request`
    without_retracted: bool  # do not report papers that were retracted before they were first found
    since: str  # ISO 8601: when the search was saved, or replaced by another
    windows: tuple[Window, ...]
    first_run: bool


@dataclass(frozen=True, slots=True)
class PaperNews:
    """The events about one paper, and what to store about it; `full` has its complete results for the graph."""

    known: ReportedPaper
    events: tuple[NewEvent, ...] = ()
    full: tuple[StoredPaper, ...] = ()


class RunStore(Protocol):
    """The storage of a run that holds its search's lease. Raises LeaseLost when it no longer does."""

    def write_news(self, news: Sequence[PaperNews]) -> None:
        """Store papers with their events; each paper completely, or not at all."""

    def save_windows(self, windows: Sequence[Window]) -> None:
        """Store the progress of the run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunDependencies:
    """The adapters, the clock and the configuration of a run."""

    legs: LegDependencies
    disciplines: Mapping[str, Sequence[str]]
    tracks_integrity: Collection[str]
    publish: Publish
    observe: Callable[[Sequence[LegAnswer]], None]
    monotonic: Callable[[], float]
    now: Callable[[], str]  # ISO 8601
    run_id: str


def run_saved_search(
    saved: SearchToRun,
    known: Sequence[ReportedPaper],
    store: RunStore,
    dependencies: RunDependencies,
    *,
    until: float,
) -> LastRun:
    """Search for news until `until` (monotonic seconds) and return the report. Raises LeaseLost and storage errors."""
    started, run = dependencies.now(), _Run(saved, known, store, dependencies)
    waiting = date_windows.search_order(saved.windows)
    while (
        waiting
        and run.searched < WINDOWS_A_RUN
        and until - dependencies.monotonic() > MIN_WINDOW_S + run.longest_processing_s
    ):
        window = waiting.pop(0)
        parts = run.search(window, min(until, dependencies.monotonic() + WINDOW_S))
        if len(parts) > 1:
            waiting[:0] = date_windows.search_order(parts)
        waiting = [it for it in waiting if it in run.windows]
    return run.report(started)


class _Run:
    """The state of a run in progress."""

    def __init__(
        self, saved: SearchToRun, known: Sequence[ReportedPaper], store: RunStore, dependencies: RunDependencies
    ) -> None:
        self._saved, self._store, self._dependencies = saved, store, dependencies
        self._known, self._seen = {it.number: it for it in known}, SeenSet(known)
        self._replies: list[ProviderReply] = []
        self._events: Counter[str] = Counter()
        self._undecided = 0
        self.longest_processing_s = 0.0  # of one window, after its sources had answered
        self.windows = list(saved.windows)
        self.searched = 0

    def search(self, window: Window, until: float) -> list[Window]:
        """Query every source for one window and store the news; return the updated window, or its halves."""
        whole = self._saved.request
        first, last = date_windows.bounds(window, whole.date_from, whole.date_to)
        request = whole.model_copy(update={"date_from": first, "date_to": last})
        legs = [_strict(leg) for leg in legs_of(request, self._dependencies.disciplines)]
        answers = answer_legs(legs, self._dependencies.legs, until=until, fresh=True)
        answered = self._dependencies.monotonic()
        self._dependencies.observe(answers)
        replies = [answer.reply for answer in answers]
        self._write(self._news(window, legs, replies))
        questions = [(reply, leg.question) for leg, reply in zip(legs, replies, strict=True)]
        queried = [(reply, question) for reply, question in questions if isinstance(question, Query)]
        dates = {"date_from": whole.date_from, "date_to": whole.date_to}
        parts = date_windows.after_search(window, queried, **dates, now=self._dependencies.now())
        self.windows = date_windows.newest([*(it for it in self.windows if it is not window), *parts])
        self._store.save_windows(self.windows)
        self._replies += replies
        self.searched += 1
        self.longest_processing_s = max(self.longest_processing_s, self._dependencies.monotonic() - answered)
        return parts

    def _news(self, window: Window, legs: Sequence[Leg], replies: Sequence[ProviderReply]) -> list[PaperNews]:
        merged, passed = self._merged(legs, replies)
        unanswered = unanswered_trackers(replies, self._dependencies.tracks_integrity)
        news: dict[int, PaperNews] = {}  # by number: two results may be one reported paper whose records only it joins
        for paper, before in zip(merged, self._seen.matches(merged), strict=True):
            if not before and paper.key not in passed:  # a reported paper is followed even if it fails a filter now
                continue
            before = [self._known[it.number] for it in before]
            number = before[0].number if before else 1 + max(self._known, default=0)
            changed = [it for it in with_same_state(known_paper(paper, number, before), before) if it not in before]
            if not changed:
                continue
            self._known |= {it.number: it for it in changed}
            self._seen.update(changed)
            result = unranked(paper)
            events = tuple(self._events_of(paper, before, window, result))
            stored = with_unknown_retraction([result])[0] if unanswered else result
            full = (stored,) if events else ()
            for known in changed:
                earlier = news.get(known.number, PaperNews(known))
                own = (events, full) if known is changed[0] else ((), ())
                news[known.number] = PaperNews(known, earlier.events + own[0], earlier.full + own[1])
        return list(news.values())

    def _merged(self, legs: Sequence[Leg], replies: Sequence[ProviderReply]) -> tuple[list[MergedPaper], set[str]]:
        """Return all papers, and the keys of those that pass every filter, including the words of one wording.

        The window's dates are not a filter: a source may search by another date than it returns, and such a paper would
        be in no window.
        """
        request = self._saved.request
        merged, applied = merged_of(legs, replies, self._dependencies.tracks_integrity)
        passed: set[str] = set()
        undecided: list[int] = []
        for wording in request.wordings:
            passing, left_out = apply_filters(merged, request.leg_query(wording), applied)
            passed |= {paper.key for paper in passing}
            undecided.append(left_out.total())
        self._undecided += min(undecided)
        return merged, passed

    def _events_of(
        self, paper: MergedPaper, before: Sequence[ReportedPaper], window: Window, result: StoredPaper
    ) -> list[NewEvent]:
        now = self._dependencies.now()
        types = event_types(
            paper,
            before,
            window,
            without_retracted=self._saved.without_retracted,
            since=self._saved.since,
            today=now,
        )
        return new_events(types, result, preprint_key_of(before), at=now, run_id=self._dependencies.run_id)

    def _write(self, news: Sequence[PaperNews]) -> None:
        """Write to the graph first, which accepts repeated papers, then to the feed, which must not repeat events."""
        full = [result for it in news for result in it.full]
        publish_results(full, self._saved.request, self._dependencies.publish)
        self._store.write_news([replace(it, full=()) for it in news])
        self._events.update(event["type"] for it in news for event in it.events)

    def report(self, started_at: str) -> LastRun:
        """Return the result of the run."""
        incomplete = any(window.pending or window.truncated_by for window in self.windows)
        left = date_windows.never_searched(self.windows)
        counts: EventCounts = {
            "new_paper": self._events["new_paper"],
            "now_published": self._events["now_published"],
            "retracted": self._events["retracted"],
            "baseline": self._events["baseline"],
        }
        reports = {name: light_report(report) for name, report in sorted(reports_of(self._replies).items())}
        return {
            "run_id": self._dependencies.run_id,
            "started_at": started_at,
            "ended_at": self._dependencies.now(),
            "first_run": self._saved.first_run,
            "complete": bool(self.searched) and not incomplete and not left,
            "events": counts,
            "providers": reports,
            "windows": {"asked": self.searched, "all": len(self.windows), "left": left},
            "overfull": sorted({name for window in self.windows for name in window.truncated_by}),
            "watched_from": date_windows.monitored_from(self.windows),
            "undecided": self._undecided,
        }


def _strict(leg: Leg) -> Leg:
    """The leg without a wider form: what has only some of the words is not news, and its count no count of a window."""
    question = leg.question
    return replace(leg, question=replace(question, widen=False)) if isinstance(question, Query) else leg
