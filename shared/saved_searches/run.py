"""One run of a saved search. Read this after `shared.search.run`.

    windows of days -> ask every source -> merge -> filter -> what was told before? -> events, told once -> next window

What was told is written before anything is forgotten: a run that dies has told what it told, and the next one goes on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from shared.bibliography.paper import MergedPaper
from shared.legs.coalescing import answer_legs
from shared.legs.leg import Leg, LegAnswer, LegDependencies
from shared.legs.reports import reports_of
from shared.providers.provider import ProviderReply
from shared.query.query import Query
from shared.saved_searches import windows as days
from shared.saved_searches.seen import Known, Seen, agreed, is_published, is_retracted, known_of
from shared.saved_searches.windows import Window
from shared.search.filters import apply_filters
from shared.search.integrity import unanswered_trackers, with_unknown_retraction
from shared.search.page import unranked
from shared.search.publishing import Publish, publish_results
from shared.search.request import SearchRequest, Sized
from shared.search.run import legs_of, merged_of
from shared.search.sizes import light_report, sized

WINDOWS_A_RUN = 8
# A leg has 15 s; with less than the second figure, and the time that our own work took before, no window is begun.
WINDOW_S, LEAST_S = 16.0, 5.0
EVENT_SIZE = Sized.model_validate({"detail": "standard", "abstract_chars": 600})
# The longest titles have a few hundred characters; what is longer is no title.
MAX_CHARS, MAX_ITEMS = 1_000, 10
DAY = "2026-01-31"  # the form of a whole one
TOLD = ("new_paper", "now_published", "retracted", "baseline")


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedSearch:
    """What a run knows of its search."""

    id: str
    owner: str
    request: SearchRequest  # as it is asked (`shared.saved_searches.request.watched`)
    without_retracted: bool  # the caller does not want to be told of papers that were retracted before he saw them
    since: str  # ISO 8601: when it was saved, or this search put in the place of another
    windows: tuple[Window, ...]
    first_run: bool


@dataclass(frozen=True, slots=True)
class News:
    """What is told of one paper, and how it is known from then on; `full` are its results for the graph."""

    known: Known
    events: tuple[Mapping[str, Any], ...] = ()
    full: tuple[Mapping[str, Any], ...] = ()


class Keeper(Protocol):
    """Where a run writes, as long as it holds its search's lease. Raises LeaseLost when it does so no longer."""

    def tell(self, news: Sequence[News]) -> None:
        """Keep papers and events; each whole, or not at all."""

    def keep(self, windows: Sequence[Window]) -> None:
        """Keep how far the run has come."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunWorld:
    """The outside world of a run."""

    legs: LegDependencies
    disciplines: Mapping[str, Sequence[str]]
    tracks_integrity: Collection[str]
    publish: Publish
    observe: Callable[[Sequence[LegAnswer]], None]
    monotonic: Callable[[], float]
    now: Callable[[], str]  # ISO 8601
    run_id: str


def run_saved_search(
    saved: SavedSearch, known: Sequence[Known], keeper: Keeper, world: RunWorld, *, until: float
) -> dict[str, Any]:
    """Ask for what is news until the moment `until`; the run's report. Raises LeaseLost and storage's errors."""
    started, run = world.now(), _Run(saved, known, keeper, world)
    waiting = days.in_order(saved.windows)
    while waiting and run.asked < WINDOWS_A_RUN and until - world.monotonic() > LEAST_S + run.own_s:
        window = waiting.pop(0)
        parts = run.ask(window, min(until, world.monotonic() + WINDOW_S))
        if len(parts) > 1:
            waiting[:0] = days.in_order(parts)
        waiting = [it for it in waiting if it in run.windows]
    return {"run_id": world.run_id, "started_at": started, "ended_at": world.now(), **run.report()}


def bounded(value: Any, chars: int = MAX_CHARS) -> Any:
    """The same with texts of so many characters and lists of a few entries."""
    match value:
        case str():
            return value if len(value) <= chars else value[: chars - 1] + "…"
        case Mapping():
            return {name: bounded(it, chars) for name, it in value.items()}
        case list() | tuple():
            return [bounded(it, chars) for it in value[:MAX_ITEMS]]
    return value


class _Run:
    """A run on its way."""

    def __init__(self, saved: SavedSearch, known: Sequence[Known], keeper: Keeper, world: RunWorld) -> None:
        self._saved, self._keeper, self._world = saved, keeper, world
        self._known, self._seen = {it.number: it for it in known}, Seen(known)
        self._replies: list[ProviderReply] = []
        self._told: Counter[str] = Counter()
        self._undecided = 0
        self.own_s = 0.0  # what a window took at most, once its sources had answered
        self.windows = list(saved.windows)
        self.asked = 0

    def ask(self, window: Window, until: float) -> list[Window]:
        """Ask every source for one window, tell what is news; the window afterwards, or its halves."""
        asked = self._saved.request
        first, last = days.bounds(window, asked.date_from, asked.date_to)
        request = asked.model_copy(update={"date_from": first, "date_to": last})
        legs = legs_of(request, self._world.disciplines)
        answers = answer_legs(legs, self._world.legs, until=until, fresh=True)
        answered = self._world.monotonic()
        self._world.observe(answers)
        replies = [answer.reply for answer in answers]
        self._tell(self._news(window, legs, replies))
        questions = [(reply, leg.question) for leg, reply in zip(legs, replies, strict=True)]
        asked_for = [(reply, question) for reply, question in questions if isinstance(question, Query)]
        own = {"date_from": asked.date_from, "date_to": asked.date_to}
        parts = days.after(window, asked_for, **own, now=self._world.now())
        self.windows = days.trimmed([*(it for it in self.windows if it is not window), *parts])
        self._keeper.keep(self.windows)
        self._replies += replies
        self.asked += 1
        self.own_s = max(self.own_s, self._world.monotonic() - answered)
        return parts

    def _news(self, window: Window, legs: Sequence[Leg], replies: Sequence[ProviderReply]) -> list[News]:
        merged, passed = self._found(legs, replies)
        silent = unanswered_trackers(replies, self._world.tracks_integrity)
        news: dict[int, News] = {}  # two results may be one paper that was told, when only its records join them
        for paper, told in zip(merged, self._seen.recognised(merged), strict=True):
            if not told and paper.key not in passed:  # what was told is followed, whatever filter it has left
                continue
            before = [self._known[it.number] for it in told]
            number = before[0].number if before else 1 + max(self._known, default=0)
            changed = [it for it in agreed(known_of(paper, number, before), before) if it not in before]
            if not changed:
                continue
            self._known |= {it.number: it for it in changed}
            self._seen.learn(changed)
            result = unranked(paper)
            events = tuple(self._events(paper, before, window, result))
            full = (with_unknown_retraction([result])[0] if silent else result,) if events else ()
            for known in changed:
                earlier = news.get(known.number, News(known))
                told_now = (events, full) if known is changed[0] else ((), ())
                news[known.number] = News(known, earlier.events + told_now[0], earlier.full + told_now[1])
        return list(news.values())

    def _found(self, legs: Sequence[Leg], replies: Sequence[ProviderReply]) -> tuple[list[MergedPaper], set[str]]:
        """All papers, and the keys of those that pass every filter, the words of one wording among them.

        A window's days are no filter: a source finds by another date than it tells, and such a paper is in no window.
        """
        request = self._saved.request
        merged, applied = merged_of(legs, replies, self._world.tracks_integrity)
        passed: set[str] = set()
        undecided: list[int] = []
        for wording in request.wordings:
            kept, left_out = apply_filters(merged, request.leg_query(wording), applied)
            passed |= {paper.key for paper in kept}
            undecided.append(left_out.total())
        self._undecided += min(undecided)
        return merged, passed

    def _events(
        self, paper: MergedPaper, before: Sequence[Known], window: Window, result: Mapping[str, Any]
    ) -> list[dict[str, Any]]:
        if not before:
            silent = self._saved.without_retracted and is_retracted(paper)  # known from now on, and never told
            kinds = [] if silent else [self._first_told(paper, window)]
        else:
            appeared = is_published(paper) and not all(it.published for it in before)
            fell = is_retracted(paper) and not any(it.retracted for it in before)
            kinds = ["now_published"] * appeared + ["retracted"] * fell
        shown = sized(result, EVENT_SIZE) if kinds else {}
        about = {"at": self._world.now(), "run_id": self._world.run_id, "key": paper.key, "message": None}
        was = next((it.key for it in before if not it.published), None)
        return [
            bounded({**about, "type": kind, "preprint_key": was if kind == "now_published" else None, "paper": shown})
            for kind in kinds
        ]

    def _first_told(self, paper: MergedPaper, window: Window) -> str:
        """News, when a source that had shown the window whole shows it now; else it was there before the search.

        When a source is heard late for the first time, or shows no window whole, what has come out since the search was
        saved is news too: of that day itself only where another had shown before what there was.
        """
        if days.open_to(window, {record.provider for record in paper.records}):
            return "new_paper"
        day = paper.publication_date or ""
        begun, today = self._saved.since[: len(DAY)], self._world.now()[: len(DAY)]
        since = len(day) == len(DAY) and (begun < day <= today or (begun == day and bool(window.read)))
        return "new_paper" if since else "baseline"

    def _tell(self, news: Sequence[News]) -> None:
        """First the graph, which may hear it twice, then the feed, which must not."""
        full = [result for it in news for result in it.full]
        publish_results(full, self._saved.request, self._world.publish)
        self._keeper.tell([replace(it, full=()) for it in news])
        self._told.update(event["type"] for it in news for event in it.events)

    def report(self) -> dict[str, Any]:
        """What became of it, without the times."""
        reports = reports_of(self._replies)
        owed = any(window.owed or window.overfull for window in self.windows)
        left = days.unread(self.windows)
        return {
            "first_run": self._saved.first_run,
            "complete": bool(self.asked) and not owed and not left,
            "events": {kind: self._told[kind] for kind in TOLD},
            "providers": {name: light_report(report) for name, report in sorted(reports.items())},
            "windows": {"asked": self.asked, "all": len(self.windows), "left": left},
            "overfull": sorted({name for window in self.windows for name in window.overfull}),
            "watched_from": days.watched_from(self.windows),
            "undecided": self._undecided,
        }
